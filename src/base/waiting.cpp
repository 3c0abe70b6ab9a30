#include "base/waiting.h"

#include <fmt/format.h>

#include <boost/asio/execution.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>
#include <memory>
#include <utility>

#include "base/clock.h"

namespace deputy {

namespace {

using asio::any_io_executor;

/// Runs everything on the executor inside, and is found again by its type.
class ListenedExecutor {
 public:
  ListenedExecutor(any_io_executor inner, std::shared_ptr<const WaitListener> listener)
      : inner_(std::move(inner)), listener_(std::move(listener)) {}

  const WaitListener& listener() const { return *listener_; }

  template <class Property>
    requires asio::can_query_v<const any_io_executor&, Property>
  decltype(auto) query(const Property& property) const {
    return asio::query(inner_, property);
  }
  template <class Property>
    requires asio::can_require_v<const any_io_executor&, Property>
  ListenedExecutor require(const Property& property) const {
    return {asio::require(inner_, property), listener_};
  }
  template <class Property>
    requires asio::can_prefer_v<const any_io_executor&, Property>
  ListenedExecutor prefer(const Property& property) const {
    return {asio::prefer(inner_, property), listener_};
  }
  template <class Function>
  void execute(Function&& function) const {
    inner_.execute(std::forward<Function>(function));
  }
  bool operator==(const ListenedExecutor&) const noexcept = default;

 private:
  any_io_executor inner_;
  std::shared_ptr<const WaitListener> listener_;
};

}  // namespace

any_io_executor with_wait_listener(any_io_executor executor, WaitListener listener) {
  return ListenedExecutor(std::move(executor), std::make_shared<const WaitListener>(std::move(listener)));
}

std::string wait_line(const Error& why, std::chrono::milliseconds wait) {
  const std::string first = why.message.substr(0, why.message.find('\n'));
  return fmt::format("retry in {}: {}\n", format_duration(std::chrono::ceil<std::chrono::seconds>(wait)), first);
}

Task<> sleep_before_retry(Error why, std::chrono::milliseconds wait) {
  const any_io_executor executor = co_await asio::this_coro::executor;
  const auto* listened = executor.target<ListenedExecutor>();
  if (listened != nullptr) listened->listener()(wait_line(why, wait));
  co_await sleep_for(wait);
  if (listened != nullptr) listened->listener()(kTriesAgain);
}

}  // namespace deputy
