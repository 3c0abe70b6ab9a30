#include <gtest/gtest.h>

#include "toolkit/pipeline.h"

namespace deputy::toolkit {
namespace {

using S = Status;

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
           Row{K::upstream, kAnswer, Stage::after_gate, true, S::error},
           Row{K::upstream, kAnswer, Stage::after_gate, false, S::unknown},
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
  }
}

}  // namespace
}  // namespace deputy::toolkit
