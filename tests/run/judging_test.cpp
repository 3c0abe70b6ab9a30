// Which calls the run itself refuses, and with which words for the model.
#include "run/judging.h"

#include <gmock/gmock.h>

#include "run/runner_fixture.h"
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
  std::string verdict;
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
      journal.calls({{id, wish.tool}}).finished_call(id, "error", kBroken);
    }
    journal.calls({wish});
    const CallState& call = *journal.state().find_call(wish.id);
    return test::run_on(loop_, judge_call(*services_, RunId::make(clock_.now()), journal.state(), call,
                                          When::before_its_first_step))
        .entry;
  }
};

TEST_F(Judging, RefusesACallWithAFaultInWordsThatHelpTheModel) {
  const json::object query{{"query", "checkout"}};
  const std::vector<Row> rows{
      {"one that is whole", {"c1", "search_notes", query}, {}, "allow", ""},
      {"broken arguments", {"c1", "search_notes", query, kBroken}, {}, "refused", kBroken},
      {"broken arguments of a form",
       {"c1", "ask_user", {}, kBroken},
       {{"search_notes"}},
       "refused",
       std::string(kBroken) + "; there are `search_notes`"},
      {"no name",
       {"c1", "unnamed_tool", {}, kUnnamed},
       {},
       "refused",
       std::string(kUnnamed) + "; the tools are `restart_service`, `run_command` and `search_notes`"},
      {"no name where few may be used",
       {"c1", "unnamed_tool", {}, kUnnamed},
       {{"search_notes"}},
       "refused",
       std::string(kUnnamed) + "; there are `search_notes`"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const Ruled ruled = judged(row.wish, row.only_tools);
    EXPECT_EQ(ruled.verdict, row.verdict);
    if (ruled.verdict == "refused") EXPECT_EQ(ruled.words, row.words);
  }
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
  EXPECT_EQ(test::held(state.finished).outcome, "answered");
  EXPECT_EQ(test::held(state.replied).text, "Two notes.");
  EXPECT_EQ(test::held(state.find_call("call_1")->finished).status, "error");
  ASSERT_EQ(model->requests().size(), 3U);
  const std::vector<model::Turn>& turns = model->requests()[1].turns;
  EXPECT_EQ(turns.at(turns.size() - 2).blocks, (std::vector<model::Block>{model::Call{"call_1", "search_notes", {}}}));
  EXPECT_EQ(turns.back().blocks, (std::vector<model::Block>{model::CallResult{"call_1", kBroken, true}}));
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
