// What an API's refusal is called, the same for all providers: by its HTTP status, with what the API itself says of it
// where that helps and cannot hold a key or the request.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "net/http.h"

namespace deputy::model {

/// What an API said in place of a reply.
struct ApiError {
  int status = 0;          // HTTP's, or the one that a stream's error stands for
  std::string code;        // its own word for it, such as `overloaded_error`
  std::string words;       // its sentence
  bool is_paid_up = true;  // false: the account's credit or quota is used up, and asking again does not help
};

/// `retryable` by the status (408, 409, 429 and all from 500 on) unless the API says otherwise (`x-should-retry`);
/// then with the time from which on, where it gives one.
Error error_of(const ApiError& said, const std::vector<net::Header>& headers, Timestamp now);

/// True when the words hold one of the phrases, which are in lower case; the words may be in any.
bool has_any(std::string_view words, std::span<const std::string_view> phrases);

/// True when the words say that a request is more than the model takes: as most APIs say it, or in phrases that an API
/// has `beside`.
bool says_it_does_not_fit(std::string_view words, std::span<const std::string_view> beside);

/// A reply that is not as it should be. The next one may be.
Error malformed_reply(std::string_view why);

/// The stream ended, or broke, before the reply did.
Error broken_off();

}  // namespace deputy::model
