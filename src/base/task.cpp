#include "base/task.h"

#include <atomic>
#include <boost/system/system_error.hpp>

#include "base/clock.h"
#include "base/log.h"

namespace deputy {

namespace {

std::atomic<std::int64_t> failures = 0;

}  // namespace

std::string what_of(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "an exception that is not a std::exception";
  }
}

void spawn(const asio::any_io_executor& executor, std::string name, Task<> task) {
  asio::co_spawn(executor, std::move(task), [name = std::move(name)](const std::exception_ptr& thrown) {
    if (!thrown || is_cancellation(thrown)) return;
    failures.fetch_add(1, std::memory_order_relaxed);
    log::error("task failed", {{"task", name}, {"what", what_of(thrown)}});
  });
}

std::int64_t spawn_failures() { return failures.load(std::memory_order_relaxed); }

Error timeout_error(std::chrono::milliseconds limit) {
  return {ErrorKind::timeout, "timed out after " + format_duration(limit), {}, true};
}

Error cancelled_error() { return {ErrorKind::cancelled, "it was cancelled", {}}; }

bool is_cancellation(const std::exception_ptr& thrown) {
  try {
    std::rethrow_exception(thrown);
  } catch (const boost::system::system_error& error) {
    return error.code() == asio::error::operation_aborted;
  } catch (...) {
    return false;
  }
}

Task<> sleep_for(std::chrono::milliseconds duration) {
  asio::steady_timer timer(co_await asio::this_coro::executor, std::min(duration, kMaxWait));
  co_await timer.async_wait(asio::use_awaitable);
}

}  // namespace deputy
