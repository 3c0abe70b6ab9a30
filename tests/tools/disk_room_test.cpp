#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "tools/cgroup.h"

namespace deputy::tools {
namespace {

struct Row {
  const char* name;
  std::uint64_t free_blocks;
  std::uint64_t files;
  std::uint64_t free_files;
  bool room;
};

TEST(DiskRoom, IsCountedInBytesAndInFiles) {
  for (const Row& row : std::to_array<Row>({{"enough of both", 100, 1'000, 500, true},
                                            {"just enough bytes", 10, 1'000, 500, true},
                                            {"too few bytes", 9, 1'000, 500, false},
                                            {"just enough files", 100, 1'000, 10, true},
                                            {"too few files", 100, 1'000, 9, false},
                                            {"no more than ten thousand are kept", 100, 100'000'000, 10'000, true},
                                            {"a disk that counts no files", 100, 0, 0, true}})) {
    struct statvfs disk{};
    disk.f_frsize = 4096;
    disk.f_bavail = row.free_blocks;
    disk.f_files = row.files;
    disk.f_favail = row.free_files;
    EXPECT_EQ(has_room(disk, 10UL * 4096), row.room) << row.name;
  }
}

TEST(DiskRoom, IsNotAskedForWithoutABound) {
  EXPECT_TRUE(has_room(std::filesystem::path("/"), 0));
  EXPECT_TRUE(has_room(std::filesystem::path("/no/such/folder"), 1));
  EXPECT_FALSE(has_room(std::filesystem::path("/"), std::numeric_limits<std::uint64_t>::max()));
}

}  // namespace
}  // namespace deputy::tools
