// A run whose store is busy, full, or takes no new runs: it goes on where it was, and its outcomes are kept.
#include <gmock/gmock.h>

#include "run/drive/runner_fixture.h"

namespace deputy::run {
namespace {

using test::held;
using test::ModelScript;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

json::object restart_checkout() { return {{"service", "checkout"}, {"environment", "production"}}; }

class RunOverAFailingStore : public RunnerTest {
 protected:
  /// How it came to be taken up, each time.
  std::vector<std::string> takings(const RunId& run) {
    std::vector<std::string> after;
    for (const store::EntryRow& row : must(store_->journal(run, 1))) {
      const auto entry = decode(row);
      const auto* taken = entry ? std::get_if<TakenUp>(&entry->body) : nullptr;
      if (taken != nullptr) after.emplace_back(name(taken->after));
    }
    return after;
  }
  store::RunStatus waits_or_ends(const RunId& run) {
    until([&] { return status_of(run) != store::RunStatus::open; });
    return status_of(run);
  }
};

TEST_F(RunOverAFailingStore, WhatAWriteAndAModelSaidIsKeptUntilItCanBeJournalled) {
  const auto model = ModelScript().calls("restart_service", restart_checkout()).then_says("Restarted.").make();
  model_ = model;
  const RunId run = asks("restart checkout");
  until_parked(run);
  answers(pending()[0], interaction::State::approved);
  // The call that would journal the outcome of the write, and some after it.
  failing_->before = [this](std::string_view) {
    if (world_->restarts["checkout"] == 1) failing_->fail("append", 1, test::store_is_busy(), 3);
  };
  until([&] { return failing_->failed("append") > 0; });
  failing_->before = {};
  until_finished(run);
  EXPECT_EQ(held(state_of(run).find_call("call_1")->finished).status, CallStatus::success);
  EXPECT_EQ(world_->restarts["checkout"], 1);
  EXPECT_THAT(model->requests(), SizeIs(2)) << "what was paid for is not bought again";
  EXPECT_THAT(takings(run), ElementsAre("new", "mail")) << "it was never let go of";
}

class EachStep : public RunOverAFailingStore, public testing::WithParamInterface<const char*> {};

// Every call of the method fails before it is made again.
TEST_P(EachStep, OfARunFailsOnceAndItGoesOnWhereItWas) {
  const auto model = ModelScript()
                         .calls("search_notes", {{"query", "checkout"}})
                         .calls("restart_service", restart_checkout())
                         .then_says("Restarted.")
                         .costs(100)
                         .make();
  model_ = model;
  failing_->fail_every_other(GetParam());
  const RunId run = asks("restart checkout");
  ASSERT_EQ(waits_or_ends(run), store::RunStatus::parked);
  answers(pending().at(0), interaction::State::approved);
  until_finished(run);
  EXPECT_GT(failing_->failed(GetParam()), 0);
  EXPECT_EQ(held(state_of(run).replied).text, "Restarted.");
  EXPECT_EQ(world_->done, (std::vector<std::string>{"find_service", "show_plan", "restart", "drop_plan"}));
  EXPECT_THAT(model->requests(), SizeIs(3));
  EXPECT_THAT(takings(run), ElementsAre("new", "mail"));
  EXPECT_THAT(runner_->health().failing, IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Of, EachStep,
                         testing::Values("append", "journal", "claim", "brake", "runs", "spent_on", "text", "grants"),
                         [](const auto& method) { return std::string(method.param); });

TEST_F(RunOverAFailingStore, ARulingWhoseGrantIsSpentByOthersIsTriedFiveTimes) {
  model_ = ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says("Two notes.").make();
  const Error spent{ErrorKind::conflict, "the grant is spent"};
  int rulings = 0;
  int failed_until_given_back = 0;
  failing_->before = [&](std::string_view method) {
    if (method == "grants" && ++rulings == 1) failing_->fail("append", 1, spent, 100);
    if (method == "release" && failed_until_given_back == 0) failed_until_given_back = failing_->failed("append");
  };
  asks("what about checkout?");
  until([&] { return failed_until_given_back > 0; });
  EXPECT_EQ(failed_until_given_back, 5);
  EXPECT_EQ(rulings, 5) << "judged anew each time";
  failing_->fail("append", 1, spent, 0);
  failing_->before = {};
}

TEST_F(RunOverAFailingStore, AStoreThatIsBusyWhenTheProcessStopsGetsItsRunsBackAllTheSame) {
  const auto model = ModelScript().hangs().make();
  model_ = model;
  const RunId run = asks("think");
  until([&] { return model->waiting() == 1; });
  failing_->fail("release", 1, test::store_is_busy(), 2);
  close();
  model_ = ModelScript().says("Thought.").make();
  open();
  until_finished(run);
  EXPECT_THAT(takings(run), ElementsAre("new", "release"));
}

// ---- No room for new runs.

class NoRoom : public RunOverAFailingStore, public testing::WithParamInterface<bool> {
 protected:
  Error no_room() const {
    return {ErrorKind::not_configured, "only 10 MB are free", "free some disk space", GetParam()};
  }
};

TEST_P(NoRoom, ForABackgroundCallEndsTheCallWithThatAndCleansUp) {
  json::object arguments = restart_checkout();
  arguments["background"] = true;
  model_ = ModelScript().calls("restart_service", arguments).then_says("There is no room for it.").make();
  failing_->refuse_children(no_room());
  const RunId run = asks("restart checkout in the background");
  until_parked(run);
  answers(pending()[0], interaction::State::approved);
  until_finished(run);
  const RunState state = state_of(run);
  EXPECT_EQ(held(state.find_call("call_1")->finished).status, CallStatus::error);
  EXPECT_THAT(held(state.find_call("call_1")->finished).text, HasSubstr("only 10 MB are free"));
  EXPECT_EQ(held(state.replied).text, "There is no room for it.");
  EXPECT_EQ(world_->done, (std::vector<std::string>{"find_service", "show_plan", "drop_plan"}));
  EXPECT_THAT(takings(run), ElementsAre("new", "mail"));
  EXPECT_THAT(runner_->health().failing, IsEmpty());
}

struct NoParams {
  template <class Fields>
  static void fields(Fields&) {}
};

Task<toolkit::Step> find_out(toolkit::CallContext& context) {
  if (context.answer) co_return toolkit::Output{as_text(*context.answer), {}};
  co_return toolkit::Delegate{toolkit::DelegateKind::child_run, {{"task", "find out"}}};
}

TEST_P(NoRoom, ForAChildRunEndsTheCallThatWantedItWithThat) {
  toolkit::ToolSpec spec{.name = "investigate",
                         .version = 1,
                         .description = "Finds out what is wrong",
                         .category = "doc_tools",
                         .effect = toolkit::Effect::read,
                         .starts_child_run = true};
  ASSERT_OK(registry_.add(toolkit::make_tool<NoParams>(std::move(spec), [](const NoParams&) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "find_out", .repeatable = true, .call = [](toolkit::CallContext& context) {
                     return find_out(context);
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  })));
  model_ = ModelScript().calls("investigate").then_says("I could not find out.").make();
  failing_->refuse_children(no_room());
  const RunId run = asks("why?");
  until_finished(run);
  const RunState state = state_of(run);
  EXPECT_EQ(held(state.find_call("call_1")->finished).status, CallStatus::error);
  EXPECT_THAT(held(state.find_call("call_1")->finished).text, HasSubstr("only 10 MB are free"));
  EXPECT_EQ(held(state.replied).text, "I could not find out.");
  EXPECT_THAT(takings(run), ElementsAre("new"));
}

INSTANTIATE_TEST_SUITE_P(All, NoRoom, testing::Bool(),
                         [](const auto& row) { return row.param ? "MayPass" : "DoesNotPass"; });

}  // namespace
}  // namespace deputy::run
