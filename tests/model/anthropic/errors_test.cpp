#include <fmt/format.h>
#include <gtest/gtest.h>

#include "model/anthropic/anthropic.h"
#include "model/refusals.h"

namespace deputy::model::anthropic {
namespace {

using test::Refusal;

std::string body(std::string_view type, std::string_view message) {
  return fmt::format(R"({{"type":"error","error":{{"type":"{}","message":"{}"}},"request_id":"req_1"}})", type,
                     message);
}

Error error_at(int status, std::string_view text, const std::vector<net::Header>& headers = {}) {
  return error_of(status, headers, text, from_millis(0));
}

class AnthropicErrors : public testing::TestWithParam<Refusal> {};

TEST_P(AnthropicErrors, Are) { test::expect_error(error_at(GetParam().status, GetParam().body), GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    By, AnthropicErrors,
    testing::Values(
        Refusal{"ABadRequest", 400, body("invalid_request_error", "tools.0.name: too long"), ErrorKind::invalid_input,
                false},
        Refusal{"AWrongKey", 401, body("authentication_error", "invalid x-api-key"), ErrorKind::authentication, false},
        Refusal{"NoCredit", 402, body("billing_error", "pay"), ErrorKind::permission, false},
        Refusal{"NoCreditAsABadRequest", 400,
                body("invalid_request_error", "Your credit balance is too low to access the API"),
                ErrorKind::permission, false},
        Refusal{"NoRight", 403, body("permission_error", "no"), ErrorKind::permission, false},
        Refusal{"AnUnknownModel", 404, body("not_found_error", "model: claude-9"), ErrorKind::not_found, false},
        Refusal{"ARequestThatTookTooLong", 408, "", ErrorKind::upstream, true},
        Refusal{"AConflict", 409, body("conflict_error", "x"), ErrorKind::upstream, true},
        Refusal{"ARateLimit", 429, body("rate_limit_error", "slow down"), ErrorKind::rate_limit, true},
        Refusal{"ASpendLimit", 429, body("rate_limit_error", "enforced_spend_limit_reached"), ErrorKind::rate_limit,
                false},
        Refusal{"AFailure", 500, body("api_error", "x"), ErrorKind::upstream, true},
        Refusal{"ABadGateway", 502, "<html>Bad gateway</html>", ErrorKind::upstream, true},
        Refusal{"ATimeout", 504, body("timeout_error", "x"), ErrorKind::upstream, true},
        Refusal{"Overload", 529, body("overloaded_error", "Overloaded"), ErrorKind::upstream, true},
        Refusal{"ARedirect", 302, "", ErrorKind::upstream, false},
        Refusal{"OverloadInsideAStream", 200, body("overloaded_error", "Overloaded"), ErrorKind::upstream, true},
        Refusal{"ARateLimitInsideAStream", 200, body("rate_limit_error", "x"), ErrorKind::rate_limit, true},
        Refusal{"AWrongKeyInsideAStream", 200, body("authentication_error", "x"), ErrorKind::authentication, false},
        Refusal{"AnUnknownErrorInsideAStream", 200, body("strange_error", "x"), ErrorKind::upstream, true},
        Refusal{"NoWordInsideAStream", 200, R"({"type":"error"})", ErrorKind::upstream, true}),
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
