// Answers in Slack: long ones, those that Slack refuses, mentions and secrets in them; and one without a model.
#include <fstream>

#include "base/clock.h"
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::AllOf;
using testing::Each;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class SlackAnswers : public SlackService {
 protected:
  /// The Markdown of each message of Deputy's in the thread, oldest first.
  std::vector<std::string> markdown_in(const std::string& ts) {
    std::vector<std::string> all;
    for (const auto& message : simulator_->world().workspace.channels.at(kOps).messages) {
      if (message.thread_ts != ts || message.user != simulator_->world().workspace.app.bot_user) continue;
      std::string markdown;
      if (const json::value* blocks = message.body.if_contains("blocks")) {
        for (const json::value& block : blocks->get_array()) {
          if (text_at(block.get_object(), "type") == "markdown") markdown += text_at(block.get_object(), "text");
        }
      }
      for (const json::value& chunk : message.chunks) {
        if (text_at(chunk.get_object(), "type") == "markdown_text") markdown += text_at(chunk.get_object(), "text");
      }
      // What was streamed and not edited is the text of its message.
      if (markdown.empty()) markdown = text_at(message.body, "text");
      if (!markdown.empty()) all.push_back(std::move(markdown));
    }
    return all;
  }
  std::string only_file() {
    const auto& files = simulator_->world().workspace.files;
    EXPECT_THAT(files, SizeIs(1));
    return files.empty() ? "" : files.begin()->second.content;
  }
  static std::string paragraphs(int count, const std::string& word = "word ") {
    std::string text;
    for (int i = 0; i < count; ++i) {
      text += "Paragraph " + std::to_string(i) + ":";
      for (int j = 0; j < 60; ++j) text += " " + word;
      text += "\n\n";
    }
    return text + "The very end.";
  }
};

bool has_whole_fences(const std::string& text) {
  std::size_t fences = 0;
  for (std::size_t at = text.find("```"); at != std::string::npos; at = text.find("```", at + 3)) ++fences;
  return fences % 2 == 0;
}

std::string without_code(std::string_view text) {
  std::string rest;
  bool is_code = false;
  for (const char c : text) {
    if (c == '`') is_code = !is_code;
    if (!is_code) rest += c;
  }
  return rest;
}

TEST_F(SlackAnswers, ALongAnswerIsSplitWithoutBreakingItsFences) {
  std::string text = paragraphs(25) + "\n\n```log\n";
  for (int i = 0; i < 50; ++i)
    text += std::to_string(i) + " 2026-11-15T04:00:00Z ERROR " + std::string(150, 'x') + "\n";
  text += "```\n\nThat was all of it.";
  ASSERT_GT(text.size(), 12'000U);
  script(ModelScript().says(text));
  serve();
  const std::string ts = mention(kAna, "show me all");
  until_shown(ts, "That was all of it.");
  until_found("Details", ts);
  const std::vector<std::string> parts = markdown_in(ts);
  EXPECT_THAT(parts, SizeIs(2));
  std::string together;
  for (const std::string& part : parts) {
    EXPECT_LE(part.size(), 12'000U);
    EXPECT_TRUE(has_whole_fences(part)) << part;
    together += part;
  }
  for (const std::string line : {"Paragraph 0:", "Paragraph 24:", "\n0 2026", "\n49 2026"})
    EXPECT_THAT(together, HasSubstr(line));
  EXPECT_TRUE(simulator_->world().workspace.files.empty());
}

TEST_F(SlackAnswers, MoreThanThreePartsAreASummaryAndAFile) {
  const std::string text = paragraphs(150);
  script(ModelScript().says(text));
  serve();
  const std::string ts = mention(kAna, "show me all");
  ASSERT_TRUE(
      until([&] { return !simulator_->world().workspace.files.empty() && only_file().contains("The very end."); }));
  EXPECT_EQ(only_file(), text);
  until_found("Details", ts);
  EXPECT_LE(markdown_in(ts).size(), 2U);
  EXPECT_THAT(thread(ts), AllOf(HasSubstr("Paragraph 0:"), Not(HasSubstr("The very end."))));
}

TEST_F(SlackAnswers, ALongBlockOfCodeIsSharedAsAFile) {
  std::string text = "The log:\n\n```\n";
  for (int i = 1; i <= 61; ++i) text += "line " + std::to_string(i) + "\n";
  text += "```\n\nThat was it.";
  script(ModelScript().says(text));
  serve();
  const std::string ts = mention(kAna, "show me the log");
  ASSERT_TRUE(
      until([&] { return !simulator_->world().workspace.files.empty() && only_file().contains("That was it."); }));
  EXPECT_THAT(only_file(), HasSubstr("line 61\n"));
  until_found("Details", ts);
  EXPECT_TRUE(until([&] { return !thread(ts).contains("line 61"); })) << thread(ts);
  EXPECT_THAT(thread(ts), HasSubstr("line 1\n"));
}

TEST_F(SlackAnswers, ALongAnswerInAnotherScriptArrivesWhole) {
  script(ModelScript().says(paragraphs(30, "слово")));
  serve();
  const std::string ts = mention(kAna, "расскажи всё");
  until_shown(ts, "The very end.");
  EXPECT_THAT(markdown_in(ts), Each(Not(HasSubstr("…"))));
}

class SlackRefusesBlocks : public SlackAnswers, public testing::WithParamInterface<const char*> {};

// Whichever way the answer goes out.
TEST_P(SlackRefusesBlocks, AndTheAnswerIsSentAsText) {
  control("fault", {{"on", "api"}, {"name", GetParam()}, {"kind", "error"}, {"error", "invalid_blocks"}});
  if (std::string_view(GetParam()) == "chat.postMessage")
    control("fault",
            {{"on", "api"}, {"name", "chat.startStream"}, {"kind", "error"}, {"error", "feature_not_enabled"}});
  script(ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says("**Two** notes."));
  serve();
  const std::string ts = mention(kAna, "what about checkout?");
  until_shown(ts, "notes.");
  EXPECT_TRUE(until([&] { return simulator_->world().faults.show().empty(); })) << "it was refused";
  until_shown(ts, "notes.");
  EXPECT_EQ(markdown_in(ts).size(), 1U) << thread(ts);
}

INSTANTIATE_TEST_SUITE_P(By, SlackRefusesBlocks, testing::Values("chat.postMessage", "chat.stopStream"),
                         [](const auto& row) { return std::string(row.param).substr(5); });

TEST_F(SlackAnswers, WhatIsTooLongForANotificationIsNotCutWhereBlocksAreRefused) {
  control("fault", {{"on", "api"}, {"name", "chat.startStream"}, {"kind", "error"}, {"error", "feature_not_enabled"}});
  script(ModelScript().says(paragraphs(20)));
  serve();
  control("fault", {{"on", "api"}, {"name", "chat.postMessage"}, {"kind", "error"}, {"error", "invalid_blocks"}});
  const std::string ts = mention(kAna, "show me all");
  until_shown(ts, "The very end.");
}

TEST_F(SlackAnswers, MentionsThatAModelWroteAreDrawnAndNotSent) {
  const std::string text =
      "Tell <!channel>, <!here>, <!subteam^S0ONCALL001> and <@U0BO0000001>: @here, @channel, @everyone! "
      "[click](https://evil.example.com/<@U0BO0000001>)";
  script(ModelScript().streams({text.substr(0, 10), text.substr(10, 5), text.substr(15)}));
  serve();
  const std::string ts = mention(kAna, "whom should I tell?");
  until_shown(ts, "everyone");
  until_found("Details", ts);
  stop();
  // In the Markdown of a block or a stream a mention is inside code; in mrkdwn its sign is escaped too.
  const std::string outside_code = without_code(sent());
  for (const char* mention : {"<!channel", "<!here", "<!subteam", "<@U0BO0000001", "@here", "@channel", "@everyone"})
    EXPECT_THAT(outside_code, Not(HasSubstr(mention)));
}

// ---- Secrets.

class SlackSecrets : public SlackAnswers {
 protected:
  /// Anything that the service has written to disk.
  std::string stored() {
    std::string all;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_ / "data")) {
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path(), std::ios::binary);
      all.append(std::istreambuf_iterator<char>(file), {});
    }
    return all;
  }
  void expect_nowhere(const std::string& secret) {
    for (std::size_t i = 0; i < model_->requests().size(); ++i) EXPECT_THAT(asked(i), Not(HasSubstr(secret)));
    EXPECT_FALSE(stored().contains(secret)) << "it is in the journal";
    EXPECT_THAT(sent(), Not(HasSubstr(secret)));
  }

  // Put together here, so that nobody who scans this tree takes it for a real one.
  const std::string token_ = std::string("ghp_") + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
};

TEST_F(SlackSecrets, APastedTokenIsStoredNowhereAndItsWriterIsTold) {
  script(ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says("It is expired."));
  serve();
  const std::string ts = mention(kAna, "why does " + token_ + " not work?");
  until_shown(ts, "It is expired.");
  until_whispered(kAna, "rotate it");
  stop();
  EXPECT_THAT(asked(0), HasSubstr("[redacted:"));
  expect_nowhere(token_);
}

TEST_F(SlackSecrets, ATokenInTheThreadIsNotInItsContext) {
  script(ModelScript().says("It is expired."));
  serve();
  const std::string root = say(kBo, "the job uses " + token_ + " since today", "");
  say(kAna, "what is wrong here?", root, kOps, true);
  until_shown(root, "It is expired.");
  stop();
  EXPECT_THAT(asked(0), AllOf(HasSubstr("the job uses"), HasSubstr("[redacted:")));
  expect_nowhere(token_);
}

TEST_F(SlackSecrets, ATokenInACommandIsNotPostedForAll) {
  script(ModelScript().says("It is expired."));
  serve();
  command(kAna, "why does " + token_ + " not work?");
  const std::string root = until_found("not work?", "");
  until_shown(root, "It is expired.");
  until_whispered(kAna, "rotate it");
  stop();
  expect_nowhere(token_);
}

TEST_F(SlackSecrets, ATokenThatAToolOrAModelTellsIsNotShown) {
  world_->notes = {"checkout uses " + token_};
  script(ModelScript()
             .calls("search_notes", {{"query", "checkout"}})
             .streams({"It uses " + token_.substr(0, 12), token_.substr(12), " today."}));
  serve();
  const std::string ts = mention(kAna, "what about checkout?");
  until_shown(ts, "today.");
  click(kAna, until_found("Details", ts), "control0");
  ASSERT_TRUE(until([&] { return !newest_view().empty(); }));
  stop();
  EXPECT_THAT(asked(1), HasSubstr("[redacted:"));
  expect_nowhere(token_);
}

// ---- Without a model.

TEST_F(SlackAnswers, WithoutAModelErrorsOfAServiceAreLookedUp) {
  own_tools_ = false;
  std::string log;
  for (int minutes = 3; minutes > 0; --minutes)
    log += format_timestamp(clock_.now() - std::chrono::minutes(minutes)) + " ERROR payment gateway refused the card\n";
  folder_.write("logs/prod/checkout.log", log);
  write_settings(settings_ +
                 "environments: {prod: [production], staging: []}\n"
                 "tools: {log_tools: {files: {root: '" +
                 (folder_ / "logs").string() + "'}}}\n");
  serve();
  const std::string ts = mention(kAna, "show me errors in checkout prod");
  const std::string seen = until_shown(ts, "get_recent_errors");
  EXPECT_THAT(seen, AllOf(HasSubstr("3"), HasSubstr("payment gateway refused the card")));
}

}  // namespace
}  // namespace deputy::test
