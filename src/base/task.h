// Coroutines on the one loop. Start every task with `spawn`, bound every wait that can be cancelled with
// `with_timeout`, await another thread's result with `await_callback`, and stop a task with `Cancel`.
//
// Cancellation is an exception inside a task (boost::system::system_error, operation_aborted) and becomes a value at
// the first boundary: with_timeout, spawn.
#pragma once

#include <algorithm>
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/cancellation_state.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "base/result.h"

namespace deputy {

namespace asio = boost::asio;

template <class T = void>
using Task = asio::awaitable<T>;

/// Starts a task that nobody waits for. Its exceptions are logged under `name` and counted; cancellation is not
/// counted.
void spawn(const asio::any_io_executor& executor, std::string name, Task<> task);

/// The number of spawned tasks of this process that ended with an exception.
std::int64_t spawn_failures();

/// A year: longer limits are cut to it, because a timer counts nanoseconds and a limit of some centuries would wrap
/// into the past.
inline constexpr std::chrono::milliseconds kMaxWait = std::chrono::hours(365 * 24);

Error timeout_error(std::chrono::milliseconds limit);
Error cancelled_error();

/// The message of an exception.
std::string what_of(const std::exception_ptr& thrown);

/// True when the exception is Asio's cancellation.
bool is_cancellation(const std::exception_ptr& thrown);

/// Runs `task` for at most `limit` and returns its result, or an error of kind `timeout`. Returns only after the task
/// has ended, so nothing it borrowed dangles. The task must react to cancellation; blocking work goes through Workers.
/// T is default-constructible. When the caller itself is cancelled, the cancellation continues as an exception.
template <class T>
Task<Result<T>> with_timeout(std::chrono::milliseconds limit, Task<Result<T>> task) {
  const auto executor = co_await asio::this_coro::executor;
  asio::steady_timer timer(executor, std::min(limit, kMaxWait));
  auto both = asio::experimental::make_parallel_group(asio::co_spawn(executor, std::move(task), asio::deferred),
                                                      timer.async_wait(asio::deferred));
  auto [order, thrown, result, timer_error] =
      co_await std::move(both).async_wait(asio::experimental::wait_for_one(), asio::use_awaitable);
  if (!thrown) co_return std::move(result);
  const bool ran_out = order[0] == 1 && !timer_error;
  if (ran_out && is_cancellation(thrown)) co_return std::unexpected(timeout_error(limit));
  std::rethrow_exception(thrown);
}

/// Sleeps on the loop; can be cancelled.
Task<> sleep_for(std::chrono::milliseconds duration);

/// Resumes the coroutine that waits in `await_callback`. Call it once, from any thread: on the loop's own thread the
/// coroutine continues at once, from others through the loop. Dropping it uncalled is allowed only when the loop is
/// being torn down.
template <class T>
using Callback = std::move_only_function<void(T)>;

/// Passes a callback to `start` and waits until it is called. It cannot be cancelled: use it for work that is bounded
/// by itself.
template <class T, class Start>
Task<T> await_callback(Start start) {
  co_return co_await asio::async_initiate<const asio::use_awaitable_t<>, void(T)>(
      [](auto handler, Start begin) {
        auto executor = asio::get_associated_executor(handler);
        auto guard = asio::make_work_guard(executor);
        // Held while the other thread hands over. Once the coroutine continues, the loop may end, so it first waits
        // until that thread no longer uses the loop. Recursive, because on the loop's own thread both are one.
        auto handover = std::make_shared<std::recursive_mutex>();
        begin(
            Callback<T>([handler = std::move(handler), executor, guard = std::move(guard), handover](T value) mutable {
              const auto held = std::move(handover);  // resuming may destroy this callback
              const std::lock_guard lock(*held);
              asio::dispatch(executor, [handler = std::move(handler), guard = std::move(guard), held,
                                        value = std::move(value)]() mutable {
                {
                  const std::lock_guard until_handed_over(*held);
                }
                std::move(handler)(std::move(value));
              });
            }));
      },
      asio::use_awaitable, std::move(start));
}

/// Cancels a task. Boost 1.81 delivers a cancellation through the loop and reads the signal when it arrives; a signal
/// destroyed with its owner meanwhile would be read after its end, so it is kept until the loop is done with it.
class Cancel {
 public:
  explicit Cancel(boost::asio::any_io_executor executor)
      : executor_(std::move(executor)), signal_(std::make_shared<boost::asio::cancellation_signal>()) {}

  /// For bind_cancellation_slot around the handler of co_spawn.
  boost::asio::cancellation_slot slot() { return signal_->slot(); }

  /// Call it on the loop. It does nothing to a task that has ended.
  void emit() {
    signal_->emit(boost::asio::cancellation_type::terminal);
    boost::asio::post(executor_, [kept = signal_] {});
  }

 private:
  boost::asio::any_io_executor executor_;
  std::shared_ptr<boost::asio::cancellation_signal> signal_;
};

}  // namespace deputy
