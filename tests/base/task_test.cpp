#include "base/task.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <stdexcept>
#include <thread>

#include "base/log.h"
#include "support/loop.h"
#include "support/results.h"

namespace deputy {
namespace {

using namespace std::chrono_literals;

Task<Result<int>> sleep_then(std::chrono::milliseconds duration, int value) {
  co_await sleep_for(duration);
  co_return value;
}

Task<Result<int>> throw_at_once() {
  throw std::runtime_error("a bug");
  co_return 0;
}

Task<Result<int>> note_end_of(Task<Result<int>> task, bool& ended) {
  struct Noter {
    bool& noted;
    ~Noter() { noted = true; }
  } const noter{ended};
  co_return co_await std::move(task);
}

TEST(WithTimeout, ReturnsTheResultOfWorkThatEndsInTime) {
  EXPECT_EQ(test::run(with_timeout<int>(10s, sleep_then(1ms, 7))), 7);
}

TEST(WithTimeout, EndsWorkThatTakesTooLongAndWaitsForItsEnd) {
  bool ended = false;
  const Result<int> result = test::run(with_timeout<int>(5ms, note_end_of(sleep_then(1h, 7), ended)));
  EXPECT_FAILS(result, timeout);
  EXPECT_TRUE(ended);
}

TEST(WithTimeout, PassesOnWhatTheWorkThrows) {
  EXPECT_THROW({ const auto result = test::run(with_timeout<int>(10s, throw_at_once())); }, std::runtime_error);
}

TEST(WithTimeout, TheInnerLimitEndsFirst) {
  bool ended = false;
  const Result<int> result =
      test::run(with_timeout<int>(10s, with_timeout<int>(5ms, note_end_of(sleep_then(1h, 7), ended))));
  EXPECT_FAILS(result, timeout);
  EXPECT_EQ(result.error().message, "timed out after 5ms");
}

TEST(WithTimeout, TheOuterLimitReachesTheInnermostWork) {
  bool ended = false;
  const Result<int> result =
      test::run(with_timeout<int>(5ms, with_timeout<int>(10s, note_end_of(sleep_then(1h, 7), ended))));
  EXPECT_FAILS(result, timeout);
  EXPECT_EQ(result.error().message, "timed out after 5ms");
  EXPECT_TRUE(ended);
}

TEST(WithTimeout, ALimitBeyondWhatATimerHoldsIsNoLimit) {
  EXPECT_EQ(test::run(with_timeout<int>(std::chrono::milliseconds::max(), sleep_then(1ms, 7))), 7);
}

TEST(Spawn, LogsAndCountsWhatATaskThrows) {
  std::string logged;
  log::set_sink([&](std::string_view line) { logged += line; });
  const auto before = spawn_failures();
  asio::io_context loop;
  spawn(loop.get_executor(), "doomed", []() -> Task<> {
    throw std::runtime_error("a bug");
    co_return;
  }());
  loop.run();
  log::set_sink({});
  EXPECT_EQ(spawn_failures(), before + 1);
  EXPECT_NE(logged.find("task failed task=doomed what=\"a bug\""), std::string::npos) << logged;
}

TEST(AwaitCallback, ResumesWithWhatAnotherThreadGave) {
  std::thread other;
  const int value = test::run(await_callback<int>([&](Callback<int> callback) {
    other = std::thread([callback = std::move(callback)]() mutable { callback(42); });
  }));
  other.join();
  EXPECT_EQ(value, 42);
}

TEST(AwaitCallback, TheLoopMayBeGoneBeforeTheOtherThreadReturns) {
  for (int i = 0; i < 200; ++i) {
    std::thread other;
    test::run(await_callback<int>([&](Callback<int> callback) {
      other = std::thread([callback = std::move(callback)]() mutable { callback(42); });
    }));
    other.join();
  }
}

TEST(AwaitCallback, ResumesWhenCalledAtOnce) {
  EXPECT_EQ(test::run(await_callback<int>([](Callback<int> callback) { callback(1); })), 1);
}

}  // namespace
}  // namespace deputy
