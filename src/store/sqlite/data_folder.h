// Where the database lives: which file systems it may be on, how much room there is, who else has it open.
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

/// The name of a network file system by statfs's type, or empty: locks and shared memory cannot be trusted there.
std::string network_filesystem(std::int64_t type);

/// The name of a network file system behind FUSE by the type it is mounted with ("fuse.sshfs"), or empty. Others, which
/// encrypt or join local folders, pass.
std::string network_filesystem(std::string_view mounted_as);

/// The type that a device ("0:45") is mounted with, by the text of /proc/self/mountinfo; empty when it is not there.
std::string mounted_as(std::string_view mountinfo, std::string_view device);

/// Makes the folder ours alone (base/own_folder.h) and refuses one on a network file system.
Result<> prepare_folder(const std::filesystem::path& folder);

/// Bytes free for us on the file system of `folder`.
std::uint64_t free_bytes(const std::filesystem::path& folder);

/// Whether there is room for new runs: the file never shrinks, so what is free inside it counts like what is free on
/// the disk. The log is written beside it, and needs some of the disk itself.
bool has_room(std::uint64_t free_on_disk, std::uint64_t free_in_file, std::uint64_t least_free);

/// Held while a store opens, so that one process at a time decides who else is alive, migrates, and adds the time in
/// which nobody was up.
class OpeningLock {
 public:
  OpeningLock() = default;
  /// Waits for other openers, though not for ever.
  static Result<OpeningLock> take(const std::filesystem::path& folder,
                                  std::chrono::milliseconds limit = std::chrono::seconds(10));
  OpeningLock(OpeningLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OpeningLock& operator=(OpeningLock&&) = delete;
  ~OpeningLock();

 private:
  int descriptor_ = -1;
};

/// Who is alive. Each instance holds a lock on `instances/<id>.lock` while its process lives; the kernel lets go of it
/// at the moment of death, however that came.
class InstanceLocks {
 public:
  InstanceLocks() = default;
  static Result<InstanceLocks> take(const std::filesystem::path& folder, InstanceId self);
  InstanceLocks(InstanceLocks&& other) noexcept;
  InstanceLocks& operator=(InstanceLocks&& other) noexcept;
  ~InstanceLocks();

  InstanceId self() const { return self_; }

  /// True for a live instance, ourselves included. The lock file of a dead one is removed.
  bool is_alive(const std::string& instance) const;

  /// True when any other instance lives.
  bool others_are_alive() const;

 private:
  std::filesystem::path folder_;
  InstanceId self_;
  int descriptor_ = -1;
};

}  // namespace deputy::store
