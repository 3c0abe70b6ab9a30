#include "tools/cgroup.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

#include "base/files.h"
#include "base/text.h"

namespace deputy::tools {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "deputy-";  // then the id of the process that made it
constexpr std::chrono::milliseconds kBetweenLooks{100};
constexpr std::uint64_t kMaxFilesKeptFree = 10'000;

std::string content_of(const char* file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The kernel takes a value in one write or refuses it.
bool put(const fs::path& file, const std::string& value) {
  const FileDescriptor descriptor(open(file.c_str(), O_WRONLY | O_CLOEXEC));
  return descriptor.number >= 0 &&
         write(descriptor.number, value.data(), value.size()) == static_cast<ssize_t>(value.size());
}

bool contains_word(std::string_view list, std::string_view word) {
  const std::vector<std::string_view> words = split(list, ",");
  return contains(words, word);
}

// In a container the path may be a path of the host that does not exist here; the mount itself is then our own group.
fs::path own_folder(const fs::path& mount, std::string_view path) {
  path.remove_prefix(std::min(path.find_first_not_of('/'), path.size()));
  if (path.empty()) return mount;
  const fs::path named = mount / path;
  std::error_code ignored;
  return fs::is_directory(named, ignored) ? named : mount;
}

void remove_groups_of_ended_processes(const fs::path& parent) {
  std::error_code failed;
  for (const auto& entry : fs::directory_iterator(parent, failed)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    pid_t maker = 0;
    std::from_chars(name.data() + kPrefix.size(), name.data() + name.size(), maker);
    if (maker > 0 && kill(maker, 0) != 0 && errno == ESRCH) rmdir(entry.path().c_str());
  }
}

// Groups that still had a process when their owner was done. The process ends soon; the groups are removed when the
// next group is created.
class LeftBehind {
 public:
  static LeftBehind& of_this_process() {
    static LeftBehind all;
    return all;
  }
  void add(std::vector<fs::path> folders) {
    const std::lock_guard lock(mutex_);
    std::ranges::move(folders, std::back_inserter(folders_));
  }
  void remove() {
    const std::lock_guard lock(mutex_);
    std::erase_if(folders_, is_removed);
  }
  static bool is_removed(const fs::path& folder) { return rmdir(folder.c_str()) == 0 || errno == ENOENT; }

 private:
  std::mutex mutex_;
  std::vector<fs::path> folders_;
};

// In version 2 a group gets its limit files only if its parent enables them.
bool has_its_files(const CgroupPlace& place, const fs::path& folder) {
  std::error_code ignored;
  if (fs::exists(folder / place.memory, ignored)) return true;
  return place.is_version_2 && put(place.folder / "cgroup.subtree_control", "+memory +pids") &&
         fs::exists(folder / place.memory, ignored);
}

}  // namespace

std::vector<CgroupPlace> cgroup_places(std::string_view own_groups, std::string_view mounts) {
  std::map<std::string, std::string_view, std::less<>> own;  // controllers to path; "" is version 2
  for (const std::string_view line : split(own_groups, "\n")) {
    const std::vector<std::string_view> parts = split(line, ":");
    if (parts.size() == 3) own.emplace(parts[1], parts[2]);
  }
  const auto path_of = [&](std::string_view controller) -> std::string_view {
    for (const auto& [controllers, path] : own) {
      if (contains_word(controllers, controller)) return path;
    }
    return "/";
  };
  std::vector<CgroupPlace> places;
  for (const std::string_view line : split(mounts, "\n")) {
    const std::vector<std::string_view> parts = split(line, " ");  // device, folder, type, options …
    if (parts.size() < 4) continue;
    const fs::path mount(parts[1]);
    if (parts[2] == "cgroup2") {
      places.push_back({own_folder(mount, own.contains("") ? own.at("") : "/"), "memory.max", "pids.max", true});
    } else if (parts[2] == "cgroup" && contains_word(parts[3], "memory")) {
      places.push_back({own_folder(mount, path_of("memory")), "memory.limit_in_bytes", "", false});
    } else if (parts[2] == "cgroup" && contains_word(parts[3], "pids")) {
      places.push_back({own_folder(mount, path_of("pids")), "", "pids.max", false});
    }
  }
  return places;
}

std::optional<Cgroup> Cgroup::make(std::uint64_t memory_bytes, std::uint64_t processes) {
  static std::atomic<unsigned> count = 0;
  LeftBehind::of_this_process().remove();
  const std::string name = fmt::format("{}{}-{}", kPrefix, getpid(), ++count);
  Cgroup group;
  bool bounds_memory = false;
  for (const CgroupPlace& place : cgroup_places(content_of("/proc/self/cgroup"), content_of("/proc/self/mounts"))) {
    remove_groups_of_ended_processes(place.folder);
    const fs::path folder = place.folder / name;
    std::error_code failed;
    if (!fs::create_directory(folder, failed)) continue;
    const bool bounded = (place.memory.empty() ||
                          (has_its_files(place, folder) && put(folder / place.memory, std::to_string(memory_bytes)))) &&
                         (place.processes.empty() || put(folder / place.processes, std::to_string(processes)));
    if (!bounded) {
      rmdir(folder.c_str());
      continue;
    }
    if (place.is_version_2)
      put(folder / "memory.swap.max", "0");  // not on every kernel; without it swap is not limited
    bounds_memory = bounds_memory || !place.memory.empty();
    group.folders_.push_back(folder);
  }
  if (!bounds_memory) return std::nullopt;
  return group;
}

std::vector<std::string> Cgroup::files_to_join() const {
  std::vector<std::string> files;
  files.reserve(folders_.size());
  for (const fs::path& folder : folders_) files.push_back((folder / "cgroup.procs").string());
  return files;
}

bool Cgroup::remove() {
  std::erase_if(folders_, LeftBehind::is_removed);
  return folders_.empty();
}

void Cgroup::end_all() const {
  for (const fs::path& folder : folders_) {
    std::ifstream members(folder / "cgroup.procs");
    for (pid_t member = 0; members >> member;) kill(member, SIGKILL);
  }
}

Cgroup::~Cgroup() {
  end_all();
  if (!remove()) LeftBehind::of_this_process().add(std::move(folders_));
}

bool has_room(const struct statvfs& disk, std::uint64_t least_bytes) {
  if (static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize < least_bytes) return false;
  // A file system without a fixed number of files (btrfs) reports 0 for both.
  return disk.f_favail >= std::min<std::uint64_t>(disk.f_files / 100, kMaxFilesKeptFree);
}

bool has_room(const std::filesystem::path& folder, std::uint64_t least_bytes) {
  struct statvfs disk{};
  return least_bytes == 0 || statvfs(folder.c_str(), &disk) != 0 || has_room(disk, least_bytes);
}

Task<> until_full(std::filesystem::path folder, std::uint64_t least_bytes) {
  while (has_room(folder, least_bytes)) co_await sleep_for(kBetweenLooks);
}

}  // namespace deputy::tools
