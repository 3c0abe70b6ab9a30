#include "store/sqlite/place.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>
#include <utility>

namespace deputy::store {

namespace {

struct FilesystemType {
  std::int64_t type;
  const char* name;
};

// From statfs(2).
constexpr std::array<FilesystemType, 12> kNetworkFilesystems{{
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
}};

constexpr const char* kLockSuffix = ".lock";

constexpr const char* kInstances = "instances";

std::string lock_name(const std::string& instance) { return instance + kLockSuffix; }

std::unexpected<Error> cannot_lock(const std::filesystem::path& file) {
  return fail(ErrorKind::not_configured, fmt::format("cannot lock {}: {}", file.string(), std::strerror(errno)),
              "check that the data folder can be written, or name another one with --data");
}

}  // namespace

std::string network_filesystem(std::int64_t type) {
  for (const FilesystemType& known : kNetworkFilesystems) {
    if (static_cast<std::uint32_t>(type) == static_cast<std::uint32_t>(known.type)) return known.name;
  }
  return {};
}

Result<> prepare_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  if (std::filesystem::create_directories(folder, failed)) {
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, failed);
  }
  struct statfs about{};
  if (failed || statfs(folder.c_str(), &about) != 0) {
    return fail(ErrorKind::not_configured,
                fmt::format("cannot use the data folder {}: {}", folder.string(),
                            failed ? failed.message() : std::strerror(errno)),
                "name another one with --data");
  }
  if (const std::string network = network_filesystem(about.f_type); !network.empty()) {
    return fail(ErrorKind::not_configured,
                fmt::format("the data folder {} is on a network file system ({})", folder.string(), network),
                "use a local disk, or PostgreSQL for several machines");
  }
  return {};
}

std::uint64_t free_bytes(const std::filesystem::path& folder) {
  struct statvfs about{};
  if (statvfs(folder.c_str(), &about) != 0) return 0;
  return static_cast<std::uint64_t>(about.f_bavail) * about.f_frsize;
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
  // Locked under another name first: a lock file that others can see is never free while its process lives.
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
  if (descriptor < 0) return errno != ENOENT;  // what cannot be told is taken for alive
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
