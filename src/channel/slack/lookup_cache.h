// Keeps what was looked up by id for a while. Those who ask for the same id at the same time share one call: a burst of
// messages in one channel does not use up the rate limit.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/task.h"

namespace deputy::channel::slack {

template <class T>
class LookupCache {
 public:
  using Read = std::function<Task<Result<T>>(std::string id)>;

  /// Keeps at most `most` values, for `age`; errors are not kept. The clock outlives it.
  LookupCache(const Clock& clock, std::chrono::seconds age, std::size_t most, Read read)
      : clock_(clock), age_(age), most_(most), read_(std::move(read)) {}

  Task<Result<T>> get(std::string id) {
    for (;;) {
      if (const auto found = kept_.find(id); found != kept_.end() && clock_.now() < found->second.until)
        co_return found->second.value;
      const auto others = calls_->find(id);
      if (others == calls_->end()) break;
      const std::shared_ptr<Call> call = others->second;
      co_await call->ended.async_wait(asio::as_tuple(asio::use_awaitable));
      if (call->result) co_return *call->result;
      // Whoever made the call was cancelled.
    }
    const auto executor = co_await asio::this_coro::executor;
    const auto call = std::make_shared<Call>(executor);
    calls_->emplace(id, call);
    const Ending ending{calls_, id, call};
    call->result = co_await read_(id);
    if (*call->result) keep(std::move(id), **call->result);
    co_return *call->result;
  }

  /// The value if one is kept, also an old one; else null.
  const T* known(std::string_view id) const {
    const auto found = kept_.find(id);
    return found == kept_.end() ? nullptr : &found->second.value;
  }

 private:
  struct Kept {
    T value;
    Timestamp until;
  };
  struct Call {
    explicit Call(const asio::any_io_executor& executor) : ended(executor, asio::steady_timer::time_point::max()) {}
    asio::steady_timer ended;  // cancelled when it has
    std::optional<Result<T>> result;
  };
  using Calls = std::map<std::string, std::shared_ptr<Call>>;
  /// Wakes those who wait, also if the call was cancelled or its frame outlives the cache.
  struct Ending {
    std::shared_ptr<Calls> calls;
    std::string id;
    std::shared_ptr<Call> call;
    ~Ending() {
      calls->erase(id);
      call->ended.cancel();
    }
  };

  void keep(std::string id, T value) {
    if (kept_.size() >= most_)
      std::erase_if(kept_, [now = clock_.now()](const auto& one) { return one.second.until <= now; });
    if (kept_.size() >= most_) kept_.clear();
    kept_.insert_or_assign(std::move(id), Kept{std::move(value), clock_.now() + age_});
  }

  const Clock& clock_;
  std::chrono::seconds age_;
  std::size_t most_;
  Read read_;
  std::map<std::string, Kept, std::less<>> kept_;
  std::shared_ptr<Calls> calls_ = std::make_shared<Calls>();
};

}  // namespace deputy::channel::slack
