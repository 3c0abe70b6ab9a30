// What a run may spend.
#include "run/plan/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "support/journal.h"

namespace deputy::run {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::int64_t kDollar = 1'000'000;

RunState spent(std::int64_t cost, std::int64_t tokens = 0, std::optional<std::int64_t> budget = {}) {
  Received received{.text = "x", .requester = "ana"};
  received.budget = budget;
  return Journal()
      .add(received)
      .taken_up()
      .model_called()
      .add(ModelReplied{.text = "x", .calls = {}, .stop = ReplyStop::end_turn, .cost = cost, .tokens = tokens})
      .state();
}
RunState spent_by_a_stand_in(std::int64_t unpriced_tokens) {
  ModelReplied replied{.text = "x", .calls = {}, .stop = ReplyStop::end_turn, .cost = 0, .tokens = unpriced_tokens};
  replied.by = "other";
  replied.unpriced_tokens = unpriced_tokens;
  return begun().model_called().add(std::move(replied)).state();
}
std::vector<store::SpendRow> today(std::int64_t of_ana, std::int64_t of_all) {
  return {
      {"person:ana", "2026-11-15", of_ana}, {"person:bo", "2026-11-15", 999 * kDollar}, {"all", "2026-11-15", of_all}};
}

struct Row {
  std::string name;
  RunState state;
  BudgetSettings budgets;
  std::vector<store::SpendRow> spent;
  std::optional<std::int64_t> cost;
  std::int64_t tokens;
  std::optional<std::string> why;
};

class Budget : public testing::TestWithParam<Row> {};

TEST_P(Budget, Says) {
  const Row& row = GetParam();
  EXPECT_EQ(over_budget(row.state, row.budgets, row.spent, row.cost, row.tokens), row.why);
}

const BudgetSettings kOff{0, 0, 0, 0};

INSTANTIATE_TEST_SUITE_P(
    Limits, Budget,
    testing::ValuesIn(std::vector<Row>{
        {"NothingWasSpent", spent(0), {}, {}, 1, 1, {}},
        {"TheRunUpToItsLimit", spent(kDollar - 1), {}, {}, 1, 1, {}},
        {"TheRunBeyondItsLimit",
         spent(kDollar),
         {},
         {},
         1,
         1,
         "this run may cost $1.00 and has cost $1.00; the next request may cost $0.0000"},
        {"ARunWithoutLimit", spent(500 * kDollar), {.run_usd = 0, .person_day_usd = 0, .day_usd = 0}, {}, 1, 1, {}},
        {"ThePersonUpToTheirLimit", spent(0), {}, today((10 * kDollar) - 1, 0), 1, 1, {}},
        {"ThePersonBeyondTheirLimit",
         spent(0),
         {},
         today(10 * kDollar, 0),
         1,
         1,
         "the runs of ana may cost $10.00 a day and have cost $10.00 today"},
        {"APersonWithoutLimit", spent(0), {.person_day_usd = 0}, today(20 * kDollar, 0), 1, 1, {}},
        {"AllBeyondTheirLimit",
         spent(0),
         {},
         today(0, 50 * kDollar),
         1,
         1,
         "all runs together may cost $50.00 a day and have cost $50.00 today"},
        {"AllWithoutLimit", spent(0), {.day_usd = 0}, today(0, 90 * kDollar), 1, 1, {}},
        {"EverythingOff", spent(99 * kDollar, 1 << 30), kOff, today(99 * kDollar, 99 * kDollar), 1, 1, {}},
        {"WithoutAPriceTokensCountUpToTheLimit",
         spent(0, 1'999'000),
         {},
         today(99 * kDollar, 99 * kDollar),
         {},
         1000,
         {}},
        {"WithoutAPriceTokensBeyondTheLimit",
         spent(0, 1'999'001),
         {},
         {},
         {},
         1000,
         "this run may use 2000000 tokens and has used 1999001"},
        {"WithoutAPriceAndWithoutLimit", spent(0, 1 << 30), kOff, {}, {}, 1000, {}},
        {"WithAPriceTokensDoNotCount", spent(0, 1 << 30), {}, {}, 1, 1 << 30, {}},
        {"WhatAStandInUsedWithoutAPriceUpToTheLimit", spent_by_a_stand_in(1'999'999), {}, {}, 1, 1 << 30, {}},
        {"WhatAStandInUsedWithoutAPriceAtTheLimit",
         spent_by_a_stand_in(2'000'000),
         {},
         {},
         1,
         1,
         "this run may use 2000000 tokens that no price is known for and has used 2000000"},
        {"WhatAStandInUsedWithoutAPriceAndWithoutLimit", spent_by_a_stand_in(1 << 30), kOff, {}, 1, 1, {}},
        {"AChildHasTheRestOfItsParent",
         spent(400, 0, 500),
         {},
         {},
         101,
         1,
         "this run may cost $0.0005 and has cost $0.0004; the next request may cost $0.0001"},
        {"AChildNeverHasMoreThanARun",
         spent(kDollar, 0, 9 * kDollar),
         {},
         {},
         1,
         1,
         "this run may cost $1.00 and has cost $1.00; the next request may cost $0.0000"},
        {"AChildHasTheRestAlsoWhereRunsHaveNoLimit",
         spent(0, 0, 0),
         kOff,
         {},
         1,
         1,
         "this run may cost $0.00 and has cost $0.00; the next request may cost $0.0000"},
    }),
    [](const auto& row) { return row.param.name; });

// A reply that never came was paid for: as estimated, for good.
Journal killed_twice() {
  return Journal()
      .received()
      .taken_up()
      .add(ModelCalled{"m", "p", "t", 600, 300'000, 3000})
      .taken_up(TakenAfter::crash)
      .add(ModelCalled{"m", "p", "t", 600, 300'000, 3000})
      .taken_up(TakenAfter::crash);
}

TEST(BudgetLost, CallsThatDiedWithTheirOwnerCountAsEstimated) {
  Journal journal = killed_twice();
  EXPECT_EQ(cost_so_far(journal.state()), 600'000);
  EXPECT_EQ(tokens_so_far(journal.state()), 6000);
  EXPECT_EQ(over_budget(journal.state(), {}, {}, 400'001, 1),
            "this run may cost $1.00 and has cost $0.60; the next request may cost $0.40");
  EXPECT_EQ(over_budget(journal.state(), {.run_tokens = 6500}, {}, std::nullopt, 501),
            "this run may use 6500 tokens and has used 6000");
  EXPECT_EQ(rest_of_budget(journal.state(), {}), 400'000);
  journal.add(ModelCalled{"m", "p", "t", 600, 300'000, 3000});
  journal.add(ModelReplied{.text = "x", .calls = {}, .stop = ReplyStop::end_turn, .cost = 50'000, .tokens = 500});
  EXPECT_EQ(cost_so_far(journal.state()), 650'000) << "the reply corrects its own estimate alone";
  EXPECT_EQ(tokens_so_far(journal.state()), 6500);
}

TEST(BudgetLost, WhatEveryQuestionToAModelCostCounts) {
  Journal journal = Journal().received().taken_up().add(Enriched{.context = "", .cost = 1, .tokens = 10});
  journal.calls({{"c1", "search"}}).ruled("c1", Verdict::allow).started("c1", "act");
  journal.add(Delegated{.call = "c1", .handler = "act", .kind = DelegateTo::model, .payload = {}});
  journal.add(DelegateAnswered{"c1", "x", 2, 20}).finished_call("c1");
  for (int i = 0; i < 3; ++i) journal.says("", ReplyStop::overflow);
  journal.add(Summarised{.text = "x", .items = 1, .cost = 3, .tokens = 30});
  EXPECT_EQ(journal.state().cost, 1 + 2 + 3 + (4 * 10)) << "four turns at ten";
  EXPECT_EQ(journal.state().tokens, 60);
}

TEST(BudgetUnpriced, TokensAreCountedWhoeverUsedThem) {
  Journal journal = Journal().received().taken_up();
  journal.add(Enriched{.context = "", .tokens = 10, .unpriced_tokens = 1});
  journal.calls({{"c1", "search"}}).ruled("c1", Verdict::allow).started("c1", "act");
  journal.add(Delegated{.call = "c1", .handler = "act", .kind = DelegateTo::model, .payload = {}});
  journal.add(DelegateAnswered{"c1", "x", 0, 20, 2}).finished_call("c1");
  for (int i = 0; i < 3; ++i) journal.says("", ReplyStop::overflow);
  journal.add(Summarised{.text = "x", .items = 1, .tokens = 30, .unpriced_tokens = 4});
  journal.model_called().add(ModelReplied{.text = "x",
                                          .calls = {},
                                          .stop = ReplyStop::end_turn,
                                          .tokens = 40,
                                          .unpriced_tokens = std::numeric_limits<std::int64_t>::max()});
  EXPECT_EQ(journal.state().tokens, 100);
  EXPECT_EQ(journal.state().unpriced_tokens, std::numeric_limits<std::int64_t>::max())
      << "it stays at the largest number";
  journal = Journal().received().taken_up().add(Enriched{.context = "", .tokens = 10, .unpriced_tokens = 1});
  EXPECT_EQ(journal.state().unpriced_tokens, 1);
}

TEST(BudgetWarning, OfARunIsSaidOnceByDollarsOrTokens) {
  EXPECT_EQ(nearly_spent_by_run(spent(700'000), {}, 99'999, 1), std::nullopt);
  EXPECT_EQ(nearly_spent_by_run(spent(700'000), {}, 100'000, 1), "This run has used $0.80 of its $1.00 budget.");
  EXPECT_EQ(nearly_spent_by_run(spent(800'000), {}, 100'000, 1), std::nullopt);
  EXPECT_EQ(nearly_spent_by_run(spent(0, 1'599'999), {}, std::nullopt, 1),
            "This run has used 1600000 of its 2000000 tokens.");
  EXPECT_EQ(nearly_spent_by_run(spent(0, 1'600'000), {}, std::nullopt, 1), std::nullopt);
  EXPECT_EQ(nearly_spent_by_run(spent(0), kOff, 99 * kDollar, 1), std::nullopt);
  EXPECT_EQ(nearly_spent_by_run(spent(0), kOff, std::nullopt, 1 << 30), std::nullopt);
  RunState child = spent(0);
  if (child.received) child.received->parent = "r";
  EXPECT_EQ(nearly_spent_by_run(child, {}, 900'000, 1), std::nullopt) << "its parent's budget says so";
}

TEST(BudgetRest, IsWhatAChildMaySpend) {
  EXPECT_EQ(rest_of_budget(spent(300'000), {}), 700'000);
  EXPECT_EQ(rest_of_budget(spent(3 * kDollar), {}), 0);
  EXPECT_EQ(rest_of_budget(spent(300'000), kOff), std::nullopt);
  EXPECT_EQ(rest_of_budget(spent(100, 0, 500), kOff), 400);
}

TEST(BudgetWarning, IsSaidOnceWhenFourFifthsAreSpent) {
  const RunState state = spent(0);
  EXPECT_THAT(nearly_spent(state, {}, today(7'900'000, 0), 99'999), IsEmpty());
  EXPECT_THAT(nearly_spent(state, {}, today(7'900'000, 0), 100'000),
              ElementsAre("$8.00 of today's $10.00 for ana are spent."));
  EXPECT_THAT(nearly_spent(state, {}, today(8'000'000, 0), 100'000), IsEmpty());
  EXPECT_THAT(
      nearly_spent(state, {}, today(7'900'000, 39'900'000), 100'000),
      ElementsAre("$8.00 of today's $10.00 for ana are spent.", "$40.00 of today's $50.00 for everybody are spent."));
  EXPECT_THAT(nearly_spent(state, kOff, today(0, 0), 99 * kDollar), IsEmpty());
}

TEST(Budget, ADayIsOneOfUtc) {
  EXPECT_EQ(day_of(from_millis(1'700'000'000'000)), "2023-11-14");
  EXPECT_EQ(person_scope("ana"), "person:ana");
}

}  // namespace
}  // namespace deputy::run
