#include "config/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <set>
#include <thread>

#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::config {
namespace {

mode_t mode_of(const std::filesystem::path& path) {
  struct stat seen{};
  stat(path.c_str(), &seen);
  return seen.st_mode & 07777;
}

struct Row {
  std::string name;
  FileOwner owner;
  bool others_write;
  bool others_read;
};

class Judging : public testing::TestWithParam<Row> {};

TEST_P(Judging, GoesByOwnerAndMode) {
  constexpr uid_t kUs = 1000;
  EXPECT_EQ(others_can_write(GetParam().owner, kUs), GetParam().others_write);
  EXPECT_EQ(others_can_read(GetParam().owner), GetParam().others_read);
}

INSTANTIATE_TEST_SUITE_P(
    Owners, Judging,
    testing::Values(Row{"OursAlone", {1000, 0600}, false, false}, Row{"OursForAllToRead", {1000, 0644}, false, true},
                    Row{"GroupMayRead", {1000, 0640}, false, true}, Row{"GroupMayWrite", {1000, 0660}, true, true},
                    Row{"OthersMayWriteBlindly", {1000, 0602}, true, false}, Row{"Roots", {0, 0644}, false, true},
                    Row{"SomeoneElses", {1001, 0600}, true, false}),
    [](const auto& row) { return row.param.name; });

TEST(Fingerprints, AgreeWhereBothSpeakOfAPath) {
  const FileIdentity one{1, 1, 1, {}, {}};
  const FileIdentity two{1, 2, 1, {}, {}};
  const Fingerprint known{{"/a", one}, {"/gone", std::nullopt}};
  EXPECT_TRUE(agree(known, {{"/gone", std::nullopt}, {"/a", one}, {"/elsewhere", two}}));
  EXPECT_TRUE(agree(known, {}));
  EXPECT_FALSE(agree(known, {{"/a", two}}));
  EXPECT_FALSE(agree(known, {{"/a", std::nullopt}}));
  EXPECT_FALSE(agree(known, {{"/gone", one}}));
}

TEST(ReadBounded, RefusesWhatIsNoRegularFile) {
  const deputy::test::TemporaryFolder folder;
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FAILS(read_bounded(folder / "pipe", 10), invalid_input);
  EXPECT_FAILS(read_bounded(folder.path(), 10), invalid_input);
  EXPECT_FAILS(read_bounded("/dev/zero", 10), invalid_input);
  EXPECT_FAILS(read_bounded(folder / "none", 10), not_found);
}

TEST(ReadBounded, RefusesMoreThanTheBound) {
  const deputy::test::TemporaryFolder folder;
  folder.write("ten", "0123456789");
  EXPECT_EQ(read_bounded(folder / "ten", 10)->text, "0123456789");
  EXPECT_FAILS(read_bounded(folder / "ten", 9), invalid_input);
}

TEST(WritePrivate, WritesForItsOwnerAlone) {
  const deputy::test::TemporaryFolder folder;
  const auto file = folder / "a/b/file";
  ASSERT_OK(write_private(file, "one", Existing::keep));
  EXPECT_EQ(mode_of(file), 0600);
  EXPECT_EQ(mode_of(folder / "a/b"), 0700);
  EXPECT_FAILS(write_private(file, "two", Existing::keep), conflict);
  EXPECT_EQ(deputy::test::read_file(file), "one");
  ASSERT_OK(write_private(file, "three", Existing::replace));
  EXPECT_EQ(deputy::test::read_file(file), "three");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "a/b"), {}), 1) << "no draft is left behind";
}

TEST(MakePrivateFolder, RefusesOneThatOthersCanWrite) {
  const deputy::test::TemporaryFolder folder;
  ASSERT_OK(make_private_folder(folder / "data"));
  ASSERT_OK(make_private_folder(folder / "data"));
  chmod((folder / "data").c_str(), 0770);
  EXPECT_FAILS(make_private_folder(folder / "data"), permission);
  for (const mode_t taken : {01777, 0755}) {
    chmod((folder / "data").c_str(), taken);
    EXPECT_OK(make_private_folder(folder / "data"));
    EXPECT_EQ(mode_of(folder / "data"), taken) << "it may be anybody's: /tmp, /srv";
  }
  folder.write("file", "");
  EXPECT_FAILS(make_private_folder(folder / "file"), invalid_input);
}

TEST(WriterOfAFile, IsWhoHasItOpenForWriting) {
  const deputy::test::TemporaryFolder folder;
  const auto file = folder.write("file", "one");
  EXPECT_EQ(writer_of(file), Writer::nobody);
  {
    std::ifstream reader(file);
    EXPECT_EQ(writer_of(file), Writer::nobody);
    std::ofstream writer(file, std::ios::app);
    EXPECT_EQ(writer_of(file), Writer::somebody);
    EXPECT_EQ(being_written(fingerprint({folder / "none", file})), file);
  }
  EXPECT_EQ(writer_of(file), Writer::nobody);
  EXPECT_EQ(being_written(fingerprint({folder / "none", file})), std::nullopt);
  EXPECT_EQ(writer_of(folder / "none"), Writer::nobody);
  EXPECT_EQ(writer_of(folder.path()), Writer::nobody);
}

// The kernel signals whoever has the lease when another process opens the file for writing; by default that ends it.
TEST(WriterOfAFile, IsAskedForWhileOthersOpenIt) {
  const deputy::test::TemporaryFolder folder;
  const auto file = folder.write("file", "one");
  const std::jthread others([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) std::ofstream(file, std::ios::app) << "x";
  });
  std::set<Writer> seen;
  for (int i = 0; i < 20'000 || !seen.contains(Writer::somebody); ++i) seen.insert(writer_of(file));
  EXPECT_FALSE(seen.contains(Writer::unknown));
}

TEST(FingerprintOfFiles, TellsContentsApart) {
  const deputy::test::TemporaryFolder folder;
  const std::vector<std::filesystem::path> paths{folder / "a", folder / "b"};
  const Fingerprint nothing = fingerprint(paths);
  EXPECT_EQ(look_again(nothing), nothing);
  folder.write("a", "1");
  const Fingerprint one = fingerprint(paths);
  EXPECT_NE(one, nothing);
  folder.write("c", "2");
  std::filesystem::rename(folder / "c", folder / "a");
  EXPECT_NE(look_again(one), one) << "as large, but another file";
}

}  // namespace
}  // namespace deputy::config
