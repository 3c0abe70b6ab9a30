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

json::object messages_body(const Request& request) {
  return anthropic::messages_body(request, {.manner = {.model = "claude-x"}, .second_try = {}}).body;
}

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
  EXPECT_EQ(messages_body(with_tools(Calls::none)).at("tool_choice"), read_json(R"({"type": "none"})"));
}

TEST(AnthropicBody, HasNoChoiceWithoutTools) {
  Request request = asks("why?");
  request.calls = Calls::none;
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

TEST(AnthropicBody, ThinkingStandsWhereItStood) {
  const json::object hm{{"type", "thinking"}, {"thinking", "hm"}, {"signature", "s"}};
  const json::object hidden{{"type", "redacted_thinking"}, {"data", "d"}};
  Request request = asks("why?");
  request.turns.push_back(assistant({Thinking{hm, {}}, Text{"I look."}, call("t1"), Thinking{hidden, {}}, call("t2")}));
  request.turns.push_back(user({result("t1", "a"), result("t2", "b")}));
  EXPECT_EQ(messages_body(request).at("messages").at(1).at("content"), read_json(R"([
      {"type": "thinking", "thinking": "hm", "signature": "s"},
      {"type": "text", "text": "I look."},
      {"type": "tool_use", "id": "t1", "name": "search_logs", "input": {}},
      {"type": "redacted_thinking", "data": "d"},
      {"type": "tool_use", "id": "t2", "name": "search_logs", "input": {}}])"));
}

TEST(AnthropicBody, AsksForASchemaByItsFieldOrInWords) {
  Request request = asks("why?");
  request.system = "Be brief.";
  request.format = *parse_json_object(
      R"({"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]})");
  const auto body_for = [&](std::string model, MessagesApi api) {
    return anthropic::messages_body(request, {.manner = {.model = std::move(model)}, .second_try = {}, .api = api})
        .body;
  };
  const json::object native = body_for("claude-haiku-5-5", MessagesApi::anthropic);
  EXPECT_EQ(native.at("output_config").at("format"), read_json(R"({"type": "json_schema", "schema": {"type": "object",
      "required": ["n"], "properties": {"n": {"type": "integer"}}, "additionalProperties": false}})"));
  EXPECT_EQ(native.at("system").at(0).at("text"), "Be brief.");
  for (const json::object& words : {body_for("claude-haiku-4-5", MessagesApi::anthropic),
                                    body_for("us.anthropic.claude-haiku-5-5", MessagesApi::bedrock)}) {
    EXPECT_FALSE(words.contains("output_config") && words.at("output_config").as_object().contains("format"));
    EXPECT_NE(as_text(words.at("system").at(0).at("text")).find("fits this JSON Schema"), std::string::npos);
  }
}

}  // namespace
}  // namespace deputy::model::anthropic
