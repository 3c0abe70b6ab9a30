// The provider over a client that a test scripts: what goes out, and what refusals become.
#include "model/bedrock/bedrock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/workers.h"
#include "model/written.h"
#include "support/event_frames.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/results.h"
#include "support/scripted_http.h"

namespace deputy::model::bedrock {
namespace {

using deputy::test::event_of_type;
using deputy::test::exception_of_type;
using deputy::test::ScriptedResponse;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class GivenKeys final : public clients::aws::CredentialSource {
 public:
  Task<Result<clients::aws::Credentials>> get() override {
    ++asked;
    co_return clients::aws::Credentials{{"AKID", Secret("hunter2"), Secret("session")}, {}, "a test"};
  }
  void refused(const clients::aws::Credentials&) override { ++times_refused; }

  int asked = 0;
  int times_refused = 0;
};

ScriptedResponse whole(std::string body, int status = 200, std::vector<net::Header> headers = {}) {
  return {.status = status, .headers = std::move(headers), .pieces = {std::move(body)}};
}

const std::string kHello = event_of_type("messageStart", R"({"role":"assistant"})") +
                           event_of_type("contentBlockDelta", R"({"contentBlockIndex":0,"delta":{"text":"Hello"}})") +
                           event_of_type("messageStop", R"({"stopReason":"end_turn"})");

class BedrockTest : public testing::Test {
 protected:
  Result<Reply> ask() {
    BedrockProvider provider(http, keys, clock, options);
    return deputy::test::run(
        provider.attempt({.turns = {test::user({Text{"my secret question"}})}, .max_tokens = 10}, {}));
  }
  std::string header(std::string_view name) const {
    return std::string(net::find_header(http.asked().back().headers, name).value_or("none"));
  }

  deputy::test::ManualClock clock;
  deputy::test::ScriptedHttp http;
  GivenKeys keys;
  Options options{.manner = {.model = "amazon.nova-lite-v1:0"},
                  .region = "eu-central-1",
                  .endpoint = "https://bedrock-runtime.eu-central-1.amazonaws.com/"};
};

TEST(BedrockForm, IsAnthropicsOwnForItsModels) {
  for (const char* model : {"anthropic.claude-3-haiku-20240307-v1:0", "us.anthropic.claude-sonnet-4-20250514-v1:0",
                            "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-v2"}) {
    EXPECT_EQ(form_of(model), ApiForm::messages) << model;
  }
  for (const char* model :
       {"amazon.nova-lite-v1:0", "meta.llama3-8b", "arn:aws:bedrock:us-east-1:1:application-inference-profile/x"}) {
    EXPECT_EQ(form_of(model), ApiForm::converse) << model;
  }
}

TEST_F(BedrockTest, AModelsIdIsOneSegmentOfThePath) {
  options.manner = {.model = "arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude:0"};
  const net::Request request = http_request(options, ApiForm::messages, {}, {}, /*shows_thinking=*/false).http;
  EXPECT_EQ(
      request.url,
      "https://bedrock-runtime.eu-central-1.amazonaws.com/model/"
      "arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.anthropic.claude%3A0/invoke-with-response-stream");
  EXPECT_EQ(request.path, net::UrlPath::as_is);
  EXPECT_EQ(net::find_header(request.headers, "x-amzn-bedrock-accept"), "application/json");
}

TEST_F(BedrockTest, AnthropicsBodyHasItsVersionAndNoModel) {
  options.betas = {"b1"};
  const auto body = parse_json_object(
      http_request(options, ApiForm::messages, {.max_tokens = 9}, {}, /*shows_thinking=*/false).http.body);
  ASSERT_OK(body);
  EXPECT_EQ(body->at("anthropic_version"), "bedrock-2023-05-31");
  EXPECT_EQ(json::serialize(body->at("anthropic_beta")), R"(["b1"])");
  EXPECT_EQ(body->at("max_tokens"), 9);
  for (const char* key : {"model", "stream", "temperature"}) EXPECT_FALSE(body->contains(key)) << key;
}

TEST_F(BedrockTest, RequestsAreSigned) {
  http.answers(whole(kHello));
  const auto reply = ask();
  ASSERT_OK(reply);
  EXPECT_EQ(text_of(*reply), "Hello");
  EXPECT_GT(reply->usage.input_tokens, 0);  // guessed: the stream said nothing of it
  EXPECT_THAT(http.asked().back().url, testing::EndsWith("/model/amazon.nova-lite-v1%3A0/converse-stream"));
  EXPECT_THAT(header("authorization"),
              StartsWith("AWS4-HMAC-SHA256 Credential=AKID/20231114/eu-central-1/bedrock/aws4_request"));
  EXPECT_EQ(header("x-amz-security-token"), "session");
}

TEST_F(BedrockTest, ABearerTokenIsSentInsteadOfASignature) {
  options.bearer_token = Secret("bedrock-api-key-x");
  http.answers(whole(kHello));
  ASSERT_OK(ask());
  EXPECT_EQ(header("authorization"), "Bearer bedrock-api-key-x");
  EXPECT_EQ(header("x-amz-date"), "none");
  EXPECT_EQ(keys.asked, 0);
}

TEST_F(BedrockTest, ARefusalThatRepeatsTheKeyIsNotRepeated) {
  options.bearer_token = Secret("bedrock-api-key-x");
  http.answers(whole(R"({"message":"the key bedrock-api-key-x may not"})", 403));
  const auto reply = ask();
  ASSERT_FAILS(reply, permission);
  EXPECT_THAT(describe(reply.error()), Not(HasSubstr("bedrock-api-key-x")));
}

TEST_F(BedrockTest, AnErrorInsideAReplyThatRepeatsTheKeyDoesNotTellIt) {
  options.bearer_token = Secret("bedrock-api-key-x");
  http.answers(whole(exception_of_type("validationException", R"({"message":"bedrock-api-key-x may not"})")));
  const auto reply = ask();
  ASSERT_FALSE(reply);
  EXPECT_THAT(describe(reply.error()), HasSubstr("may not"));
  EXPECT_THAT(describe(reply.error()), Not(HasSubstr("bedrock-api-key")));
}

TEST_F(BedrockTest, ASettingMayForceEitherForm) {
  options.form = ApiForm::messages;
  EXPECT_THAT(http_request(options, *options.form, {}, {}, /*shows_thinking=*/false).http.body,
              HasSubstr("anthropic_version"));
  options.manner = {.model = "anthropic.claude-v2"};
  options.form = ApiForm::converse;
  http.answers(whole(kHello));
  ASSERT_OK(ask());
  EXPECT_THAT(http.asked().back().url, testing::EndsWith("/converse-stream"));
}

TEST_F(BedrockTest, AReplyMayComeWhole) {
  options.delivery = Delivery::whole;
  http.answers(whole(R"({"output":{"message":{"content":[{"text":"Hello"}]}},"stopReason":"end_turn"})"));
  auto reply = ask();
  ASSERT_OK(reply);
  EXPECT_EQ(text_of(*reply), "Hello");
  EXPECT_THAT(http.asked().back().url, testing::EndsWith("/converse"));
  options.form = ApiForm::messages;
  http.answers(whole(R"({"type":"message","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn",
                         "usage":{"input_tokens":3,"output_tokens":4}})"));
  reply = ask();
  ASSERT_OK(reply);
  EXPECT_EQ(*reply, (Reply{{Text{"Hi"}}, Stop::end_turn, {.input_tokens = 3, .output_tokens = 4}}));
  EXPECT_THAT(http.asked().back().url, testing::EndsWith("/invoke"));
  EXPECT_EQ(header("accept"), "application/json");
  http.answers(whole("<html>"));
  EXPECT_FAILS(ask(), upstream);
}

TEST_F(BedrockTest, ALargeEventIsParsedOffTheLoop) {
  for (const auto& [size, jobs] : {std::pair(40'000UL, 0), std::pair(70'000UL, 1)}) {
    const std::string text(size, 'x');
    options.form = ApiForm::converse;
    http.answers(whole(event_of_type("contentBlockDelta", R"({"delta":{"text":")" + text + "\"}}") +
                       event_of_type("messageStop", R"({"stopReason":"end_turn"})")));
    const std::int64_t before = large_text_workers().taken();
    auto reply = ask();
    ASSERT_OK(reply);
    EXPECT_EQ(text_of(*reply), text);
    EXPECT_EQ(large_text_workers().taken() - before, jobs);
    options.form = ApiForm::messages;
    const auto chunk = [](std::string_view event) {
      return event_of_type("chunk", R"({"bytes":")" + deputy::test::to_base64(event) + "\"}");
    };
    http.answers(whole(chunk(R"({"type":"message_start","message":{"usage":{"input_tokens":25}}})") +
                       chunk(R"({"type":"content_block_delta","delta":{"type":"text_delta","text":")" + text + "\"}}") +
                       chunk(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})") +
                       chunk(R"({"type":"message_stop"})")));
    reply = ask();
    ASSERT_OK(reply);
    EXPECT_EQ(text_of(*reply), text);
    EXPECT_EQ(large_text_workers().taken() - before, 2 * jobs);
  }
}

TEST_F(BedrockTest, AConnectionThatBreaksAfterTheReplyTakesNothingWithIt) {
  for (const ErrorKind kind : {ErrorKind::network, ErrorKind::timeout}) {
    const auto breaks_after = [&](std::string body) {
      ScriptedResponse response = whole(std::move(body));
      response.breaks = Error{kind, "it broke", "", true};
      http.answers(std::move(response));
    };
    const std::string usage = event_of_type("metadata", R"({"usage":{"inputTokens":3,"outputTokens":4}})");
    for (const std::string& body : {kHello, kHello + usage}) {
      breaks_after(body);
      const auto reply = ask();
      ASSERT_OK(reply);
      EXPECT_EQ(text_of(*reply), "Hello");
    }
    breaks_after(event_of_type("contentBlockDelta", R"({"delta":{"text":"Hel"}})"));
    const auto cut = ask();
    ASSERT_FALSE(cut.has_value());
    EXPECT_EQ(cut.error().kind, kind);
  }
}

TEST_F(BedrockTest, ExpiredCredentialsAreRenewedOnce) {
  http.answers(whole(R"({"message":"expired"})", 403, {{"x-amzn-ErrorType", "ExpiredTokenException"}}));
  http.answers(whole(kHello));
  EXPECT_OK(ask());
  EXPECT_EQ(keys.times_refused, 1);
  EXPECT_EQ(http.asked().size(), 2U);
}

struct Refusal {
  const char* name;
  int status;
  const char* code;
  const char* message;
  ErrorKind kind;
  bool retryable;
  const char* said;
};

void PrintTo(const Refusal& row, std::ostream* out) { *out << row.name; }

class BedrockRefusal : public BedrockTest, public testing::WithParamInterface<Refusal> {};

TEST_P(BedrockRefusal, IsAnErrorForWhoActs) {
  const ScriptedResponse refusal =
      whole(json::serialize(json::object{{"message", GetParam().message}}), GetParam().status,
            {{"x-amzn-ErrorType", std::string(GetParam().code) + ":http://internal"}, {"retry-after", "2"}});
  http.answers(refusal).answers(refusal);  // keys that are refused are renewed once
  const auto reply = ask();
  ASSERT_FALSE(reply.has_value());
  EXPECT_EQ(reply.error().kind, GetParam().kind);
  EXPECT_EQ(reply.error().retryable, GetParam().retryable);
  EXPECT_EQ(reply.error().retry_after.has_value(), GetParam().retryable);
  EXPECT_THAT(describe(reply.error()), HasSubstr(GetParam().said));
  for (const char* secret : {"hunter2", "session", "my secret question"}) {
    EXPECT_THAT(describe(reply.error()), Not(HasSubstr(secret)));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Rows, BedrockRefusal,
    testing::Values(
        Refusal{"Validation", 400, "ValidationException", "wrong", ErrorKind::invalid_input, false, "wrong"},
        Refusal{"AccessDenied", 403, "AccessDeniedException", "no access", ErrorKind::permission, false,
                "Bedrock console"},
        Refusal{"Signature", 403, "InvalidSignatureException", "wrong", ErrorKind::authentication, false, "AWS keys"},
        Refusal{"UnknownKey", 403, "UnrecognizedClientException", "?", ErrorKind::authentication, false, "AWS keys"},
        Refusal{"NotFound", 404, "ResourceNotFoundException", "no model", ErrorKind::not_found, false, "name"},
        Refusal{"Timeout", 408, "ModelTimeoutException", "slow", ErrorKind::upstream, true, ""},
        Refusal{"ModelError", 424, "ModelErrorException", "oops", ErrorKind::upstream, true, ""},
        Refusal{"Throttling", 429, "ThrottlingException", "Too many tokens, please wait", ErrorKind::rate_limit, true,
                ""},
        Refusal{"NotReady", 429, "ModelNotReadyException", "warming up", ErrorKind::upstream, true, ""},
        Refusal{"Internal", 500, "InternalServerException", "oops", ErrorKind::upstream, true, ""},
        Refusal{"Unavailable", 503, "ServiceUnavailableException", "later", ErrorKind::upstream, true, ""},
        Refusal{"NoCode", 502, "", "Bad Gateway", ErrorKind::upstream, true, "502"}),
    [](const auto& info) { return info.param.name; });

TEST_F(BedrockTest, ARequestThatDoesNotFitIsAReply) {
  for (const char* message : {"Input is too long for requested model.",
                              "The model returned the following errors: prompt is too "
                              "long: 210000 tokens > 200000 maximum",
                              "Too many input tokens: 9000, maximum 8000"}) {
    http.answers(
        whole(json::serialize(json::object{{"message", message}}), 400, {{"x-amzn-ErrorType", "ValidationException"}}));
    const auto reply = ask();
    ASSERT_OK(reply);
    EXPECT_EQ(reply->stop, Stop::overflow);
  }
}

}  // namespace
}  // namespace deputy::model::bedrock
