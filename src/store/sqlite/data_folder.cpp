#include "store/sqlite/data_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>
#include <utility>

#include "base/files.h"
#include "base/sqlite.h"
#include "base/text.h"

namespace deputy::store {

namespace {

struct FilesystemType {
  std::int64_t type;
  const char* name;
};

// From statfs(2), and from the headers of those not listed there.
constexpr std::array<FilesystemType, 15> kNetworkFilesystems{{
    {0x6969, "NFS"},
    {0x517B, "SMB"},
    {0xFF534D42, "CIFS"},
    {0xFE534D42, "SMB2"},
    {0x564C, "NCP"},
    {0x73757245, "Coda"},
    {0x5346414F, "AFS"},
    {0x6B414653, "AFS"},
    {0x01021997, "9P"},
    {0x00C36400, "Ceph"},
    {0x0BD00BD0, "Lustre"},
    {0x01161970, "GFS2"},
    {0x7461636F, "OCFS2"},
    {0x47504653, "GPFS"},
    {0x19830326, "BeeGFS"},
}};

constexpr std::int64_t kFuse = 0x65735546;

// Their mount types, after "fuse.".
constexpr std::array<std::string_view, 25> kNetworkFuse{
    "sshfs",  "s3fs",      "s3ql",  "s3backer",  "mount-s3", "goofys",      "gcsfuse",   "blobfuse", "blobfuse2",
    "rclone", "glusterfs", "ceph",  "ceph-fuse", "juicefs",  "JuiceFS",     "seaweedfs", "weed",     "moosefs",
    "mfs",    "lizardfs",  "davfs", "curlftpfs", "smbnetfs", "objectivefs", "onedriver"};

constexpr const char* kLockSuffix = ".lock";

constexpr const char* kInstances = "instances";

std::string lock_name(const std::string& instance) { return instance + kLockSuffix; }

std::unexpected<Error> cannot_lock(const std::filesystem::path& file) {
  if (errno == ENOSPC || errno == EDQUOT)
    return fail(ErrorKind::internal, fmt::format("cannot lock {}: the disk is full", file.string()),
                std::string(sqlite::kFreeSpace));
  return fail(ErrorKind::not_configured, fmt::format("cannot lock {}: {}", file.string(), std::strerror(errno)),
              "check that the data folder can be written, or name another one with --data");
}

// FUSE can hide any file system; the mount type says which.
std::string network_filesystem_behind_fuse(const std::filesystem::path& folder) {
  struct stat about{};
  if (stat(folder.c_str(), &about) != 0) return {};
  std::ifstream mounts("/proc/self/mountinfo");
  const std::string mountinfo{std::istreambuf_iterator<char>(mounts), {}};
  return network_filesystem(mounted_as(mountinfo, fmt::format("{}:{}", major(about.st_dev), minor(about.st_dev))));
}

}  // namespace

std::string network_filesystem(std::int64_t type) {
  for (const FilesystemType& known : kNetworkFilesystems) {
    if (static_cast<std::uint32_t>(type) == static_cast<std::uint32_t>(known.type)) return known.name;
  }
  return {};
}

std::string network_filesystem(std::string_view mounted_as) {
  constexpr std::string_view kBeginning = "fuse.";
  if (!mounted_as.starts_with(kBeginning)) return {};
  const std::string_view name = mounted_as.substr(kBeginning.size());
  return !contains(kNetworkFuse, name) ? std::string() : std::string(name);
}

// A line is "36 35 98:0 /root /mount/point options optional… - type source options"; no field contains a space.
std::string mounted_as(std::string_view mountinfo, std::string_view device) {
  constexpr std::string_view kBeforeType = " - ";
  while (!mountinfo.empty()) {
    const std::string_view line = mountinfo.substr(0, mountinfo.find('\n'));
    mountinfo.remove_prefix(std::min(line.size() + 1, mountinfo.size()));
    const std::size_t parent = line.find(' ');
    const std::size_t before = parent == line.npos ? line.npos : line.find(' ', parent + 1);
    const std::size_t type = line.find(kBeforeType);
    if (before == line.npos || type == line.npos) continue;
    if (line.substr(before + 1, line.find(' ', before + 1) - before - 1) != device) continue;
    const std::size_t begins = type + kBeforeType.size();
    return std::string(line.substr(begins, line.find(' ', begins) - begins));
  }
  return {};
}

Result<> prepare_folder(const std::filesystem::path& folder) {
  TRY(make_ours_alone(folder));
  struct statfs about{};
  if (statfs(folder.c_str(), &about) != 0) {
    return fail(ErrorKind::not_configured,
                fmt::format("cannot use the data folder {}: {}", folder.string(), std::strerror(errno)),
                "name another one with --data");
  }
  std::string network = network_filesystem(about.f_type);
  if (about.f_type == kFuse) network = network_filesystem_behind_fuse(folder);
  if (!network.empty()) {
    return fail(ErrorKind::not_configured,
                fmt::format("the data folder {} is on a network file system ({})", folder.string(), network),
                "use a local disk");
  }
  return {};
}

std::uint64_t free_bytes(const std::filesystem::path& folder) {
  struct statvfs about{};
  if (statvfs(folder.c_str(), &about) != 0) return 0;
  return static_cast<std::uint64_t>(about.f_bavail) * about.f_frsize;
}

bool has_room(std::uint64_t free_on_disk, std::uint64_t free_in_file, std::uint64_t least_free) {
  return free_on_disk >= least_free || (free_on_disk >= least_free / 8 && free_in_file >= least_free - free_on_disk);
}

Result<OpeningLock> OpeningLock::take(const std::filesystem::path& folder, std::chrono::milliseconds limit) {
  TRY(prepare_folder(folder / kInstances));
  const std::filesystem::path file = folder / kInstances / "opening";
  OpeningLock lock;
  lock.descriptor_ = open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock.descriptor_ < 0) return cannot_lock(file);
  const auto ends = std::chrono::steady_clock::now() + limit;
  while (flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return cannot_lock(file);
    if (std::chrono::steady_clock::now() > ends) {
      return fail(ErrorKind::conflict, fmt::format("another Deputy is still opening {}", folder.string()),
                  "wait until it has started, or stop it");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return lock;
}

OpeningLock::~OpeningLock() {
  if (descriptor_ >= 0) close(descriptor_);
}

Result<InstanceLocks> InstanceLocks::take(const std::filesystem::path& folder, InstanceId self) {
  InstanceLocks locks;
  locks.folder_ = folder / kInstances;
  locks.self_ = self;
  TRY(prepare_folder(locks.folder_));
  // Lock the file under another name first: a visible lock file is then never free while its process lives.
  const std::filesystem::path file = locks.folder_ / lock_name(self.text());
  const std::filesystem::path unlocked = locks.folder_ / (self.text() + ".new");
  locks.descriptor_ = open(unlocked.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (locks.descriptor_ < 0 || flock(locks.descriptor_, LOCK_EX | LOCK_NB) != 0 ||
      rename(unlocked.c_str(), file.c_str()) != 0) {
    return cannot_lock(file);
  }
  return locks;
}

InstanceLocks::InstanceLocks(InstanceLocks&& other) noexcept
    : folder_(std::move(other.folder_)), self_(other.self_), descriptor_(std::exchange(other.descriptor_, -1)) {}

InstanceLocks& InstanceLocks::operator=(InstanceLocks&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(self_, other.self_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

InstanceLocks::~InstanceLocks() {
  if (descriptor_ < 0) return;
  std::error_code ignored;
  std::filesystem::remove(folder_ / lock_name(self_.text()), ignored);
  close(descriptor_);
}

bool InstanceLocks::is_alive(const std::string& instance) const {
  if (instance == self_.text()) return true;
  if (!InstanceId::parse(instance)) return false;
  const std::filesystem::path file = folder_ / lock_name(instance);
  const int descriptor = open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return errno != ENOENT;  // if unknown, assume it is alive
  const bool free = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  if (free) unlink(file.c_str());
  close(descriptor);
  return !free;
}

bool InstanceLocks::others_are_alive() const {
  std::error_code ignored;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator file(folder_, ignored); file != end; file.increment(ignored)) {
    const std::string instance = file->path().stem().string();
    if (file->path().extension() == kLockSuffix && instance != self_.text() && is_alive(instance)) return true;
  }
  return false;
}

}  // namespace deputy::store
