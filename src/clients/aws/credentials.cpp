#include "clients/aws/credentials.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/system/system_error.hpp>

#include "base/log.h"
#include "base/task.h"

namespace deputy::clients::aws {

namespace {

constexpr std::chrono::milliseconds kAdvisory = std::chrono::minutes(15);
constexpr std::chrono::milliseconds kMandatory = std::chrono::minutes(10);
// Do not ask a failing endpoint, or one that returns expired keys, at every request.
constexpr std::chrono::milliseconds kPause = std::chrono::seconds(30);

enum class Need { none, soon, now };

Need need_of(const std::optional<Credentials>& held, std::optional<Timestamp> last_load, Timestamp now) {
  if (!held) return Need::now;
  if (!held->expires) return Need::none;
  const auto left = *held->expires - now;
  if (left <= std::chrono::milliseconds(0)) return Need::now;
  if (last_load && now >= *last_load && now - *last_load < kPause) return Need::none;
  if (left <= kMandatory) return Need::now;
  return left <= kAdvisory ? Need::soon : Need::none;
}

}  // namespace

struct CachedCredentials::Shared {
  Shared(const asio::any_io_executor& executor, const Clock& clock, Load load)
      : executor(executor),
        clock(clock),
        load(std::move(load)),
        ended(executor, asio::steady_timer::time_point::max()),
        cancel(executor) {}

  asio::any_io_executor executor;
  const Clock& clock;
  Load load;
  std::optional<Credentials> held;
  std::optional<Timestamp> last_load;
  std::optional<Error> failure;  // of the last renewal
  bool renewing = false;
  std::uint64_t renewals = 0;  // finished so far
  asio::steady_timer ended;    // never expires: cancelled when a renewal has ended
  Cancel cancel;
};

CachedCredentials::CachedCredentials(const asio::any_io_executor& executor, const Clock& clock, Load load)
    : shared_(std::make_shared<Shared>(executor, clock, std::move(load))) {}

CachedCredentials::~CachedCredentials() {
  if (shared_->renewing) shared_->cancel.emit();
}

Task<> CachedCredentials::renew(std::shared_ptr<Shared> shared) {
  Result<Credentials> loaded = co_await shared->load();
  if (loaded) {
    shared->held = *std::move(loaded);
    shared->failure.reset();
  } else {
    shared->failure = loaded.error();
    log::warning("AWS credentials could not be renewed", {{"error", describe(loaded.error())}});
  }
}

// A renewal is independent of those that wait for it, because any of them may be cancelled.
void CachedCredentials::begin_renewal() {
  if (shared_->renewing) return;
  shared_->renewing = true;
  shared_->last_load = shared_->clock.now();
  auto on_end = [shared = shared_](const std::exception_ptr& thrown) {
    shared->renewing = false;
    ++shared->renewals;
    if (thrown) {
      shared->failure = is_cancellation(thrown) ? cancelled_error() : Error{ErrorKind::internal, what_of(thrown)};
    }
    shared->ended.cancel();
  };
  asio::co_spawn(shared_->executor, renew(shared_),
                 asio::bind_cancellation_slot(shared_->cancel.slot(), std::move(on_end)));
}

Task<Result<Credentials>> CachedCredentials::get() {
  const std::shared_ptr<Shared> shared = shared_;
  const Need need = need_of(shared->held, shared->last_load, shared->clock.now());
  const std::uint64_t before = shared->renewals;
  if (need != Need::none) begin_renewal();
  if (const auto& held = shared->held; held && need != Need::now) co_return *held;
  while (shared->renewals == before) {
    co_await shared->ended.async_wait(asio::as_tuple(asio::use_awaitable));
    const asio::cancellation_state cancellation = co_await asio::this_coro::cancellation_state;
    if (cancellation.cancelled() != asio::cancellation_type::none) {
      throw boost::system::system_error(asio::error::operation_aborted);
    }
  }
  if (const auto& held = shared->held; held && held->expires.value_or(Timestamp::max()) > shared->clock.now()) {
    co_return *held;
  }
  if (const auto& failure = shared->failure; failure) co_return std::unexpected(*failure);
  co_return std::unexpected(Error{ErrorKind::authentication, "the new AWS credentials have already expired",
                                  "check the clock of this machine", true});
}

void CachedCredentials::refused(const Credentials& credentials) {
  const auto& held = shared_->held;
  const bool are_held = held && held->key.access_key_id == credentials.key.access_key_id &&
                        held->key.session_token.equals(credentials.key.session_token.reveal());
  if (are_held) shared_->held.reset();  // else they have been renewed since
}

}  // namespace deputy::clients::aws
