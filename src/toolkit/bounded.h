// Runs an untrusted coroutine: it may ignore cancellation, throw, or never end. The caller gets an answer within the
// limit plus the grace period. A coroutine that continues after that is left behind: it keeps itself and what it uses
// alive, and its later output is ignored. Deltas bounds what it streams meanwhile. Code that blocks the loop is not
// bounded: run it on Workers.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/task.h"
#include "base/waiting.h"

namespace deputy::toolkit {

struct DeltaLimits {
  std::chrono::milliseconds apart{100};
  std::size_t at_once = 4 * 1024;   // bytes in one delta
  std::size_t in_all = 256 * 1024;  // bytes from one handler
};

/// Redacts secrets in a text that arrives in parts. Runs before the limits apply, because a cut secret is no longer
/// recognised.
struct DeltaRedact {
  std::function<std::string(std::string_view part)> feed;  // returns what may be shown now
  std::function<std::string()> finish;                     // returns what was still held back
};

/// Bounds what a handler streams: joins deltas that come too fast, counts and marks what is too much, and passes
/// nothing after the end. It has no clock or timer: the caller passes the time.
class Deltas {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Deltas(DeltaLimits limits = {}, DeltaRedact redact = {}) : limits_(limits), redact_(std::move(redact)) {}

  /// Adds a delta. Call `take` for the text that may be shown.
  void offer(std::string_view delta);

  /// The text that may be shown now: valid UTF-8, or empty.
  std::string take(Time now);

  /// The time when held text may be shown; empty if none is held.
  std::optional<Time> due() const;

  /// Returns what is still held, whatever the time, and closes the stream.
  std::string close();

 private:
  void hold(std::string_view delta);
  void hold_redacted(const std::function<std::string()>& redacted);  // a failing redactor ends the stream
  std::string release();

  DeltaLimits limits_;
  DeltaRedact redact_;
  std::string held_;
  std::size_t dropped_ = 0;  // characters
  std::size_t passed_ = 0;   // bytes
  Time next_ = Time::min();
  bool closed_ = false;
};

/// Why the wait ended.
enum class WaitEnd { by_itself, ran_out, cancelled };

/// State shared by the waiting side and the coroutine. Used on the loop only.
template <class T>
struct Bounded {
  Bounded(const asio::any_io_executor& executor, DeltaRedact redact)
      : wake(executor), cancel(executor), deltas({}, std::move(redact)) {}

  asio::steady_timer wake;
  Cancel cancel;
  std::stop_source stop;
  Deltas deltas;
  std::function<void(std::string_view)> on_delta;

  bool ended = false;
  std::optional<T> result;
  std::exception_ptr thrown;
  std::shared_ptr<int> left_behind;  // set when left behind; counted down when the coroutine ends after all

  void emit(std::string_view delta) {
    deltas.offer(delta);
    pass_on(deltas.take(std::chrono::steady_clock::now()));
    if (deltas.due()) wake.cancel();  // the waiting side resets its timer
  }
  /// A failing listener must not end the wait or the work.
  void pass_on(const std::string& text) const {
    if (text.empty() || !on_delta) return;
    try {
      on_delta(text);
    } catch (const std::exception& error) {
      log::error("a progress listener failed", {{"what", error.what()}});
    }
  }
};

template <class T>
Task<WaitEnd> wait_for_end(std::shared_ptr<Bounded<T>> work, std::chrono::steady_clock::time_point deadline,
                           std::chrono::milliseconds grace, std::shared_ptr<int> left_behind) {
  using std::chrono::steady_clock;
  co_await asio::this_coro::throw_if_cancelled(false);
  co_await asio::this_coro::reset_cancellation_state(asio::enable_total_cancellation());
  WaitEnd end = WaitEnd::by_itself;
  for (;;) {
    work->pass_on(work->deltas.take(steady_clock::now()));
    if (work->ended) break;  // not before: the listener may have ended it
    work->wake.expires_at(std::min(deadline, work->deltas.due().value_or(deadline)));
    co_await work->wake.async_wait(asio::as_tuple(asio::use_awaitable));
    if (work->ended) break;
    const asio::cancellation_state state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) end = WaitEnd::cancelled;
    if (end == WaitEnd::by_itself && steady_clock::now() >= deadline) end = WaitEnd::ran_out;
    if (end != WaitEnd::by_itself) break;
  }
  work->pass_on(work->deltas.close());
  if (work->ended) co_return end;
  // This wait was cancelled once and must not be again: the work gets its grace period.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  const auto last = steady_clock::now() + std::min(grace, kMaxWait);
  work->stop.request_stop();
  work->cancel.emit();
  while (!work->ended && steady_clock::now() < last) {
    work->wake.expires_at(last);
    co_await work->wake.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  if (!work->ended) {
    ++*left_behind;
    work->left_behind = std::move(left_behind);
  }
  co_return end;
}

/// Starts `task` and waits for it. What the task waits for becomes a delta. `work` owns everything the task uses,
/// directly or through what the task holds. When the caller is cancelled, the work is told to stop and this still
/// returns a value; the caller's next await then throws.
template <class T>
Task<WaitEnd> run_bounded(std::shared_ptr<Bounded<T>> work, Task<T> task,
                          std::chrono::steady_clock::time_point deadline, std::chrono::milliseconds grace,
                          std::shared_ptr<int> left_behind) {
  const auto executor = co_await asio::this_coro::executor;
  auto on_end = [work](std::exception_ptr thrown, T value) {
    work->ended = true;
    work->thrown = std::move(thrown);
    if (!work->thrown) work->result = std::move(value);
    if (work->left_behind) --*work->left_behind;
    work->wake.cancel();
  };
  auto on_wait = [weak = std::weak_ptr(work)](std::string_view line) {
    if (const auto alive = weak.lock()) alive->emit(line);
  };
  asio::co_spawn(with_wait_listener(executor, std::move(on_wait)), std::move(task),
                 asio::bind_cancellation_slot(work->cancel.slot(), std::move(on_end)));
  // A separate coroutine, so that resetting its cancellation state does not touch the caller's.
  co_return co_await asio::co_spawn(executor, wait_for_end<T>(std::move(work), deadline, grace, std::move(left_behind)),
                                    asio::use_awaitable);
}

}  // namespace deputy::toolkit
