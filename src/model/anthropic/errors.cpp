#include "model/anthropic/errors.h"

#include <algorithm>
#include <array>

#include "base/json.h"
#include "model/api_error.h"

namespace deputy::model::anthropic {

namespace {

struct TypeOfError {
  std::string_view type;
  int status;
};
constexpr auto kTypes = std::to_array<TypeOfError>({
    {"invalid_request_error", 400},
    {"authentication_error", 401},
    {"billing_error", 402},
    {"permission_error", 403},
    {"not_found_error", 404},
    {"conflict_error", 409},
    {"request_too_large", 413},
    {"rate_limit_error", 429},
    {"api_error", 500},
    {"timeout_error", 504},
    {"overloaded_error", 529},
});

int status_of(std::string_view type) {
  const auto* found = std::ranges::find(kTypes, type, &TypeOfError::type);
  return found == kTypes.end() ? 500 : found->status;
}

constexpr auto kUnpaid = std::to_array<std::string_view>({"credit balance", "spend limit", "enforced_spend_limit"});
constexpr auto kOverflows =
    std::to_array<std::string_view>({"exceed context limit", "exceeds the maximum number of tokens"});

ApiError read(int status, std::string_view body) {
  ApiError said{.status = status};
  if (const auto object = parse_json_object(body)) {
    if (const json::object* error = find_object(*object, "error")) {
      said.code = text_at(*error, "type");
      said.words = text_at(*error, "message");
    }
  }
  if (status >= 200 && status < 300) said.status = status_of(said.code);
  said.is_paid_up = !has_any(said.words, kUnpaid);
  return said;
}

}  // namespace

Error error_of(int status, const std::vector<net::Header>& headers, std::string_view body, Timestamp now) {
  Error error = model::error_of(read(status, body), headers, now);
  if (error.kind == ErrorKind::authentication) error.hint = "set a valid key, as in ANTHROPIC_API_KEY";
  return error;
}

bool is_overflow(int status, std::string_view body) {
  const ApiError said = read(status, body);
  if (said.status == 413) return true;
  return said.status == 400 && says_it_does_not_fit(said.words, kOverflows);
}

}  // namespace deputy::model::anthropic
