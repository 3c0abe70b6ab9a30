// Bedrock's stream from its bytes: frames, chunks, exceptions, in both forms and cut anywhere.
#include "model/bedrock/reply_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/heard.h"
#include "support/event_frames.h"
#include "support/results.h"

namespace deputy::model::bedrock {
namespace {

using deputy::test::event_of_type;
using deputy::test::exception_of_type;
using deputy::test::to_base64;
using test::Heard;

std::string chunk(std::string_view event) {
  return event_of_type("chunk", R"({"bytes":")" + to_base64(event) + R"(","p":"abcdefgh"})");
}

const std::string kMessages =
    chunk(R"({"type":"message_start","message":{"role":"assistant","usage":{"input_tokens":25,"output_tokens":1}}})") +
    chunk(R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})") +
    chunk(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Grüße 🚀"}})") +
    chunk(R"({"type":"content_block_stop","index":0})") +
    chunk(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":15}})") +
    chunk(R"({"type":"message_stop","amazon-bedrock-invocationMetrics":{"inputTokenCount":25,"outputTokenCount":15}})");

const std::string kConverse =
    event_of_type("messageStart", R"({"role":"assistant"})") +
    event_of_type("contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"text":"Grüße 🚀"}})") +
    event_of_type("contentBlockStop", R"({"contentBlockIndex":0})") +
    event_of_type("messageStop", R"({"stopReason":"end_turn"})") +
    event_of_type("metadata", R"({"usage":{"inputTokens":25,"outputTokens":15}})");

Result<> feed(ReplyStream& stream, ApiForm form, std::string_view bytes) {
  stream.add(bytes);
  for (;;) {
    TRY(const auto frame, stream.next());
    if (!frame) return {};
    TRY(stream.read(*frame, parse_event(form, *frame), {}));
  }
}

Heard hear(ApiForm form, std::string_view bytes, std::size_t step) {
  Heard heard;
  ReplyStream stream(form, Calls::allowed, [&](std::string_view part) { heard.streamed += part; });
  while (!bytes.empty()) {
    if (auto fed = feed(stream, form, bytes.substr(0, step)); !fed) {
      heard.reply = std::unexpected(fed.error());
      return heard;
    }
    bytes.remove_prefix(std::min(step, bytes.size()));
  }
  heard.reply = stream.finish();
  return heard;
}

TEST(BedrockStream, IsReadInBothFormsHoweverItIsCut) {
  const Reply expected{{Text{"Grüße 🚀"}}, Stop::end_turn, {.input_tokens = 25, .output_tokens = 15}};
  for (const std::size_t step : {1UL, 2UL, 7UL, 100UL, 10'000UL}) {
    for (const ApiForm form : {ApiForm::messages, ApiForm::converse}) {
      const Heard heard = hear(form, form == ApiForm::messages ? kMessages : kConverse, step);
      ASSERT_OK(heard.reply);
      EXPECT_EQ(*heard.reply, expected);
      EXPECT_EQ(heard.streamed, "Grüße 🚀");
    }
  }
}

TEST(BedrockStream, TextIsHeardBeforeTheRestHasCome) {
  std::string heard;
  ReplyStream stream(ApiForm::converse, Calls::allowed, [&](std::string_view part) { heard += part; });
  const std::size_t cut = kConverse.find("contentBlockStop");
  ASSERT_OK(feed(stream, ApiForm::converse, std::string_view(kConverse).substr(0, cut)));
  EXPECT_EQ(heard, "Grüße 🚀");
}

TEST(BedrockStream, AnEndTooSoonIsRetryable) {
  for (const ApiForm form : {ApiForm::messages, ApiForm::converse}) {
    const std::string& whole = form == ApiForm::messages ? kMessages : kConverse;
    const Heard in_a_frame = hear(form, std::string_view(whole).substr(0, 200), 50);
    ASSERT_FAILS(in_a_frame.reply, network);
    EXPECT_TRUE(in_a_frame.reply.error().retryable);
    const Heard nothing = hear(form, "", 1);
    ASSERT_FAILS(nothing.reply, network);
  }
}

// What a reply cost comes after its end; a stream that breaks off in between has told the reply.
TEST(BedrockStream, AReplyThatIsWholeNeedsNothingAfterIt) {
  const std::size_t cost = kConverse.find("metadata");
  for (const auto& [form, bytes] :
       {std::pair{ApiForm::converse, kConverse.substr(0, cost)}, std::pair{ApiForm::converse, kConverse + "\x01\x02"},
        std::pair{ApiForm::messages, kMessages + "\x01\x02"}}) {
    const Heard heard = hear(form, bytes, 1000);
    ASSERT_OK(heard.reply);
    EXPECT_EQ(heard.reply->blocks, (std::vector<Block>{Text{"Grüße 🚀"}}));
    EXPECT_EQ(heard.reply->stop, Stop::end_turn);
  }
}

TEST(BedrockStream, SaysWhenNothingMoreIsToCome) {
  for (const ApiForm form : {ApiForm::messages, ApiForm::converse}) {
    const std::string& bytes = form == ApiForm::messages ? kMessages : kConverse;
    const std::string failure = exception_of_type("internalServerException", "{}");
    ReplyStream stream(form, Calls::allowed, {});
    ASSERT_OK(feed(stream, form, std::string_view(bytes).substr(0, bytes.size() - 1)));
    EXPECT_TRUE(stream.is_whole());
    EXPECT_FALSE(stream.has_ended());
    ASSERT_OK(feed(stream, form, bytes.substr(bytes.size() - 1) + failure));
    EXPECT_TRUE(stream.has_ended());
    EXPECT_OK(stream.finish());
  }
}

TEST(BedrockStream, AMessageThatPausedIsCut) {
  const std::string begun =
      chunk(R"({"type":"message_start","message":{"usage":{"input_tokens":25}}})") +
      chunk(R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"I"}})") +
      chunk(R"({"type":"message_delta","delta":{"stop_reason":"pause_turn"}})");
  for (const std::string& bytes : {begun, begun + chunk(R"({"type":"message_stop"})")}) {
    const Heard heard = hear(ApiForm::messages, bytes, 1000);
    ASSERT_OK(heard.reply);
    EXPECT_EQ(heard.reply->stop, Stop::max_tokens);
  }
  ReplyStream whole(ApiForm::messages, Calls::allowed, {});
  ASSERT_OK(
      whole.read_message({{"content", json::array{{{"type", "text"}, {"text", "I"}}}}, {"stop_reason", "pause_turn"}}));
  const auto reply = whole.finish();
  ASSERT_OK(reply);
  EXPECT_EQ(reply->stop, Stop::max_tokens);
}

TEST(BedrockStream, ADamagedFrameIsRetryable) {
  std::string damaged = kConverse;
  damaged[150] = static_cast<char>(damaged[150] ^ 1);
  const Heard heard = hear(ApiForm::converse, damaged, 10'000);
  ASSERT_FAILS(heard.reply, upstream);
  EXPECT_TRUE(heard.reply.error().retryable);
}

struct ExceptionRow {
  const char* type;
  const char* message;
  ErrorKind kind;
  bool retryable;
};

TEST(BedrockStream, ExceptionsAreErrorsByTheirType) {
  const std::string begun = kConverse.substr(0, kConverse.size() / 3);
  for (const ExceptionRow& row : {
           ExceptionRow{"throttlingException", "Too many tokens, please wait", ErrorKind::rate_limit, true},
           ExceptionRow{"internalServerException", "oops", ErrorKind::upstream, true},
           ExceptionRow{"modelStreamErrorException", "oops", ErrorKind::upstream, true},
           ExceptionRow{"modelTimeoutException", "slow", ErrorKind::upstream, true},
           ExceptionRow{"serviceUnavailableException", "later", ErrorKind::upstream, true},
           ExceptionRow{"validationException", "max_tokens is wrong", ErrorKind::invalid_input, false},
           ExceptionRow{"somethingNewException", "?", ErrorKind::upstream, true},
       }) {
    const std::string frame = exception_of_type(row.type, json::serialize(json::object{{"message", row.message}}));
    for (const ApiForm form : {ApiForm::messages, ApiForm::converse}) {
      const Heard heard = hear(form, frame, 10);
      ASSERT_FALSE(heard.reply.has_value()) << row.type;
      EXPECT_EQ(heard.reply.error().kind, row.kind) << row.type;
      EXPECT_EQ(heard.reply.error().retryable, row.retryable) << row.type;
    }
  }
}

TEST(BedrockStream, AnErrorFrameIsAnError) {
  using deputy::test::event_text;
  const std::string frame = deputy::test::event_frame({{":message-type", event_text("error")},
                                                       {":error-code", event_text("InternalServerError")},
                                                       {":error-message", event_text("oops")}},
                                                      "");
  EXPECT_FAILS(hear(ApiForm::converse, frame, 100).reply, upstream);
}

TEST(BedrockStream, ARequestThatDoesNotFitIsAReply) {
  const std::string frame =
      exception_of_type("validationException", R"({"message":"Input is too long for requested model."})");
  for (const ApiForm form : {ApiForm::messages, ApiForm::converse}) {
    const Heard heard = hear(form, frame, 1000);
    ASSERT_OK(heard.reply);
    EXPECT_EQ(heard.reply->stop, Stop::overflow);
  }
}

TEST(BedrockStream, WhatIsNoEventIsMalformed) {
  for (const std::string& frame :
       {event_of_type("chunk", "{}"), event_of_type("chunk", R"({"bytes":"!!!!"})"),
        event_of_type("chunk", R"({"bytes":"e30"})"), event_of_type("chunk", R"({"bytes":"e30 e30="})"),
        event_of_type("chunk", "not json"), event_of_type("chunk", R"({"bytes":"W10="})"),
        deputy::test::event_frame({}, "{}")}) {
    const Heard heard = hear(ApiForm::messages, frame, 1000);
    ASSERT_FAILS(heard.reply, upstream);
    EXPECT_TRUE(heard.reply.error().retryable);
  }
  EXPECT_FAILS(hear(ApiForm::converse, event_of_type("messageStop", "[]"), 1000).reply, upstream);
}

}  // namespace
}  // namespace deputy::model::bedrock
