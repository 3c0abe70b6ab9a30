#include "base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy {
namespace {

using testing::HasSubstr;

mode_t mode_of(const std::filesystem::path& path) {
  struct stat seen{};
  EXPECT_EQ(stat(path.c_str(), &seen), 0) << path;
  return seen.st_mode & 07777;
}

TEST(DataFolder, IsOursOrRootsAndNobodyElseWritesIt) {
  struct Row {
    uid_t owner;
    mode_t mode;
    uid_t us;
    bool taken;
  };
  const std::vector<Row> rows{{1000, 0700, 1000, true},  {1000, 0755, 1000, true},   {0, 0755, 1000, true},
                              {1000, 0770, 1000, false}, {1000, 01777, 1000, false}, {1001, 0700, 1000, false},
                              {1000, 0700, 0, false},    {0, 0702, 0, false},        {0, 02775, 1000, false}};
  for (const Row& row : rows) {
    const Result<> checked = check_ours_alone("/srv/data", row.owner, row.mode, row.us);
    EXPECT_EQ(checked.has_value(), row.taken) << row.owner << " " << row.mode << " " << row.us;
    if (!checked) EXPECT_THAT(checked.error().hint, HasSubstr("--data"));
  }
}

// Done by root, `chmod 700 /tmp` stops everybody else on the machine.
TEST(DataFolder, NobodyIsToldToCloseWhatIsThereForOthers) {
  struct Row {
    uid_t owner;
    mode_t mode;
    uid_t us;
  };
  for (const Row& row : std::vector<Row>{{0, 01777, 0}, {1000, 01777, 1000}, {0, 01777, 1000}, {0, 02775, 0}}) {
    const Result<> checked = check_ours_alone("/tmp", row.owner, row.mode, row.us);
    ASSERT_FALSE(checked.has_value());
    EXPECT_EQ(checked.error().hint, "use a folder inside it, which Deputy creates for itself: `--data /tmp/deputy`");
  }
  EXPECT_THAT(check_ours_alone("/srv/data", 1000, 0770, 1000).error().hint, HasSubstr("`chmod 700 /srv/data`"));
}

TEST(DataFolder, IsMadeForItsOwnerAloneWithThoseAroundIt) {
  const test::TemporaryFolder folder;
  ASSERT_OK(make_ours_alone(folder / "state/deputy"));
  EXPECT_EQ(mode_of(folder / "state"), 0700);
  EXPECT_EQ(mode_of(folder / "state/deputy"), 0700);
}

TEST(DataFolder, OfOursThatOthersCanEnterIsClosed) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("data/file", "state");  // 0600
  for (const mode_t open_to_others : {0755, 0750, 0711, 0704}) {
    ASSERT_EQ(chmod((folder / "data").c_str(), open_to_others), 0);
    ASSERT_OK(make_ours_alone(folder / "data"));
    EXPECT_EQ(mode_of(folder / "data"), 0700);
  }
}

TEST(DataFolder, WithSomethingForOthersInItStaysAsItIs) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("srv/page.html", "for everybody");
  ASSERT_EQ(chmod(file.c_str(), 0644), 0);
  ASSERT_EQ(chmod((folder / "srv").c_str(), 0755), 0);
  ASSERT_OK(make_ours_alone(folder / "srv"));
  EXPECT_EQ(mode_of(folder / "srv"), 0755) << "/srv, /etc or / itself, named by a slip";
}

TEST(DataFolder, ThatCannotBeMadeSaysWhy) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("file", "");
  for (const auto& path : {file, file / "data"}) {
    const Result<> made = make_ours_alone(path);
    ASSERT_FAILS(made, not_configured);
    EXPECT_THAT(made.error().message, HasSubstr("cannot use the data folder " + path.string() + ": Not a directory"));
    EXPECT_THAT(made.error().hint, HasSubstr("--data"));
  }
}

}  // namespace
}  // namespace deputy
