// AWS credentials, the source that requests get them from, and the cache that renews them. They are never logged, never
// in an error, and stay in a Secret until a request is signed. chain.h finds them.
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
  std::optional<Timestamp> expires;  // none: valid until somebody changes them
  std::string origin;                // "the environment", "the profile `ops`": for people
};

class CredentialSource {
 public:
  virtual ~CredentialSource() = default;

  /// Credentials that are valid now. Can be cancelled.
  virtual Task<Result<Credentials>> get() = 0;

  /// AWS rejected these as expired: the next `get` does not return them again.
  virtual void refused(const Credentials& credentials) = 0;
};

/// Keeps credentials until shortly before they expire. Fifteen minutes before, it renews them in the background while
/// requests use the old ones; ten minutes before, requests wait for the new ones; while renewing fails, the old ones
/// are used until they expire. One renewal at a time, shared by all that wait; cancelling one of them does not affect
/// the others.
class CachedCredentials final : public CredentialSource {
 public:
  /// Gets new ones. It calls a coroutine and is not one itself; everything it refers to outlives this object.
  using Load = std::function<Task<Result<Credentials>>()>;

  /// Runs on this loop; the clock outlives it.
  CachedCredentials(const asio::any_io_executor& executor, const Clock& clock, Load load);
  /// Cancels a running renewal. Nobody may still wait in `get`.
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
