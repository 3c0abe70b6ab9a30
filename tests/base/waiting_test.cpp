#include "base/waiting.h"

#include <gtest/gtest.h>

#include <string>

#include "base/workers.h"
#include "support/loop.h"
#include "support/results.h"

namespace deputy {
namespace {

using namespace std::chrono_literals;

Error busy() { return {.kind = ErrorKind::rate_limit, .message = "Loki is busy", .hint = {}}; }

Task<Result<int>> waits_after(Workers& workers) {
  CO_TRY(const int value,
         co_await on_worker<int>(workers, 10s, [](const std::stop_token&) -> Result<int> { return 7; }));
  co_await sleep_before_retry(busy(), 1ms);
  co_return value;
}

TEST(Waiting, AListenerHearsWhatIsAwaitedByItsTaskAlone) {
  asio::io_context loop;
  Workers workers("test", {});
  std::string heard;
  std::string other;
  const auto listened = with_wait_listener(loop.get_executor(), [&](std::string_view line) { heard += line; });
  const auto listened_too = with_wait_listener(loop.get_executor(), [&](std::string_view line) { other += line; });
  int ended = 0;
  const auto on_end = [&](const std::exception_ptr& thrown, const Result<int>& value) {
    EXPECT_FALSE(thrown);
    EXPECT_EQ(value, 7);
    ++ended;
  };
  asio::co_spawn(listened, with_timeout<int>(10s, waits_after(workers)), on_end);
  asio::co_spawn(listened_too, on_worker<int>(workers, 10s, [](const std::stop_token&) -> Result<int> { return 7; }),
                 on_end);
  asio::co_spawn(loop, waits_after(workers), on_end);
  test::run_until(loop, [&] { return ended == 3; });
  EXPECT_EQ(heard, "retry in 1s: Loki is busy\ntrying again\n");
  EXPECT_EQ(other, "");
}

}  // namespace
}  // namespace deputy
