// Which calls the run itself refuses, and with which words for the model.
#include "run/drive/judge.h"

#include <gmock/gmock.h>

#include "run/drive/runner_fixture.h"
#include "support/journal.h"

namespace deputy::run {
namespace {

using test::ModelScript;
using testing::HasSubstr;

constexpr const char* kBroken = "the arguments cannot be read";
constexpr const char* kUnnamed = "the call names no tool";

struct Row {
  std::string name;
  CallRequested wish;
  std::optional<std::vector<std::string>> only_tools;
  Verdict verdict;
  std::string words;
};

class Judging : public RunnerTest {
 protected:
  Ruled judged(const CallRequested& wish, const std::optional<std::vector<std::string>>& only_tools, int strikes = 0) {
    Received received;
    received.requester = received.account = "slack:T1/U1";
    received.place = write_place({.channel = "slack", .id = "C1", .open_to = policy::OpenTo::members});
    received.only_tools = only_tools;
    Journal journal = Journal().add(received).taken_up().enriched();
    for (int i = 0; i < strikes; ++i) {
      const std::string id = "before_" + std::to_string(i);
      journal.calls({{id, wish.tool}}).finished_call(id, CallStatus::error, kBroken);
    }
    journal.calls({wish});
    const CallState& call = *journal.state().find_call(wish.id);
    return test::run_on(loop_, judge_call(*dependencies_, RunId::make(clock_.now()), journal.state(), call,
                                          When::before_its_first_step))
        .entry;
  }
};

TEST_F(Judging, RefusesACallWithAFaultInWordsThatHelpTheModel) {
  const json::object query{{"query", "checkout"}};
  const std::vector<Row> rows{
      {"one that is whole", {"c1", "search_notes", query}, {}, Verdict::allow, ""},
      {"broken arguments", {"c1", "search_notes", query, kBroken}, {}, Verdict::refused, kBroken},
      {"broken arguments of a form",
       {"c1", "ask_user", {}, kBroken},
       {{"search_notes"}},
       Verdict::refused,
       std::string(kBroken) + "; there are `search_notes`"},
      {"no name",
       {"c1", "unnamed_tool", {}, kUnnamed},
       {},
       Verdict::refused,
       std::string(kUnnamed) + "; the tools are `restart_service`, `run_command` and `search_notes`"},
      {"no name where few may be used",
       {"c1", "unnamed_tool", {}, kUnnamed},
       {{"search_notes"}},
       Verdict::refused,
       std::string(kUnnamed) + "; there are `search_notes`"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Ruled ruled = judged(row.wish, row.only_tools);
    EXPECT_EQ(ruled.verdict, row.verdict);
    if (ruled.verdict == Verdict::refused) EXPECT_EQ(ruled.words, row.words);
  }
}

struct PlaceRow {
  std::string name;
  CallRequested wish;
  std::optional<std::vector<std::string>> categories;  // of C1
  Verdict verdict;
  std::string rule;
  std::string words;
};

TEST_F(Judging, SaysThatAToolMayNotBeUsedHereWhateverIsWrongWithItsArguments) {
  const std::string no_notes =
      "`search_notes` may not be used in this channel until channels.C1.categories lists doc_tools";
  const std::string no_commands =
      "`run_command` may not be used in this channel until channels.C1.categories lists workspace_tools";
  const std::optional<std::vector<std::string>> other{{"alarm_tools"}};
  const std::vector<PlaceRow> rows{
      {"arguments that are right",
       {"c1", "search_notes", {{"query", "x"}}},
       other,
       Verdict::deny,
       "channel.categories",
       no_notes},
      {"none", {"c1", "search_notes", {}}, other, Verdict::deny, "channel.categories", no_notes},
      {"none, by its alias", {"c1", "find_notes", {}}, other, Verdict::deny, "channel.categories", no_notes},
      {"a wrong one", {"c1", "search_notes", {{"qery", "x"}}}, other, Verdict::deny, "channel.categories", no_notes},
      {"broken ones", {"c1", "search_notes", {}, kBroken}, other, Verdict::deny, "channel.categories", no_notes},
      {"none, where it is off until listed",
       {"c1", "run_command", {}},
       {},
       Verdict::deny,
       "channel.categories",
       no_commands},
      {"none, where it may be used", {"c1", "search_notes", {}}, {{"doc_tools"}}, Verdict::refused, "call", "query"},
      {"a tool that does not exist", {"c1", "serch_notes", {}}, other, Verdict::refused, "call", "there is no tool"},
  };
  for (const PlaceRow& row : rows) {
    SCOPED_TRACE(row.name);
    change_rules([&](Rules& rules) { rules.policy.settings.channels["C1"].categories = row.categories; });
    const Ruled ruled = judged(row.wish, {});
    EXPECT_EQ(ruled.verdict, row.verdict);
    EXPECT_EQ(ruled.rule, row.rule);
    EXPECT_THAT(ruled.words, HasSubstr(row.words));
  }
}

TEST_F(RunnerTest, ACallOfAToolThatIsOffHereIsDeniedAndTheRunGoesOn) {
  change_rules([](Rules& rules) { rules.policy.settings.channels["C1"].categories = {{"alarm_tools"}}; });
  const auto model = ModelScript().calls("search_notes", {}).then_says("Not here.").make();
  model_ = model;
  const RunId run = asks("what about checkout?");
  until_finished(run);
  EXPECT_EQ(test::held(state_of(run).find_call("call_1")->finished).status, CallStatus::denied);
  const auto& result = std::get<model::CallResult>(model->requests().at(1).turns.back().blocks.at(0));
  EXPECT_TRUE(result.failed);
  EXPECT_THAT(result.text, HasSubstr("may not be used in this channel until channels.C1.categories lists doc_tools"));
  EXPECT_EQ(test::held(state_of(run).replied).text, "Not here.");
}

TEST_F(Judging, ThreeTimesTheSameFaultWithdrawsTheTool) {
  const CallRequested broken{"c1", "search_notes", {}, kBroken};
  EXPECT_EQ(judged(broken, {}, 2).words, kBroken);
  EXPECT_THAT(judged(broken, {}, 3).words, HasSubstr("is withdrawn for the rest of this run"));
}

TEST_F(RunnerTest, ABrokenCallIsAnErrorForTheModelWhichCorrectsIt) {
  const auto model = ModelScript()
                         .calls({{"search_notes", {}, kBroken}})
                         .calls("search_notes", {{"query", "checkout"}})
                         .then_says("Two notes.")
                         .make();
  model_ = model;
  const RunId run = asks("what about checkout?");
  until_finished(run);
  const RunState state = state_of(run);
  EXPECT_EQ(test::held(state.finished).outcome, RunOutcome::answered);
  EXPECT_EQ(test::held(state.replied).text, "Two notes.");
  EXPECT_EQ(test::held(state.find_call("call_1")->finished).status, CallStatus::error);
  ASSERT_EQ(model->requests().size(), 3U);
  const std::vector<model::Turn>& turns = model->requests()[1].turns;
  EXPECT_EQ(turns.at(turns.size() - 2).blocks,
            (std::vector<model::Block>{model::Call{"scripted_1_1", "search_notes", {}}}));
  EXPECT_EQ(turns.back().blocks, (std::vector<model::Block>{model::CallResult{"scripted_1_1", kBroken, true}}));
}

TEST_F(RunnerTest, AModelThatOnlyMakesBrokenCallsEndsAtTheLimitOfTurns) {
  change_rules([](Rules& rules) { rules.limits.tool_turns = 4; });
  ModelScript script;
  for (int i = 0; i < 4; ++i) script.calls({{"unnamed_tool", {}, kUnnamed}});
  const auto model = script.then_says("I could not.").make();
  model_ = model;
  const RunId run = asks("what about checkout?");
  until_finished(run);
  EXPECT_EQ(model->requests().size(), 5U);
  EXPECT_EQ(model->requests().back().calls, model::Calls::none);
  EXPECT_THAT(test::held(state_of(run).replied).text, HasSubstr("I could not."));
}

}  // namespace
}  // namespace deputy::run
