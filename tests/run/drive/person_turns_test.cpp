// Runs of a person beyond what they may have at work wait as rows: they take no room, and begin oldest first.
#include "run/drive/runner_fixture.h"

namespace deputy::run {
namespace {

using test::held;
using test::ModelScript;

class Turns : public RunnerTest {
 protected:
  static constexpr const char* kAna = "slack:T1/U1";
  static constexpr const char* kBo = "slack:T1/U9";

  void limit(int live_runs, int runs_a_person) {
    change_rules([&](Rules& rules) {
      rules.limits.live_runs = live_runs;
      rules.limits.runs_a_person = runs_a_person;
      rules.limits.requests_a_person = 0;
    });
  }
  std::size_t told() {
    std::size_t notices = 0;
    for (const RunId& run : waiting_) notices += must(store_->deliveries({.run = run})).size();
    return notices;
  }
  /// As many more of one person as wait.
  void queues(int runs) {
    for (int i = 0; i < runs; ++i) waiting_.push_back(asks("and this?", kAna));
    until([&] { return told() == waiting_.size(); });
    until([&] { return runner_->health().live == 1; });
  }

  std::vector<RunId> waiting_;
};

TEST_F(Turns, OfOnePersonHoldUpNobodyElse) {
  limit(2, 1);
  const auto model = ModelScript().hangs().says("Hello, Bo.").make();
  model_ = model;
  const RunId first = asks("think", kAna);
  until([&] { return model->waiting() == 1; });
  queues(20);
  const RunId other = asks("hello", kBo);
  until_finished(other);
  EXPECT_EQ(held(state_of(other).replied).text, "Hello, Bo.");
  EXPECT_EQ(told(), waiting_.size()) << "once each";
  EXPECT_EQ(state_of(first).owner, 1);
}

TEST_F(Turns, AreTakenByAge) {
  limit(10, 1);
  const auto model = ModelScript().hangs().says("1").says("2").says("3").says("4").make();
  model_ = model;
  const RunId first = asks("think", kAna);
  until([&] { return model->waiting() == 1; });
  queues(4);
  must(store_->mail({first, encode(CancelRequested{kAna}, clock_.now())}, {}));
  std::vector<std::string> replies;
  for (const RunId& run : waiting_) {
    until_finished(run);
    replies.push_back(held(state_of(run).replied).text);
  }
  EXPECT_EQ(replies, (std::vector<std::string>{"1", "2", "3", "4"}));
}

TEST_F(Turns, AreNotNeededToStop) {
  limit(10, 1);
  const auto model = ModelScript().hangs().make();
  model_ = model;
  asks("think", kAna);
  until([&] { return model->waiting() == 1; });
  queues(1);
  must(store_->mail({waiting_[0], encode(CancelRequested{kAna}, clock_.now())}, {}));
  until_finished(waiting_[0]);
  EXPECT_EQ(held(state_of(waiting_[0]).finished).outcome, RunOutcome::cancelled);
}

Task<> stop_the_newest(store::Store& store, std::string conversation, Timestamp now) {
  const auto here = co_await store.conversation(std::move(conversation));
  EXPECT_OK(here);
  const std::optional<RunId> newest = here ? here->newest_run : std::nullopt;
  if (!newest) co_return;
  EXPECT_OK(co_await store.mail({*newest, encode(CancelRequested{"slack:T1/U1"}, now)}, {}));
}

// Between reading its journal and saying that it waits.
TEST_F(Turns, AStopThatComesWhileItIsToldToWaitIsHeard) {
  limit(10, 1);
  change_rules([](Rules& rules) { rules.limits.requests_a_person = 20; });
  const auto model = ModelScript().hangs().make();
  model_ = model;
  asks("think", kAna);
  until([&] { return model->waiting() == 1; });
  failing_->before = [this, stopped = false](std::string_view method) mutable {
    if (method != "journal" || std::exchange(stopped, true)) return;
    spawn(loop_.get_executor(), "stop", stop_the_newest(*store_, kThread, clock_.now()));
  };
  const RunId run = asks("and this?", kAna);
  until_finished(run);
  EXPECT_EQ(held(state_of(run).finished).outcome, RunOutcome::cancelled);
}

// Whoever waits asks the store for nothing: only the claims look, once a second and at all of them together.
TEST_F(Turns, CostNothingWhileTheyAreWaitedFor) {
  limit(10, 1);
  const auto model = ModelScript().hangs().make();
  model_ = model;
  asks("think", kAna);
  until([&] { return model->waiting() == 1; });
  queues(5);
  const auto reads = [this] { return failing_->calls("journal") + failing_->calls("runs"); };
  const int before = reads();
  const int claims = failing_->calls("claim");
  until([&] { return failing_->calls("claim") > claims + 2; });
  EXPECT_EQ(reads(), before);
}

TEST_F(Turns, AreTakenByAnotherProcessWhenThisOneHasEnded) {
  limit(10, 1);
  const auto model = ModelScript().hangs().hangs().says("At last.").make();
  model_ = model;
  const RunId first = asks("think", kAna);
  until([&] { return model->waiting() == 1; });
  queues(1);
  close();
  open();
  until([&] { return state_of(first).owner == 2 && model->waiting() == 1; });
  must(store_->mail({first, encode(CancelRequested{kAna}, clock_.now())}, {}));
  until_finished(waiting_[0]);
  EXPECT_EQ(held(state_of(waiting_[0]).replied).text, "At last.");
}

}  // namespace
}  // namespace deputy::run
