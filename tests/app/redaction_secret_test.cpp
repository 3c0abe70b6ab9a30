#include <gtest/gtest.h>
#include <sys/stat.h>

#include <set>
#include <thread>

#include "app/redaction.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::app {
namespace {

using deputy::test::TemporaryFolder;

TEST(RedactionSecret, IsMadeOnceForItsOwnerAlone) {
  const TemporaryFolder folder;
  const auto first = redaction_secret(folder / "data");
  ASSERT_OK(first);
  EXPECT_EQ(first->reveal().size(), 64);
  struct stat seen{};
  ASSERT_EQ(stat((folder / "data/redaction_secret").c_str(), &seen), 0);
  EXPECT_EQ(seen.st_mode & 07777, 0600);
  const auto second = redaction_secret(folder / "data");
  ASSERT_OK(second);
  EXPECT_TRUE(second->equals(first->reveal()));
}

TEST(RedactionSecret, IsAnotherInAnotherFolder) {
  const TemporaryFolder folder;
  EXPECT_FALSE(redaction_secret(folder / "one")->equals(redaction_secret(folder / "two")->reveal()));
}

TEST(RedactionSecret, IsOneForAllThatStartAtOnce) {
  const TemporaryFolder folder;
  std::vector<std::string> secrets(16);
  {
    std::vector<std::jthread> starts;
    starts.reserve(secrets.size());
    for (std::string& secret : secrets) {
      starts.emplace_back([&] {
        if (const auto made = redaction_secret(folder / "data")) secret = made->reveal();
      });
    }
  }
  EXPECT_EQ(std::set<std::string>(secrets.begin(), secrets.end()).size(), 1);
  EXPECT_EQ(secrets.front().size(), 64);
  const std::filesystem::directory_iterator files(folder / "data");
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "a draft was left behind";
}

TEST(RedactionSecret, RefusesAFileThatOthersCanRead) {
  const TemporaryFolder folder;
  ASSERT_OK(redaction_secret(folder.path()));
  chmod((folder / "redaction_secret").c_str(), 0644);
  EXPECT_FAILS(redaction_secret(folder.path()), permission);
}

TEST(RedactionSecret, IsNeverReplacedWhereSomethingElseStands) {
  const TemporaryFolder folder;
  for (const std::string text : {"", "short", "not hexadecimal, and as long as the other one would be, 64 charac"}) {
    folder.write("redaction_secret", text);
    EXPECT_FAILS(redaction_secret(folder.path()), internal);
    EXPECT_EQ(deputy::test::read_file(folder / "redaction_secret"), text);
  }
}

}  // namespace
}  // namespace deputy::app
