// Retries a store that is busy or whose disk is full. Such an error is `retryable`: nothing was stored, and the same
// request may be repeated. A caller that holds something nobody else can continue (a run, a delivery that went out)
// retries until the store answers. A caller that can be asked again itself (a channel that gave no receipt) returns the
// error instead.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>

#include "base/log.h"
#include "base/task.h"

namespace deputy::store {

inline bool may_pass(const Error& error) { return error.retryable; }

class StoreRetry {
 public:
  static constexpr std::chrono::milliseconds kFirstPause{50};
  static constexpr std::chrono::milliseconds kMaxPause{5'000};

  /// Repeats the request until it returns a value, or an error for which `again` is false. The request and this object
  /// must outlive the call.
  template <class T>
  Task<Result<T>> ask(std::function<Task<Result<T>>()> ask, std::function<bool(const Error&)> again = &may_pass) const {
    for (std::chrono::milliseconds pause = kFirstPause;; pause = std::min(pause * 2, kMaxPause)) {
      Result<T> answer = co_await ask();
      if (answer || !again(answer.error()) || is_over()) co_return answer;
      log::warning("a store request failed; trying again", {{"why", describe(answer.error())}});
      co_await sleep_for(pause);
    }
  }

  /// No retries after this time, for a process that is shutting down.
  void end_at(std::chrono::steady_clock::time_point at) { ends_at_ = at; }
  bool is_over() const { return std::chrono::steady_clock::now() >= ends_at_; }

 private:
  std::chrono::steady_clock::time_point ends_at_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace deputy::store
