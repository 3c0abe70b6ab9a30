#include "model/anthropic/errors.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::model::anthropic {
namespace {

std::string body(std::string_view type, std::string_view message) {
  return fmt::format(R"({{"type":"error","error":{{"type":"{}","message":"{}"}},"request_id":"req_1"}})", type,
                     message);
}

Error error_at(int status, std::string_view text, const std::vector<net::Header>& headers = {}) {
  return error_of(status, headers, text, from_millis(0));
}

struct Row {
  std::string name;
  int status;
  std::string body;
  ErrorKind kind;
  bool retryable;
};

class AnthropicErrors : public testing::TestWithParam<Row> {};

TEST_P(AnthropicErrors, Are) {
  const Row& row = GetParam();
  const Error error = error_at(row.status, row.body);
  EXPECT_EQ(error.kind, row.kind) << describe(error);
  EXPECT_EQ(error.retryable, row.retryable) << describe(error);
  EXPECT_FALSE(error.message.empty());
  EXPECT_TRUE(error.retryable || !error.hint.empty()) << describe(error);
}

INSTANTIATE_TEST_SUITE_P(
    By, AnthropicErrors,
    testing::Values(
        Row{"ABadRequest", 400, body("invalid_request_error", "tools.0.name: too long"), ErrorKind::invalid_input,
            false},
        Row{"AWrongKey", 401, body("authentication_error", "invalid x-api-key"), ErrorKind::authentication, false},
        Row{"NoCredit", 402, body("billing_error", "pay"), ErrorKind::permission, false},
        Row{"NoCreditAsABadRequest", 400,
            body("invalid_request_error", "Your credit balance is too low to access the API"), ErrorKind::permission,
            false},
        Row{"NoRight", 403, body("permission_error", "no"), ErrorKind::permission, false},
        Row{"AnUnknownModel", 404, body("not_found_error", "model: claude-9"), ErrorKind::not_found, false},
        Row{"ARequestThatTookTooLong", 408, "", ErrorKind::upstream, true},
        Row{"AConflict", 409, body("conflict_error", "x"), ErrorKind::upstream, true},
        Row{"ARateLimit", 429, body("rate_limit_error", "slow down"), ErrorKind::rate_limit, true},
        Row{"ASpendLimit", 429, body("rate_limit_error", "enforced_spend_limit_reached"), ErrorKind::rate_limit, false},
        Row{"AFailure", 500, body("api_error", "x"), ErrorKind::upstream, true},
        Row{"ABadGateway", 502, "<html>Bad gateway</html>", ErrorKind::upstream, true},
        Row{"ATimeout", 504, body("timeout_error", "x"), ErrorKind::upstream, true},
        Row{"Overload", 529, body("overloaded_error", "Overloaded"), ErrorKind::upstream, true},
        Row{"ARedirect", 302, "", ErrorKind::upstream, false},
        Row{"OverloadInsideAStream", 200, body("overloaded_error", "Overloaded"), ErrorKind::upstream, true},
        Row{"ARateLimitInsideAStream", 200, body("rate_limit_error", "x"), ErrorKind::rate_limit, true},
        Row{"AWrongKeyInsideAStream", 200, body("authentication_error", "x"), ErrorKind::authentication, false},
        Row{"AnUnknownErrorInsideAStream", 200, body("strange_error", "x"), ErrorKind::upstream, true},
        Row{"NoWordInsideAStream", 200, R"({"type":"error"})", ErrorKind::upstream, true}),
    [](const auto& row) { return row.param.name; });

TEST(AnthropicError, SaysWhatTheApiSaidOfABadRequest) {
  EXPECT_EQ(error_at(400, body("invalid_request_error", "max_tokens: Field required")).message,
            "the model's API refused the request with status 400 (invalid_request_error: max_tokens: Field required)");
}

TEST(AnthropicError, NeverHoldsTheKeyOrWhatWasAsked) {
  EXPECT_FALSE(describe(error_at(401, body("authentication_error", "invalid key sk-ant-abcdef"))).contains("sk-ant"));
  const std::string quoted = "the words of the request, which nobody else is to read";
  EXPECT_FALSE(
      describe(error_at(400, body("invalid_request_error", "bad value '" + quoted + "'"))).contains("words of"));
  EXPECT_LT(describe(error_at(400, body("invalid_request_error", std::string(5000, 'x')))).size(), 400U);
}

TEST(AnthropicError, IsOneLine) {
  EXPECT_FALSE(error_at(400, body("invalid_request_error", R"(a\nb)")).message.contains('\n'));
}

TEST(AnthropicError, IsRetriedAsTheApiSays) {
  EXPECT_FALSE(error_at(500, "", {{"X-Should-Retry", "false"}}).retryable);
  EXPECT_TRUE(error_at(400, "", {{"x-should-retry", "true"}}).retryable);
}

TEST(AnthropicOverflow, IsARequestThatDoesNotFit) {
  EXPECT_TRUE(is_overflow(400, body("invalid_request_error", "prompt is too long: 208310 tokens > 200000 maximum")));
  EXPECT_TRUE(is_overflow(400, body("invalid_request_error",
                                    "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000")));
  EXPECT_TRUE(is_overflow(413, body("request_too_large", "Request exceeds the maximum size")));
  EXPECT_TRUE(is_overflow(413, "<html>"));
  EXPECT_FALSE(is_overflow(400, body("invalid_request_error", "tools.0.name: too long")));
  EXPECT_FALSE(is_overflow(500, body("api_error", "prompt is too long")));
}

}  // namespace
}  // namespace deputy::model::anthropic
