// The body of a request to the Messages API, as the API's reference writes it.
#include "model/anthropic/messages.h"

#include <gtest/gtest.h>

#include "model/written.h"

namespace deputy::model::anthropic {
namespace {

using test::asks;
using test::assistant;
using test::call;
using test::read_json;
using test::result;
using test::user;

Request with_tools(Calls calls) { return test::asks_with_tools(calls, {test::kTool, {"b_tool", "Does b.", {}}}); }

TEST(AnthropicBody, HoldsWhatIsAskedAndNothingElse) {
  EXPECT_EQ(json::value(messages_body(asks("why?"))), read_json(R"({"max_tokens": 600, "messages": [
      {"role": "user", "content": [{"type": "text", "text": "why?", "cache_control": {"type": "ephemeral"}}]}]})"));
}

TEST(AnthropicBody, MarksTheSystemPromptForTheCache) {
  Request request = asks("why?");
  request.system = "You are Deputy.";
  EXPECT_EQ(messages_body(request).at("system"),
            read_json(R"([{"type": "text", "text": "You are Deputy.", "cache_control": {"type": "ephemeral"}}])"));
  request.system = " \n";
  EXPECT_FALSE(messages_body(request).contains("system"));
}

TEST(AnthropicBody, MarksTheLastToolForTheCacheAndKeepsTheirOrder) {
  EXPECT_EQ(messages_body(with_tools(Calls::allowed)).at("tools"), read_json(R"([
      {"name": "a_tool", "description": "Does a.", "input_schema": {"type": "object", "properties": {}}},
      {"name": "b_tool", "description": "Does b.", "input_schema": {"type": "object"}, "cache_control": {"type": "ephemeral"}}])"));
}

TEST(AnthropicBody, SaysWhetherCallsArePossible) {
  EXPECT_EQ(messages_body(with_tools(Calls::allowed)).at("tool_choice"), read_json(R"({"type": "auto"})"));
  EXPECT_EQ(messages_body(with_tools(Calls::required)).at("tool_choice"), read_json(R"({"type": "any"})"));
  EXPECT_EQ(messages_body(with_tools(Calls::none)).at("tool_choice"), read_json(R"({"type": "none"})"));
}

TEST(AnthropicBody, HasNoChoiceWithoutTools) {
  Request request = asks("why?");
  request.calls = Calls::required;
  const json::object body = messages_body(request);
  EXPECT_FALSE(body.contains("tools"));
  EXPECT_FALSE(body.contains("tool_choice"));
}

TEST(AnthropicBody, PairsCallsWithTheirResultsAndMarksTheLastBlockOfTheUser) {
  Request request = asks("why?");
  request.turns.push_back(assistant({Text{"I look."}, call("t1", "search_logs", {{"query", "timeout"}}), call("t2")}));
  request.turns.push_back(user({Text{"hurry"}, result("t2", "none", true), result("t1", "two")}));
  EXPECT_EQ(messages_body(request).at("messages"), read_json(R"([
      {"role": "user", "content": [{"type": "text", "text": "why?"}]},
      {"role": "assistant", "content": [
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "t1", "name": "search_logs", "input": {"query": "timeout"}},
        {"type": "tool_use", "id": "t2", "name": "search_logs", "input": {}}]},
      {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "t1", "content": "<tool_result tool=\"search_logs\">\ntwo\n</tool_result>"},
        {"type": "tool_result", "tool_use_id": "t2", "content": "<tool_result tool=\"search_logs\">\nnone\n</tool_result>",
         "is_error": true},
        {"type": "text", "text": "hurry", "cache_control": {"type": "ephemeral"}}]}])"));
}

TEST(AnthropicBody, AsksForAtLeastOneToken) {
  Request request = asks("why?");
  request.max_tokens = 0;  // to the API: warm the cache only
  EXPECT_EQ(messages_body(request).at("max_tokens"), json::value(1));
}

}  // namespace
}  // namespace deputy::model::anthropic
