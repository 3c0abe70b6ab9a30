// What a run may spend.
#include "run/budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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
      .add(ModelReplied{.text = "x", .calls = {}, .stop = "end_turn", .cost = cost, .tokens = tokens})
      .state();
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
        {"TheRunBeyondItsLimit", spent(kDollar), {}, {}, 1, 1, "this run may cost $1.00 and has cost $1.00"},
        {"ARunWithoutLimit", spent(500 * kDollar), {.run_usd = 0, .person_day_usd = 0, .day_usd = 0}, {}, 1, 1, {}},
        {"ThePersonUpToTheirLimit", spent(0), {}, today((10 * kDollar) - 1, 0), 1, 1, {}},
        {"ThePersonBeyondTheirLimit",
         spent(0),
         {},
         today(10 * kDollar, 0),
         1,
         1,
         "the runs of ana may cost $10.00 a day"},
        {"APersonWithoutLimit", spent(0), {.person_day_usd = 0}, today(20 * kDollar, 0), 1, 1, {}},
        {"AllBeyondTheirLimit", spent(0), {}, today(0, 50 * kDollar), 1, 1, "all runs together may cost $50.00 a day"},
        {"AllWithoutLimit", spent(0), {.day_usd = 0}, today(0, 90 * kDollar), 1, 1, {}},
        {"EverythingOff", spent(99 * kDollar, 1 << 30), kOff, today(99 * kDollar, 99 * kDollar), 1, 1, {}},
        {"WithoutAPriceTokensCountUpToTheLimit",
         spent(0, 199'000),
         {},
         today(99 * kDollar, 99 * kDollar),
         {},
         1000,
         {}},
        {"WithoutAPriceTokensBeyondTheLimit",
         spent(0, 199'001),
         {},
         {},
         {},
         1000,
         "this run may use 200000 tokens and has used 199001"},
        {"WithoutAPriceAndWithoutLimit", spent(0, 1 << 30), kOff, {}, {}, 1000, {}},
        {"WithAPriceTokensDoNotCount", spent(0, 1 << 30), {}, {}, 1, 1 << 30, {}},
        {"AChildHasTheRestOfItsParent",
         spent(400, 0, 500),
         {},
         {},
         101,
         1,
         "this run may cost $0.00 and has cost $0.00"},
        {"AChildNeverHasMoreThanARun",
         spent(kDollar, 0, 9 * kDollar),
         {},
         {},
         1,
         1,
         "this run may cost $1.00 and has cost $1.00"},
        {"AChildHasTheRestAlsoWhereRunsHaveNoLimit",
         spent(0, 0, 0),
         kOff,
         {},
         1,
         1,
         "this run may cost $0.00 and has cost $0.00"},
    }),
    [](const auto& row) { return row.param.name; });

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
