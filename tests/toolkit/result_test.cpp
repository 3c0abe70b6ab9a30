#include "toolkit/result.h"

#include <gtest/gtest.h>

#include <set>

#include "support/results.h"

namespace deputy::toolkit {
namespace {

using S = Status;

const std::set<std::pair<S, S>> kWays{{S::pending, S::running}, {S::pending, S::denied},    {S::pending, S::cancelled},
                                      {S::pending, S::error},   {S::running, S::success},   {S::running, S::error},
                                      {S::running, S::timeout}, {S::running, S::cancelled}, {S::running, S::unknown}};

TEST(ExecutionResult, GoesTheseWaysAndNoOther) {
  for (const auto& [from, from_name] : choices_of(Status{})) {
    for (const auto& [to, to_name] : choices_of(Status{})) {
      EXPECT_EQ(may_become(from, to), kWays.contains({from, to})) << from_name << " -> " << to_name;
      ExecutionResult result;
      result.status = from;
      const bool fails = is_final(to) && to != S::success;
      const auto advanced =
          advance(result, {to, from_millis(5), {}, fails ? std::optional(cancelled_error()) : std::nullopt});
      EXPECT_EQ(advanced.has_value(), kWays.contains({from, to})) << from_name << " -> " << to_name;
    }
  }
}

TEST(ExecutionResult, KeepsWhenItRanAndForHowLong) {
  ExecutionResult pending{.execution_id = "c1", .tool_name = "search_notes"};
  const auto running = advance(pending, {S::running, from_millis(1000)});
  ASSERT_OK(running);
  const auto done = advance(*running, {S::success, from_millis(1250), "two notes"});
  ASSERT_OK(done);
  EXPECT_EQ(*done, (ExecutionResult{"c1", "search_notes", S::success, "two notes", std::nullopt, from_millis(1000),
                                    from_millis(1250), 250}));
}

TEST(ExecutionResult, OfACallThatNeverRanHasNoDuration) {
  const auto denied = advance({}, {S::denied, from_millis(9000), {}, Error{ErrorKind::permission, "Bo said no"}});
  ASSERT_OK(denied);
  EXPECT_EQ(denied->started, std::nullopt);
  EXPECT_EQ(denied->ended, from_millis(9000));
  EXPECT_EQ(denied->duration_ms, 0);
}

TEST(ExecutionResult, ADurationIsNeverNegative) {
  const auto running = advance({}, {S::running, from_millis(1000)});
  ASSERT_OK(running);
  EXPECT_EQ(advance(*running, {S::success, from_millis(10)})->duration_ms, 0);
}

TEST(ExecutionResult, AFailureHasAnErrorAndASuccessHasNone) {
  ExecutionResult running;
  running.status = S::running;
  EXPECT_FAILS(advance(running, {S::error, {}}), internal);
  EXPECT_FAILS(advance(running, {S::success, {}, {}, cancelled_error()}), internal);
}

struct Row {
  ErrorKind kind;
  FailedBy by;
  Stage stage;
  bool repeatable;
  Status status;
};

TEST(Failure, OfAHandlerThatIsNotRepeatableMayHaveHappened) {
  using K = ErrorKind;
  constexpr auto kAnswer = FailedBy::answer;
  constexpr auto kThrew = FailedBy::exception;
  for (const Row& row : {
           Row{K::timeout, kAnswer, Stage::after_gate, true, S::timeout},
           Row{K::timeout, kAnswer, Stage::after_gate, false, S::unknown},
           Row{K::timeout, kAnswer, Stage::before_gate, true, S::error},
           Row{K::timeout, kAnswer, Stage::finally, true, S::timeout},
           Row{K::cancelled, kAnswer, Stage::after_gate, true, S::cancelled},
           Row{K::cancelled, kAnswer, Stage::after_gate, false, S::unknown},
           Row{K::cancelled, kAnswer, Stage::before_gate, true, S::cancelled},
           Row{K::network, kAnswer, Stage::after_gate, true, S::error},
           Row{K::network, kAnswer, Stage::after_gate, false, S::unknown},
           Row{K::internal, kAnswer, Stage::after_gate, false, S::error},
           Row{K::internal, kThrew, Stage::after_gate, false, S::unknown},
           Row{K::internal, kThrew, Stage::after_gate, true, S::error},
           Row{K::conflict, kAnswer, Stage::after_gate, false, S::error},
           Row{K::rate_limit, kAnswer, Stage::after_gate, false, S::error},
       }) {
    Error error{row.kind, "it failed", "wait", true, std::chrono::milliseconds(5)};
    const Failure failure = failure_of(error, row.by, row.stage, row.repeatable);
    EXPECT_EQ(failure.status, row.status) << name(row.kind) << " at stage " << static_cast<int>(row.stage);
    if (row.status == S::unknown) {
      error.hint = "It may have happened; check before doing it again";
      error.retryable = false;
      error.retry_after.reset();
    }
    EXPECT_EQ(failure.error, error);
    // A call before its gate is pending; behind it, running.
    EXPECT_TRUE(may_become(row.stage == Stage::before_gate ? S::pending : S::running, failure.status));
  }
}

}  // namespace
}  // namespace deputy::toolkit
