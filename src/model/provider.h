// A provider's API as one exchange: one request, one reply, streamed. It retries nothing, knows no prices and keeps
// nothing of a request, at most what it learned of the server; reliable.h makes a Model of it.
#pragma once

#include <string_view>

#include "model/model.h"

namespace deputy::model {

class Provider {
 public:
  virtual ~Provider() = default;

  /// As the journal names it: "anthropic/claude-sonnet-5-5".
  virtual std::string_view name() const = 0;

  /// Who can read the thinking in its replies: API, model and key as one word that tells nobody the key. Empty: there
  /// is none to send back.
  virtual std::string_view origin() const { return {}; }

  /// The names of the models that its API lists for this key.
  virtual Task<Result<std::vector<std::string>>> list_models() {
    co_return fail(ErrorKind::not_found, "this API lists no models");
  }

  /// Hears cancellation. An error says with `retryable` whether the same request may do better later, and with
  /// `retry_after` from when on. A request that does not fit, a refusal and a cut call are replies, no errors. Calls in
  /// a reply to `Calls::none` are left out of it.
  virtual Task<Result<Reply>> attempt(Request request, OnText on_text) = 0;
};

}  // namespace deputy::model
