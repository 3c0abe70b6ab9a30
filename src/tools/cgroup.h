// A control group for one command: how much memory and how many processes all of it together may have. Version 1 and 2,
// wherever this process may make a group below its own; where it may not, there is none, and whoever wanted one bounds
// the command by other means.
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

/// A folder of the kernel's in which a group could be made, and the files that bound it there.
struct CgroupPlace {
  std::filesystem::path folder;
  std::string memory;     // empty: it does not bound memory
  std::string processes;  // empty: it does not bound processes
  bool is_version_2 = false;

  bool operator==(const CgroupPlace&) const = default;
};

/// From /proc/self/cgroup and /proc/self/mounts. Pure.
std::vector<CgroupPlace> cgroup_places(std::string_view own_groups, std::string_view mounts);

class Cgroup {
 public:
  /// None when this machine lets us make none that bounds memory. Groups of processes that are no more are removed.
  static std::optional<Cgroup> make(std::uint64_t memory_bytes, std::uint64_t processes);
  /// Ends whatever is left in it, also what was never told to. A group whose processes are not gone yet stays until the
  /// next one is made.
  ~Cgroup();
  Cgroup(Cgroup&& other) noexcept : folders_(std::move(other.folders_)) { other.folders_.clear(); }
  Cgroup& operator=(Cgroup&&) = delete;

  /// A process joins by writing its id to each of them.
  std::vector<std::string> files_to_join() const;

  /// False while a process is still in it.
  bool remove();

 private:
  void end_all() const;

  Cgroup() = default;

  std::vector<std::filesystem::path> folders_;
};

// Whether a disk has room left, in bytes and in files. Statistics of a disk are looked at on the caller's thread: it
// takes microseconds on a disk of this machine, and a folder on one that hangs could not have been opened before.

/// At least `least_bytes`, and one in a hundred of the files that it can hold, or 10,000 of them, where it counts them.
bool has_room(const struct statvfs& disk, std::uint64_t least_bytes);

/// A folder that cannot be looked at, and a bound of 0, count as room.
bool has_room(const std::filesystem::path& folder, std::uint64_t least_bytes);

/// Looks ten times a second, until there is no room any more.
Task<> until_full(std::filesystem::path folder, std::uint64_t least_bytes);

}  // namespace deputy::tools
