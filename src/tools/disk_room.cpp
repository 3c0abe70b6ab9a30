#include "tools/disk_room.h"

#include <algorithm>

namespace deputy::tools {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{100};
constexpr std::uint64_t kMostFilesKeptFree = 10'000;

}  // namespace

bool has_room(const struct statvfs& disk, std::uint64_t least_bytes) {
  if (static_cast<std::uint64_t>(disk.f_bavail) * disk.f_frsize < least_bytes) return false;
  // Without a number of its own (btrfs) it makes room for files as they come: then both are 0.
  return disk.f_favail >= std::min<std::uint64_t>(disk.f_files / 100, kMostFilesKeptFree);
}

bool has_room(const std::filesystem::path& folder, std::uint64_t least_bytes) {
  struct statvfs disk{};
  return least_bytes == 0 || statvfs(folder.c_str(), &disk) != 0 || has_room(disk, least_bytes);
}

Task<> until_full(std::filesystem::path folder, std::uint64_t least_bytes) {
  while (has_room(folder, least_bytes)) co_await sleep_for(kBetweenLooks);
}

}  // namespace deputy::tools
