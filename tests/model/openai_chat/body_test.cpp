// The body of a request to the Chat Completions API, as the API's reference writes it.
#include "model/openai_chat/body.h"

#include <gtest/gtest.h>

#include "model/written.h"

namespace deputy::model::openai_chat {
namespace {

using test::asks;
using test::assistant;
using test::call;
using test::read_json;
using test::result;
using test::user;

json::object completions_body(const Request& request, const Dialect& dialect) {
  return openai_chat::completions_body(request, {.model = "m"}, dialect, {}).body;
}

Request with_tools(Calls calls) { return test::asks_with_tools(calls, {test::kTool}); }

const Dialect kOpenAi = dialect_of("https://api.openai.com/v1");
const Dialect kOther = dialect_of("http://127.0.0.1:11434/v1");

TEST(OpenAiBody, HoldsWhatIsAskedAndNothingElse) {
  EXPECT_EQ(
      json::value(completions_body(asks("why?"), kOpenAi)),
      read_json(
          R"({"model": "m", "stream": true, "stream_options": {"include_usage": true}, "max_completion_tokens": 600,
                     "messages": [{"role": "user", "content": "why?"}]})"));
  EXPECT_EQ(
      json::value(completions_body(asks("why?"), {Dialect::Limit::max_tokens, false})),
      read_json(
          R"({"model": "m", "stream": true, "max_tokens": 600, "messages": [{"role": "user", "content": "why?"}]})"));
}

TEST(OpenAiBody, PutsResultsDirectlyBehindTheirCalls) {
  Request request = asks("why?");
  request.system = "You are Deputy.";
  request.turns.push_back(assistant({Text{"I look."}, call("t1", "search_logs", {{"query", "timeout"}}), call("t2")}));
  request.turns.push_back(user({Text{"hurry"}, result("t2", "none", true), result("t1", "two")}));
  request.turns.push_back(assistant({call("t3")}));
  request.turns.push_back(user({result("t3", "3"), Text{"a"}, Text{"b"}}));
  EXPECT_EQ(completions_body(request, kOpenAi).at("messages"), read_json(R"([
      {"role": "system", "content": "You are Deputy."},
      {"role": "user", "content": "why?"},
      {"role": "assistant", "content": "I look.", "tool_calls": [
        {"id": "t1", "type": "function", "function": {"name": "search_logs", "arguments": "{\"query\":\"timeout\"}"}},
        {"id": "t2", "type": "function", "function": {"name": "search_logs", "arguments": "{}"}}]},
      {"role": "tool", "tool_call_id": "t1", "content": "<tool_result tool=\"search_logs\">\ntwo\n</tool_result>"},
      {"role": "tool", "tool_call_id": "t2",
       "content": "The call failed.\n<tool_result tool=\"search_logs\">\nnone\n</tool_result>"},
      {"role": "user", "content": "hurry"},
      {"role": "assistant", "content": null, "tool_calls": [
        {"id": "t3", "type": "function", "function": {"name": "search_logs", "arguments": "{}"}}]},
      {"role": "tool", "tool_call_id": "t3", "content": "<tool_result tool=\"search_logs\">\n3\n</tool_result>"},
      {"role": "user", "content": "a\n\nb"}])"));
}

TEST(OpenAiBody, NamesToolsAndSaysWhetherCallsArePossible) {
  const json::object body = completions_body(with_tools(Calls::allowed), kOpenAi);
  EXPECT_EQ(body.at("tools"), read_json(R"([{"type": "function", "function":
      {"name": "a_tool", "description": "Does a.", "parameters": {"type": "object", "properties": {}}}}])"));
  EXPECT_EQ(body.at("tool_choice"), json::value("auto"));
  EXPECT_EQ(completions_body(with_tools(Calls::none), kOpenAi).at("tool_choice"), json::value("none"));
  EXPECT_FALSE(completions_body(asks("why?"), kOpenAi).contains("tool_choice"));
}

TEST(OpenAiDialect, IsToldByTheHost) {
  EXPECT_EQ(dialect_of("https://api.openai.com").limit, Dialect::Limit::max_completion_tokens);
  EXPECT_EQ(dialect_of("https://API.openai.com/v1/").limit, Dialect::Limit::max_completion_tokens);
  EXPECT_EQ(dialect_of("https://api.openai.com.example/v1").limit, Dialect::Limit::max_tokens);
  EXPECT_EQ(kOther.limit, Dialect::Limit::max_tokens);
}

struct Row {
  std::string name;
  Dialect tried;
  int status;
  std::string words;
  std::optional<Dialect> expected;
};

class OtherDialect : public testing::TestWithParam<Row> {};

TEST_P(OtherDialect, IsTried) {
  const Row& row = GetParam();
  const std::string body = json::serialize(json::object{{"error", {{"message", row.words}}}});
  EXPECT_EQ(other_dialect(row.tried, row.status, body), row.expected);
}

constexpr auto kNew = Dialect::Limit::max_completion_tokens;
constexpr auto kOld = Dialect::Limit::max_tokens;

INSTANTIATE_TEST_SUITE_P(
    Where, OtherDialect,
    testing::Values(
        Row{"TheNewerWordIsNamed",
            {kOld},
            400,
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' "
            "instead.",
            Dialect{kNew}},
        Row{"TheNewerWordIsNotKnown",
            {kNew},
            400,
            "Unrecognized request argument supplied: max_completion_tokens",
            Dialect{kOld}},
        Row{"TheNewerWordIsExtra", {kNew}, 422, "extra fields not permitted: max_completion_tokens", Dialect{kOld}},
        Row{"UsageIsNotKnown", {kOld}, 400, "Unknown field: stream_options", Dialect{kOld, false}},
        Row{"UsageWasNotAskedFor", {kOld, false}, 400, "Unknown field: stream_options", std::nullopt},
        Row{"ItIsTheirNumber", {kNew}, 400, "max_completion_tokens must be at least 16", std::nullopt},
        Row{"ItIsSomethingElse", {kOld}, 400, "Unknown field: tools", std::nullopt},
        Row{"TheStatusSaysOtherwise", {kOld}, 500, "Use 'max_completion_tokens' instead.", std::nullopt}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace deputy::model::openai_chat
