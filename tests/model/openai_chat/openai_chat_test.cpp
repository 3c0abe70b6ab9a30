// The provider over a scripted client: what it asks for, and what it makes of answers.
#include "model/openai_chat/openai_chat.h"

#include <gmock/gmock.h>

#include "model/attempt.h"

namespace deputy::model::openai_chat {
namespace {

using deputy::test::ScriptedResponse;
using test::attempt;
using testing::UnorderedElementsAre;

const std::string kHello = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello\"}}]}\n\n";
const std::string kStop = "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
const std::string kUsage = "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":3,\"completion_tokens\":4}}\n\n";
const std::string kDone = "data: [DONE]\n\n";

ScriptedResponse refuses(std::string_view message) {
  return {.status = 400, .pieces = {json::serialize(json::object{{"error", {{"message", message}}}})}};
}

class OpenAiAttempt : public test::AttemptTest {
 protected:
  OpenAiChatProvider provider(Options options = {.manner = {.model = "gpt-x"}, .api_key = Secret("key")}) {
    return {http, clock, std::move(options)};
  }
};

TEST_F(OpenAiAttempt, KeepsTheKeyOutOfAnErrorInsideAReply) {
  const std::string error = R"({"error":{"code":400,"message":"what is sk-very-secret?"}})";
  http.answers({.pieces = {kHello, "data: " + error + "\n\n"}});
  http.answers({.headers = {{"content-type", "application/json"}}, .pieces = {error}});
  auto asked = provider({.manner = {.model = "m"}, .api_key = Secret("sk-very-secret")});
  for (int i = 0; i < 2; ++i) {
    const auto attempted = attempt(asked, ask());
    ASSERT_FAILS(attempted.reply, invalid_input);
    EXPECT_THAT(describe(attempted.reply.error()), testing::HasSubstr("what is …?"));
  }
}

TEST_F(OpenAiAttempt, AsksAsTheApiWants) {
  http.answers({.pieces = {kHello, kStop, kUsage, kDone}});
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_OK(attempted.reply);
  EXPECT_EQ(*attempted.reply, (Reply{{Text{"Hello"}}, Stop::end_turn, {3, 4, 0, 0}}));
  EXPECT_EQ(attempted.streamed, "Hello");
  const net::Request& request = http.asked().at(0);
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "https://api.openai.com/v1/chat/completions");
  EXPECT_THAT(request.headers, UnorderedElementsAre(net::Header{"content-type", "application/json"},
                                                    net::Header{"accept", "text/event-stream, application/json"},
                                                    net::Header{"authorization", "Bearer key"}));
  EXPECT_EQ(body(0).at("model"), json::value("gpt-x"));
  EXPECT_TRUE(body(0).contains("max_completion_tokens"));
  EXPECT_FALSE(body(0).contains("temperature"));
  EXPECT_EQ(request.timeouts.idle, std::chrono::minutes(5));
  EXPECT_EQ(asked.name(), "openai_chat/gpt-x");
}

TEST_F(OpenAiAttempt, TakesTheAddressItIsGiven) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"http://127.0.0.1:1", "http://127.0.0.1:1/v1/chat/completions"},
      {"http://127.0.0.1:1/", "http://127.0.0.1:1/v1/chat/completions"},
      {"http://127.0.0.1:1/v1", "http://127.0.0.1:1/v1/chat/completions"},
      {"http://127.0.0.1:1/v1/", "http://127.0.0.1:1/v1/chat/completions"},
      {"https://a.example/openai/v1", "https://a.example/openai/v1/chat/completions"}};
  for (const auto& [base, url] : rows) {
    http.answers({.pieces = {kHello, kStop, kDone}});
    auto asked = provider({.manner = {.model = "m", .temperature = 0.5}, .base_url = base});
    const auto attempted = attempt(asked, ask());
    ASSERT_OK(attempted.reply);
    EXPECT_GT(attempted.reply->usage.input_tokens, 0);  // estimated, since the server says nothing of it
    EXPECT_GT(attempted.reply->usage.output_tokens, 0);
    EXPECT_EQ(http.asked().back().url, url);
    EXPECT_EQ(net::find_header(http.asked().back().headers, "authorization"), std::nullopt);
    EXPECT_TRUE(body(http.asked().size() - 1).contains("max_tokens"));
    EXPECT_EQ(body(http.asked().size() - 1).at("temperature"), json::value(0.5));
  }
}

TEST_F(OpenAiAttempt, AsksOnceMoreInTheOtherDialectAndKeepsToIt) {
  http.answers(refuses("Use 'max_completion_tokens' instead of 'max_tokens'."))
      .answers(refuses("Unknown field: stream_options"))
      .answers({.pieces = {kHello, kStop, kDone}})
      .answers({.pieces = {kHello, kStop, kDone}});
  auto asked = provider({.manner = {.model = "m"}, .base_url = "http://127.0.0.1:1"});
  ASSERT_OK(attempt(asked, ask()).reply);
  ASSERT_OK(attempt(asked, ask()).reply);
  ASSERT_EQ(http.asked().size(), 4U);
  EXPECT_TRUE(body(0).contains("max_tokens"));
  EXPECT_TRUE(body(1).contains("max_completion_tokens"));
  EXPECT_TRUE(body(1).contains("stream_options"));
  for (const std::size_t number : {2U, 3U}) {
    EXPECT_TRUE(body(number).contains("max_completion_tokens"));
    EXPECT_FALSE(body(number).contains("stream_options"));
  }
}

TEST_F(OpenAiAttempt, WithoutAModelTakesTheOnlyOneThatTheServerHas) {
  const auto lists = [](std::string_view data) {
    return ScriptedResponse{.headers = {{"content-type", "application/json"}},
                            .pieces = {"{\"data\":[" + std::string(data) + "]}"}};
  };
  http.answers(lists(R"({"id":"qwen3:14b"})")).answers({.pieces = {kHello, kStop, kDone}});
  auto asked = provider({.manner = {}, .base_url = "http://127.0.0.1:1"});
  ASSERT_OK(attempt(asked, ask()).reply);
  EXPECT_EQ(http.asked().front().url, "http://127.0.0.1:1/v1/models");
  EXPECT_EQ(body(1).at("model"), json::value("qwen3:14b"));
  EXPECT_EQ(asked.name(), "openai_chat/qwen3:14b");

  http.answers(lists(R"({"id":"a"},{"id":"b"})"));
  auto lost = provider({.manner = {}, .base_url = "http://127.0.0.1:1"});
  const auto attempted = attempt(lost, ask());
  ASSERT_FAILS(attempted.reply, not_configured);
  EXPECT_EQ(attempted.reply.error().message, "the server has 2 models: a, b");
}

TEST_F(OpenAiAttempt, TriesNoDialectTwice) {
  http.answers(refuses("Use 'max_completion_tokens' instead.")).answers(refuses("Use 'max_tokens' instead."));
  auto asked = provider({.manner = {.model = "m"}, .base_url = "http://127.0.0.1:1"});
  EXPECT_FAILS(attempt(asked, ask()).reply, invalid_input);
  EXPECT_EQ(http.asked().size(), 2U);
}

TEST_F(OpenAiAttempt, TakesARequestThatDoesNotFitForAReply) {
  http.answers(refuses(
      "'max_tokens' or 'max_completion_tokens' is too large: 600. This model's maximum context length is 512 tokens"));
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_OK(attempted.reply);
  EXPECT_EQ(*attempted.reply, (Reply{.stop = Stop::overflow}));
}

TEST_F(OpenAiAttempt, SaysWhenItMayBeAskedAgain) {
  http.answers({.status = 429, .headers = {{"retry-after-ms", "1500"}}});
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_FAILS(attempted.reply, rate_limit);
  EXPECT_EQ(attempted.reply.error().retry_after, std::chrono::milliseconds(1500));
}

TEST_F(OpenAiAttempt, TakesAReplyThatSaidWhyItStoppedForWhole) {
  http.answers({.pieces = {kHello, kStop}, .breaks = Error{ErrorKind::timeout, "no byte came", {}, true}});
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_OK(attempted.reply);
  EXPECT_EQ(text_of(*attempted.reply), "Hello");
}

TEST_F(OpenAiAttempt, SaysThatAStreamBrokeOff) {
  http.answers({.pieces = {kHello}});
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_FAILS(attempted.reply, network);
  EXPECT_TRUE(attempted.reply.error().retryable);
  EXPECT_EQ(attempted.streamed, "Hello");
}

TEST_F(OpenAiAttempt, ReadsAServerThatDoesNotStream) {
  http.answers({.headers = {{"content-type", "application/json"}},
                .pieces = {R"({"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]})"}});
  auto asked = provider();
  const auto attempted = attempt(asked, ask());
  ASSERT_OK(attempted.reply);
  EXPECT_EQ(attempted.streamed, "Hello");
}

TEST_F(OpenAiAttempt, EndsWhenItIsCancelled) {
  http.answers({.pieces = {kHello}, .hangs = true});
  auto asked = provider();
  EXPECT_TRUE(test::ends_when_cancelled_at_the_first_text(asked, ask()));
  EXPECT_EQ(http.open_streams(), 0);
}

}  // namespace
}  // namespace deputy::model::openai_chat
