// Replies of the Responses API, streamed and whole, as the API's reference shows them.
#include "model/openai/reply_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::model::openai {
namespace {

struct Heard {
  Result<Reply> reply;
  std::string streamed;
  std::string thought;
};

template <class Feed>
Heard hear(Feed feed) {
  Heard heard;
  OnText on_text([&](std::string_view part) { heard.streamed += part; });
  on_text.thinking = [&](std::string_view part) { heard.thought += part; };
  ReplyReader reader(Calls::allowed, on_text);
  const Result<> fed = feed(reader);
  heard.reply = fed ? reader.finish() : Result<Reply>(std::unexpected(fed.error()));
  return heard;
}

Heard hear_events(const std::vector<std::string>& events) {
  return hear([&](ReplyReader& reader) -> Result<> {
    for (const std::string& event : events) TRY(reader.read(*parse_json_object(event)));
    return {};
  });
}

Heard hear_whole(const std::string& response) {
  return hear([&](ReplyReader& reader) { return reader.read_message(*parse_json_object(response)); });
}

const std::string kReasoning =
    R"({"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Where?"}],"encrypted_content":"e="})";
const std::string kUsage =
    R"("usage":{"input_tokens":12,"input_tokens_details":{"cached_tokens":5},"output_tokens":9,"total_tokens":21})";

TEST(ResponsesReply, WholeItHoldsItsItemsInOrder) {
  const Heard heard = hear_whole(R"({"object":"response","status":"completed","output":[)" + kReasoning + R"(,
      {"type":"message","role":"assistant","content":[{"type":"output_text","text":"Let me look."}]},
      {"type":"function_call","call_id":"c1","name":"search_logs","arguments":"{\"query\":\"x\"}"}],)" +
                                 kUsage + "}");
  ASSERT_OK(heard.reply);
  const Reply expected{{Thinking{*parse_json_object(kReasoning), "Where?"}, Text{"Let me look."},
                        Call{"c1", "search_logs", {{"query", "x"}}}},
                       Stop::calls,
                       {7, 9, 5, 0}};
  EXPECT_EQ(*heard.reply, expected);
  EXPECT_EQ(heard.streamed, "Let me look.");
}

TEST(ResponsesReply, StreamedItIsTheSame) {
  const Heard heard = hear_events({
      R"({"type":"response.created","response":{"status":"in_progress"}})",
      R"({"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs_1","summary":[]}})",
      R"({"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"Where?"})",
      R"({"type":"response.output_item.done","output_index":0,"item":)" + kReasoning + "}",
      R"({"type":"response.output_item.added","output_index":1,"item":{"type":"message","content":[]}})",
      R"({"type":"response.output_text.delta","output_index":1,"delta":"Let me "})",
      R"({"type":"response.output_text.delta","output_index":1,"delta":"look."})",
      R"({"type":"response.output_item.done","output_index":1,"item":{"type":"message","content":[{"type":"output_text","text":"Let me look."}]}})",
      R"({"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","call_id":"c1","name":"search_logs","arguments":""}})",
      R"({"type":"response.function_call_arguments.delta","output_index":2,"delta":"{\"query\":\"x\"}"})",
      R"({"type":"response.output_item.done","output_index":2,"item":{"type":"function_call","call_id":"c1","name":"search_logs","arguments":"{\"query\":\"x\"}"}})",
      R"({"type":"response.completed","response":{"status":"completed",)" + kUsage + "}}",
  });
  ASSERT_OK(heard.reply);
  EXPECT_EQ(heard.reply->blocks,
            (std::vector<Block>{Thinking{*parse_json_object(kReasoning), "Where?"}, Text{"Let me look."},
                                Call{"c1", "search_logs", {{"query", "x"}}}}));
  EXPECT_EQ(heard.reply->usage, (Usage{7, 9, 5, 0}));
  EXPECT_EQ(heard.streamed, "Let me look.");
  EXPECT_EQ(heard.thought, "Where?");
}

TEST(ResponsesReply, ReasoningThatWasNotEncryptedCannotGoBack) {
  const Heard heard = hear_whole(R"({"status":"completed","output":[{"type":"reasoning","id":"rs_1","summary":[]},
      {"type":"message","content":[{"type":"output_text","text":"Two."}]}]})");
  ASSERT_OK(heard.reply);
  EXPECT_EQ(heard.reply->blocks, (std::vector<Block>{Text{"Two."}}));
}

TEST(ResponsesReply, ACallThatTheLimitCutIsNotInTheReply) {
  const Heard heard = hear_events({
      R"({"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"c1","name":"search_logs","arguments":""}})",
      R"({"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"query\":"})",
      R"({"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"}}})",
  });
  ASSERT_OK(heard.reply);
  EXPECT_EQ(heard.reply->stop, Stop::cut_call);
  EXPECT_TRUE(heard.reply->blocks.empty());
}

TEST(ResponsesReply, WhatIsNoReplyIsAnError) {
  EXPECT_FAILS(hear_whole("{}").reply, upstream);
  EXPECT_FAILS(hear_whole(R"({"status":"failed","error":{"code":"server_error","message":"oops"}})").reply, upstream);
  EXPECT_FAILS(hear_whole(R"({"error":{"code":"invalid_api_key","message":"no"}})").reply, authentication);
  EXPECT_FAILS(hear_events({R"({"type":"response.output_text.delta","output_index":0,"delta":"so far"})"}).reply,
               network);
  const Heard too_long = hear_events({R"({"type":"error","code":"context_length_exceeded","message":"too long"})"});
  ASSERT_OK(too_long.reply);
  EXPECT_EQ(too_long.reply->stop, Stop::overflow);
}

}  // namespace
}  // namespace deputy::model::openai
