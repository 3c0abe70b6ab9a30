// Where the database lives: which file systems it may be on, how much room there is, who else has it open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/ids.h"
#include "base/result.h"

namespace deputy::store {

/// The name of a network file system by statfs's type, or empty: locks and shared memory cannot be trusted there.
std::string network_filesystem(std::int64_t type);

/// Makes the folder (0700) and refuses one on a network file system.
Result<> prepare_folder(const std::filesystem::path& folder);

/// Bytes free for us on the file system of `folder`.
std::uint64_t free_bytes(const std::filesystem::path& folder);

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
