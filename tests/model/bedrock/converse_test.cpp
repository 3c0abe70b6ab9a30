// Requests as Converse takes them, and its streamed replies as the API's reference shows them.
#include "model/bedrock/converse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/heard.h"
#include "model/written.h"
#include "support/results.h"

namespace deputy::model::bedrock {
namespace {

using test::assistant;
using test::call;
using test::Heard;
using test::in_a_line;
using test::result;
using test::user;

json::object body_of(const Request& request, const Manner& manner = {.model = "amazon.nova-pro-v1:0"}) {
  return converse_body(request, {.manner = manner, .second_try = {}, .api = MessagesApi::bedrock}).body;
}

TEST(ConverseBody, HoldsSystemTurnsToolsAndTheLimit) {
  const Request request{
      .system = "Be brief.",
      .turns = {user({Text{"errors?"}}), assistant({Text{"Looking."}, call("t1", "search_logs", {{"q", "x"}})}),
                user({result("t1", "two")})},
      .tools = {{"search_logs", "Finds lines", {{"type", "object"}, {"properties", json::object{}}}}},
      .max_tokens = 100};
  const json::object expected = *parse_json_object(R"({
    "system": [{"text": "Be brief."}],
    "inferenceConfig": {"maxTokens": 100},
    "toolConfig": {"tools": [{"toolSpec": {"name": "search_logs",
      "inputSchema": {"json": {"type": "object", "properties": {}}}, "description": "Finds lines"}}]},
    "messages": [
      {"role": "user", "content": [{"text": "errors?"}]},
      {"role": "assistant", "content": [{"text": "Looking."},
        {"toolUse": {"toolUseId": "t1", "name": "search_logs", "input": {"q": "x"}}}]},
      {"role": "user", "content": [{"toolResult": {"toolUseId": "t1", "status": "success",
        "content": [{"text": "<tool_result tool=\"search_logs\">\ntwo\n</tool_result>"}]}}]}]})");
  EXPECT_EQ(canonical_json(body_of(request)), canonical_json(expected));
}

TEST(ConverseBody, AFailedResultSaysSo) {
  const Request request{.turns = {user({Text{"a"}}), assistant({call("t1")}), user({result("t1", "no", true)})}};
  const json::value body = body_of(request);
  EXPECT_EQ(body.at_pointer("/messages/2/content/0/toolResult/status"), "error");
}

TEST(ConverseBody, SaysOnlyWhatIsSet) {
  const json::object body = body_of({.turns = {user({Text{"a"}})}, .max_tokens = 5});
  EXPECT_EQ(canonical_json(body),
            canonical_json(*parse_json_object(
                R"({"inferenceConfig":{"maxTokens":5},"messages":[{"role":"user","content":[{"text":"a"}]}]})")));
  const json::value warm = body_of({}, {.model = "amazon.nova-pro-v1:0", .temperature = 0.5});
  EXPECT_EQ(warm.at_pointer("/inferenceConfig/temperature"), 0.5);
}

TEST(ConverseBody, ACallCannotBeForbidden) {
  Request request{.turns = {user({Text{"a"}})}, .tools = {{"t", "d", {}}}};
  EXPECT_FALSE(body_of(request).at("toolConfig").as_object().contains("toolChoice"));
  request.calls = Calls::none;
  EXPECT_FALSE(body_of(request).at("toolConfig").as_object().contains("toolChoice"));
}

TEST(ConverseBody, MarksTheStartForTheCacheWhereTheModelCan) {
  const Request request{.system = "s", .turns = {user({Text{"a"}})}, .tools = {{"t", "d", {}}}};
  const json::value marked = body_of(request, {.model = "us.anthropic.claude-sonnet-5-5"});
  EXPECT_EQ(json::serialize(marked.at_pointer("/system/1")), R"({"cachePoint":{"type":"default"}})");
  EXPECT_EQ(json::serialize(marked.at_pointer("/toolConfig/tools/1")), R"({"cachePoint":{"type":"default"}})");
  EXPECT_FALSE(json::serialize(body_of(request)).contains("cachePoint"));
}

TEST(ConverseBody, AnthropicsModelsAreToldHowMuchToThink) {
  const Request request{.turns = {user({Text{"a"}})}};
  const json::object body = body_of(
      request, {.model = "us.anthropic.claude-sonnet-5-5", .effort = Effort::low, .thinking = ThinkingAmount::least});
  EXPECT_EQ(json::serialize(body.at("additionalModelRequestFields")),
            R"({"thinking":{"type":"between_tools"},"output_config":{"effort":"low"}})");
  EXPECT_FALSE(body_of(request).contains("additionalModelRequestFields"));
}

using Events = std::vector<std::pair<std::string, std::string>>;

Heard hear(const Events& events, Calls calls = Calls::allowed) {
  Heard heard;
  ConverseReader reader(calls, [&](std::string_view part) { heard.streamed += part; });
  for (const auto& [type, data] : events) {
    if (auto read = reader.read(type, *parse_json_object(data)); !read) {
      heard.reply = std::unexpected(read.error());
      return heard;
    }
  }
  heard.reply = reader.finish();
  return heard;
}

const std::pair<std::string, std::string> kStart{"messageStart", R"({"role":"assistant"})"};
const std::pair<std::string, std::string> kHello{"contentBlockDelta",
                                                 R"({"contentBlockIndex":0,"delta":{"text":"Hello"}})"};
const std::pair<std::string, std::string> kCall{
    "contentBlockStart", R"({"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"t1","name":"search_logs"}}})"};
const std::pair<std::string, std::string> kUsage{
    "metadata",
    R"({"usage":{"inputTokens":10,"outputTokens":5,"totalTokens":15,"cacheReadInputTokens":2,"cacheWriteInputTokens":1},"metrics":{"latencyMs":3}})"};

std::pair<std::string, std::string> input(const std::string& part) {
  return {"contentBlockDelta",
          R"({"contentBlockIndex":1,"delta":{"toolUse":{"input":)" + json::serialize(json::value(part)) + "}}}"};
}
std::pair<std::string, std::string> block_ends(int index) {
  return {"contentBlockStop", R"({"contentBlockIndex":)" + std::to_string(index) + "}"};
}
std::pair<std::string, std::string> stops(const std::string& reason) {
  return {"messageStop", R"({"stopReason":")" + reason + R"("})"};
}

const Usage kCounted{.input_tokens = 10, .output_tokens = 5, .cache_read_tokens = 2, .cache_write_tokens = 1};

struct Row {
  const char* name;
  Events events;
  Reply reply;
  Calls calls = Calls::allowed;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class ConverseReply : public testing::TestWithParam<Row> {};

TEST_P(ConverseReply, IsRead) {
  const Heard heard = hear(GetParam().events, GetParam().calls);
  ASSERT_OK(heard.reply);
  EXPECT_EQ(*heard.reply, GetParam().reply);
  EXPECT_EQ(heard.streamed, text_of(GetParam().reply));
}

const Call kSearch{"t1", "search_logs", {{"q", "x"}}};

INSTANTIATE_TEST_SUITE_P(
    Rows, ConverseReply,
    testing::Values(
        Row{"Text",
            {kStart, kHello, block_ends(0), stops("end_turn"), kUsage},
            {{Text{"Hello"}}, Stop::end_turn, kCounted}},
        Row{"TextInParts",
            {kStart,
             kHello,
             {"contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"text":" you"}})"},
             block_ends(0),
             stops("end_turn")},
            {{Text{"Hello you"}}, Stop::end_turn, {}}},
        Row{"ACall",
            {kStart, kHello, block_ends(0), kCall, input("{\"q\""), input(":\"x\"}"), block_ends(1), stops("tool_use"),
             kUsage},
            {{Text{"Hello"}, kSearch}, Stop::calls, kCounted}},
        Row{"ACallWithoutArguments",
            {kStart, kCall, block_ends(1), stops("tool_use")},
            {{Call{"t1", "search_logs", {}}}, Stop::calls, {}}},
        Row{"TwoCalls",
            {kStart,
             kCall,
             input("{\"q\":\"x\"}"),
             block_ends(1),
             {"contentBlockStart",
              R"({"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"t2","name":"search_logs"}}})"},
             {"contentBlockDelta", R"({"contentBlockIndex":2,"delta":{"toolUse":{"input":"{}"}}})"},
             block_ends(2),
             stops("tool_use")},
            {{kSearch, Call{"t2", "search_logs", {}}}, Stop::calls, {}}},
        Row{"ABlockThatWasNotEnded",
            {kStart, kCall, input("{\"q\":\"x\"}"), stops("tool_use")},
            {{kSearch}, Stop::calls, {}}},
        Row{"ReasoningIsNotShown",
            {kStart,
             {"contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"reasoningContent":{"text":"hm"}}})"},
             block_ends(0),
             kHello,
             stops("end_turn")},
            {{Text{"Hello"}}, Stop::end_turn, {}}},
        Row{"MaxTokens", {kStart, kHello, stops("max_tokens")}, {{Text{"Hello"}}, Stop::max_tokens, {}}},
        Row{"ACutCall",
            {kStart, kHello, kCall, input("{\"q\":\"x"), block_ends(1), stops("max_tokens")},
            {{Text{"Hello"}}, Stop::cut_call, {}}},
        Row{"Guardrail", {kStart, kHello, stops("guardrail_intervened")}, {{Text{"Hello"}}, Stop::refusal, {}}},
        Row{"ContentFiltered", {kStart, stops("content_filtered")}, {{}, Stop::refusal, {}}},
        Row{"Overflow", {kStart, stops("model_context_window_exceeded")}, {{}, Stop::overflow, {}}},
        Row{"AStopThatIsNotKnown", {kStart, kHello, stops("because")}, {{Text{"Hello"}}, Stop::end_turn, {}}},
        Row{"CallsThatAreNotAllowed",
            {kStart, kHello, kCall, block_ends(1), stops("tool_use")},
            {{Text{"Hello"}}, Stop::end_turn, {}},
            Calls::none},
        Row{"EventsThatAreNotKnown",
            {kStart, {"somethingNew", "{}"}, kHello, stops("stop_sequence")},
            {{Text{"Hello"}}, Stop::end_turn, {}}}),
    [](const auto& info) { return info.param.name; });

TEST(ConverseReader, WhatIsBrokenMayBeAskedForAgain) {
  const Heard cut = hear({kStart, kHello});
  ASSERT_FAILS(cut.reply, network);
  EXPECT_TRUE(cut.reply.error().retryable);
  for (const Events& events : {Events{kStart, input("{}")}, Events{kStart, stops("malformed_model_output")}}) {
    const Heard heard = hear(events);
    ASSERT_FAILS(heard.reply, upstream);
    EXPECT_TRUE(heard.reply.error().retryable);
  }
}

std::string heard_in_a_line(const Events& events) {
  const Heard heard = hear(events);
  return heard.reply ? in_a_line(*heard.reply) : describe(heard.reply.error());
}

TEST(ConverseReader, ACallThatIsBrokenHasAFault) {
  EXPECT_EQ(heard_in_a_line({kStart, kCall, input("null"), block_ends(1), stops("tool_use")}),
            "call t1 search_logs {}; calls");
  for (const char* broken : {"{\"q", "[1]", "7", "\"{}\""}) {
    EXPECT_EQ(heard_in_a_line({kStart, kCall, input(broken), block_ends(1), stops("tool_use")}),
              "call t1 search_logs {} with a fault; calls")
        << broken;
  }
  EXPECT_EQ(heard_in_a_line({kStart,
                             {"contentBlockStart", R"({"contentBlockIndex":1,"start":{"toolUse":{}}})"},
                             block_ends(1),
                             stops("tool_use")}),
            "call call_1 unnamed_tool {} with a fault; calls");
}

TEST(ConverseReader, WhereTheModelsCallCouldNotBeReadEachHasAFault) {
  const std::pair<std::string, std::string> another{
      "contentBlockStart", R"({"contentBlockIndex":2,"start":{"toolUse":{"toolUseId":"t2","name":"search_logs"}}})"};
  struct Broken {
    const char* name;
    Events events;
    const char* expected;
  };
  const std::vector<Broken> rows{
      {"one whose arguments can be read",
       {kCall, input("{\"q\":\"x\"}"), block_ends(1)},
       "call t1 search_logs {} with a fault; calls"},
      {"one whose arguments cannot",
       {kHello, block_ends(0), kCall, input("{\"q\":"), block_ends(1)},
       "text Hello; call t1 search_logs {} with a fault; calls"},
      {"one that was not ended", {kCall, input("{}")}, "call t1 search_logs {} with a fault; calls"},
      {"two",
       {kCall, input("{}"), block_ends(1), another, block_ends(2)},
       "call t1 search_logs {} with a fault; call t2 search_logs {} with a fault; calls"},
      {"none that was kept", {kHello, block_ends(0)}, "text Hello; call call_1 unnamed_tool {} with a fault; calls"},
      {"nothing at all", {}, "call call_1 unnamed_tool {} with a fault; calls"},
  };
  for (const Broken& row : rows) {
    Events events = row.events;
    events.insert(events.begin(), kStart);
    events.push_back(stops("malformed_tool_use"));
    EXPECT_EQ(heard_in_a_line(events), row.expected) << row.name;
  }
  const Heard none_allowed = hear({kStart, kHello, block_ends(0), stops("malformed_tool_use")}, Calls::none);
  EXPECT_EQ(none_allowed.reply, (Reply{{Text{"Hello"}}, Stop::end_turn, {}}));
}

TEST(ConverseReader, AWholeResponseIsReadTheSame) {
  std::string streamed;
  ConverseReader reader(Calls::allowed, [&](std::string_view part) { streamed += part; });
  ASSERT_OK(reader.read_message(*parse_json_object(R"({"output":{"message":{"role":"assistant","content":[
      {"reasoningContent":{"reasoningText":{"text":"hm"}}},{"text":"Hello"},
      {"toolUse":{"toolUseId":"t1","name":"search_logs","input":{"q":"x"}}}]}},"stopReason":"tool_use",
      "usage":{"inputTokens":10,"outputTokens":5,"cacheReadInputTokens":2,"cacheWriteInputTokens":1},"metrics":{"latencyMs":1}})")));
  EXPECT_EQ(reader.finish(), (Reply{{Text{"Hello"}, kSearch}, Stop::calls, kCounted}));
  EXPECT_EQ(streamed, "Hello");
  ConverseReader none(Calls::allowed, {});
  EXPECT_FAILS(none.read_message({}), upstream);
}

Result<Reply> read_whole(const std::string& content, const std::string& reason) {
  ConverseReader reader(Calls::allowed, {});
  TRY(reader.read_message(
      *parse_json_object(R"({"output":{"message":{"content":[)" + content + R"(]}},"stopReason":")" + reason + "\"}")));
  return reader.finish();
}

TEST(ConverseReader, OfAWholeResponseACallThatCouldNotBeReadHasAFault) {
  const auto reply =
      read_whole(R"({"toolUse":{"toolUseId":"t1","name":"search_logs","input":{"q":"x"}}})", "malformed_tool_use");
  ASSERT_OK(reply);
  EXPECT_EQ(in_a_line(*reply), "call t1 search_logs {} with a fault; calls");
}

TEST(ConverseReader, OfAWholeResponseTheLimitOfTokensCutsTheLastCall) {
  const std::string first = R"({"toolUse":{"toolUseId":"t1","name":"search_logs","input":{"q":"x"}}})";
  for (const char* input : {R"({"q":"half"})", "{}", R"("{\"q\":")", "null"}) {
    const std::string second =
        R"({"toolUse":{"toolUseId":"t2","name":"search_logs","input":)" + std::string(input) + "}}";
    EXPECT_EQ(read_whole(fmt::format("{},{}", first, second), "max_tokens"), (Reply{{kSearch}, Stop::cut_call, {}}))
        << input;
  }
  EXPECT_EQ(read_whole(first + R"(,{"text":"so"})", "max_tokens"), (Reply{{kSearch, Text{"so"}}, Stop::calls, {}}));
}

TEST(ConverseReader, OfAWholeResponseArgumentsThatAreNoObjectAreAFault) {
  const auto read = [](const std::string& input) {
    const auto reply =
        read_whole(R"({"toolUse":{"toolUseId":"t1","name":"drop_cache")" + input + R"(}},{"text":"so"})", "tool_use");
    return reply ? in_a_line(*reply) : describe(reply.error());
  };
  for (const char* none : {"", R"(,"input":null)", R"(,"input":{})"})
    EXPECT_EQ(read(none), "call t1 drop_cache {}; text so; calls") << none;
  for (const char* broken : {R"(,"input":"{}")", R"(,"input":[])", R"(,"input":7)"})
    EXPECT_EQ(read(broken), "call t1 drop_cache {} with a fault; text so; calls") << broken;
}

TEST(ConverseReader, AReplyHasALimit) {
  ConverseReader reader(Calls::allowed, {});
  const json::object delta{{"delta", {{"text", std::string(1'000'000, 'x')}}}};
  Result<> read;
  for (int i = 0; i < 10 && read; ++i) read = reader.read("contentBlockDelta", delta);
  EXPECT_FAILS(read, upstream);
}

}  // namespace
}  // namespace deputy::model::bedrock
