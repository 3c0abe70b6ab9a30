// AWS credentials and where a request gets them from. They are never logged, never in an error, and stay in a Secret
// until a signature is made.
//
// What looks for them is chain.h, what keeps and renews them is cached_credentials.h.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/task.h"
#include "net/sigv4.h"

namespace deputy::clients::aws {

struct Credentials {
  net::SigningKey key;
  std::optional<Timestamp> expires;  // none: they hold until somebody changes them
  std::string origin;                // "the environment", "the profile `ops`": for people
};

class CredentialSource {
 public:
  virtual ~CredentialSource() = default;

  /// Credentials that are good now. Hears cancellation.
  virtual Task<Result<Credentials>> get() = 0;

  /// AWS says that these have expired: the next `get` does not return them again.
  virtual void refused(const Credentials& credentials) = 0;
};

}  // namespace deputy::clients::aws
