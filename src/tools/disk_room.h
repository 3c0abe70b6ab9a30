// Whether a disk has room left, in bytes and in files. Statistics of a disk are looked at on the caller's thread: it
// takes microseconds on a disk of this machine, and a folder on one that hangs could not have been opened before.
#pragma once

#include <sys/statvfs.h>

#include <cstdint>
#include <filesystem>

#include "base/task.h"

namespace deputy::tools {

/// At least `least_bytes`, and one in a hundred of the files that it can hold, or 10,000 of them, where it counts them.
bool has_room(const struct statvfs& disk, std::uint64_t least_bytes);

/// A folder that cannot be looked at, and a bound of 0, count as room.
bool has_room(const std::filesystem::path& folder, std::uint64_t least_bytes);

/// Looks ten times a second, until there is no room any more.
Task<> until_full(std::filesystem::path folder, std::uint64_t least_bytes);

}  // namespace deputy::tools
