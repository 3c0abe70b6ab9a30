// Credentials kept until shortly before they expire. Fifteen minutes before, they are renewed while requests go on with
// the old ones; ten minutes before, requests wait for the new ones; while renewing fails, the old ones are used to
// their end. One renewal at a time, shared by all who wait; who is cancelled leaves the others waiting.
#pragma once

#include <functional>
#include <memory>

#include "clients/aws/credentials.h"

namespace deputy::clients::aws {

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
