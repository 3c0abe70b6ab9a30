// The folder of the database: allowed file systems, free space, and which other processes have it open.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "base/ids.h"
#include "base/result.h"

namespace deputy::store {

/// The name of a network file system by statfs's type, or empty. Locks and shared memory cannot be trusted there.
std::string network_filesystem(std::int64_t type);

/// The name of a network file system behind FUSE by its mount type ("fuse.sshfs"), or empty. Others, which encrypt or
/// join local folders, are accepted.
std::string network_filesystem(std::string_view mounted_as);

/// The mount type of a device ("0:45") from the text of /proc/self/mountinfo; empty if it is not there.
std::string mounted_as(std::string_view mountinfo, std::string_view device);

/// Makes the folder private (base/files.h) and refuses one on a network file system.
Result<> prepare_folder(const std::filesystem::path& folder);

/// Bytes that we may use on the file system of `folder`.
std::uint64_t free_bytes(const std::filesystem::path& folder);

/// True if there is room for new runs. The file never shrinks, so free space inside it counts like free disk space. The
/// log is written next to it and needs some disk space too.
bool has_room(std::uint64_t free_on_disk, std::uint64_t free_in_file, std::uint64_t least_free);

/// Held while a store opens, so that one process at a time decides who else is alive, migrates, and adds the time in
/// which no instance was running.
class OpeningLock {
 public:
  OpeningLock() = default;
  /// Waits for other openers, for a limited time.
  static Result<OpeningLock> take(const std::filesystem::path& folder,
                                  std::chrono::milliseconds limit = std::chrono::seconds(10));
  OpeningLock(OpeningLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpeningLock& operator=(OpeningLock&&) = delete;
  ~OpeningLock();

 private:
  int descriptor_ = -1;
};

/// Knows which instances are alive. Each holds a lock on `instances/<id>.lock` while its process lives; the kernel
/// releases it when the process dies, for whatever reason.
class InstanceLocks {
 public:
  InstanceLocks() = default;
  static Result<InstanceLocks> take(const std::filesystem::path& folder, InstanceId self);
  InstanceLocks(InstanceLocks&& other) noexcept;
  InstanceLocks& operator=(InstanceLocks&& other) noexcept;
  ~InstanceLocks();

  InstanceId self() const { return self_; }

  /// True for a live instance, including ourselves. Removes the lock file of a dead one.
  bool is_alive(const std::string& instance) const;

  /// True if any other instance is alive.
  bool others_are_alive() const;

 private:
  std::filesystem::path folder_;
  InstanceId self_;
  int descriptor_ = -1;
};

}  // namespace deputy::store
