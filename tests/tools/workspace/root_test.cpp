#include "tools/workspace/root.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::tools {
namespace {

namespace fs = std::filesystem;

TEST(RootPath, StaysBelowTheRootOrIsRefused) {
  struct Row {
    std::string path;
    std::optional<std::string> normal;
  };
  const std::vector<Row> rows{
      {"", "."},
      {".", "."},
      {"a/b.txt", "a/b.txt"},
      {"./a//b/", "a/b"},
      {"..a/b..", "..a/b.."},
      {"/etc/passwd", std::nullopt},
      {"..", std::nullopt},
      {"a/../../b", std::nullopt},
      {"a/..", std::nullopt},
      {std::string("a\0b", 3), std::nullopt},
      {"a\n+++ b", std::nullopt},
      {"a\r", std::nullopt},
      {"a\x1b[2K", std::nullopt},
      {"a\x7f", std::nullopt},
      {"a\u0085b", std::nullopt},
      {"a\u2028b", std::nullopt},
      {"größe/a b", "größe/a b"},
      {"no\xffutf8", "no\xffutf8"},
      {std::string(5000, 'a'), std::nullopt},
  };
  for (const Row& row : rows) {
    const Result<std::string> normal = normal_path(row.path);
    EXPECT_EQ(normal ? std::optional(*normal) : std::nullopt, row.normal) << row.path.substr(0, 50);
  }
}

class RootTest : public testing::TestWithParam<Resolving> {
 protected:
  Root open() { return *Root::open(folder / "work", GetParam()); }

  test::TemporaryFolder folder;
  fs::path inside = folder.write("work/sub/a.txt", "inside");
  fs::path outside = folder.write("secret.txt", "outside");
  Root root = open();
};

TEST_P(RootTest, ReadsAFileBelowIt) { EXPECT_EQ(root.read("sub/a.txt", 100), "inside"); }

TEST_P(RootTest, FollowsNoLinkThatLeadsOut) {
  fs::create_symlink("../secret.txt", folder / "work/up");
  fs::create_symlink(outside, folder / "work/absolute");
  fs::create_symlink("..", folder / "work/parent");
  fs::create_symlink("/proc/self/root", folder / "work/magic");
  for (const char* path : {"up", "absolute", "parent/secret.txt", "magic/etc/passwd"}) {
    const auto read = root.read(path, 100);
    ASSERT_FALSE(read) << path;
    EXPECT_FALSE(read.error().message.contains("outside")) << path;
    EXPECT_FALSE(root.write(path, "changed", {})) << path;
  }
  EXPECT_EQ(test::read_file(outside), "outside");
}

TEST_P(RootTest, RefusesPathsThatLeaveBeforeLookingAtThem) {
  EXPECT_FAILS(root.read("../secret.txt", 100), permission);
  EXPECT_FAILS(root.read(outside.string(), 100), permission);
  EXPECT_FAILS(root.open_folder(".."), permission);
  EXPECT_FAILS(root.write("../new.txt", "x", {}), permission);
}

TEST_P(RootTest, OpensOnlyOrdinaryFiles) {
  ASSERT_EQ(mkfifo((folder / "work/pipe").c_str(), 0600), 0);
  const int listening = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  const std::string path = (folder / "work/sock").string();
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  ASSERT_EQ(bind(listening, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  close(listening);
  for (const char* name : {"pipe", "sock", "sub"}) {
    EXPECT_FAILS(root.read(name, 100), invalid_input);
    EXPECT_FAILS(root.write(name, "x", {}), invalid_input);
  }
}

TEST_P(RootTest, ReadsNoMoreThanItIsAskedFor) {
  folder.write("work/large", std::string(1001, 'a'));
  EXPECT_FAILS(root.read("large", 1000), invalid_input);
  EXPECT_EQ(root.read("large", 1001)->size(), 1001U);
}

TEST_P(RootTest, WritesAFileInPlaceAndKeepsItsMode) {
  ASSERT_EQ(chmod(inside.c_str(), 0750), 0);
  ASSERT_OK(root.write("sub/a.txt", "new", state_of_content("inside")));
  EXPECT_EQ(test::read_file(inside), "new");
  EXPECT_EQ(fs::status(inside).permissions(), fs::perms{0750});
  EXPECT_EQ(std::distance(fs::directory_iterator(folder / "work/sub"), {}), 1) << "nothing else is left";
}

TEST_P(RootTest, WritesANewFileWithItsFolders) {
  ASSERT_OK(root.write("new/deep/b.txt", "text", {}));
  EXPECT_EQ(test::read_file(folder / "work/new/deep/b.txt"), "text");
}

TEST_P(RootTest, DoesNotWriteOverAFileThatHasChanged) {
  EXPECT_FAILS(root.write("sub/a.txt", "new", state_of_content("something else")), conflict);
  EXPECT_FAILS(root.write("sub/a.txt", "new", {}), conflict);
  EXPECT_FAILS(root.write("sub/none.txt", "new", state_of_content("was there")), conflict);
  EXPECT_EQ(test::read_file(inside), "inside");
}

INSTANTIATE_TEST_SUITE_P(Resolving, RootTest, testing::Values(Resolving::by_kernel, Resolving::name_by_name));

TEST(Root, SaysWhereALinkLeadsAndFollowsNone) {
  const test::TemporaryFolder folder;
  folder.write("work/deep/a.txt", "inside");
  fs::create_symlink("deep", folder / "work/folder");
  fs::create_symlink("../secret", folder / "work/out");
  fs::create_symlink("circle", folder / "work/circle");
  const auto root = Root::open(folder / "work", Resolving::by_kernel);
  ASSERT_OK(root);
  EXPECT_EQ(root->leads_to("folder/a.txt"), (toolkit::Led{"deep/a.txt"}));
  EXPECT_EQ(root->leads_to("folder/new/b.txt"), (toolkit::Led{"deep/new/b.txt"}));
  EXPECT_EQ(root->leads_to("deep/./a.txt"), (toolkit::Led{"deep/a.txt"}));
  EXPECT_EQ(root->leads_to("folder"), (toolkit::Led{"deep"}));
  EXPECT_EQ(root->leads_to(""), (toolkit::Led{"."}));
  EXPECT_FAILS(root->leads_to("out"), permission);
  EXPECT_FAILS(root->leads_to("circle"), permission);
  EXPECT_FAILS(root->read("folder/a.txt", 100), permission);
  EXPECT_EQ(root->read("deep/a.txt", 100), "inside");
  fs::create_hard_link(folder / "work/deep/a.txt", folder / "work/other");
  EXPECT_EQ(root->leads_to("other"), (toolkit::Led{"other", true}));
  EXPECT_FALSE(Root::open(folder / "work", Resolving::name_by_name)->leads_to("folder/a.txt"));
}

TEST(Root, IsAFolderThatIsThere) {
  const test::TemporaryFolder folder;
  EXPECT_FAILS(Root::open(folder / "none"), not_configured);
  EXPECT_FAILS(Root::open(folder.write("file", "")), not_configured);
}

TEST(Root, AndDeputysOwnFoldersDoNotContainEachOther) {
  const test::TemporaryFolder folder;
  folder.write("work/a", "");
  folder.write("data/a", "");
  fs::create_directory_symlink(folder / "work", folder / "alias");
  EXPECT_OK(check_apart(folder / "work", {folder / "data", folder / "work2", folder / "workshop/x"}));
  EXPECT_FAILS(check_apart(folder / "work", {folder / "work"}), not_configured);
  EXPECT_FAILS(check_apart(folder / "work", {folder / "data", folder / "work/data"}), not_configured);
  EXPECT_FAILS(check_apart(folder / "work", {folder.path()}), not_configured);
  EXPECT_FAILS(check_apart(folder / "alias", {folder / "work/new/data"}), not_configured);
}

}  // namespace
}  // namespace deputy::tools
