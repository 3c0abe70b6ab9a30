// What people see of a run while it works, on channels that keep their messages.
#include "gateway/outbound/work_signs.h"

#include <gmock/gmock.h>

#include <boost/asio/bind_cancellation_slot.hpp>

#include "gateway/delivery_bench.h"

namespace deputy::gateway {
namespace {

using namespace std::chrono_literals;
using channel::ProgressLine;
using test::Step;
using testing::ElementsAre;
using testing::Pair;
using Steady = std::chrono::steady_clock;

class WorkSignsTest : public DeliveryBench {
 protected:
  WorkSignsTest() {
    settings_of_signs_.edit_every = settings_of_signs_.append_every = settings_of_signs_.sign_every = 1ms;
    settings_of_signs_.known_hosts = {"docs.example"};
    make();
  }
  ~WorkSignsTest() override { await(signs_->stop()); }

  void make() { signs_ = std::make_unique<WorkSigns>(*store_, channels_, loop_.get_executor(), settings_of_signs_); }
  /// A run whose acknowledgement has arrived, and on which this process works.
  RunId working_run(const std::string& conversation = kHere) {
    store::DeliveryRow row = owe(run::AcknowledgementDelivery{"m1", "Checking…", "scripted:U1"}, conversation);
    const RunId run = run_that_owes({row});
    deliver();
    signs_->begin(run, conversation);
    return run;
  }
  void until(const std::function<bool()>& ended) { EXPECT_TRUE(test::run_until_within(10s, loop_, ended)) << seen(); }
  void settle() { await(sleep_for(20ms)); }
  static ProgressLine line(std::string call, ProgressLine::State state) {
    return {.call = std::move(call), .line = "Searching logs", .state = state};
  }

  WorkSignSettings settings_of_signs_;
  std::unique_ptr<WorkSigns> signs_;
};

TEST_F(WorkSignsTest, ThePlatformsSignSaysWhatTheToolDoes) {
  const RunId run = working_run();
  EXPECT_EQ(channel_->working_words("m1"), "Checking…");
  signs_->says(run, "Searching logs of cast-core…");
  until([&] { return channel_->working_words("m1") == "Searching logs of cast-core…"; });
}

TEST_F(WorkSignsTest, TheSignIsRenewedWhileTheRunWorks) {
  settings_of_signs_.renew_every = 4ms;
  make();
  const RunId run = working_run();
  Cancel cancel(loop_.get_executor());
  asio::co_spawn(loop_, signs_->renew(), asio::bind_cancellation_slot(cancel.slot(), [](const std::exception_ptr&) {}));
  until([&] { return channel_->calls(Step::working) >= 4; });
  EXPECT_EQ(channel_->working_words("m1"), "Checking…");
  signs_->close(run);
  settle();
  const int before = channel_->calls(Step::working);
  settle();
  EXPECT_EQ(channel_->calls(Step::working), before);
  cancel.emit();
  settle();
}

TEST_F(WorkSignsTest, TheSignGoesOutWhileItWaitsForPeopleAndComesBack) {
  const RunId run = working_run();
  signs_->says(run, "Searching…");
  until([&] { return channel_->working_words("m1") == "Searching…"; });
  signs_->leave(run, WorkSigns::Leaving::waits);
  until([&] { return !channel_->works_on("m1"); });
  EXPECT_EQ(signs_->runs(), 0U) << "a run that waits costs no memory";
  signs_->begin(run, kHere, WorkSigns::Taking::again);
  until([&] { return channel_->works_on("m1"); });
}

TEST_F(WorkSignsTest, WhereThereIsNoSignTheLineIsEdited) {
  channel_->can.working = false;
  const RunId run = working_run();
  signs_->says(run, "Searching *logs*…");
  until([&] { return seen() == "[1] deputy: Searching \\*logs\\*…\n"; });
}

TEST_F(WorkSignsTest, EditsOfAllRunsShareOneBudgetAndOnlyTheNewestIsSent) {
  channel_->can.working = false;
  settings_of_signs_.edit_every = 60ms;
  make();
  std::vector<Steady::time_point> edits;
  channel_->before = [&](Step step) {
    if (step == Step::edit) edits.push_back(Steady::now());
  };
  const RunId one = working_run("scripted:C1:1");
  const RunId other = working_run("scripted:C2:1");
  for (int i = 0; i <= 20; ++i) {
    signs_->says(one, fmt::format("one {}", i));
    signs_->says(other, fmt::format("other {}", i));
    await(sleep_for(1ms));
  }
  until([&] { return seen("scripted:C1:1").contains("one 20") && seen("scripted:C2:1").contains("other 20"); });
  EXPECT_LE(edits.size(), 6U) << "of 42";
  for (std::size_t i = 1; i < edits.size(); ++i) EXPECT_GE(edits[i] - edits[i - 1], 59ms);
}

TEST_F(WorkSignsTest, AStreamShowsCallsAndSafeText) {
  channel_->can.stream = true;
  const RunId run = working_run();
  signs_->call(run, line("c1", ProgressLine::State::running));
  signs_->text(run, "See https://evil.example/x and https://docs.example/a\nHello @chan");
  until([&] { return !channel_->shown()[0].text.empty(); });
  EXPECT_EQ(channel_->shown()[0].text, "See `https://evil.example/x` and https://docs.example/a\n");
  EXPECT_THAT(channel_->shown()[0].tasks, ElementsAre(Pair("c1", line("c1", ProgressLine::State::running))));
  signs_->text(run, "nel\n");
  signs_->call(run, line("c1", ProgressLine::State::done));
  until([&] { return channel_->shown()[0].text.contains("Hello"); });
  EXPECT_TRUE(channel_->shown()[0].text.ends_with("Hello `@channel`\n")) << channel_->shown()[0].text;
  until([&] { return channel_->shown()[0].tasks.at("c1").state == ProgressLine::State::done; });
  EXPECT_FALSE(channel_->works_on("m1"));
}

TEST_F(WorkSignsTest, AfterARestartTheNewStreamShowsIt) {
  channel_->can.stream = true;
  const RunId run = working_run();
  clock_.advance(1s);
  later(run, {owe(run::RestartDelivery{"scripted:U1"})});
  deliver();
  signs_->delivered(run);
  signs_->text(run, "Going on.\n");
  until([&] { return channel_->shown()[1].text == "Going on.\n"; });
}

TEST_F(WorkSignsTest, WhatCameBeforeItsMessageIsShownOnceThatHasArrived) {
  channel_->can.stream = true;
  const RunId run = run_that_owes({owe(run::AcknowledgementDelivery{"m1", "Checking…"})});
  signs_->begin(run, kHere);
  signs_->call(run, line("c1", ProgressLine::State::running));
  settle();
  EXPECT_EQ(channel_->calls(Step::append), 0);
  deliver();
  signs_->delivered(run);
  until([&] { return channel_->shown()[0].tasks.size() == 1; });
}

TEST_F(WorkSignsTest, NothingIsShownOnceTheRunHasAnswered) {
  channel_->can.working = false;
  const RunId run = working_run();
  channel_->hangs = {Step::edit};
  signs_->says(run, "Searching…");
  until([&] { return channel_->calls(Step::edit) == 1; });
  signs_->says(run, "Still searching…");
  signs_->close(run);
  bool flushed = false;
  asio::co_spawn(loop_, signs_->flush(kHere), [&](const std::exception_ptr&) { flushed = true; });
  settle();
  EXPECT_FALSE(flushed) << "an edit is on its way";
  channel_->hangs.clear();
  until([&] { return flushed; });
  EXPECT_EQ(seen(), "[1] deputy: Searching…\n");
  settle();
  EXPECT_EQ(channel_->calls(Step::edit), 1);
}

TEST_F(WorkSignsTest, TheLastStatesOfItsCallsAreInTheStreamBeforeItsAnswer) {
  channel_->can.stream = true;
  settings_of_signs_.append_every = 10s;
  make();
  const RunId run = working_run();
  signs_->call(run, line("c1", ProgressLine::State::running));
  until([&] { return channel_->shown()[0].tasks.contains("c1"); });
  signs_->call(run, line("c1", ProgressLine::State::done));
  signs_->close(run);
  await(signs_->flush(kHere));
  EXPECT_THAT(channel_->shown()[0].tasks, ElementsAre(Pair("c1", line("c1", ProgressLine::State::done))));
}

TEST_F(WorkSignsTest, ARateLimitPausesTheWholeChannel) {
  channel_->can.working = false;
  const RunId one = working_run("scripted:C1:1");
  const RunId other = working_run("scripted:C2:1");
  Error limited{ErrorKind::rate_limit, "slow down", "", true};
  limited.retry_after = 80ms;
  channel_->fails(Step::edit, limited);
  const auto begun = Steady::now();
  signs_->says(one, "one");
  until([&] { return channel_->calls(Step::edit) == 1; });
  signs_->says(other, "other");
  until([&] { return seen("scripted:C2:1").contains("other"); });
  EXPECT_GE(Steady::now() - begun, 80ms);
}

TEST_F(WorkSignsTest, ARunThatIsNotWorkedOnHereIsNotKept) {
  const RunId run = run_that_owes({owe(run::AcknowledgementDelivery{"m1", "Checking…"})});
  deliver();
  signs_->delivered(run);
  signs_->says(run, "Searching…");
  settle();
  EXPECT_EQ(signs_->runs(), 0U);
  EXPECT_EQ(channel_->calls(Step::working), 1);
}

}  // namespace
}  // namespace deputy::gateway
