// A store that is busy, or whose disk is full, answers with an error that may pass (`retryable`): nothing is stored,
// and it may be asked the same again. Whoever holds what nobody else can go on with (a run, a delivery that went out)
// asks until it answers; whoever can be asked again (a channel that gave no receipt) hands the error on instead.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>

#include "base/log.h"
#include "base/task.h"

namespace deputy::store {

inline bool may_pass(const Error& error) { return error.retryable; }

class Patience {
 public:
  static constexpr std::chrono::milliseconds kFirstPause{50};
  static constexpr std::chrono::milliseconds kLongestPause{5'000};

  /// Asks until the answer is a value, or an error after which asking `again` is of no use. What it asks and this
  /// outlive the call.
  template <class T>
  Task<Result<T>> ask(std::function<Task<Result<T>>()> ask, std::function<bool(const Error&)> again = &may_pass) const {
    for (std::chrono::milliseconds pause = kFirstPause;; pause = std::min(pause * 2, kLongestPause)) {
      Result<T> answer = co_await ask();
      if (answer || !again(answer.error()) || is_over()) co_return answer;
      log::warning("the store is asked again", {{"why", describe(answer.error())}});
      co_await sleep_for(pause);
    }
  }

  /// From then on nothing is asked again: for a process that stops.
  void end_at(std::chrono::steady_clock::time_point at) { ends_at_ = at; }
  bool is_over() const { return std::chrono::steady_clock::now() >= ends_at_; }

 private:
  std::chrono::steady_clock::time_point ends_at_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace deputy::store
