// The reader over streams as the API's reference shows them, and over what other servers make of them.
#include "model/anthropic/reply_reader.h"

#include <gtest/gtest.h>

#include "model/heard.h"
#include "support/results.h"

namespace deputy::model::anthropic {
namespace {

using test::Heard;
using test::in_a_line;

Heard hear(const std::vector<std::string>& events, Calls calls = Calls::allowed) {
  Heard heard;
  ReplyReader reader(calls, [&](std::string_view part) { heard.streamed += part; });
  for (const std::string& event : events) {
    if (auto read = reader.read(parse_json_object(event).value()); !read) {
      heard.reply = std::unexpected(read.error());
      return heard;
    }
  }
  heard.reply = reader.finish();
  return heard;
}

const std::string kBegin =
    R"({"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"usage":{"input_tokens":25,"output_tokens":1}}})";
const std::string kEnd = R"({"type":"message_stop"})";

std::string stops(std::string_view reason) {
  return R"({"type":"message_delta","delta":{"stop_reason":")" + std::string(reason) +
         R"(","stop_sequence":null},"usage":{"output_tokens":15}})";
}
std::vector<std::string> text(const std::string& words, const std::string& index = "0") {
  return {R"({"type":"content_block_start","index":)" + index + R"(,"content_block":{"type":"text","text":""}})",
          R"({"type":"content_block_delta","index":)" + index + R"(,"delta":{"type":"text_delta","text":")" + words +
              R"("}})",
          R"({"type":"content_block_stop","index":)" + index + "}"};
}
std::vector<std::string> streamed_call(const std::string& id, const std::vector<std::string>& parts,
                                       const std::string& index = "1") {
  std::vector<std::string> events{R"({"type":"content_block_start","index":)" + index +
                                  R"(,"content_block":{"type":"tool_use","id":")" + id +
                                  R"(","name":"search_logs","input":{}}})"};
  for (const std::string& part : parts) {
    events.push_back(R"({"type":"content_block_delta","index":)" + index +
                     R"(,"delta":{"type":"input_json_delta","partial_json":)" + json::serialize(json::value(part)) +
                     "}}");
  }
  events.push_back(R"({"type":"content_block_stop","index":)" + index + "}");
  return events;
}

using Events = std::vector<std::string>;
Events all(std::initializer_list<Events> groups) {
  Events joined;
  for (const Events& group : groups) joined.insert(joined.end(), group.begin(), group.end());
  return joined;
}
/// A whole message that stops for `reason`.
Events message(std::initializer_list<Events> blocks, std::string_view reason) {
  return all({{kBegin}, all(blocks), {stops(reason), kEnd}});
}

struct Row {
  std::string name;
  Events events;
  std::string expected;
  Calls calls = Calls::allowed;
};

class AnthropicReply : public testing::TestWithParam<Row> {};

TEST_P(AnthropicReply, Is) {
  const Row& row = GetParam();
  const Heard heard = hear(row.events, row.calls);
  ASSERT_OK(heard.reply);
  EXPECT_EQ(in_a_line(*heard.reply), row.expected);
  EXPECT_EQ(heard.streamed, text_of(*heard.reply));
}

/// A call that is all there as it begins.
Events whole_call(const std::string& rest) {
  return {R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t",)" + rest + "}}",
          R"({"type":"content_block_stop","index":0})"};
}
const Events kHalfACall = streamed_call("t1", {R"({"query": "time)"});
const Events kWholeCall = streamed_call("t1", {"", R"({"query")", R"(: "timeout"})"});

INSTANTIATE_TEST_SUITE_P(
    Of, AnthropicReply,
    testing::Values(
        Row{"AText", message({text("Hello")}, "end_turn"), "text Hello; end_turn"},
        Row{"TextsAndACall", message({text("I look."), kWholeCall}, "tool_use"),
            R"(text I look.; call t1 search_logs {"query":"timeout"}; calls)"},
        Row{"SeveralCalls", message({kWholeCall, streamed_call("t2", {"{}"}, "2")}, "tool_use"),
            R"(call t1 search_logs {"query":"timeout"}; call t2 search_logs {}; calls)"},
        Row{"ACallWithoutArguments", message({streamed_call("t1", {})}, "tool_use"), "call t1 search_logs {}; calls"},
        Row{"ACallWithItsArgumentsAtOnce",
            message(
                {{R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1","name":"x","input":{"a":1}}})",
                  R"({"type":"content_block_stop","index":0})"}},
                "tool_use"),
            R"(call t1 x {"a":1}; calls)"},
        Row{"ACallWithNullForArguments", message({streamed_call("t1", {"null"})}, "tool_use"),
            "call t1 search_logs {}; calls"},
        Row{"ACallWithoutAWordOfArguments", message({whole_call(R"("name":"f")")}, "tool_use"), "call t f {}; calls"},
        Row{"ArgumentsThatAreNotWhole", message({kHalfACall}, "tool_use"),
            "call t1 search_logs {} with a fault; calls"},
        Row{"ArgumentsThatAreAList", message({streamed_call("t1", {"[1]"})}, "tool_use"),
            "call t1 search_logs {} with a fault; calls"},
        Row{"ArgumentsThatAreANumberAtOnce", message({whole_call(R"("name":"f","input":7)")}, "tool_use"),
            "call t f {} with a fault; calls"},
        Row{"ArgumentsThatAreATextAtOnce", message({whole_call(R"("name":"f","input":"{}")")}, "tool_use"),
            "call t f {} with a fault; calls"},
        Row{"ArgumentsThatAreTooDeep",
            message({streamed_call("t1", {R"({"a":)" + std::string(40, '[') + std::string(40, ']') + "}"})},
                    "tool_use"),
            "call t1 search_logs {} with a fault; calls"},
        Row{"ACallWithoutAName", message({whole_call(R"("input":{})")}, "tool_use"),
            "call t unnamed_tool {} with a fault; calls"},
        Row{"ABrokenCallBesideAWholeOne", message({kHalfACall, streamed_call("t2", {"{}"}, "2")}, "tool_use"),
            "call t1 search_logs {} with a fault; call t2 search_logs {}; calls"},
        Row{"ABrokenCallThatIsNotAllowed", message({text("a"), kHalfACall}, "tool_use"), "text a; end_turn",
            Calls::none},
        Row{"CallsWhateverItStoppedFor", message({kWholeCall}, "end_turn"),
            R"(call t1 search_logs {"query":"timeout"}; calls)"},
        Row{"ACallAtTheLimitWhateverItLooksLike", message({kWholeCall}, "max_tokens"), "cut_call"},
        Row{"ACallAtTheLimitBehindAWholeOne", message({kWholeCall, streamed_call("t2", {"{}"}, "2")}, "max_tokens"),
            R"(call t1 search_logs {"query":"timeout"}; cut_call)"},
        Row{"ACallAndProseCutAtTheLimit", message({kWholeCall, text("I lo", "2")}, "max_tokens"),
            R"(call t1 search_logs {"query":"timeout"}; text I lo; calls)"},
        Row{"APauseThatNobodyEnds", message({text("Hel")}, "pause_turn"), "text Hel; max_tokens"},
        Row{"CallsWithTheSameIdGetOthers",
            message({streamed_call("t1", {}), streamed_call("t1", {}, "2"), streamed_call("", {}, "3")}, "tool_use"),
            "call t1 search_logs {}; call call_2 search_logs {}; call call_3 search_logs {}; calls"},
        Row{"ProseCutAtTheLimit", message({text("Hel")}, "max_tokens"), "text Hel; max_tokens"},
        Row{"ACallCutAtTheLimit", message({text("I look."), kHalfACall}, "max_tokens"), "text I look.; cut_call"},
        Row{"ACallCutBeforeItsArguments", message({streamed_call("t1", {})}, "max_tokens"), "cut_call"},
        Row{"ACallCutAfterAWholeOne",
            message({streamed_call("t1", {"{}"}), streamed_call("t2", {"{"}, "2")}, "max_tokens"),
            "call t1 search_logs {}; cut_call"},
        Row{"ACallCutWithoutTheEndOfItsBlock",
            all({{kBegin}, Events(kHalfACall.begin(), kHalfACall.end() - 1), {stops("max_tokens"), kEnd}}), "cut_call"},
        Row{"AStopSequence", message({text("a")}, "stop_sequence"), "text a; end_turn"},
        Row{"ARefusal", message({text("I ")}, "refusal"), "text I ; refusal"},
        Row{"ARefusalDropsItsCalls", message({kWholeCall}, "refusal"), "refusal"},
        Row{"AFullContext", message({text("a")}, "model_context_window_exceeded"), "text a; overflow"},
        Row{"AReasonNobodyKnows", message({text("a")}, "tired"), "text a; end_turn"},
        Row{"NothingAtAll", message({}, "end_turn"), "end_turn"},
        Row{"NoReason", all({{kBegin}, text("a"), {kEnd}}), "text a; end_turn"},
        Row{"NoLastEvent", all({{kBegin}, text("a"), {stops("end_turn")}}), "text a; end_turn"},
        Row{"CallsThatAreNotAllowed", message({text("a"), kWholeCall}, "tool_use"), "text a; end_turn", Calls::none},
        Row{"ACutCallThatIsNotAllowed", message({text("a"), kHalfACall}, "max_tokens"), "text a; max_tokens",
            Calls::none},
        Row{"PingsAndThingsNobodyKnows",
            all({{R"({"type":"ping"})", kBegin, R"({"type":"ping"})", R"({"type":"strange"})", R"({})",
                  R"({"type":7})"},
                 {R"({"type":"content_block_start","index":0,"content_block":{"type":"strange_block","text":"no"}})",
                  R"({"type":"content_block_delta","index":0,"delta":{"type":"strange_delta","text":"no"}})",
                  R"({"type":"content_block_stop","index":0})"},
                 {R"({"type":"content_block_start","index":1,"content_block":{"type":"thinking","thinking":""}})",
                  R"({"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":"no"}})",
                  R"({"type":"content_block_delta","index":1,"delta":{"type":"signature_delta","signature":"no"}})",
                  R"({"type":"content_block_stop","index":1})"},
                 text("yes", "2"),
                 {stops("end_turn"), kEnd}}),
            "text yes; end_turn"},
        Row{"TextWithoutItsBeginning",
            {kBegin, R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}})",
             R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b"}})", stops("end_turn")},
            "text ab; end_turn"},
        Row{"ABlockThatNobodyEnded", all({{kBegin}, Events{text("a").front()}, kWholeCall, {stops("tool_use"), kEnd}}),
            R"(call t1 search_logs {"query":"timeout"}; calls)"},
        Row{"AnOverflowAfterItBegan",
            {kBegin,
             R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 tokens > 8 maximum"}})"},
            "overflow"},
        Row{"AnyCharacters", message({text(R"(\ud83d\ude80 \u0000 ü “)")}, "end_turn"),
            std::string("text 🚀 ") + '\0' + " ü “; end_turn"}),
    [](const auto& row) { return row.param.name; });

struct Broken {
  std::string name;
  Events events;
  ErrorKind kind;
  bool retryable = true;
};

class AnthropicBrokenReply : public testing::TestWithParam<Broken> {};

TEST_P(AnthropicBrokenReply, IsAnError) {
  const Heard heard = hear(GetParam().events);
  ASSERT_FALSE(heard.reply);
  EXPECT_EQ(heard.reply.error().kind, GetParam().kind) << describe(heard.reply.error());
  EXPECT_EQ(heard.reply.error().retryable, GetParam().retryable);
}

Events many_calls() {
  Events events{kBegin};
  for (int i = 0; i < 129; ++i) events = all({std::move(events), streamed_call("t" + std::to_string(i), {})});
  return all({std::move(events), {stops("tool_use"), kEnd}});
}

std::string error(std::string_view type) {
  return R"({"type":"error","error":{"type":")" + std::string(type) + R"(","message":"x"}})";
}

INSTANTIATE_TEST_SUITE_P(
    Where, AnthropicBrokenReply,
    testing::Values(
        Broken{"NothingCame", {}, ErrorKind::network},
        Broken{"ItBrokeOff", all({{kBegin}, text("a")}), ErrorKind::network},
        Broken{"ItBrokeOffInACall", all({{kBegin}, kHalfACall}), ErrorKind::network},
        Broken{"TheApiIsOverloaded", all({{kBegin}, text("a"), {error("overloaded_error")}}), ErrorKind::upstream},
        Broken{"AnErrorHasNoType",
               {kBegin, R"({"error":{"message":"x","type":"rate_limit_error"}})"},
               ErrorKind::rate_limit},
        Broken{"TheKeyIsWrong", {error("authentication_error")}, ErrorKind::authentication, false},
        Broken{"ThereAreTooManyCalls", many_calls(), ErrorKind::upstream},
        Broken{"APartOfACallBelongsToNone",
               {kBegin,
                R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{"}})"},
               ErrorKind::upstream},
        Broken{"ItIsTooLong", message({text(std::string(9'000'000, 'a'))}, "end_turn"), ErrorKind::upstream}),
    [](const auto& row) { return row.param.name; });

TEST(AnthropicUsage, IsTheLastCountOfEachKind) {
  const Heard heard = hear(
      {R"({"type":"message_start","message":{"usage":{"input_tokens":25,"cache_creation_input_tokens":7,"cache_read_input_tokens":300,"output_tokens":1}}})",
       R"({"type":"message_delta","delta":{},"usage":{"output_tokens":5}})",
       R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15,"input_tokens":26}})",
       kEnd});
  ASSERT_OK(heard.reply);
  EXPECT_EQ(heard.reply->usage, (Usage{26, 15, 300, 7}));
}

TEST(AnthropicUsage, ThatMakesNoSenseCountsAsNothing) {
  const Heard heard = hear(
      {R"({"type":"message_start","message":{"usage":{"input_tokens":-5,"output_tokens":"many"}}})",
       R"({"type":"message_delta","delta":{},"usage":{"output_tokens":1e300,"cache_read_input_tokens":null}})", kEnd});
  ASSERT_OK(heard.reply);
  EXPECT_EQ(heard.reply->usage, Usage{});
}

TEST(AnthropicPause, GoesOnWhereItStopped) {
  std::string streamed;
  ReplyReader reader(Calls::allowed, [&](std::string_view part) { streamed += part; });
  const Events first = message(
      {{R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}})",
        R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}})",
        R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}})",
        R"({"type":"content_block_stop","index":0})",
        R"({"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}})",
        R"({"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"q\":1}"}})",
        R"({"type":"content_block_stop","index":1})"},
       text("One, ", "2"),
       text("", "3")},
      "pause_turn");
  for (const std::string& event : first) ASSERT_OK(reader.read(parse_json_object(event).value()));
  ASSERT_TRUE(reader.is_paused());
  EXPECT_EQ(json::value(reader.go_on()), parse_json(R"([{"type":"thinking","thinking":"hm","signature":"s"},
      {"type":"server_tool_use","id":"s1","name":"web_search","input":{"q":1}}, {"type":"text","text":"One, "}])")
                                             .value());
  for (const std::string& event : message({text("two.")}, "end_turn"))
    ASSERT_OK(reader.read(parse_json_object(event).value()));
  EXPECT_FALSE(reader.is_paused());
  const auto reply = reader.finish();
  ASSERT_OK(reply);
  EXPECT_EQ(in_a_line(*reply), "text One, two.; end_turn");
  EXPECT_EQ(reply->usage, (Usage{50, 30, 0, 0}));
  EXPECT_EQ(streamed, "One, two.");
}

TEST(AnthropicWholeMessage, ReadsLikeAStream) {
  std::string streamed;
  ReplyReader reader(Calls::allowed, [&](std::string_view part) { streamed += part; });
  ASSERT_OK(reader.read_message(parse_json_object(R"({"id":"msg_1","type":"message","role":"assistant","content":[
      {"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"search_logs","input":{"query":"a"}}],
      "stop_reason":"tool_use","usage":{"input_tokens":3,"output_tokens":4}})")
                                    .value()));
  EXPECT_TRUE(reader.has_ended());
  const auto reply = reader.finish();
  ASSERT_OK(reply);
  EXPECT_EQ(in_a_line(*reply), R"(text I look.; call t1 search_logs {"query":"a"}; calls)");
  EXPECT_EQ(reply->usage, (Usage{3, 4, 0, 0}));
  EXPECT_EQ(streamed, "I look.");
}

struct WholeRow {
  std::string name;
  std::string content;
  std::string reason;
  std::string expected;
};

class AnthropicWholeCall : public testing::TestWithParam<WholeRow> {};

TEST_P(AnthropicWholeCall, Is) {
  ReplyReader reader(Calls::allowed, {});
  ASSERT_OK(reader.read_message(
      parse_json_object(R"({"content":)" + GetParam().content + R"(,"stop_reason":")" + GetParam().reason + R"("})")
          .value()));
  const auto reply = reader.finish();
  ASSERT_OK(reply);
  EXPECT_EQ(in_a_line(*reply), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    Of, AnthropicWholeCall,
    testing::Values(
        WholeRow{"NoArguments", R"([{"type":"tool_use","id":"t","name":"x","input":{}}])", "tool_use",
                 "call t x {}; calls"},
        WholeRow{"WhatTheLimitLeftOfIt",
                 R"([{"type":"text","text":"a"},{"type":"tool_use","id":"t","name":"x","input":{"a":1}}])",
                 "max_tokens", "text a; cut_call"},
        WholeRow{"NothingLeftOfIt", R"([{"type":"tool_use","id":"t","name":"x","input":{}}])", "max_tokens",
                 "cut_call"},
        WholeRow{"ProseBehindIt",
                 R"([{"type":"tool_use","id":"t","name":"x","input":{"a":1}},{"type":"text","text":"a"}])",
                 "max_tokens", R"(call t x {"a":1}; text a; calls)"},
        WholeRow{"AText", R"([{"type":"tool_use","id":"t","name":"x","input":"{}"}])", "tool_use",
                 "call t x {} with a fault; calls"},
        WholeRow{"AList", R"([{"type":"tool_use","id":"t","name":"x","input":[]}])", "tool_use",
                 "call t x {} with a fault; calls"},
        WholeRow{"Null", R"([{"type":"tool_use","id":"t","name":"x","input":null}])", "tool_use", "call t x {}; calls"},
        WholeRow{"NoInput", R"([{"type":"tool_use","id":"t","name":"x"}])", "tool_use", "call t x {}; calls"}),
    [](const auto& row) { return row.param.name; });

TEST(AnthropicWholeMessage, MayBeNone) {
  ReplyReader reader(Calls::allowed, {});
  EXPECT_FAILS(reader.read_message({}), upstream);
  EXPECT_FAILS(reader.read_message(parse_json_object(error("rate_limit_error")).value()), rate_limit);
}

}  // namespace
}  // namespace deputy::model::anthropic
