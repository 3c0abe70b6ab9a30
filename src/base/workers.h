// Threads for blocking work: scanning files, regex over large text, reading settings. The loop awaits a job up to its
// time limit; a job that takes longer is abandoned (left behind) and its thread replaced.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>

#include "base/task.h"

namespace deputy {

/// A named pool with a bounded queue. Destroying it asks running jobs to stop and waits for them, except for those left
/// behind.
class Workers {
 public:
  struct Limits {
    int threads = 1;
    std::size_t queued = 1024;
    int left_behind = 4;
  };

  Workers(std::string name, Limits limits);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  /// Jobs that passed their limit and still run. At Limits::left_behind new jobs are refused: health is degraded.
  int left_behind() const;

  /// Jobs taken so far.
  std::int64_t taken() const;

 private:
  using Job = std::move_only_function<void(std::stop_token)>;
  struct Shared;
  struct Slot;

  /// One submitted job. Leaving it behind asks it to stop and starts a new thread in its place.
  class Ticket {
   public:
    Ticket() = default;
    Ticket(std::shared_ptr<Shared> shared, std::shared_ptr<Slot> slot)
        : shared_(std::move(shared)), slot_(std::move(slot)) {}
    void leave_behind();

   private:
    std::shared_ptr<Shared> shared_;
    std::shared_ptr<Slot> slot_;
  };

  Result<Ticket> submit(Job job);

  std::shared_ptr<Shared> shared_;

  template <class T>
  friend Task<Result<T>> on_worker(Workers&, std::chrono::milliseconds,
                                   std::move_only_function<Result<T>(std::stop_token)>);
};

/// Runs `job(stop)` on a worker for at most `limit` and returns its result, or an error of kind `timeout` or
/// `cancelled`. The job must own what it uses: it outlives this call when it is left behind or the loop ends first. Its
/// exceptions are rethrown here.
template <class T>
Task<Result<T>> on_worker(Workers& workers, std::chrono::milliseconds limit,
                          std::move_only_function<Result<T>(std::stop_token)> job) {
  // Shared by both threads. `waiting` is false once nobody waits any more: the loop may then be gone.
  struct Meeting {
    std::mutex mutex;
    bool waiting = true;
    std::optional<Result<T>> result;
    std::exception_ptr thrown;
  };
  struct Leaver {
    std::shared_ptr<Meeting> meeting;
    std::optional<Workers::Ticket> ticket;  // while it waits
    ~Leaver() {
      {
        const std::lock_guard lock(meeting->mutex);
        meeting->waiting = false;
      }
      // Destroyed together with its loop while waiting: nobody else will notice that the job takes too long.
      if (ticket) ticket->leave_behind();
    }
  };
  const asio::cancellation_state cancellation = co_await asio::this_coro::cancellation_state;
  if (cancellation.cancelled() != asio::cancellation_type::none) co_return std::unexpected(cancelled_error());
  const auto executor = co_await asio::this_coro::executor;
  const auto timer = std::make_shared<asio::steady_timer>(executor, std::min(limit, kMaxWait));
  const auto meeting = std::make_shared<Meeting>();
  Leaver leaver{meeting, std::nullopt};
  auto run = [meeting, executor, waker = std::weak_ptr(timer), job = std::move(job)](std::stop_token stop) mutable {
    std::optional<Result<T>> result;
    std::exception_ptr thrown;
    try {
      result = job(std::move(stop));
    } catch (...) {
      thrown = std::current_exception();
    }
    const std::lock_guard lock(meeting->mutex);
    if (!meeting->waiting) return;
    meeting->result = std::move(result);
    meeting->thrown = std::move(thrown);
    asio::post(executor, [waker = std::move(waker)] {
      if (const auto alive = waker.lock()) alive->cancel();
    });
  };
  CO_TRY(Workers::Ticket ticket, workers.submit(std::move(run)));
  leaver.ticket = ticket;
  const auto [error] = co_await timer->async_wait(asio::as_tuple(asio::use_awaitable));
  leaver.ticket.reset();
  {
    const std::lock_guard lock(meeting->mutex);
    if (meeting->thrown) std::rethrow_exception(meeting->thrown);
    if (auto& result = meeting->result; result.has_value()) co_return std::move(*result);
  }
  ticket.leave_behind();
  co_return std::unexpected(error ? cancelled_error() : timeout_error(limit));
}

/// More text than this holds up the loop when it is parsed or redacted.
inline constexpr std::size_t kMaxOnLoop = 64UL * 1024;
inline constexpr std::chrono::seconds kMaxForLargeText{30};

/// Threads that parse and redact large texts, shared by the whole process. They have no state.
Workers& large_text_workers();

/// Runs `job`, which goes through `bytes` of text: here if they are few, otherwise on a worker while the loop goes on.
/// Cancelling the caller does not stop it, so what was already paid for is not lost. The job must own what it uses.
template <class T>
Task<Result<T>> off_loop_if_large(std::size_t bytes, std::move_only_function<Result<T>()> job) {
  if (bytes <= kMaxOnLoop) co_return job();
  const auto executor = co_await asio::this_coro::executor;
  // In a coroutine of its own: the caller may be cancelled meanwhile.
  const auto uncancelled = [](std::move_only_function<Result<T>()> large) -> Task<Result<T>> {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    auto with_stop = [large = std::move(large)](const std::stop_token&) mutable { return large(); };
    co_return co_await on_worker<T>(large_text_workers(), kMaxForLargeText, std::move(with_stop));
  };
  co_return co_await asio::co_spawn(executor, uncancelled(std::move(job)), asio::use_awaitable);
}

}  // namespace deputy
