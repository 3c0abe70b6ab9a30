// The provider over a scripted client: what it asks for, and what it makes of answers.
#include "model/anthropic/anthropic.h"

#include <gmock/gmock.h>

#include "model/attempt.h"

namespace deputy::model::anthropic {
namespace {

using test::attempt;
using testing::UnorderedElementsAre;

const std::string kHello =
    "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3}}}\n\n"
    "event: content_block_delta\ndata: "
    "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"Hello\"}}\n\n";

std::string ended(std::string_view reason) {
  return "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"" + std::string(reason) +
         "\"},\"usage\":{\"output_tokens\":4}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";
}

class AnthropicAttempt : public test::AttemptTest {
 protected:
  AnthropicProvider provider(Options options = {.manner = {.model = "claude-x"}, .api_key = Secret("key")}) {
    return {http, clock, std::move(options)};
  }
};

TEST_F(AnthropicAttempt, AsksAsTheApiWants) {
  http.answers({.pieces = {kHello, ended("end_turn")}});
  auto asked = provider({.manner = {.model = "claude-x"}, .api_key = Secret("key"), .betas = {"a-1", "b-2"}});
  const auto attempted = attempt(asked, ask());
  ASSERT_OK(attempted.reply);
  EXPECT_EQ(*attempted.reply, (Reply{{Text{"Hello"}}, Stop::end_turn, {3, 4, 0, 0}}));
  EXPECT_EQ(attempted.streamed, "Hello");
  const net::Request& request = http.asked().at(0);
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "https://api.anthropic.com/v1/messages");
  EXPECT_THAT(request.headers,
              UnorderedElementsAre(net::Header{"content-type", "application/json"},
                                   net::Header{"accept", "text/event-stream, application/json"},
                                   net::Header{"anthropic-version", "2023-06-01"}, net::Header{"x-api-key", "key"},
                                   net::Header{"anthropic-beta", "a-1,b-2"}));
  EXPECT_EQ(body(0).at("model"), json::value("claude-x"));
  EXPECT_EQ(body(0).at("stream"), json::value(true));
  EXPECT_FALSE(body(0).contains("temperature"));
  EXPECT_EQ(request.timeouts.idle, std::chrono::minutes(2));
  EXPECT_EQ(asked.name(), "anthropic/claude-x");
  EXPECT_EQ(http.open_streams(), 0);
}

TEST_F(AnthropicAttempt, TakesTheAddressAndVersionItIsGiven) {
  for (const std::string base :
       {"http://127.0.0.1:1", "http://127.0.0.1:1/", "http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1/"}) {
    http.answers({.pieces = {ended("end_turn")}});
    auto asked = provider({.manner = {.model = "m", .temperature = 0.5}, .base_url = base, .version = "2026-10-21"});
    ASSERT_OK(attempt(asked, ask()).reply);
    EXPECT_EQ(http.asked().back().url, "http://127.0.0.1:1/v1/messages") << base;
    EXPECT_EQ(net::find_header(http.asked().back().headers, "anthropic-version"), "2026-10-21");
    EXPECT_EQ(net::find_header(http.asked().back().headers, "x-api-key"), std::nullopt);
    EXPECT_EQ(body(http.asked().size() - 1).at("temperature"), json::value(0.5));
  }
}

TEST_F(AnthropicAttempt, SaysWhenItMayBeAskedAgain) {
  http.answers({.status = 429,
                .headers = {{"retry-after", "7"}},
                .pieces = {R"({"type":"error","error":{"type":"rate_limit_error"}})"}});
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_FAILS(attempted.reply, rate_limit);
  EXPECT_TRUE(attempted.reply.error().retryable);
  EXPECT_EQ(attempted.reply.error().retry_after, std::chrono::seconds(7));
}

TEST_F(AnthropicAttempt, TakesARequestThatDoesNotFitForAReply) {
  http.answers(
      {.status = 400,
       .pieces = {
           R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 9 > 8"}})"}});
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_OK(attempted.reply);
  EXPECT_EQ(*attempted.reply, (Reply{.stop = Stop::overflow}));
}

TEST_F(AnthropicAttempt, HearsAnErrorInsideTheStream) {
  http.answers(
      {.pieces = {kHello, "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\"}}\n\n"}});
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_FAILS(attempted.reply, upstream);
  EXPECT_TRUE(attempted.reply.error().retryable);
  EXPECT_EQ(attempted.streamed, "Hello");
}

TEST_F(AnthropicAttempt, KeepsTheKeyOutOfAnErrorInsideAReply) {
  const std::string error =
      R"({"type":"error","error":{"type":"invalid_request_error","message":"what is sk-ant-very-secret?"}})";
  http.answers({.pieces = {kHello, "event: error\ndata: " + error + "\n\n"}});
  http.answers({.headers = {{"content-type", "application/json"}}, .pieces = {error}});
  auto asked = provider({.manner = {.model = "m"}, .api_key = Secret("sk-ant-very-secret")});
  for (int i = 0; i < 2; ++i) {
    const auto attempted = attempt(asked, ask());
    ASSERT_FAILS(attempted.reply, invalid_input);
    EXPECT_THAT(describe(attempted.reply.error()), testing::HasSubstr("what is …?"));
  }
}

TEST_F(AnthropicAttempt, SaysThatAStreamBrokeOff) {
  http.answers({.pieces = {kHello}});
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_FAILS(attempted.reply, network);
  EXPECT_TRUE(attempted.reply.error().retryable);
}

TEST_F(AnthropicAttempt, ReadsAServerThatDoesNotStream) {
  http.answers(
      {.headers = {{"content-type", "application/json"}},
       .pieces = {R"({"type":"message","content":[{"type":"text","text":"Hello"}],"stop_reason":"end_turn"})"}});
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_OK(attempted.reply);
  EXPECT_EQ(attempted.reply->blocks, std::vector<Block>{Text{"Hello"}});
  EXPECT_GT(attempted.reply->usage.tokens(), 0);  // estimated, since the server says nothing of it
}

TEST_F(AnthropicAttempt, GoesOnWithAPausedMessage) {
  http.answers({.pieces = {kHello, ended("pause_turn")}}).answers({.pieces = {kHello, ended("end_turn")}});
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_OK(attempted.reply);
  EXPECT_EQ(text_of(*attempted.reply), "HelloHello");
  EXPECT_EQ(attempted.streamed, "HelloHello");
  EXPECT_EQ(attempted.reply->usage, (Usage{6, 8, 0, 0}));
  EXPECT_EQ(body(0).at("messages").as_array().size(), 1U);
  EXPECT_EQ(body(1).at("messages").as_array().back(),
            parse_json(R"({"role":"assistant","content":[{"type":"text","text":"Hello"}]})").value());
}

TEST_F(AnthropicAttempt, GoesOnWithAPausedMessageFiveTimes) {
  for (int i = 0; i < 6; ++i) http.answers({.pieces = {kHello, ended("pause_turn")}});
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_OK(attempted.reply);
  EXPECT_EQ(attempted.reply->stop, Stop::max_tokens);
  EXPECT_EQ(http.asked().size(), 6U);
  EXPECT_EQ(body(5).at("messages").as_array().size(), 2U);
}

TEST_F(AnthropicAttempt, EndsWhenItIsCancelled) {
  http.answers({.pieces = {kHello}, .hangs = true});
  auto asked = provider();
  EXPECT_TRUE(test::ends_when_cancelled_at_the_first_text(asked, ask()));
  EXPECT_EQ(http.open_streams(), 0);
}

}  // namespace
}  // namespace deputy::model::anthropic
