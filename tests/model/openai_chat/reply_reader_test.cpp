// The reader over streams as OpenAI's reference shows them, and over what other servers make of them.
#include "model/openai_chat/reply_reader.h"

#include <gtest/gtest.h>

#include "model/heard.h"
#include "support/results.h"

namespace deputy::model::openai_chat {
namespace {

using test::Heard;
using test::in_a_line;

using Chunks = std::vector<std::string>;

enum class Last { said, missing };  // whether `data: [DONE]` came

Heard hear(const Chunks& chunks, Last last = Last::said, Calls calls = Calls::allowed) {
  Heard heard;
  ReplyReader reader(calls, [&](std::string_view part) { heard.streamed += part; });
  for (const std::string& chunk : chunks) {
    if (auto read = reader.read(parse_json_object(chunk).value()); !read) {
      heard.reply = std::unexpected(read.error());
      return heard;
    }
  }
  if (last == Last::said) reader.end();
  heard.reply = reader.finish();
  return heard;
}

std::string delta(const std::string& fields) { return R"({"choices":[{"index":0,"delta":{)" + fields + "}}]}"; }
std::string says(const std::string& text) { return delta(R"("content":")" + text + "\""); }
std::string part(const std::string& call) { return delta(R"("tool_calls":[)" + call + "]"); }
std::string stops(const std::string& reason) {
  return R"({"choices":[{"index":0,"delta":{},"finish_reason":")" + reason + R"("}]})";
}

struct Row {
  std::string name;
  Chunks chunks;
  std::string expected;
  Last last = Last::said;
  Calls calls = Calls::allowed;
};

class OpenAiReply : public testing::TestWithParam<Row> {};

TEST_P(OpenAiReply, Is) {
  const Row& row = GetParam();
  const Heard heard = hear(row.chunks, row.last, row.calls);
  ASSERT_OK(heard.reply);
  EXPECT_EQ(in_a_line(*heard.reply), row.expected);
  EXPECT_EQ(heard.streamed, text_of(*heard.reply));
}

INSTANTIATE_TEST_SUITE_P(
    Of, OpenAiReply,
    testing::Values(
        Row{"AText",
            {delta(R"("role":"assistant","content":"")"), says("Hel"), says("lo"), stops("stop")},
            "text Hello; end_turn"},
        Row{"ACall",
            {part(R"({"index":0,"id":"c1","type":"function","function":{"name":"f","arguments":""}})"),
             part(R"({"index":0,"function":{"arguments":"{\"a\""}})"),
             part(R"({"index":0,"function":{"arguments":":1}"}})"), stops("tool_calls")},
            R"(call c1 f {"a":1}; calls)"},
        Row{"SeveralCallsInterleaved",
            {says("I look."), part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":""}})"),
             part(R"({"index":1,"id":"c2","function":{"name":"g","arguments":"{"}})"),
             part(R"({"index":0,"function":{"arguments":"{}"}})"), part(R"({"index":1,"function":{"arguments":"}"}})"),
             stops("tool_calls")},
            "text I look.; call c1 f {}; call c2 g {}; calls"},
        Row{"CallsUnderAnotherReason",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}})"), stops("stop")},
            "call c1 f {}; calls"},
        Row{"AWholeCallWithoutAnId",
            {part(R"({"function":{"name":"f","arguments":"{}"}})"), stops("tool_calls")},
            "call call_1 f {}; calls"},
        Row{"SeveralWithoutIdsOrIndexes",
            {part(R"({"function":{"name":"f","arguments":"{}"}},{"function":{"name":"f"}},{"function":{"name":"g"}})"),
             stops("tool_calls")},
            "call call_1 f {}; call call_2 f {}; call call_3 g {}; calls"},
        Row{"TheSameIdTwice",
            {part(
                 R"({"index":0,"id":"c","function":{"name":"f","arguments":"{}"}},{"index":1,"id":"c","function":{"name":"f","arguments":"{\"a\":1}"}})"),
             stops("tool_calls")},
            R"(call c f {}; call call_2 f {"a":1}; calls)"},
        Row{"ACallSaidAgainAtTheEnd",
            {part(R"({"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":1}"}})"),
             part(R"({"index":0,"id":"c","function":{"name":"f","arguments":"{\"a\":1}"}})"), stops("tool_calls")},
            R"(call c f {"a":1}; calls)"},
        Row{"IndexZeroForAllByTheirIds",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}})"),
             part(R"({"index":0,"id":"c2","function":{"name":"f","arguments":""}})"),
             part(R"({"index":0,"function":{"arguments":"{\"a\":2}"}})"), stops("tool_calls")},
            R"(call c1 f {}; call c2 f {"a":2}; calls)"},
        Row{"IndexZeroForAllByTheirNames",
            {part(R"({"index":0,"function":{"name":"f","arguments":"{}"}})"),
             part(R"({"index":0,"function":{"name":"g","arguments":"{}"}})"),
             part(R"({"index":0,"function":{"name":"g","arguments":"{\"a\":1}"}})"), stops("tool_calls")},
            R"(call call_1 f {}; call call_2 g {}; call call_3 g {"a":1}; calls)"},
        Row{"ANameInPieces",
            {part(R"({"index":0,"id":"c1","function":{"name":"search"}})"),
             part(R"({"index":0,"function":{"name":"_logs","arguments":null}})"),
             part(R"({"index":0,"function":{"arguments":"{}"}})"), stops("tool_calls")},
            "call c1 search_logs {}; calls"},
        Row{"ANameEachTime",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\""}})"),
             part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":":1}"}})"),
             part(R"({"index":0,"function":{"name":"f","arguments":""}})"), stops("tool_calls")},
            R"(call c1 f {"a":1}; calls)"},
        Row{"AnIdOfItsOwnForEachPart",
            {part(R"({"index":0,"id":"x1","function":{"name":"f"}})"),
             part(R"({"index":0,"id":"x2","function":{"arguments":"{\"a\":"}})"),
             part(R"({"index":0,"id":"x3","function":{"arguments":"1}"}})"), stops("tool_calls")},
            R"(call x1 f {"a":1}; calls)"},
        Row{"ArgumentsAsAnObject",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":{"a":"}"}}})"), stops("tool_calls")},
            R"(call c1 f {"a":"}"}; calls)"},
        Row{"CallsAsOneObject",
            {delta(R"("tool_calls":{"id":"c1","function":{"name":"f","arguments":"{}"}})"), stops("tool_calls")},
            "call c1 f {}; calls"},
        Row{"NoArguments",
            {part(R"({"index":0,"id":"c1","function":{"name":"f"}})"), stops("tool_calls")},
            "call c1 f {}; calls"},
        Row{"NullForArguments",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":null}})"), stops("tool_calls")},
            "call c1 f {}; calls"},
        Row{"TheWordNullForArguments",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"null"}})"), stops("tool_calls")},
            "call c1 f {}; calls"},
        Row{"ArgumentsThatAreNotWhole",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"{"}})"), stops("tool_calls")},
            "call c1 f {} with a fault; calls"},
        Row{"ArgumentsThatAreAList",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":[1]}})"), stops("tool_calls")},
            "call c1 f {} with a fault; calls"},
        Row{"ArgumentsThatAreANumber",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":7}})"), stops("tool_calls")},
            "call c1 f {} with a fault; calls"},
        Row{"ArgumentsThatAreAText",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"\"{}\""}})"), stops("tool_calls")},
            "call c1 f {} with a fault; calls"},
        Row{"ACallWithoutAName",
            {part(R"({"index":0,"id":"c1","function":{"arguments":"{}"}})"), stops("tool_calls")},
            "call c1 unnamed_tool {} with a fault; calls"},
        Row{"ACallThatIsANumber", {part("7"), stops("tool_calls")}, "call call_1 unnamed_tool {} with a fault; calls"},
        Row{"ACallThatIsAText",
            {says("a"), part(R"("search")"), stops("tool_calls")},
            "text a; call call_1 unnamed_tool {} with a fault; calls"},
        Row{"ACallThatIsNull", {part("null"), stops("stop")}, "call call_1 unnamed_tool {} with a fault; calls"},
        Row{"ACallThatIsAListBesideAWholeOne",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}},[])"), stops("tool_calls")},
            "call call_1 unnamed_tool {} with a fault; call c1 f {}; calls"},
        Row{"ACallThatIsANumberInTheMiddleOfAnother",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"{"}})"), part("7"),
             part(R"({"index":0,"function":{"arguments":"}"}})"), stops("tool_calls")},
            "call call_1 unnamed_tool {} with a fault; call c1 f {}; calls"},
        Row{"ACallThatIsANumberWhereTheLimitCutAnother",
            {part("7"), part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}})"), stops("length")},
            "call call_1 unnamed_tool {} with a fault; cut_call"},
        Row{"ACallThatIsANumberWhereNoneIsAllowed",
            {says("a"), part("7"), stops("tool_calls")},
            "text a; end_turn",
            Last::said,
            Calls::none},
        Row{"TheOlderForm",
            {delta(R"("function_call":{"name":"f","arguments":""})"),
             delta(R"("function_call":{"arguments":"{\"a\":1}"})"), stops("function_call")},
            R"(call call_1 f {"a":1}; calls)"},
        Row{"ProseCutAtTheLimit", {says("Hel"), stops("length")}, "text Hel; max_tokens"},
        Row{"ACallCutAtTheLimit",
            {says("a"), part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\""}})"), stops("length")},
            "text a; cut_call"},
        Row{"ACallCutBeforeItsArguments",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":""}})"), stops("length")},
            "cut_call"},
        Row{"ACallAtTheLimitWhateverItLooksLike",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}})"), says(" "),
             stops("length")},
            "text  ; cut_call"},
        Row{"ACallAtTheLimitBehindAWholeOne",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}})"),
             part(R"({"index":1,"id":"c2","function":{"name":"g","arguments":"{}"}})"), stops("length")},
            "call c1 f {}; cut_call"},
        Row{"ACallAndProseCutAtTheLimit",
            {part(R"({"index":0,"id":"c1","function":{"name":"f","arguments":"{}"}})"), says("I lo"), stops("length")},
            "text I lo; call c1 f {}; calls"},
        Row{"AFilter", {says("I"), stops("content_filter")}, "text I; refusal"},
        Row{"ARefusal",
            {delta(R"("refusal":"I can")"), delta(R"("refusal":"not.")"), stops("stop")},
            "text I cannot.; refusal"},
        Row{"AReasonNobodyKnows", {says("a"), stops("eos")}, "text a; end_turn"},
        Row{"NoReason", {says("a")}, "text a; end_turn"},
        Row{"NoDone", {says("a"), stops("stop")}, "text a; end_turn", Last::missing},
        Row{"Reasoning",
            {delta(R"("reasoning_content":"hm","reasoning":"hm","content":null)"), says("a"), stops("stop")},
            "text a; end_turn"},
        Row{"ContentInParts",
            {delta(
                 R"("content":[{"type":"text","text":"a"},{"type":"thinking","thinking":"no"},"b",{"type":"image_url"}])"),
             stops("stop")},
            "text ab; end_turn"},
        Row{"AMessageInPlaceOfADelta",
            {R"({"choices":[{"message":{"role":"assistant","content":"a"},"finish_reason":"stop"}]})"},
            "text a; end_turn"},
        Row{"ThingsNobodyKnows",
            {"{}", R"({"choices":[]})", R"({"choices":null})", R"({"choices":[7]})", R"({"choices":[{"delta":null}]})",
             R"({"error":null})", says("a"), stops("stop")},
            "text a; end_turn"},
        Row{"CallsThatAreNotAllowed",
            {says("a"), part(R"({"index":0,"function":{"name":"f","arguments":"{}"}})"), stops("tool_calls")},
            "text a; end_turn",
            Last::said,
            Calls::none},
        Row{"AnOverflowAfterItBegan",
            {says("a"), R"({"error":{"message":"x","code":"context_length_exceeded"}})"},
            "text a; overflow"}),
    [](const auto& row) { return row.param.name; });

struct Broken {
  std::string name;
  Chunks chunks;
  ErrorKind kind;
  bool retryable = true;
};

class OpenAiBrokenReply : public testing::TestWithParam<Broken> {};

TEST_P(OpenAiBrokenReply, IsAnError) {
  const Heard heard = hear(GetParam().chunks, Last::missing);
  ASSERT_FALSE(heard.reply);
  EXPECT_EQ(heard.reply.error().kind, GetParam().kind) << describe(heard.reply.error());
  EXPECT_EQ(heard.reply.error().retryable, GetParam().retryable);
}

Chunks many_calls() {
  Chunks chunks;
  for (int i = 0; i < 129; ++i)
    chunks.push_back(part(R"({"index":)" + std::to_string(i) + R"(,"function":{"name":"f","arguments":"{}"}})"));
  chunks.push_back(stops("tool_calls"));
  return chunks;
}

std::string sevens(int count) {
  std::string list = "7";
  for (int i = 1; i < count; ++i) list += ",7";
  return list;
}

INSTANTIATE_TEST_SUITE_P(
    Where, OpenAiBrokenReply,
    testing::Values(
        Broken{"NothingCame", {}, ErrorKind::network}, Broken{"ItBrokeOff", {says("a")}, ErrorKind::network},
        Broken{"TheServerGaveUp", {says("a"), stops("abort")}, ErrorKind::network},
        Broken{
            "TheServerSaysSo", {says("a"), R"({"error":{"message":"x","type":"server_error"}})"}, ErrorKind::upstream},
        Broken{
            "AnOlderVllmSaysSo", {R"({"object":"error","message":"bad","code":400})"}, ErrorKind::invalid_input, false},
        Broken{"ThereAreTooManyCallsThatAreNoObjects", {part(sevens(129)), stops("tool_calls")}, ErrorKind::upstream},
        Broken{"ThereAreTooManyCalls", many_calls(), ErrorKind::upstream},
        Broken{"ItIsTooLong", {says(std::string(9'000'000, 'a')), stops("stop")}, ErrorKind::upstream}),
    [](const auto& row) { return row.param.name; });

TEST(OpenAiUsage, CountsWhatWasReadFromTheCacheApart) {
  const Heard heard = hear(
      {says("a"), stops("stop"),
       R"({"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":60}}})"});
  ASSERT_OK(heard.reply);
  EXPECT_EQ(heard.reply->usage, (Usage{40, 7, 60, 0}));
}

TEST(OpenAiUsage, ThatMakesNoSenseCountsAsNothing) {
  const Heard heard =
      hear({says("a"), stops("stop"),
            R"({"usage":{"prompt_tokens":-1,"completion_tokens":"7","prompt_tokens_details":{"cached_tokens":60}}})",
            R"({"usage":null})"});
  ASSERT_OK(heard.reply);
  EXPECT_EQ(heard.reply->usage, Usage{});
}

TEST(OpenAiWholeMessage, ReadsLikeAStream) {
  std::string streamed;
  ReplyReader reader(Calls::allowed, [&](std::string_view text) { streamed += text; });
  ASSERT_OK(reader.read_message(
      parse_json_object(
          R"({"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"I look.",
      "tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]},"finish_reason":"tool_calls"}],
      "usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}})")
          .value()));
  const auto reply = reader.finish();
  ASSERT_OK(reply);
  EXPECT_EQ(in_a_line(*reply), R"(text I look.; call c1 f {"a":1}; calls)");
  EXPECT_EQ(reply->usage, (Usage{3, 4, 0, 0}));
  EXPECT_EQ(streamed, "I look.");
}

TEST(OpenAiWholeMessage, EndsInACutCallAtTheLimit) {
  ReplyReader reader(Calls::allowed, {});
  ASSERT_OK(reader.read_message(parse_json_object(R"({"choices":[{"index":0,"message":{"content":"I look.",
      "tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\"a\":1}"}}]},"finish_reason":"length"}]})")
                                    .value()));
  const auto reply = reader.finish();
  ASSERT_OK(reply);
  EXPECT_EQ(in_a_line(*reply), "text I look.; cut_call");
}

TEST(OpenAiWholeMessage, MayBeNone) {
  ReplyReader reader(Calls::allowed, {});
  EXPECT_FAILS(reader.read_message({}), upstream);
  EXPECT_FAILS(reader.read_message(parse_json_object(R"({"error":"x"})").value()), upstream);
}

}  // namespace
}  // namespace deputy::model::openai_chat
