#include "model/bedrock/errors.h"

#include <algorithm>
#include <array>

#include "base/text.h"
#include "model/api_error.h"
#include "net/retry_after.h"

namespace deputy::model::bedrock {

namespace {

// Codes that stand for a status: in a frame there is none, and some come with one that says less.
struct StatusOfCode {
  std::string_view code;
  int status;
};
constexpr auto kStatuses = std::to_array<StatusOfCode>({
    {"accessdeniedexception", 403},
    {"expiredtokenexception", 401},
    {"incompletesignature", 401},
    {"incompletesignatureexception", 401},
    {"internalservererror", 500},
    {"internalserverexception", 500},
    {"invalidsignatureexception", 401},
    {"missingauthenticationtoken", 401},
    {"modelerrorexception", 500},
    {"modelnotreadyexception", 503},
    {"modelstreamerrorexception", 500},
    {"modeltimeoutexception", 504},
    {"resourcenotfoundexception", 404},
    {"servicequotaexceededexception", 429},
    {"serviceunavailableexception", 503},
    {"throttlingexception", 429},
    {"unrecognizedclientexception", 401},
    {"validationexception", 400},
});

int status_of(int status, std::string_view code) {
  const auto* const found = std::ranges::find(kStatuses, to_lower(code), &StatusOfCode::code);
  if (found != kStatuses.end()) return found->status;
  return status == 0 || status == 424 ? 500 : status;
}

bool does_not_fit(int status, std::string_view message) {
  constexpr auto kOverflows = std::to_array<std::string_view>(
      {"too many tokens", "too many input tokens", "maximum number of tokens", "exceeds the maximum input"});
  // A throttled account is told of too many tokens too.
  return status == 413 || (status == 400 && says_it_does_not_fit(message, kOverflows));
}

}  // namespace

Result<Reply> refusal(int status, const clients::aws::ServiceError& refused, const std::vector<net::Header>& headers,
                      Timestamp now) {
  const int meant = status_of(status, refused.code);
  if (does_not_fit(meant, refused.message)) return Reply{.blocks = {}, .stop = Stop::overflow, .usage = {}};
  Error error = error_of({.status = meant, .code = refused.code, .words = refused.message}, headers, now);
  if (error.kind == ErrorKind::authentication) {
    error.message = "Bedrock does not accept the AWS credentials";
    error.hint = "check the AWS keys and the region, or the Bedrock API key";
  }
  if (error.kind == ErrorKind::permission) {
    error.hint =
        "allow bedrock:InvokeModelWithResponseStream to Deputy's role, and ask for access to the model in the "
        "Bedrock console";
  }
  if (error.retryable && !error.retry_after) error.retry_after = net::retry_after(headers, now);
  return std::unexpected(std::move(error));
}

}  // namespace deputy::model::bedrock
