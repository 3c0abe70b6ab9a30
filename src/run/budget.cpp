#include "run/budget.h"

#include <fmt/format.h>

#include <cmath>

namespace deputy::run {

namespace {

constexpr double kMillion = 1'000'000;

std::int64_t millionths(double dollars) { return std::llround(dollars * kMillion); }

std::string dollars(std::int64_t amount) { return fmt::format("${:.2f}", static_cast<double>(amount) / kMillion); }

std::int64_t spent_under(const std::vector<store::SpendRow>& spent, std::string_view scope) {
  std::int64_t sum = 0;
  for (const store::SpendRow& row : spent) {
    if (row.scope == scope) sum += row.millionths;
  }
  return sum;
}

std::optional<std::int64_t> budget_of_run(const RunState& state, const BudgetSettings& budgets) {
  std::optional<std::int64_t> budget = state.request().budget;
  if (budgets.run_usd > 0) budget = std::min(budget.value_or(millionths(budgets.run_usd)), millionths(budgets.run_usd));
  return budget;
}

}  // namespace

std::string person_scope(std::string_view person) { return fmt::format("person:{}", person); }

std::string day_of(Timestamp at) { return format_timestamp(at).substr(0, 10); }

std::optional<std::string> over_budget(const RunState& state, const BudgetSettings& budgets,
                                       const std::vector<store::SpendRow>& spent_today,
                                       std::optional<std::int64_t> cost, std::int64_t tokens) {
  if (!cost) {
    const bool over = budgets.run_tokens > 0 && state.tokens + tokens > budgets.run_tokens;
    if (!over) return std::nullopt;
    return fmt::format("this run may use {} tokens and has used {}", budgets.run_tokens, state.tokens);
  }
  // A reply that is owed since a crash was paid for as estimated.
  if (const auto budget = budget_of_run(state, budgets); budget && state.cost + state.estimate + *cost > *budget)
    return fmt::format("this run may cost {} and has cost {}", dollars(*budget), dollars(state.cost));
  const std::string& person = state.request().requester;
  const std::int64_t of_person = spent_under(spent_today, person_scope(person));
  if (budgets.person_day_usd > 0 && of_person + *cost > millionths(budgets.person_day_usd))
    return fmt::format("the runs of {} may cost ${:.2f} a day", person, budgets.person_day_usd);
  if (budgets.day_usd > 0 && spent_under(spent_today, kEverybody) + *cost > millionths(budgets.day_usd))
    return fmt::format("all runs together may cost ${:.2f} a day", budgets.day_usd);
  return std::nullopt;
}

std::optional<std::int64_t> rest_of_budget(const RunState& state, const BudgetSettings& budgets) {
  const std::optional<std::int64_t> budget = budget_of_run(state, budgets);
  if (!budget) return std::nullopt;
  return std::max<std::int64_t>(*budget - state.cost, 0);
}

std::vector<std::string> nearly_spent(const RunState& state, const BudgetSettings& budgets,
                                      const std::vector<store::SpendRow>& spent_before, std::int64_t cost) {
  std::vector<std::string> words;
  const auto look = [&](std::string_view scope, double budget, const std::string& whose) {
    const std::int64_t four_fifths = millionths(budget * 0.8);
    const std::int64_t before = spent_under(spent_before, scope);
    if (budget > 0 && before < four_fifths && before + cost >= four_fifths)
      words.push_back(fmt::format("{} of today's ${:.2f} for {} are spent.", dollars(before + cost), budget, whose));
  };
  look(person_scope(state.request().requester), budgets.person_day_usd, state.request().requester);
  look(kEverybody, budgets.day_usd, "everybody");
  return words;
}

}  // namespace deputy::run
