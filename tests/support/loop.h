// Runs one coroutine on a loop of its own and gives back what it returned: the way every test awaits.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <optional>
#include <stdexcept>

#include "base/task.h"
#include "support/results.h"

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

/// What a fixture awaits with: a loop that outlives whatever the fixture makes on it.
class OnLoop {
 public:
  template <class T>
  T await(Task<T> task) {
    return run_on(loop_, std::move(task));
  }

  /// The value of a Result that must not fail.
  template <class T>
  T must(Task<Result<T>> task) {
    Result<T> result = await(std::move(task));
    EXPECT_OK(result);
    if constexpr (!std::is_void_v<T>) return result ? *std::move(result) : T{};
  }

  asio::io_context loop_;
};

}  // namespace deputy::test
