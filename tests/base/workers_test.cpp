#include "base/workers.h"

#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/io_context.hpp>
#include <condition_variable>
#include <latch>
#include <stdexcept>
#include <thread>

#include "support/loop.h"
#include "support/results.h"

namespace deputy {
namespace {

using namespace std::chrono_literals;

// Holds jobs until the test lets them go, and lets the test wait until they are there. Jobs own it, because they may
// outlive the test's loop.
class Gate {
 public:
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  /// What a job that is stuck does: it does not hear that it should stop.
  void pass() {
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return is_open_; });
    ++passed_;
    changed_.notify_all();
  }
  void wait_until_arrived(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= count; });
  }
  int passed() {
    const std::lock_guard lock(mutex_);
    return passed_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = false;
  int arrived_ = 0;
  int passed_ = 0;
};

using SharedGate = std::shared_ptr<Gate>;

std::move_only_function<Result<int>(std::stop_token)> stuck_at(SharedGate gate) {
  return [gate = std::move(gate)](const std::stop_token&) -> Result<int> {
    gate->pass();
    return 0;
  };
}

std::move_only_function<Result<int>(std::stop_token)> give(int value) {
  return [value](const std::stop_token&) -> Result<int> { return value; };
}

// Ends when it is asked to, and not before.
std::move_only_function<Result<int>(std::stop_token)> until_stopped(std::shared_ptr<std::latch> stopped,
                                                                    SharedGate started = nullptr) {
  return [stopped = std::move(stopped), started = std::move(started)](const std::stop_token& stop) -> Result<int> {
    if (started) {
      started->open();
      started->pass();
    }
    std::mutex mutex;
    std::condition_variable_any changed;
    std::unique_lock lock(mutex);
    changed.wait(lock, stop, [] { return false; });
    stopped->count_down();
    return 1;
  };
}

// A job that is left behind counts until its thread has put it down, which is a moment after the job itself has ended.
void wait_until_none_is_left_behind(const Workers& workers) {
  while (workers.left_behind() > 0) std::this_thread::yield();
}

TEST(OnWorker, ReturnsWhatTheJobReturned) {
  Workers workers("test", {});
  EXPECT_EQ(test::run(on_worker<int>(workers, 10s, give(7))), 7);
}

TEST(OnWorker, RunsTheJobOnAnotherThread) {
  Workers workers("test", {});
  const auto here = std::this_thread::get_id();
  EXPECT_EQ(
      test::run(on_worker<bool>(
          workers, 10s, [here](const std::stop_token&) -> Result<bool> { return std::this_thread::get_id() != here; })),
      true);
}

std::move_only_function<Result<bool>()> tell_if_elsewhere() {
  return [here = std::this_thread::get_id()]() -> Result<bool> { return std::this_thread::get_id() != here; };
}

TEST(OffLoopIfLarge, SmallTextStaysOnTheLoopAndLargeTextLeavesIt) {
  EXPECT_EQ(test::run(off_loop_if_large<bool>(64 * 1024, tell_if_elsewhere())), false);
  EXPECT_EQ(test::run(off_loop_if_large<bool>(64 * 1024 + 1, tell_if_elsewhere())), true);
}

TEST(OnWorker, ReturnsTheErrorOfTheJob) {
  Workers workers("test", {});
  const auto result = test::run(on_worker<void>(workers, 10s, [](const std::stop_token&) -> Result<> {
    return fail(ErrorKind::not_found, "there is no such file");
  }));
  EXPECT_EQ(result, fail(ErrorKind::not_found, "there is no such file"));
}

TEST(OnWorker, PassesOnWhatTheJobThrows) {
  Workers workers("test", {});
  const auto throwing = [](const std::stop_token&) -> Result<int> { throw std::runtime_error("a bug"); };
  EXPECT_THROW({ const auto result = test::run(on_worker<int>(workers, 10s, throwing)); }, std::runtime_error);
  EXPECT_EQ(test::run(on_worker<int>(workers, 10s, give(7))), 7);
}

TEST(OnWorker, LimitsBeyondWhatATimerHoldsAreNoLimit) {
  Workers workers("test", {});
  EXPECT_EQ(test::run(on_worker<int>(workers, std::chrono::milliseconds::max(), give(7))), 7);
}

TEST(OnWorker, AtItsLimitAJobIsLeftBehindAndAnotherThreadTakesItsPlace) {
  Workers workers("test", {.threads = 1});
  const auto gate = std::make_shared<Gate>();
  const auto stuck = test::run(on_worker<int>(workers, 1ms, stuck_at(gate)));
  EXPECT_EQ(stuck, std::unexpected(timeout_error(1ms)));
  // Whether it had begun is up to the machine; when it had, it counts.
  EXPECT_LE(workers.left_behind(), 1);
  EXPECT_EQ(test::run(on_worker<int>(workers, 10s, give(7))), 7);
  gate->open();
  wait_until_none_is_left_behind(workers);
}

// Waits in a task of its own until the job runs, so that its limit finds it running.
Task<Result<int>> leave_one_behind(Workers& workers, SharedGate gate, int count) {
  asio::cancellation_signal cancel;
  const auto executor = co_await asio::this_coro::executor;
  std::optional<Result<int>> ended;
  asio::steady_timer done(executor, asio::steady_timer::time_point::max());
  asio::co_spawn(executor, on_worker<int>(workers, 1h, stuck_at(gate)),
                 asio::bind_cancellation_slot(cancel.slot(), [&](const std::exception_ptr&, Result<int> result) {
                   ended = std::move(result);
                   done.cancel();
                 }));
  co_await asio::post(executor, asio::use_awaitable);
  gate->wait_until_arrived(count);
  cancel.emit(asio::cancellation_type::terminal);
  while (!ended) co_await done.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return std::move(*ended);
}

TEST(Workers, RefusesNewJobsWhileFourAreLeftBehind) {
  Workers workers("scan", {.threads = 1, .queued = 10, .left_behind = 4});
  const auto gate = std::make_shared<Gate>();
  for (int count = 1; count <= 4; ++count) {
    EXPECT_EQ(test::run(leave_one_behind(workers, gate, count)), std::unexpected(cancelled_error()));
    EXPECT_EQ(workers.left_behind(), count);
  }
  EXPECT_EQ(test::run(on_worker<int>(workers, 10s, give(7))),
            fail(ErrorKind::internal, "all scan threads are stuck in earlier jobs",
                 "try again later; if it does not help, restart Deputy"));
  gate->open();
  wait_until_none_is_left_behind(workers);
  EXPECT_EQ(test::run(on_worker<int>(workers, 10s, give(7))), 7);
}

TEST(Workers, RefusesMoreThanItsQueueHolds) {
  Workers workers("scan", {.threads = 1, .queued = 2});
  const auto gate = std::make_shared<Gate>();
  asio::io_context loop;
  std::vector<Result<int>> results;
  const auto submit = [&](std::move_only_function<Result<int>(std::stop_token)> job) {
    asio::co_spawn(loop, on_worker<int>(workers, 1h, std::move(job)),
                   [&](const std::exception_ptr&, Result<int> result) { results.push_back(std::move(result)); });
    loop.restart();
    loop.poll();
  };
  submit(stuck_at(gate));
  gate->wait_until_arrived(1);
  submit(give(1));
  submit(give(2));
  EXPECT_TRUE(results.empty());
  submit(give(3));
  Error busy{ErrorKind::rate_limit, "the queue of the scan threads is full", "try again later", true};
  EXPECT_EQ(results, (std::vector<Result<int>>{std::unexpected(busy)}));
  gate->open();
  loop.restart();
  loop.run();
  EXPECT_EQ(results, (std::vector<Result<int>>{std::unexpected(busy), 0, 1, 2}));
}

TEST(Workers, UsesAsManyThreadsAsItMay) {
  Workers workers("test", {.threads = 3});
  const auto gate = std::make_shared<Gate>();
  asio::io_context loop;
  int ended = 0;
  for (int i = 0; i < 3; ++i) {
    asio::co_spawn(loop, on_worker<int>(workers, 1h, stuck_at(gate)),
                   [&](const std::exception_ptr&, const Result<int>&) { ++ended; });
  }
  loop.poll();
  gate->wait_until_arrived(3);
  gate->open();
  loop.run();
  EXPECT_EQ(ended, 3);
}

TEST(OnWorker, CancellingTheWaitAsksTheJobToStop) {
  Workers workers("test", {});
  const auto stopped = std::make_shared<std::latch>(1);
  const auto started = std::make_shared<Gate>();
  asio::io_context loop;
  asio::cancellation_signal cancel;
  std::optional<Result<int>> ended;
  asio::co_spawn(loop, on_worker<int>(workers, 1h, until_stopped(stopped, started)),
                 asio::bind_cancellation_slot(
                     cancel.slot(), [&](const std::exception_ptr&, Result<int> result) { ended = std::move(result); }));
  loop.poll();
  started->wait_until_arrived(1);
  cancel.emit(asio::cancellation_type::terminal);
  loop.restart();
  loop.run();
  EXPECT_EQ(ended, Result<int>(std::unexpected(cancelled_error())));
  stopped->wait();
}

TEST(OnWorker, AJobWhoseWaitIsCancelledBeforeItBeginsIsNeverRun) {
  Workers workers("test", {.threads = 1});
  const auto gate = std::make_shared<Gate>();
  asio::io_context loop;
  asio::cancellation_signal cancel;
  bool ran = false;
  std::vector<Result<int>> results;
  const auto keep = [&](const std::exception_ptr&, Result<int> result) { results.push_back(std::move(result)); };
  asio::co_spawn(loop, on_worker<int>(workers, 1h, stuck_at(gate)), keep);
  loop.poll();
  gate->wait_until_arrived(1);
  asio::co_spawn(loop,
                 on_worker<int>(workers, 1h,
                                [&ran](const std::stop_token&) -> Result<int> {
                                  ran = true;
                                  return 1;
                                }),
                 asio::bind_cancellation_slot(cancel.slot(), keep));
  loop.poll();
  cancel.emit(asio::cancellation_type::terminal);
  loop.poll();
  gate->open();
  loop.restart();
  loop.run();
  EXPECT_EQ(results, (std::vector<Result<int>>{std::unexpected(cancelled_error()), 0}));
  EXPECT_EQ(test::run(on_worker<int>(workers, 10s, give(7))), 7);
  EXPECT_FALSE(ran);
  EXPECT_EQ(workers.left_behind(), 0);
}

TEST(Workers, TheirEndAsksRunningJobsToStopAndWaitsForThem) {
  const auto stopped = std::make_shared<std::latch>(1);
  const auto started = std::make_shared<Gate>();
  asio::io_context loop;
  auto workers = std::make_unique<Workers>("test", Workers::Limits{});
  asio::co_spawn(loop, on_worker<int>(*workers, 1h, until_stopped(stopped, started)),
                 [](const std::exception_ptr&, const Result<int>&) {});
  loop.poll();
  started->wait_until_arrived(1);
  workers.reset();
  EXPECT_TRUE(stopped->try_wait());
}

TEST(Workers, TheirEndDoesNotWaitForJobsLeftBehind) {
  const auto gate = std::make_shared<Gate>();
  {
    Workers workers("test", {});
    EXPECT_FAILS(test::run(leave_one_behind(workers, gate, 1)), cancelled);
  }
  EXPECT_EQ(gate->passed(), 0);
  gate->open();
}

TEST(Workers, TheirEndDropsWhatIsQueued) {
  const auto stopped = std::make_shared<std::latch>(1);
  const auto started = std::make_shared<Gate>();
  const auto owned = std::make_shared<int>(0);
  asio::io_context loop;
  auto workers = std::make_unique<Workers>("test", Workers::Limits{.threads = 1});
  const auto ignore = [](const std::exception_ptr&, const Result<int>&) {};
  asio::co_spawn(loop, on_worker<int>(*workers, 1h, until_stopped(stopped, started)), ignore);
  asio::co_spawn(
      loop, on_worker<int>(*workers, 1h, [owned](const std::stop_token&) -> Result<int> { return ++*owned; }), ignore);
  loop.poll();
  started->wait_until_arrived(1);
  workers.reset();
  EXPECT_TRUE(stopped->try_wait());
  EXPECT_EQ(*owned, 0);
}

TEST(Workers, TheirEndDoesNotWaitForAJobWhoseLoopIsGone) {
  const auto gate = std::make_shared<Gate>();
  {
    Workers workers("test", {});
    asio::io_context loop;
    asio::co_spawn(loop, on_worker<int>(workers, 1h, stuck_at(gate)),
                   [](const std::exception_ptr&, const Result<int>&) {});
    loop.poll();
    gate->wait_until_arrived(1);
  }
  EXPECT_EQ(gate->passed(), 0);
  gate->open();
}

TEST(OnWorker, ALoopThatIsDestroyedWhileAJobRunsIsNotTouchedAgain) {
  Workers workers("test", {});
  const auto gate = std::make_shared<Gate>();
  {
    asio::io_context loop;
    asio::co_spawn(loop, on_worker<int>(workers, 1h, stuck_at(gate)),
                   [](const std::exception_ptr&, const Result<int>&) {});
    loop.poll();
    gate->wait_until_arrived(1);
  }
  gate->open();
  EXPECT_EQ(test::run(on_worker<int>(workers, 10s, give(7))), 7);
}

}  // namespace
}  // namespace deputy
