// AWS credentials and where a request gets them from. They are never logged, never in an error, and stay in a Secret
// until a signature is made.
//
// What looks for them is chain.h, what keeps and renews them is cached_credentials.h.
#pragma once

#include <functional>
#include <memory>
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

// Credentials kept until shortly before they expire. Fifteen minutes before, they are renewed while requests go on with
// the old ones; ten minutes before, requests wait for the new ones; while renewing fails, the old ones are used to
// their end. One renewal at a time, shared by all who wait; who is cancelled leaves the others waiting.

class CachedCredentials final : public CredentialSource {
 public:
  /// How new ones are got. It calls a coroutine and is none itself; what it refers to outlives this object.
  using Load = std::function<Task<Result<Credentials>>()>;

  /// On this loop; the clock outlives it.
  CachedCredentials(const asio::any_io_executor& executor, const Clock& clock, Load load);
  /// Ends a renewal that is under way. Nobody waits in `get` any more.
  ~CachedCredentials() override;
  CachedCredentials(const CachedCredentials&) = delete;
  CachedCredentials& operator=(const CachedCredentials&) = delete;

  Task<Result<Credentials>> get() override;
  void refused(const Credentials& credentials) override;

 private:
  struct Shared;

  static Task<> renew(std::shared_ptr<Shared> shared);
  void begin_renewal();

  std::shared_ptr<Shared> shared_;
};

}  // namespace deputy::clients::aws
