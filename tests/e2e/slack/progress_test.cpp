// What people see while Deputy works: streams, edited lines, statuses, Stop.
#include "e2e/slack/log_tool.h"
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class SlackProgress : public SlackService {
 protected:
  void SetUp() override {
    SlackService::SetUp();
    more_tools_ = {search_logs(gate_, "30 hits in 2 files\nconnection refused\n")};
  }
  ModelScript searches() {
    return ModelScript().calls("search_logs", {{"service", "checkout"}}).then_says("The database is gone.\n");
  }
  /// What the newest assistant thread of the direct message says that it is doing.
  std::string status_in(const std::string& thread) { return direct_with(kAna).assistant_threads[thread].status; }
  bool is_marked(const std::string& ts) { return thread(ts).contains(":eyes:"); }

  Gate gate_ = make_gate(false);
};

TEST_F(SlackProgress, AStreamShowsEachCallAndBecomesTheAnswer) {
  script(searches());
  serve();
  const std::string ts = mention(kAna, "what is wrong with checkout?");
  until_shown(ts, "[in_progress] Searching logs of checkout…");
  *gate_ = true;
  const std::string seen = until_shown(ts, "The database is gone.");
  EXPECT_THAT(seen, HasSubstr("[complete] Searching logs of checkout\n"));
  EXPECT_THAT(seen, HasSubstr("30 hits in 2 files"));
  EXPECT_THAT(until_shown(ts, "[Details]"), HasSubstr("search_logs · "));
  EXPECT_EQ(messages(ts).size(), 2U) << "acknowledgement, progress and answer are one message: " << seen;
}

TEST_F(SlackProgress, WhatAToolSaysCannotFormatAStream) {
  *gate_ = true;
  more_tools_ = {search_logs(gate_, "1 hit: <!channel> **now** [here](https://evil.example)")};
  script(searches());
  serve();
  const std::string ts = mention(kAna, "what is wrong with checkout?");
  until_shown(ts, "The database is gone.");
  std::string chunks;
  for (const char* method : {"chat.appendStream", "chat.stopStream"})
    chunks += json::serialize(simulator_->world().record.find(0, "call", {{"method", method}}));
  EXPECT_THAT(chunks, HasSubstr("1 hit"));
  EXPECT_THAT(chunks, Not(HasSubstr("<!channel>")));
  EXPECT_THAT(chunks, Not(HasSubstr("[here](")));
}

TEST_F(SlackProgress, WithoutStreamsOneMessageIsEditedAndTheRequestIsMarked) {
  take_streams_away();
  script(searches());
  serve();
  const std::string ts = mention(kAna, "what is wrong with checkout?");
  until_shown(ts, "Searching logs of checkout…");
  EXPECT_TRUE(until([&] { return is_marked(ts); }));
  *gate_ = true;
  const std::string seen = until_shown(ts, "The database is gone.");
  EXPECT_EQ(messages(ts).size(), 2U) << seen;
  EXPECT_TRUE(until([&] { return !is_marked(ts); })) << "it is no longer worked on";
  EXPECT_EQ(calls_of("assistant.threads.setStatus"), 0U) << "only direct messages have a status";
}

TEST_F(SlackProgress, WithoutStreamsTheStatusOfADirectMessageSaysWhatIsDone) {
  take_streams_away();
  script(searches());
  serve();
  const std::string ts = say(kAna, "what is wrong with checkout?", "", "im");
  const std::string channel = direct_with(kAna).id;
  ASSERT_TRUE(until([&] { return status_in(ts) == "Searching logs of checkout…"; })) << status_in(ts);
  EXPECT_EQ(messages(ts, channel).size(), 1U) << "a status is no message";
  *gate_ = true;
  until_shown(ts, "The database is gone.", channel);
  EXPECT_TRUE(until([&] { return status_in(ts).empty(); }));
}

TEST_F(SlackProgress, SlacksOwnStopCancelsTheRun) {
  script(searches());
  serve();
  const std::string ts = mention(kAna, "what is wrong with checkout?");
  until_shown(ts, "[in_progress] Searching logs of checkout…");
  control("stop", {{"user", kAna}, {"channel", kOps}, {"thread_ts", ts}});
  const std::string seen = until_shown(ts, "Stopped by");
  EXPECT_THAT(seen, Not(HasSubstr("The database is gone.")));
  stop();
  EXPECT_EQ(model_->requests().size(), 1U);
}

TEST_F(SlackProgress, AStopOfSomebodyElseChangesNothing) {
  script(searches());
  serve();
  const std::string ts = mention(kAna, "what is wrong with checkout?");
  until_shown(ts, "[in_progress] Searching logs of checkout…");
  control("invite", {{"user", kGuest}, {"channel", kOps}});
  control("stop", {{"user", kGuest}, {"channel", kOps}, {"thread_ts", ts}});
  ASSERT_TRUE(until([&] { return !whispered_to(kGuest).empty(); })) << "guests have no access";
  *gate_ = true;
  until_shown(ts, "The database is gone.");
}

// ---- Slack's view for agents.

class SlackAssistant : public SlackProgress {
 protected:
  void SetUp() override {
    SlackProgress::SetUp();
    *gate_ = true;
  }
  json::array prompts_in(const std::string& thread) { return direct_with(kAna).assistant_threads[thread].prompts; }
};

TEST_F(SlackAssistant, ANewSessionIsNamedAfterItsQuestion) {
  script(searches());
  serve();
  const std::string ts = say(kAna, "what is wrong with checkout?", "", "im");
  EXPECT_TRUE(until([&] { return direct_with(kAna).assistant_threads[ts].title == "what is wrong with checkout?"; }));
  until_shown(ts, "The database is gone.", direct_with(kAna).id);
}

TEST_F(SlackAssistant, QuestionsAreSuggestedWhereAPersonBegins) {
  serve();
  control("open_assistant", {{"user", kAna}});
  EXPECT_TRUE(until([&] { return json::serialize(prompts_in("")).contains("what is failing?"); }));
}

TEST_F(SlackAssistant, ThreadsOfOlderAssistantsHaveSuggestionsAndATitleToo) {
  control("app", {{"agent_view", false}});
  script(searches());
  serve();
  const std::string thread = text_at(control("open_assistant", {{"user", kAna}}), "thread_ts");
  ASSERT_FALSE(thread.empty());
  EXPECT_TRUE(until([&] { return json::serialize(prompts_in(thread)).contains("what is failing?"); }));
  say(kAna, "what is wrong with checkout?", thread, "im");
  EXPECT_TRUE(
      until([&] { return direct_with(kAna).assistant_threads[thread].title == "what is wrong with checkout?"; }));
  until_shown(thread, "The database is gone.", direct_with(kAna).id);
}

}  // namespace
}  // namespace deputy::test
