#include <fmt/format.h>

#include "base/workers.h"
#include "run/drive/runner_fixture.h"
#include "run/journal/delivery.h"
#include "run/plan/budget.h"

namespace deputy::run {
namespace {

using test::held;
using test::ModelScript;

json::object restart_checkout() { return {{"service", "checkout"}, {"environment", "production"}}; }

TEST_F(RunnerTest, AnswersWithWhatAToolFound) {
  const auto model = ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says("Two notes.").make();
  model_ = model;
  const RunId run = asks("what about checkout?");
  until_finished(run);
  const RunState state = state_of(run);
  EXPECT_EQ(held(state.replied).text, "Two notes.");
  EXPECT_EQ(held(state.finished).outcome, RunOutcome::answered);
  ASSERT_EQ(model->requests().size(), 2U);
  const model::CallResult expected{"scripted_1_1", "checkout is slow\ncheckout is down\n", false};
  EXPECT_EQ(model->requests()[1].turns.back().blocks, std::vector<model::Block>{expected});
  const auto owed = must(store_->take_deliveries(10));
  ASSERT_EQ(owed.size(), 1U);
  EXPECT_EQ(owed[0].kind, "answer");
}

TEST_F(RunnerTest, ALargeReplyIsRedactedOffTheLoop) {
  const std::string secret = "ghp_0123456789abcdefghijABCDEFGHIJ0123456";
  const std::string words = "all is well ";
  std::string large = "the token is " + secret + "\n";
  while (large.size() < 70'000) large += words;
  for (const auto& [text, jobs] : {std::pair{"the token is " + secret, 0}, std::pair{large, 1}}) {
    model_ = ModelScript().says(text).make();
    const std::int64_t before = large_text_workers().taken();
    const RunId run = asks("what about checkout?");
    until_finished(run);
    EXPECT_EQ(large_text_workers().taken() - before, jobs);
    EXPECT_TRUE(held(state_of(run).replied).text.starts_with("the token is [redacted:"));
  }
}

TEST_F(RunnerTest, ALargeJournalIsReadOffTheLoop) {
  for (const auto& [size, jobs] : {std::pair(60'000, 0), std::pair(70'000, 1)}) {
    model_ = ModelScript().says("All is well.").make();
    const std::int64_t before = large_text_workers().taken();
    const RunId run = asks(std::string(static_cast<std::size_t>(size), 'x'));
    until_finished(run);
    EXPECT_EQ(large_text_workers().taken() - before, jobs);
    EXPECT_EQ(held(state_of(run).replied).text, "All is well.");
  }
}

struct WhereParams {
  std::optional<std::string> environment;

  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&WhereParams::environment, "environment", "Where");
  }
};

Task<toolkit::Step> tell_facts(toolkit::CallContext& context) {
  const toolkit::CallFacts& facts = context.facts;
  co_return toolkit::Output{
      fmt::format("{} | {} {} {} | {} {} | {} | {}", facts.request, facts.requester.person, facts.requester.account,
                  facts.requester.timezone, facts.channel, facts.conversation, facts.environment, facts.history.size()),
      {}};
}

TEST_F(RunnerTest, AHandlerIsToldWhoAskedWhatAndWhere) {
  toolkit::ToolSpec spec{.name = "tell_facts",
                         .version = 1,
                         .description = "Tells what it is told",
                         .category = "doc_tools",
                         .effect = toolkit::Effect::read};
  EXPECT_OK(registry_.add(toolkit::make_tool<WhereParams>(std::move(spec), [](const WhereParams&) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "tell", .repeatable = true, .call = [](toolkit::CallContext& context) {
                     return tell_facts(context);
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  })));
  model_ = ModelScript().calls("tell_facts", {{"environment", "prod"}}).then_says("So.").make();
  const RunId run = asks("what do you know?");
  until_finished(run);
  EXPECT_EQ(
      held(state_of(run).find_call("call_1")->finished).text,
      fmt::format("what do you know? | slack:T1/U1 slack:T1/U1 {} | slack {} | prod | 0", rules_->zone.name, kThread));
}

TEST_F(RunnerTest, AWriteWaitsForItsApprovalAndThenRunsOnce) {
  model_ = ModelScript().calls("restart_service", restart_checkout()).then_says("Restarted.").make();
  const RunId run = asks("restart checkout");
  until_parked(run);
  EXPECT_EQ(world_->restarts["checkout"], 0);
  ASSERT_EQ(pending().size(), 1U);
  answers(pending()[0], interaction::State::approved);
  until_finished(run);
  EXPECT_EQ(world_->restarts["checkout"], 1);
  EXPECT_EQ(held(state_of(run).find_call("call_1")->finished).status, CallStatus::success);
  EXPECT_EQ(world_->done, (std::vector<std::string>{"find_service", "show_plan", "restart", "drop_plan"}));
}

TEST_F(RunnerTest, AnApprovalGoesOnInAnotherProcess) {
  model_ = ModelScript().calls("restart_service", restart_checkout()).then_says("Restarted.").make();
  const RunId run = asks("restart checkout");
  until_parked(run);
  close();
  open();
  answers(pending()[0], interaction::State::approved);
  until_finished(run);
  EXPECT_EQ(world_->restarts["checkout"], 1);
}

TEST_F(RunnerTest, ADeniedWriteDoesNotRunAndItsFinallyDoes) {
  const auto model = ModelScript().calls("restart_service", restart_checkout()).then_says("Not done.").make();
  model_ = model;
  const RunId run = asks("restart checkout");
  until_parked(run);
  answers(pending()[0], interaction::State::denied, {{"reason", "not now"}});
  until_finished(run);
  EXPECT_EQ(world_->restarts["checkout"], 0);
  EXPECT_EQ(world_->done.back(), "drop_plan");
  const auto result = std::get<model::CallResult>(model->requests()[1].turns.back().blocks[0]);
  EXPECT_NE(result.text.find("not now"), std::string::npos) << result.text;
}

TEST_F(RunnerTest, WritesOfOneTurnShareACard) {
  model_ = ModelScript()
               .calls({{"run_command", {{"command", "rm a"}}}, {"run_command", {{"command", "rm b"}}}})
               .then_says("Done.")
               .make();
  policy::Settings settings = rules_->policy.settings;
  settings.channels["C1"].categories = std::vector<std::string>{"workspace_tools"};
  rules_ = rules_with(settings);
  const RunId run = asks("clean up");
  until_parked(run);
  const auto waiting = pending();
  ASSERT_EQ(waiting.size(), 2U);
  const auto first = read_interaction_body(waiting[0]);
  const auto second = read_interaction_body(waiting[1]);
  ASSERT_OK(first);
  ASSERT_OK(second);
  EXPECT_EQ(first->card, second->card);
  EXPECT_EQ(must(store_->take_deliveries(10)).size(), 1U);
  answers(waiting[0], interaction::State::approved);
  answers(waiting[1], interaction::State::denied);
  until_finished(run);
  EXPECT_EQ(world_->done.size(), 1U);
}

TEST_F(RunnerTest, ABackgroundCallAnswersAtOnceAndWorksInARunOfItsOwn) {
  json::object arguments = restart_checkout();
  arguments["background"] = true;
  model_ = ModelScript().calls("restart_service", arguments).then_says("It works on it.").make();
  const RunId run = asks("restart checkout in the background");
  until_parked(run);
  answers(pending()[0], interaction::State::approved);
  until_finished(run);
  until([&] { return world_->restarts["checkout"] == 1; });
  const auto runs = must(store_->runs({.parent = run}));
  ASSERT_EQ(runs.size(), 1U);
  until_finished(runs[0].run);
  EXPECT_EQ(held(state_of(runs[0].run).find_call("call_1")->finished).status, CallStatus::success);
}

TEST_F(RunnerTest, StopEndsARunWhoseModelHangs) {
  const auto model = ModelScript().hangs().make();
  model_ = model;
  const RunId run = asks("think");
  until([&] { return model->waiting() == 1; });
  must(store_->mail({run, encode(CancelRequested{"ana"}, clock_.now())}, {}));
  until_finished(run);
  EXPECT_EQ(held(state_of(run).finished).outcome, RunOutcome::cancelled);
}

TEST_F(RunnerTest, ABudgetInDollarsEndsARunWithAClearWord) {
  change_rules([](Rules& rules) { rules.budgets.run_usd = 0.5; });
  const auto model = ModelScript().calls("search_notes", {{"query", "checkout"}}).costs(400'000).make();
  model_ = model;
  const RunId run = asks("what about checkout?");
  until_finished(run);
  EXPECT_EQ(model->requests().size(), 1U);
  EXPECT_EQ(held(state_of(run).limited).what, LimitKind::budget);
  EXPECT_EQ(held(state_of(run).replied).text,
            "I stopped at a budget: this run may cost $0.50 and has cost $0.40; the next request may cost $0.40.\n- "
            "`search_notes`: done\n");
  const auto owed = must(store_->take_deliveries(10));
  ASSERT_EQ(owed.size(), 1U) << "one at a time in a conversation";
  EXPECT_NE(owed[0].body.find("This run has used $0.40 of its $0.50 budget."), std::string::npos) << owed[0].body;
}

TEST_F(RunnerTest, WithoutAPriceABudgetInTokensDoes) {
  change_rules([](Rules& rules) { rules.budgets.run_tokens = 20'000; });
  const auto model = ModelScript().calls("search_notes", {{"query", "checkout"}}).uses({.input_tokens = 19'000}).make();
  model_ = model;
  const RunId run = asks("what about checkout?");
  until_finished(run);
  EXPECT_EQ(model->requests().size(), 1U);
  EXPECT_EQ(held(state_of(run).replied).text,
            "I stopped at a budget: this run may use 20000 tokens and has used 19000.\n- `search_notes`: done\n");
}

TEST_F(RunnerTest, WhatAProcessAskedAndDiedOverIsPaidFor) {
  const RunId run = prepared_to_die("what about checkout?");
  dies_after(run,
             {TakenUp{"dead", TakenAfter::new_run}, Enriched{}, ModelCalled{"scripted", "", "", 600, 300'000, 900}});
  model_ = ModelScript().says("Two notes.").costs(50'000).make();
  open();
  until_finished(run);
  EXPECT_EQ(state_of(run).cost, 50'000);
  EXPECT_EQ(cost_so_far(state_of(run)), 350'000);
  const std::string today = day_of(clock_.now());
  std::int64_t spent = 0;
  for (const store::SpendRow& row : must(store_->spent(today, today))) {
    if (row.scope == kEverybody) spent += row.millionths;
  }
  EXPECT_EQ(spent, 350'000);
}

TEST_F(RunnerTest, AProcessThatDiedBeforeTheEndMakesABudgetCountWhatItAsked) {
  const RunId run = prepared_to_die("what about checkout?");
  dies_after(run,
             {TakenUp{"dead", TakenAfter::new_run}, Enriched{}, ModelCalled{"scripted", "", "", 600, 900'000, 900}});
  const auto model = ModelScript().says("Two notes.").costs(200'000).make();
  model_ = model;
  open();
  until_finished(run);
  EXPECT_TRUE(model->requests().empty());
  EXPECT_EQ(held(state_of(run).replied).text,
            "I stopped at a budget: this run may cost $1.00 and has cost $0.90; the next request may cost "
            "$0.20.\nNothing had been done.\n");
}

TEST_F(RunnerTest, AfterACrashTheRulesAloneFindTheIntent) {
  const RunId run = prepared_to_die("restart staging");
  dies_after(run, {TakenUp{"dead", TakenAfter::new_run}});
  const auto fast = ModelScript().says("never asked").make();
  fast_ = fast;
  model_ = ModelScript().says("Done.").make();
  open();
  until_finished(run);
  EXPECT_TRUE(fast->requests().empty());
  EXPECT_EQ(held(held(state_of(run).enriched).extracted_by), "rules");
}

TEST_F(RunnerTest, ARunThatIsNotUnderstoodIsGivenBackAndSaidInHealth) {
  model_ = ModelScript().hangs().make();
  close();
  open();
  const RunId run = asks("think");
  until([&] { return runner_->health().live == 1; });
  must(store_->mail({run, {0, clock_.now(), "from_the_future", 1, "{}"}}, {}));
  until([&] { return runner_->health().not_understood == std::vector<RunId>{run}; });
  until([&] { return runner_->health().live == 0; });
  const std::vector<store::DeliveryRow> told = must(store_->deliveries({.run = run}));
  ASSERT_EQ(told.size(), 2U) << "its person, and the operators";
  EXPECT_EQ(told[0].conversation, kThread);
  EXPECT_NE(told[0].body.find("another version of Deputy"), std::string::npos) << told[0].body;
  EXPECT_EQ(told[1].conversation, kAlertConversation);
  runner_->wake();
  asks("something else");
  until([&] { return runner_->health().live == 1; });  // it claims, and leaves that one alone
  EXPECT_EQ(runner_->health().not_understood, std::vector<RunId>{run});
  auto another =
      store::SqliteStore::open(loop_.get_executor(), clock_, {.folder = folder_ / "data", .max_gap = kMaxWait});
  ASSERT_OK(another);
  const store::Claimed claimed = must((*another)->claim(10, {}));
  ASSERT_EQ(claimed.leases.size(), 1U);
  EXPECT_EQ(claimed.leases[0].run, run);
}

TEST_F(RunnerTest, PeopleAreToldOnceOfARunThatIsNotUnderstood) {
  model_ = ModelScript().hangs().make();
  const RunId run = asks("think");
  until([&] { return runner_->health().live == 1; });
  must(store_->mail({run, {0, clock_.now(), "from_the_future", 1, "{}"}}, {}));
  for (int process = 0; process < 2; ++process) {
    until([&] { return runner_->health().not_understood == std::vector<RunId>{run}; });
    close();
    open();
  }
  until([&] { return runner_->health().not_understood == std::vector<RunId>{run}; });
  EXPECT_EQ(must(store_->deliveries({.run = run})).size(), 2U);
}

}  // namespace
}  // namespace deputy::run
