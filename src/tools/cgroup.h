// What one command may use of this machine: a control group limits the memory and the processes of the whole command,
// and the free space of the disk is watched while it runs.
//
// Control groups of version 1 and 2 work, if this process may create a group below its own. If it may not, there is no
// group, and the caller must limit the command in another way.
#pragma once

#include <sys/statvfs.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"

namespace deputy::tools {

/// A folder of the kernel in which a group can be created, and the names of the files that hold its limits.
struct CgroupPlace {
  std::filesystem::path folder;
  std::string memory;     // empty: it does not limit memory
  std::string processes;  // empty: it does not limit processes
  bool is_version_2 = false;

  bool operator==(const CgroupPlace&) const = default;
};

/// Takes the contents of /proc/self/cgroup and /proc/self/mounts. Pure.
std::vector<CgroupPlace> cgroup_places(std::string_view own_groups, std::string_view mounts);

class Cgroup {
 public:
  /// Nothing if this machine does not let us create a group that limits memory. Also removes groups left by Deputy
  /// processes that have ended.
  static std::optional<Cgroup> make(std::uint64_t memory_bytes, std::uint64_t processes);
  /// Kills every process that is still in the group. If some have not ended yet, the group is removed when the next one
  /// is created.
  ~Cgroup();
  Cgroup(Cgroup&& other) noexcept : folders_(std::move(other.folders_)) { other.folders_.clear(); }
  Cgroup& operator=(Cgroup&&) = delete;

  /// A process joins by writing its id to each of them.
  std::vector<std::string> files_to_join() const;

  /// False if a process is still in it.
  bool remove();

 private:
  void end_all() const;

  Cgroup() = default;

  std::vector<std::filesystem::path> folders_;
};

/// True if the disk has at least `least_bytes` free and, if it counts files, room for 1 % of the files it can hold or
/// for 10,000 of them, whichever is less.
bool has_room(const struct statvfs& disk, std::uint64_t least_bytes);

/// Also true if the folder's disk cannot be read, or if `least_bytes` is 0. Reads the disk on the caller's thread,
/// which takes microseconds; if the disk hung, the folder could not have been opened before.
bool has_room(const std::filesystem::path& folder, std::uint64_t least_bytes);

/// Checks ten times a second and returns when there is no room any more.
Task<> until_full(std::filesystem::path folder, std::uint64_t least_bytes);

}  // namespace deputy::tools
