// What only servers that speak like OpenAI have: their differences.
#include <set>

#include "conformance/model/provider_suite.h"

namespace deputy::model {
namespace {

using test::Scenario;

Scenario two_calls(json::object style) {
  return Scenario()
      .text("Let me look.")
      .call("recent_errors", {{"service", "checkout-api"}})
      .call("list_alarms")
      .with("style", std::move(style));
}

TEST(OpenAiServers, CallsAreReadHoweverAServerWritesThem) {
  const std::vector<std::pair<std::string, json::object>> styles{
      {"without ids", {{"ids", false}}},
      {"whole", {{"whole_calls", true}}},
      {"whole and under one index", {{"whole_calls", true}, {"same_index", true}}},
      {"whole, under one index and without ids", {{"whole_calls", true}, {"same_index", true}, {"ids", false}}},
      {"under one index", {{"same_index", true}}},
      {"arguments as an object", {{"object_arguments", true}}},
      {"arguments as an object, under one index", {{"object_arguments", true}, {"same_index", true}}},
      {"finished with stop", {{"finish", "stop"}}},
      {"finished with a word of its own", {{"finish", "tool_use"}}},
      {"without [DONE]", {{"done", false}}},
      {"not streamed", {{"streams", false}}},
      {"not streamed, arguments as an object", {{"streams", false}, {"object_arguments", true}, {"ids", false}}},
  };
  for (const auto& [name, style] : styles) {
    SCOPED_TRACE(name);
    Talk talk(vendor("openai_chat"), two_calls(style));
    const Heard heard = talk.hear();
    ASSERT_OK(heard.reply);
    EXPECT_EQ(heard.reply->stop, Stop::calls);
    EXPECT_EQ(text_of(*heard.reply), "Let me look.");
    const std::vector<Call> calls = calls_of(*heard.reply);
    ASSERT_EQ(calls.size(), 2U);
    EXPECT_EQ(calls[0].tool, "recent_errors");
    EXPECT_EQ(calls[0].arguments, (json::object{{"service", "checkout-api"}}));
    EXPECT_EQ(calls[1].tool, "list_alarms");
    EXPECT_EQ(calls[1].arguments, json::object{});
    EXPECT_FALSE(calls[0].id.empty());
    EXPECT_FALSE(calls[1].id.empty());
    EXPECT_NE(calls[0].id, calls[1].id);
  }
}

// Cut anywhere, between the letters of a tag too.
TEST(OpenAiServers, WhatStandsBetweenThinkTagsIsThinking) {
  const Scenario scenario = Scenario()
                                .thinks("Hm, a < b.")
                                .text("Two errors: <think> is a tag.")
                                .with("style", json::object{{"think_tags", true}});
  for (const int bytes : {0, 1, 2, 3, 7}) {
    SCOPED_TRACE(bytes);
    Talk talk(vendor("openai_chat"), Scenario(scenario).chunk(bytes));
    const Heard heard = talk.hear();
    ASSERT_OK(heard.reply);
    EXPECT_EQ(text_of(*heard.reply), "Two errors: <think> is a tag.");
    EXPECT_EQ(heard.streamed, text_of(*heard.reply));
  }
}

// Templates of some models open the tag, so that the reply only closes it.
TEST(OpenAiServers, WhatStandsBeforeAClosingThinkTagIsNoAnswer) {
  for (const int bytes : {0, 1, 3}) {
    SCOPED_TRACE(bytes);
    Talk talk(vendor("openai_chat"),
              Scenario().text("Hm, a ").text("< b.</th").text("ink>\n\nTwo errors.").chunk(bytes));
    const Heard heard = talk.hear();
    ASSERT_OK(heard.reply);
    EXPECT_EQ(text_of(*heard.reply), "Two errors.");
  }
}

TEST(OpenAiServers, AServerMayCountNothing) {
  Talk talk(vendor("openai_chat"), Scenario().text("Fine.").with("style", json::object{{"usage", false}}));
  const Heard heard = talk.hear();
  ASSERT_OK(heard.reply);
  EXPECT_EQ(text_of(*heard.reply), "Fine.");
  EXPECT_GT(heard.reply->usage.tokens(), 0) << "a budget needs a guess where nobody counts";
}

TEST(OpenAiServers, AFieldThatAServerRefusesIsSaidOtherwise) {
  for (const std::string server : {"openai", "local", "old"}) {
    SCOPED_TRACE(server);
    Talk talk(vendor("openai_chat"), Scenario().text("Fine.").repeat().with("server", json::string(server)));
    EXPECT_OK(talk.hear().reply);
    const int found_out = talk.peer().count();
    EXPECT_LE(found_out, 2);
    EXPECT_OK(talk.hear().reply);
    EXPECT_EQ(talk.peer().count(), found_out + 1) << "what a server refused is not said to it again";
  }
}

TEST(OpenAiServers, OverflowIsKnownByEveryServersWords) {
  for (const std::string error : {"overflow", "overflow_vllm", "overflow_llama"}) {
    SCOPED_TRACE(error);
    Talk talk(vendor("openai_chat"), Scenario().refuses(error));
    const Heard heard = talk.hear();
    ASSERT_OK(heard.reply);
    EXPECT_EQ(heard.reply->stop, Stop::overflow);
  }
}

TEST(OpenAiServers, TryingAgainDoesNotPayABill) {
  Talk talk(vendor("openai_chat"), Scenario().refuses("quota"));
  const Heard heard = talk.hear();
  ASSERT_FALSE(heard.reply);
  EXPECT_FALSE(heard.reply.error().retryable);
}

}  // namespace
}  // namespace deputy::model
