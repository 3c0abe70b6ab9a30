// Times without Deputy: what was said meanwhile is read back; events over HTTP in place of sockets.
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;

class SlackAbsence : public SlackService {};

TEST_F(SlackAbsence, WhatWasAskedMeanwhileIsAnsweredAndSaysSo) {
  script(ModelScript().says("First.").then_says("Here it is.").then_says("Here it is."));
  serve();
  const std::string before = mention(kAna, "first?");
  until_shown(before, "First.");
  stop();
  // Slack gives up on what nobody takes.
  control("fault", {{"on", "delivery"}, {"name", "app_mention"}, {"kind", "drop"}, {"times", 10}});
  control("fault", {{"on", "delivery"}, {"name", "message"}, {"kind", "drop"}, {"times", 10}});
  const std::string root = mention(kAna, "third?");
  say(kAna, "second?", before, kOps, true);
  serve();
  until_shown(before, "Here it is.");
  EXPECT_THAT(until_shown(root, "Here it is."), HasSubstr("I was away"));
  stop();
  EXPECT_EQ(model_->requests().size(), 3U) << "each once";
}

// It is read back, and its writer is the last requester of its thread.
TEST_F(SlackAbsence, WhatWasSaidBeforeTheRequestIsNoRequest) {
  script(ModelScript().says("Here it is.").then_says("Here it is."));
  serve();
  const std::string root = say(kAna, "Orders are slow today.", "", kOps, false);
  say(kAna, "why?", root, kOps, true);
  until_shown(root, "Here it is.");
  stop();
  const std::size_t read = calls_of("conversations.history");
  serve();
  ASSERT_TRUE(until([&] { return calls_of("conversations.history") > read; }));
  const std::string next = mention(kAna, "and now?");
  until_found("Here it is.", next);
  stop();
  EXPECT_EQ(model_->requests().size(), 2U);
}

TEST_F(SlackService, EventsOverHttpAreAnsweredToo) {
  write_settings("serve: {health: '127.0.0.1:0', listen: '127.0.0.1:0'}\nchannels: {slack: {transport: http}}\n");
  script(ModelScript().says("Over HTTP."));
  simulator_->world().workspace.app.request_url = "http://127.0.0.1:1/slack/events";  // until its port is known
  serve();
  const json::object set = control("app", {{"request_url", "http://127.0.0.1:" + events_port() + "/slack/events"}});
  EXPECT_TRUE(set.at("ok").as_bool()) << json::serialize(set);
  ASSERT_TRUE(until([&] { return calls_of("auth.test") > 0; })) << "it takes events once it knows who it is";
  until_shown(mention(kAna, "hello?"), "Over HTTP.");
}

}  // namespace
}  // namespace deputy::test
