// Runs one coroutine on a loop of its own and gives back what it returned: the way every test awaits.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <optional>
#include <stdexcept>

#include "base/task.h"

namespace deputy::test {

/// Runs `task` on `loop` until it has ended, together with whatever else the loop has to do meanwhile. Rethrows what it
/// threw.
template <class T>
T run_on(asio::io_context& loop, Task<T> task) {
  std::exception_ptr thrown;
  bool ended = false;
  auto run_until_ended = [&] {
    loop.restart();
    while (!ended && loop.run_one() > 0) {
    }
    if (thrown) std::rethrow_exception(thrown);
  };
  if constexpr (std::is_void_v<T>) {
    asio::co_spawn(loop, std::move(task), [&](std::exception_ptr error) {
      thrown = std::move(error);
      ended = true;
    });
    run_until_ended();
  } else {
    std::optional<T> result;
    asio::co_spawn(loop, std::move(task), [&](std::exception_ptr error, T value) {
      thrown = std::move(error);
      if (!thrown) result = std::move(value);
      ended = true;
    });
    run_until_ended();
    if (!result) throw std::logic_error("the loop has nothing left to do, and the task has not ended");
    return std::move(*result);
  }
}

/// Runs `loop` until `ended` says so, waiting for what other threads post.
inline void run_until(asio::io_context& loop, const std::function<bool()>& ended) {
  const auto guard = asio::make_work_guard(loop);
  loop.restart();
  while (!ended()) loop.run_one();
}

/// The same, for a while: false when it did not come to that.
inline bool run_until_within(std::chrono::seconds limit, asio::io_context& loop, const std::function<bool()>& ended) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  const auto guard = asio::make_work_guard(loop);
  loop.restart();
  while (!ended()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    loop.run_one_for(std::chrono::milliseconds(200));
  }
  return true;
}

template <class T>
T run(Task<T> task) {
  asio::io_context loop;
  return run_on(loop, std::move(task));
}

}  // namespace deputy::test
