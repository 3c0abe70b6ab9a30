// What the model is told beside the request.
#include "run/prompt/enrich.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "intent/context_section.h"
#include "redact/marker.h"
#include "run/journal/stored_rows.h"
#include "support/held.h"

namespace deputy::run {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const redact::Redactor kRedactor("salt");
const Timestamp kNow = from_millis(1'700'000'000'000);

Received asked(std::string text = "show me the errors of checkout in production") {
  return {.text = std::move(text), .place = write_place({"slack", "C1"})};
}
Enriched enriched(const ThreadContext& thread, const Rules& rules = {}, const Received& received = asked()) {
  FoundIntent found{.intent = intent::extract(
                        received.text, vocabulary_of(rules,
                                                     {{"search_logs",
                                                       {{"logs", "errors"}, {}, {}, ""},
                                                       true,
                                                       {{"environment", intent::ParameterKind::environment, false}}}},
                                                     kNow))};
  return enrich(received, thread, {}, std::move(found), rules, kNow, kRedactor);
}

TEST(Context, AMessageIsCutAndTheCutIsMarked) {
  const Enriched found = enriched({.lines = {{"ana", std::string(6000, 'x')}}});
  ASSERT_EQ(found.thread.size(), 1U);
  EXPECT_EQ(found.thread[0].text, std::string(5000, 'x') + "… [1000 more characters]");
}

TEST(Context, OfALongThreadTheRootAndTheNewestAreShown) {
  Rules rules;
  rules.limits.thread_tokens = 1000;  // 4,000 characters
  ThreadContext thread{.left_out = 2};
  for (int i = 0; i < 6; ++i) thread.lines.push_back({"ana", std::to_string(i) + std::string(999, 'x')});
  const Enriched found = enriched(thread, rules);
  ASSERT_EQ(found.thread.size(), 4U);
  EXPECT_EQ(found.thread[0].text[0], '0');
  EXPECT_EQ(found.thread[1].text[0], '3');
  EXPECT_THAT(found.context, HasSubstr("[4 earlier messages of this thread are not shown]"));
}

TEST(Context, NothingFromTheRequestOnCounts) {
  Received received = asked();
  received.request = "r2";
  const ThreadContext thread{
      .lines = {{"ana", "before", false, false, "r1"}, {"ana", "@bot errors?", false, false, "r2"}, {"bo", "after"}}};
  const Enriched found = enriched(thread, {}, received);
  ASSERT_EQ(found.thread.size(), 1U);
  EXPECT_EQ(found.thread[0].text, "before");
}

TEST(Context, WhatFitsIsKeptWithItsWriterAndKind) {
  const Enriched found =
      enriched({.lines = {{"ana", "it is slow"}, {"deputy", "Looking.", true}, {"b", "!", false, true}}});
  ASSERT_EQ(found.thread.size(), 3U);
  EXPECT_EQ(found.thread[0].writer, "ana");
  EXPECT_EQ(found.thread[0].text, "it is slow");
  EXPECT_TRUE(found.thread[1].by_deputy);
  EXPECT_TRUE(found.thread[2].by_bot);
}

TEST(Context, ASecretIsTakenOutBeforeItIsCut) {
  const std::string text = std::string(495, 'x') + " password=hunter2hunter2";
  const Enriched found =
      enriched({.channel_name = "ops", .lines = {{"ana", "root"}, {"ana", text}, {"bo\xff", "a\xff"}}});
  EXPECT_THAT(found.thread[1].text, Not(HasSubstr("hunter2")));
  EXPECT_EQ(found.thread[2].writer, "bo\uFFFD");
  EXPECT_TRUE(is_valid_utf8(found.thread[2].text));
}

TEST(Context, MessagesThatAreNotShownAreCounted) {
  EXPECT_THAT(enriched({.left_out = 12}).context, HasSubstr("[12 earlier messages of this thread are not shown]"));
  EXPECT_THAT(enriched({}).context, Not(HasSubstr("earlier messages")));
}

struct ChannelRow {
  std::string_view name;
  bool ops;
};

TEST(Context, OpsChannelsAreKnownByTheirNames) {
  for (const auto& [name, ops] : std::vector<ChannelRow>{{"devops", true},
                                                         {"team-infra", true},
                                                         {"Platform-eng", true},
                                                         {"sre-oncall", true},
                                                         {"ops", true},
                                                         {"deployments", true},
                                                         {"ci-cd", true},
                                                         {"random", false},
                                                         {"", false}}) {
    EXPECT_EQ(is_ops_channel(name), ops) << name;
  }
}

TEST(Context, SaysWhatTimeItIsThereAndWhatTimesOfTheRequestMean) {
  EXPECT_THAT(enriched({}).context, StartsWith("[It is 2023-11-14 22:13 UTC]\n"));
  Rules rules;
  rules.zone = {"Europe/Berlin", [](Timestamp) { return std::chrono::seconds(3600); }};
  const Enriched found = enriched({}, rules, asked("show me the errors of today"));
  EXPECT_THAT(found.context,
              StartsWith("[It is 2023-11-14 22:13 UTC; for people here 2023-11-14 23:13 Europe/Berlin]\n"));
  const auto intent = test::held(intent::read_context_section(found.context));
  EXPECT_EQ(intent.parameters.time_range.from, *parse_timestamp("2023-11-13T23:00:00Z"));
}

TEST(Context, SaysWhereItIsAndWhatHoldsThere) {
  EXPECT_THAT(enriched({.channel_name = "sre-oncall"}).context,
              HasSubstr("\n[Channel: sre-oncall; people are in the right place with operations work]\n"));
  Rules rules;
  rules.policy.settings.channels["C1"].instead = "#ops";
  rules.policy.settings.channels["C1"].default_environment = "staging";
  EXPECT_THAT(
      enriched({.channel_name = "random"}, rules).context,
      HasSubstr("\n[Channel: random]\n[Requests belong in #ops: say so]\n[Environment when none is named: staging]\n"));
}

TEST(Context, TheIntentStandsUnderItsHeadingAndInTheEntry) {
  Rules rules;
  rules.environments = {{"prod", {"production"}}};
  rules.services = {{"checkout", "checkout-service", {}}};
  const Enriched found = enriched({.channel_name = "random"}, rules);
  const auto intent = test::held(intent::read_context_section(found.context));
  EXPECT_EQ(intent.parameters.environment, "prod");
  EXPECT_EQ(intent.parameters.services, std::vector<std::string>{"checkout"});
  EXPECT_EQ(found.intent, std::optional(to_json(intent)));
}

}  // namespace
}  // namespace deputy::run
