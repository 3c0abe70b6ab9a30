// Runs a coroutine of which nothing is trusted: it may ignore cancellation, throw, or never end. Whoever waits gets an
// answer within the limit and the grace; a coroutine that goes on after that is left behind: it keeps itself and what
// it uses alive, and what it says later is not heard. Only what blocks the loop itself is not bounded: such work
// belongs on Workers.
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

namespace deputy::toolkit {

// Bounds what a handler streams: what comes too fast is joined, what is too much is counted and marked, and after the
// end nothing passes. It knows no clock and no timer: who drives it says what time it is.

struct DeltaLimits {
  std::chrono::milliseconds apart{100};
  std::size_t at_once = 4 * 1024;   // bytes in one delta
  std::size_t in_all = 256 * 1024;  // bytes from one handler
};

/// Replaces secrets in a text that comes in parts. It stands before the bounds: a secret that these cut would not be
/// recognised any more.
struct DeltaRedact {
  std::function<std::string(std::string_view part)> feed;  // what may be let out now
  std::function<std::string()> finish;                     // what was still held back
};

class Deltas {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit Deltas(DeltaLimits limits = {}, DeltaRedact redact = {}) : limits_(limits), redact_(std::move(redact)) {}

  /// Takes a delta. What may pass is then to be had from `take`.
  void offer(std::string_view delta);

  /// What may pass now: valid UTF-8, or empty.
  std::string take(Time now);

  /// When what is held may pass; nothing when nothing is held.
  std::optional<Time> due() const;

  /// What is still held, whatever the time; afterwards nothing passes any more.
  std::string close();

 private:
  void hold(std::string_view delta);
  void hold_redacted(const std::function<std::string()>& redacted);  // a redactor that fails ends the stream
  std::string release();

  DeltaLimits limits_;
  DeltaRedact redact_;
  std::string held_;
  std::size_t dropped_ = 0;  // characters
  std::size_t passed_ = 0;   // bytes
  Time next_ = Time::min();
  bool closed_ = false;
};

/// Why the wait was over.
enum class WaitEnd { by_itself, ran_out, cancelled };

/// What the waiting side and the coroutine share. All of it belongs to the loop.
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
  std::shared_ptr<int> left_behind;  // set when it is: counted down when it ends after all

  void emit(std::string_view delta) {
    deltas.offer(delta);
    pass_on(deltas.take(std::chrono::steady_clock::now()));
    if (deltas.due()) wake.cancel();  // the waiting side sets its timer anew
  }
  /// Whoever listens must not be able to end the wait, or the work.
  void pass_on(const std::string& text) const {
    if (text.empty() || !on_delta) return;
    try {
      on_delta(text);
    } catch (const std::exception& error) {
      log::error("delta was not taken", {{"what", error.what()}});
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
    if (work->ended) break;  // not before: what listens may have ended it
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
  // This wait was cancelled once and must not be again: the work gets its grace.
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  const auto last = steady_clock::now() + std::min(grace, kLongestWait);
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

/// Starts `task` and waits for it. `work` owns, directly or by what the task itself holds, everything the task uses.
/// When the caller is cancelled the work is told to stop and this still returns a value; the caller's next await then
/// throws.
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
  asio::co_spawn(executor, std::move(task), asio::bind_cancellation_slot(work->cancel.slot(), std::move(on_end)));
  // A thread of execution of its own, so that its cancellation state can be reset without touching the caller's.
  co_return co_await asio::co_spawn(executor, wait_for_end<T>(std::move(work), deadline, grace, std::move(left_behind)),
                                    asio::use_awaitable);
}

}  // namespace deputy::toolkit
