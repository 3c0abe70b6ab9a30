// Where the system prompt comes from, and what is kept when it cannot be had.
#include "app/system_prompt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/program.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/temporary_folder.h"

namespace deputy::app {
namespace {

using testing::ElementsAre;

class SystemPromptTest : public testing::Test {
 protected:
  void write(const std::string& text) {
    std::ofstream file(path(), std::ios::binary | std::ios::trunc);
    file << text;
  }
  std::filesystem::path path() const { return folder_ / "prompt.md"; }

  void make(SystemPromptSettings settings, bool can_fetch = true) {
    SystemPrompt::Fetch fetch;
    if (can_fetch) fetch = [this](std::string address) { return answer(std::move(address)); };
    prompt_ = std::make_unique<SystemPrompt>(std::move(settings), clock_, loop_.get_executor(), std::move(fetch));
    deputy::test::run_on(loop_, prompt_->load());
  }
  /// The text once a refresh that is due has ended.
  std::string after_refresh() {
    prompt_->text();
    loop_.restart();
    loop_.run();
    return *prompt_->text();
  }
  Task<Result<std::string>> answer(std::string address) {
    fetched_.push_back(std::move(address));
    if (hangs_) co_await sleep_for(std::chrono::hours(1));
    co_return object_;
  }

  asio::io_context loop_;
  deputy::test::TemporaryFolder folder_;
  deputy::test::ManualClock clock_;
  Result<std::string> object_ = std::string("From S3.");
  std::vector<std::string> fetched_;
  bool hangs_ = false;
  std::unique_ptr<SystemPrompt> prompt_;
};

constexpr std::chrono::minutes kTtl{5};

TEST_F(SystemPromptTest, WithoutSourcesItIsTheBuiltInOne) {
  make({});
  EXPECT_EQ(*prompt_->text(), "");
  clock_.advance(kTtl * 2);
  EXPECT_EQ(after_refresh(), "");
}

TEST_F(SystemPromptTest, FileSaysWhatItIs) {
  write("Be brief.");
  make({.file = path()});
  EXPECT_EQ(*prompt_->text(), "Be brief.");
}

TEST_F(SystemPromptTest, S3GoesBeforeTheFile) {
  write("Be brief.");
  make({.file = path(), .s3 = "s3://bucket/prompt.md"});
  EXPECT_EQ(*prompt_->text(), "From S3.");
  EXPECT_THAT(fetched_, ElementsAre("s3://bucket/prompt.md"));
}

TEST_F(SystemPromptTest, TheFileStandsInUntilS3HasAnswered) {
  write("Be brief.");
  object_ = fail(ErrorKind::network, "no route");
  make({.file = path(), .s3 = "s3://bucket/prompt.md"});
  EXPECT_EQ(*prompt_->text(), "Be brief.");
  object_ = std::string("From S3.");
  clock_.advance(kTtl);
  EXPECT_EQ(after_refresh(), "From S3.");
}

TEST_F(SystemPromptTest, TtlDecidesWhenItIsReadAgain) {
  write("First.");
  make({.file = path(), .ttl = kTtl});
  write("Second.");
  clock_.advance(kTtl - std::chrono::milliseconds(1));
  EXPECT_EQ(after_refresh(), "First.");
  clock_.advance(std::chrono::milliseconds(1));
  EXPECT_EQ(*prompt_->text(), "First.") << "nobody waits for the refresh";
  EXPECT_EQ(after_refresh(), "Second.");
}

TEST_F(SystemPromptTest, ARefreshIsBegunOnce) {
  make({.s3 = "s3://b/k"});
  clock_.advance(kTtl);
  for (int i = 0; i < 5; ++i) prompt_->text();
  after_refresh();
  EXPECT_EQ(fetched_.size(), 2U) << "the first load and one refresh";
}

TEST_F(SystemPromptTest, WhatIsNoPromptLeavesTheLastGoodOne) {
  write("Good.");
  make({.file = path()});
  for (const std::string& bad :
       {std::string(), std::string(" \n"), std::string("\xff\xfe"), std::string(SystemPrompt::kMaxBytes + 1, 'x')}) {
    write(bad);
    clock_.advance(kTtl);
    EXPECT_EQ(after_refresh(), "Good.");
  }
  std::filesystem::remove(path());
  clock_.advance(kTtl);
  EXPECT_EQ(after_refresh(), "Good.");
  write(std::string(SystemPrompt::kMaxBytes, 'x'));
  clock_.advance(kTtl);
  EXPECT_EQ(after_refresh().size(), SystemPrompt::kMaxBytes);
}

TEST_F(SystemPromptTest, AnObjectThatCannotBeHadLeavesTheLastGoodOne) {
  make({.s3 = "s3://b/k"});
  object_ = fail(ErrorKind::permission, "denied");
  clock_.advance(kTtl);
  EXPECT_EQ(after_refresh(), "From S3.");
}

TEST_F(SystemPromptTest, WithoutAWayToS3TheFileCounts) {
  write("Be brief.");
  make({.file = path(), .s3 = "s3://b/k"}, false);
  EXPECT_EQ(*prompt_->text(), "Be brief.");
}

TEST_F(SystemPromptTest, ItMayGoWhileARefreshIsUnderWay) {
  make({.s3 = "s3://b/k"});
  hangs_ = true;
  clock_.advance(kTtl);
  prompt_->text();
  loop_.restart();
  loop_.poll();
  prompt_.reset();
  loop_.restart();
  loop_.poll();
  EXPECT_EQ(fetched_.size(), 2U);
}

// A run keeps the prompt it was begun with: it then stands in the store.
bool stands_in_the_store(const deputy::test::Program& program, const std::string& text) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(program.folder / "home/.local/state/deputy")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    if (bytes.find(text) != std::string::npos) return true;
  }
  return false;
}

TEST(SystemPromptSettings, FileIsWhatModelsAreTold) {
  deputy::test::Program program;
  const std::filesystem::path file = program.folder.write("prompt.md", "You are the watchman of this test.");
  program.write_user("models: {system_prompt: {file: " + file.string() + "}}");
  EXPECT_EQ(program.run({"ask", "hello"}).exit_code, 0);
  EXPECT_TRUE(stands_in_the_store(program, "You are the watchman of this test."));
  EXPECT_FALSE(stands_in_the_store(program, "You are Deputy"));
}

TEST(SystemPromptSettings, AFileThatIsGoneIsSaidInOneLine) {
  deputy::test::Program program;
  program.write_user("models: {system_prompt: {file: /nowhere/prompt.md}}");
  const ProcessEnd end = program.run({"ask", "hello"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.errors, testing::HasSubstr("a system prompt could not be used"));
  EXPECT_TRUE(stands_in_the_store(program, "You are Deputy"));
}

TEST(SystemPromptSettings, NameAnObjectWhole) {
  const auto is_taken = [](const char* address) {
    return parse_arguments<SystemPromptSettings>({{"s3", address}}).has_value();
  };
  EXPECT_TRUE(is_taken(""));
  EXPECT_TRUE(is_taken("s3://bucket/a/key.md"));
  for (const char* bad : {"bucket/key", "s3://", "s3://bucket", "s3://bucket/", "s3:///key", "https://x/y",
                          "s3://b/key", "s3://two words/key", "s3://a..b/key"})
    EXPECT_FALSE(is_taken(bad)) << bad;
}

TEST(SystemPromptSettings, TtlIsAtLeastASecond) {
  EXPECT_TRUE(parse_arguments<SystemPromptSettings>({{"ttl", "1s"}}).has_value());
  EXPECT_FALSE(parse_arguments<SystemPromptSettings>({{"ttl", "999ms"}}).has_value());
}

}  // namespace
}  // namespace deputy::app
