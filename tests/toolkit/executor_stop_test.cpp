// How handlers are ended that do not end by themselves: by their timeout, with their caller, or not at all.
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "base/workers.h"
#include "toolkit/executor.h"
#include "toolkit/executor_fixture.h"

namespace deputy::toolkit {
namespace {

TEST_F(ExecutorTest, EndsAHandlerThatTakesTooLong) {
  const Executed executed = run(repeatable([](CallContext&) { return sleep_then(1h, Continue{}); }, 5ms));
  EXPECT_EQ(failure_in(executed).status, Status::timeout);
  EXPECT_EQ(failure_in(executed).error.message, "timed out after 5ms");
  EXPECT_EQ(executor.left_behind(), 0);
}

TEST_F(ExecutorTest, AHandlerThatIsNotRepeatableAndTimesOutMayHaveHappened) {
  const Failure failure = failure_in(run(once([](CallContext&) { return sleep_then(1h, Continue{}); }, 5ms)));
  EXPECT_EQ(failure.status, Status::unknown);
  EXPECT_EQ(failure.error.kind, ErrorKind::timeout);
  EXPECT_FALSE(failure.error.retryable);
  EXPECT_EQ(failure.error.hint, "It may have happened; check before doing it again");
}

TEST_F(ExecutorTest, BeforeTheGateATimeoutIsAnError) {
  Execution execution = repeatable([](CallContext&) { return sleep_then(1h, Continue{}); }, 5ms);
  execution.link.stage = Stage::before_gate;
  const Failure failure = failure_in(run(std::move(execution)));
  EXPECT_EQ(failure.status, Status::error);
  EXPECT_EQ(failure.error.kind, ErrorKind::timeout);
}

TEST_F(ExecutorTest, ReturnsFromAHandlerThatIgnoresCancellationAndLeavesItBehind) {
  const auto doors_of_test = doors;
  const Executed executed =
      run(once([doors_of_test](CallContext&) { return wait_at(doors_of_test, Continue{}); }, 5ms));
  EXPECT_EQ(failure_in(executed).status, Status::unknown);
  EXPECT_EQ(executor.left_behind(), 1);
  ASSERT_EQ(doors->size(), 1U);
  (*doors)[0](1);
  loop.restart();
  loop.poll();
  EXPECT_EQ(executor.left_behind(), 0);
}

TEST_F(ExecutorTest, RefusesFurtherHandlersWhenFourAreLeftBehind) {
  const auto doors_of_test = doors;
  for (int i = 0; i < 4; ++i) {
    run(repeatable([doors_of_test](CallContext&) { return wait_at(doors_of_test, Continue{}); }, 1ms));
  }
  EXPECT_EQ(executor.left_behind(), 4);
  bool started = false;
  const Failure refused = failure_in(run(once([&started](CallContext&) {
    started = true;
    return answer(Continue{});
  })));
  EXPECT_FALSE(started);
  EXPECT_EQ(refused.status, Status::error);  // it was never started, so nothing is unknown
  EXPECT_EQ(refused.error.kind, ErrorKind::internal);
  EXPECT_EQ(executor.counts().refused, 1);
  (*doors)[2](1);
  loop.restart();
  loop.poll();
  EXPECT_EQ(shown_in(run(once([](CallContext&) { return answer(Output{"again", {}}); }))), "again");
}

TEST_F(ExecutorTest, AHandlerThatIsLeftBehindMayOutliveTheExecutor) {
  const auto doors_of_test = doors;
  {
    Executor gone(clock, {.grace = 1ms});
    test::run_on(loop,
                 gone.execute(once([doors_of_test](CallContext&) { return wait_at(doors_of_test, Continue{}); }, 1ms)));
  }
  ASSERT_EQ(doors->size(), 1U);
  (*doors)[0](1);
  loop.restart();
  loop.poll();
}

TEST_F(ExecutorTest, ALoopMayEndBeforeWhatWasLeftBehind) {
  run(once([](CallContext&) { return sleep_deaf(1h); }, 1ms));
  EXPECT_EQ(executor.left_behind(), 1);
}

/// Told to stop, it ends what it has begun.
Task<Step> end_when_told(CallContext& context, Doors doors) {
  const std::stop_callback on_stop(context.stop, [doors] { (*doors)[0](1); });
  co_await wait_for_door(doors);
  co_return Output{"done", {}};
}

TEST_F(ExecutorTest, AnAnswerWithinTheGraceIsHeard) {
  Executor patient(clock, {.grace = 10s});
  const auto doors_of_test = doors;
  Execution execution =
      once([doors_of_test](CallContext& context) { return end_when_told(context, doors_of_test); }, 5ms);
  EXPECT_EQ(shown_in(test::run_on(loop, patient.execute(std::move(execution)))), "done");
  EXPECT_EQ(patient.left_behind(), 0);
}

Task<Step> work_on(Workers& workers) {
  auto done = co_await on_worker<int>(workers, 1h, [](const std::stop_token& stop) -> Result<int> {
    while (!stop.stop_requested()) std::this_thread::yield();
    return 1;
  });
  if (!done) co_return done.error();
  co_return Continue{};
}

TEST_F(ExecutorTest, AHandlerThatTurnsCancellationIntoAValueHasStillTimedOut) {
  Workers workers("sample", {});
  const Executed executed = run(repeatable([&workers](CallContext&) { return work_on(workers); }, 5ms));
  EXPECT_EQ(failure_in(executed).status, Status::timeout);
  EXPECT_EQ(failure_in(executed).error.kind, ErrorKind::timeout);
}

TEST_F(ExecutorTest, CancellingTheCallerCancelsTheHandlerAndStillGivesAnOutcome) {
  for (const bool is_repeatable : {true, false}) {
    asio::cancellation_signal cancel;
    std::optional<Executed> executed;
    bool ended = false;
    Execution execution = once([&cancel, this](CallContext&) {
      asio::post(loop, [&cancel] { cancel.emit(asio::cancellation_type::terminal); });
      return sleep_then(1h, Continue{});
    });
    execution.link.handler.repeatable = is_repeatable;
    asio::co_spawn(loop, store_outcome(executor.execute(std::move(execution)), executed),
                   asio::bind_cancellation_slot(cancel.slot(), [&](const std::exception_ptr&) { ended = true; }));
    test::run_until(loop, [&] { return ended; });
    ASSERT_TRUE(executed.has_value());
    if (executed) {
      EXPECT_EQ(failure_in(*executed).status, is_repeatable ? Status::cancelled : Status::unknown);
      EXPECT_EQ(failure_in(*executed).error.kind, ErrorKind::cancelled);
    }
  }
}

TEST_F(ExecutorTest, CancellingTheCallerLeavesAHandlerBehindThatDoesNotListen) {
  asio::cancellation_signal cancel;
  std::optional<Executed> executed;
  bool ended = false;
  Execution execution = once([&cancel, this](CallContext&) {
    asio::post(loop, [&cancel] { cancel.emit(asio::cancellation_type::terminal); });
    return wait_at(doors, Continue{});
  });
  asio::co_spawn(loop, store_outcome(executor.execute(std::move(execution)), executed),
                 asio::bind_cancellation_slot(cancel.slot(), [&](const std::exception_ptr&) { ended = true; }));
  test::run_until(loop, [&] { return ended; });
  ASSERT_TRUE(executed.has_value());
  EXPECT_EQ(executor.left_behind(), 1);
}

TEST_F(ExecutorTest, FinallyHandlersHaveTenSecondsAtMost) {
  EXPECT_EQ(ExecutorLimits{}.finally, 10s);
  Execution execution = repeatable([](CallContext&) { return sleep_then(1h, Continue{}); }, 300s);
  execution.link.stage = Stage::finally;
  EXPECT_EQ(failure_in(run(std::move(execution))).error.message, "timed out after 20ms");
}

}  // namespace
}  // namespace deputy::toolkit
