// Turns an API's refusal into an Error, the same way for all providers: by HTTP status, plus the API's own text where
// that helps and cannot contain a key or the request.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "net/http.h"

namespace deputy::model {

/// The error that an API sent instead of a reply.
struct ApiError {
  int status = 0;          // HTTP status, or the one that an error in a stream stands for
  std::string code;        // the API's error code, such as `overloaded_error`
  std::string words;       // the API's message
  bool is_paid_up = true;  // false: the account has no credit or quota left, so retrying does not help
};

/// Retryable by status (408, 409, 429 and 500 and above) unless the API says otherwise (`x-should-retry`). Sets
/// retry_after if the API gives a time.
Error error_of(const ApiError& said, const std::vector<net::Header>& headers, Timestamp now);

/// True when `words`, in any case, contains one of the lower-case phrases.
bool has_any(std::string_view words, std::span<const std::string_view> phrases);

/// True when `words` says that the request exceeds the model's context: in phrases common to most APIs, or in those
/// given as `beside`.
bool says_it_does_not_fit(std::string_view words, std::span<const std::string_view> beside);

/// A malformed reply. Retryable: the next one may be well formed.
Error malformed_reply(std::string_view why);

/// The stream ended or broke before the reply was complete.
Error broken_off();

}  // namespace deputy::model
