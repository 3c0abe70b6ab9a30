#include "config/trust.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "config/files.h"
#include "config/sample_settings.h"
#include "support/results.h"

namespace deputy::config {
namespace {

using test::lines_of;

TEST(TrustOfFiles, HoldsForTheseBytesAtThisPath) {
  const deputy::test::TemporaryFolder folder;
  auto trusted = TrustedFiles::read(folder / "data/trusted.json");
  ASSERT_OK(trusted);
  EXPECT_EQ(trusted->judge("/p/deputy.yaml", "a: 1"), Trust::never);
  const auto digest = trusted->trust("/p/deputy.yaml", "a: 1");
  // printf 'a: 1' | sha256sum
  EXPECT_EQ(digest, "16c3c6d78678d53d39ab2c7a5a7bc4596567b46a1a57000a2d707334f779b824");
  const auto again = TrustedFiles::read(folder / "data/trusted.json");
  EXPECT_EQ(again->judge("/p/deputy.yaml", "a: 1"), Trust::trusted);
  EXPECT_EQ(again->judge("/p/deputy.yaml", "a: 2"), Trust::changed);
  EXPECT_EQ(again->judge("/q/deputy.yaml", "a: 1"), Trust::never);
}

TEST(TrustOfFiles, IsByTheRealFolder) {
  const deputy::test::TemporaryFolder folder;
  folder.write("real/deputy.yaml", "a: 1");
  std::filesystem::create_directory_symlink(folder / "real", folder / "link");
  auto trusted = TrustedFiles::read(folder / "trusted.json");
  ASSERT_OK(trusted->trust(folder / "link/deputy.yaml", "a: 1"));
  EXPECT_EQ(trusted->judge(folder / "real/deputy.yaml", "a: 1"), Trust::trusted);
}

TEST(TrustOfFiles, CoversTheScriptsOfTheProjectThatGiveSecrets) {
  const deputy::test::TemporaryFolder folder;
  const auto file = folder / "p/deputy.yaml";
  const std::string text = "channels: {slack: {bot_token: 'cmd:sh scripts/token.sh --env prod'}}\n";
  folder.write("p/deputy.yaml", text);
  folder.write("p/scripts/token.sh", "echo one\n");
  auto trusted = TrustedFiles::read(folder / "trusted.json");
  ASSERT_OK(trusted->trust(file, text));
  EXPECT_EQ(trusted->judge(file, text), Trust::trusted);
  folder.write("p/scripts/token.sh", "echo two\n");
  EXPECT_EQ(trusted->judge(file, text), Trust::changed);
  folder.write("p/scripts/other.sh", "echo three\n");
  folder.write("p/scripts/token.sh", "echo one\n");
  EXPECT_EQ(trusted->judge(file, text), Trust::trusted);
}

TEST(TrustOfFiles, ABrokenOrOpenListIsAnError) {
  const deputy::test::TemporaryFolder folder;
  const auto file = folder.write("trusted.json", "{\"/p\": ");
  EXPECT_FAILS(TrustedFiles::read(file), internal);
  folder.write("trusted.json", "{\"/p\": 1}");
  EXPECT_FAILS(TrustedFiles::read(file), internal);
  folder.write("trusted.json", "{}");
  chmod(file.c_str(), 0666);
  EXPECT_FAILS(TrustedFiles::read(file), permission);
}

TEST(TrustOfFiles, IsKeptInNoFolderThatOthersCanWrite) {
  const deputy::test::TemporaryFolder folder;
  ASSERT_OK(make_private_folder(folder / "data"));
  for (const mode_t shared : {01777, 0770}) {
    ASSERT_EQ(chmod((folder / "data").c_str(), shared), 0);
    EXPECT_FAILS(TrustedFiles::read(folder / "data/trusted.json")->trust("/p/deputy.yaml", "a: 1"), permission);
    EXPECT_FALSE(std::filesystem::exists(folder / "data/trusted.json"));
  }
}

TEST(ProjectFile, CountsOnlyOnceTrusted) {
  const test::SampleWorld world;
  world.write_project("count: 9\n");
  const auto before = world.load();
  EXPECT_EQ(before.settings.count, 3);
  EXPECT_EQ(before.notices,
            std::vector<std::string>{world.project_file().string() +
                                     " is not trusted and is ignored; read it, then run `deputy config trust`"});
  EXPECT_EQ(before.untrusted, std::vector{world.project_file()});
  EXPECT_TRUE(before.ok());

  ASSERT_OK(TrustedFiles::read(world.trusted_file())->trust(world.project_file(), "count: 9\n"));
  const auto trusted = world.load();
  EXPECT_EQ(trusted.settings.count, 9);
  EXPECT_TRUE(trusted.notices.empty());

  world.write_project("count: 10\n");
  const auto changed = world.load();
  EXPECT_EQ(changed.settings.count, 3);
  EXPECT_EQ(changed.notices,
            std::vector<std::string>{
                world.project_file().string() +
                " has changed since it was trusted and is ignored; read it, then run `deputy config trust`"});
}

TEST(ProjectFile, IsNotEvenParsedBeforeThat) {
  const test::SampleWorld world;
  world.write_project("count: [\n");
  EXPECT_TRUE(world.load().ok());
}

TEST(ProjectFile, ABrokenListOfTrustedFilesIsAProblem) {
  const test::SampleWorld world;
  world.write_project("count: 9\n");
  world.folder.write("data/trusted.json", "[]");
  const auto loaded = world.load();
  EXPECT_EQ(loaded.settings.count, 3);
  EXPECT_EQ(lines_of(loaded.problems).size(), 1);
}

}  // namespace
}  // namespace deputy::config
