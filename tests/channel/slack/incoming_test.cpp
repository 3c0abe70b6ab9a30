#include "channel/slack/incoming.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel/slack/message_text.h"

namespace deputy::channel::slack {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

json::object sample(std::string_view text) { return json::parse(text).as_object(); }

template <class T>
T read_as(std::optional<Incoming> incoming) {
  const T* one = incoming ? std::get_if<T>(&*incoming) : nullptr;
  EXPECT_NE(one, nullptr);
  return one == nullptr ? T{} : *one;
}

TEST(SlackIncoming, AMentionInAChannel) {
  const Said said = read_as<Said>(read_event(sample(R"({
    "type": "event_callback", "team_id": "T1", "event_id": "Ev1", "is_ext_shared_channel": true,
    "event": {"type": "app_mention", "user": "U1", "text": "<@UBOT> hi", "ts": "2.0", "channel": "C1", "user_team": "T9"}})")));
  EXPECT_EQ(said.channel, "C1");
  EXPECT_EQ(said.ts, "2.0");
  EXPECT_EQ(said.thread, "");
  EXPECT_EQ(said.user, "U1");
  EXPECT_EQ(said.team, "T9");
  EXPECT_TRUE(said.is_mention);
  EXPECT_TRUE(said.is_external);
  EXPECT_FALSE(said.is_direct);
}

TEST(SlackIncoming, ABotIsNamedByItsIdOrByItsProfile) {
  const auto bot_of = [](const char* fields) {
    json::object event = sample(fields);
    event["type"] = "message";
    event["channel"] = "C1";
    event["ts"] = "2.0";
    return read_as<Said>(read_event({{"event", std::move(event)}})).bot;
  };
  EXPECT_EQ(bot_of(R"({"bot_id": "B1", "bot_profile": {"id": "B2"}})"), "B1");
  EXPECT_EQ(bot_of(R"({"bot_profile": {"id": "B2"}})"), "B2");
}

TEST(SlackIncoming, AReplyInAThreadAndTheFirstMessageOfOne) {
  const auto of = [](const char* thread) {
    json::object payload = sample(
        R"({"event": {"type": "message", "channel": "D1", "channel_type": "im", "user": "U1", "text": "x", "ts": "2.0"}})");
    payload["event"].as_object()["thread_ts"] = thread;
    return read_as<Said>(read_event(payload));
  };
  EXPECT_EQ(of("1.0").thread, "1.0");
  EXPECT_EQ(of("2.0").thread, "") << "it begins the thread";
  EXPECT_TRUE(of("1.0").is_direct);
}

TEST(SlackIncoming, AnEditCountsIfItsTextChanged) {
  const auto edit = [](const char* after) {
    json::object payload = sample(R"({"event": {"type": "message", "subtype": "message_changed", "channel": "C1",
      "ts": "3.0", "message": {"user": "U1", "ts": "2.0", "thread_ts": "1.0"},
      "previous_message": {"user": "U1", "ts": "2.0", "text": "before"}}})");
    payload["event"].as_object()["message"].as_object()["text"] = after;
    return read_event(payload);
  };
  const Said said = read_as<Said>(edit("after"));
  EXPECT_EQ(said.kind, InboundKind::edited);
  EXPECT_EQ(said.ts, "2.0");
  EXPECT_EQ(said.thread, "1.0");
  EXPECT_EQ(said.text, "after");
  EXPECT_EQ(said.changed_at, "3.0");
  EXPECT_FALSE(edit("before")) << "a preview was added";
}

TEST(SlackIncoming, ADeletion) {
  const Said said = read_as<Said>(read_event(sample(
      R"({"event": {"type": "message", "subtype": "message_deleted", "channel": "C1", "ts": "3.0", "deleted_ts": "2.0",
          "previous_message": {"user": "U1", "ts": "2.0", "text": "x"}}})")));
  EXPECT_EQ(said.kind, InboundKind::deleted);
  EXPECT_EQ(said.ts, "2.0");
  EXPECT_EQ(said.user, "U1");
}

TEST(SlackIncoming, WhatMeansNothingIsLeftOut) {
  for (const char* event : {R"({"type": "message", "subtype": "channel_join", "channel": "C1", "ts": "1.0"})",
                            R"({"type": "message", "text": "no channel"})", R"({"type": "team_join"})", R"({})"}) {
    EXPECT_FALSE(read_event({{"event", sample(event)}})) << event;
  }
  EXPECT_FALSE(read_event({}));
  EXPECT_FALSE(read_interaction({{"type", "block_actions"}}));
  EXPECT_FALSE(read_interaction({{"type", "block_actions"}, {"actions", {1}}}));
  EXPECT_FALSE(read_command({}));
}

TEST(SlackIncoming, AClickOnAMessageWithItsState) {
  const Clicked clicked = read_as<Clicked>(read_interaction(sample(R"({"type": "block_actions",
    "user": {"id": "U1", "name": "ana", "team_id": "T1"}, "trigger_id": "tr",
    "container": {"type": "message", "message_ts": "2.0", "channel_id": "C1", "thread_ts": "1.0"},
    "state": {"values": {"b1": {"a1": {"type": "radio_buttons", "selected_option": {"value": "o2"}}},
                         "b2": {"a2": {"type": "checkboxes", "selected_options": [{"value": "x"}, {"value": "y"}]}},
                         "b3": {"a3": {"type": "plain_text_input", "value": null}}}},
    "response_url": "https://hooks.slack.com/x",
    "actions": [{"type": "button", "action_id": "submit", "value": "token", "action_ts": "5.0"}]})")));
  EXPECT_EQ(clicked.user, "U1");
  EXPECT_EQ(clicked.user_name, "ana");
  EXPECT_EQ(clicked.channel, "C1");
  EXPECT_EQ(clicked.message, "2.0");
  EXPECT_EQ(clicked.thread, "1.0");
  EXPECT_EQ(clicked.value, "token");
  EXPECT_EQ(clicked.at, "5.0");
  const std::vector<Filled> state = read_state(clicked.state);
  ASSERT_EQ(state.size(), 3U);
  EXPECT_THAT(state[0].chosen, ElementsAre("o2"));
  EXPECT_THAT(state[1].chosen, ElementsAre("x", "y"));
  EXPECT_EQ(state[2].written, "");
}

TEST(SlackIncoming, AClickWhoseContainerDoesNotSayWhereItWas) {
  const auto clicked_in = [](const char* container) {
    json::object payload = sample(R"({"type": "block_actions", "user": {"id": "U1"}, "channel": {"id": "C1"},
      "message": {"ts": "2.0", "thread_ts": "1.0"}, "actions": [{"action_id": "approve_once", "value": "token"}]})");
    payload["container"] = sample(container);
    return read_as<Clicked>(read_interaction(payload));
  };
  for (const char* container : {"{}", R"({"type": "message", "message_ts": "2.0", "channel_id": "C1"})"}) {
    const Clicked clicked = clicked_in(container);
    EXPECT_EQ(clicked.channel, "C1") << container;
    EXPECT_EQ(clicked.message, "2.0") << container;
    EXPECT_EQ(clicked.thread, "1.0") << container;
  }
}

TEST(SlackIncoming, ASubmittedModal) {
  const Submitted submitted = read_as<Submitted>(read_interaction(sample(R"({"type": "view_submission",
    "user": {"id": "U1", "name": "ana", "team_id": "T1"},
    "view": {"id": "V1", "hash": "h", "callback_id": "form", "private_metadata": "{}",
             "state": {"values": {"b": {"a": {"type": "plain_text_input", "value": "two"}}}}}})")));
  EXPECT_EQ(submitted.view, "V1");
  EXPECT_EQ(submitted.callback, "form");
  EXPECT_EQ(read_state(submitted.state).at(0).written, "two");
}

TEST(SlackIncoming, CommandsStopsAndHomes) {
  const Command command = read_as<Command>(read_command(
      {{"command", "/deputy"}, {"text", "status"}, {"user_id", "U1"}, {"channel_id", "C1"}, {"team_id", "T1"}}));
  EXPECT_EQ(command.text, "status");
  EXPECT_EQ(
      read_as<StopPressed>(
          read_event(sample(
              R"({"event": {"type": "agent_session_stopped", "channel": "D1", "user": "U1", "thread_ts": "1.0"}})")))
          .thread,
      "1.0");
  EXPECT_EQ(
      read_as<HomeOpened>(read_event(sample(R"({"event": {"type": "app_home_opened", "user": "U1", "tab": "home"}})")))
          .tab,
      "home");
}

// ---- As a reader sees it.

std::string text_of(std::string_view message) {
  return text_of_message(sample(message), [](std::string_view id) { return std::string(id == "U1" ? "Ana" : ""); });
}

TEST(SlackMessageText, AnAlertCardIsItsTitleTextAndFields) {
  EXPECT_EQ(text_of(R"({"text": "", "bot_id": "B1", "attachments": [{"color": "danger", "title": "High error rate",
    "title_link": "https://alerts.example.com/1", "text": "cast-core &gt; 5%",
    "fields": [{"title": "Service", "value": "cast-core"}, {"title": "Severity", "value": "critical"}],
    "footer": "Alertmanager"}]})"),
            "High error rate (https://alerts.example.com/1)\ncast-core > 5%\nService: cast-core\nSeverity: "
            "critical\nAlertmanager");
}

TEST(SlackMessageText, BlocksOfAnAppCountBeforeItsFallback) {
  EXPECT_EQ(text_of(R"({"text": "Deploy failed", "blocks": [
    {"type": "header", "text": {"type": "plain_text", "text": "Deploy of cast-core"}},
    {"type": "section", "text": {"type": "mrkdwn", "text": "failed for <@U1>"},
     "fields": [{"type": "mrkdwn", "text": "*Branch* main"}]},
    {"type": "context", "elements": [{"type": "mrkdwn", "text": "run 12"}]},
    {"type": "actions", "elements": [{"type": "button", "text": {"type": "plain_text", "text": "Retry"}}]}]})"),
            "Deploy of cast-core\nfailed for @Ana\n*Branch* main\nrun 12\n[Retry]");
}

TEST(SlackMessageText, WhatAPersonTypedIsReadFromTheText) {
  EXPECT_EQ(text_of(R"({"text": "ask <@U1>", "blocks": [{"type": "rich_text", "elements": [{"type":
    "rich_text_section", "elements": [{"type": "text", "text": "ask "}, {"type": "user", "user_id": "U1"}]}]}]})"),
            "ask @Ana");
}

TEST(SlackMessageText, AForwardedMessageAndFiles) {
  EXPECT_EQ(text_of(R"({"text": "look", "attachments": [{"author_name": "Bo", "is_msg_unfurl": true,
    "message_blocks": [{"message": {"blocks": [{"type": "section", "text": {"type": "mrkdwn", "text": "it broke"}}]}}]}],
    "files": [{"id": "F1", "name": "trace.log", "mimetype": "text/plain", "size": 12}]})"),
            "look\nBo:\nit broke\n[file: trace.log]");
}

TEST(SlackMessageText, HostileDepthAndSizeAreBounded) {
  json::object block{{"type", "rich_text"}, {"elements", json::array()}};
  for (int i = 0; i < 500; ++i) {
    json::object outer{{"type", "rich_text_section"}, {"elements", json::array{std::move(block)}}};
    block = std::move(outer);
  }
  block["type"] = "rich_text";
  const json::object message{{"blocks", json::array{block}}, {"text", std::string(1'000'000, 'x')}};
  EXPECT_LE(text_of_message(message, [](std::string_view) { return std::string(); }).size(), 20'100U);
}

}  // namespace
}  // namespace deputy::channel::slack
