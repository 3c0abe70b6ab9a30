#include "run/plan/budget.h"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>
#include <limits>

namespace deputy::run {

namespace {

constexpr double kMillion = 1'000'000;

std::int64_t millionths(double dollars) { return std::llround(dollars * kMillion); }

// Below a cent two digits would say nothing.
std::string dollars(std::int64_t amount) {
  constexpr std::int64_t kCent = 10'000;
  const double in_dollars = static_cast<double>(amount) / kMillion;
  return amount > 0 && amount < kCent ? fmt::format("${:.4f}", in_dollars) : fmt::format("${:.2f}", in_dollars);
}

std::int64_t sum_of(std::initializer_list<std::int64_t> parts) {
  std::int64_t sum = 0;
  for (const std::int64_t part : parts) {
    if (__builtin_add_overflow(sum, part, &sum)) return std::numeric_limits<std::int64_t>::max();
  }
  return sum;
}

// True when this step crosses four fifths of the budget.
bool passes_four_fifths(std::int64_t before, std::int64_t more, std::int64_t budget) {
  const std::int64_t four_fifths = budget / 5 * 4 + budget % 5 * 4 / 5;
  return budget > 0 && before < four_fifths && sum_of({before, more}) >= four_fifths;
}

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

std::vector<std::string> scopes_of(std::string_view person) { return {person_scope(person), std::string(kEverybody)}; }

std::string day_of(Timestamp at) { return format_timestamp(at).substr(0, 10); }

void add_spent(store::Effects& effects, std::string_view person, std::int64_t cost, Timestamp now) {
  if (cost <= 0) return;
  effects.spent.push_back({person_scope(person), day_of(now), cost});
  effects.spent.push_back({std::string(kEverybody), day_of(now), cost});
}

std::int64_t cost_so_far(const RunState& state) { return sum_of({state.cost, state.lost_cost, state.estimate}); }

std::int64_t tokens_so_far(const RunState& state) {
  return sum_of({state.tokens, state.lost_tokens, state.estimated_tokens});
}

std::optional<std::string> over_budget(const RunState& state, const BudgetSettings& budgets,
                                       const std::vector<store::SpendRow>& spent_today,
                                       std::optional<std::int64_t> cost, std::int64_t tokens) {
  if (!cost) {
    const std::int64_t used = tokens_so_far(state);
    const bool over = budgets.run_tokens > 0 && sum_of({used, tokens}) > budgets.run_tokens;
    if (!over) return std::nullopt;
    return fmt::format("this run may use {} tokens and has used {}", budgets.run_tokens, used);
  }
  // Its replies may come from a stand-in that has no price: no budget in dollars holds those.
  if (budgets.run_tokens > 0 && state.unpriced_tokens >= budgets.run_tokens)
    return fmt::format("this run may use {} tokens that no price is known for and has used {}", budgets.run_tokens,
                       state.unpriced_tokens);
  const std::int64_t so_far = cost_so_far(state);
  if (const auto budget = budget_of_run(state, budgets); budget && sum_of({so_far, *cost}) > *budget)
    return fmt::format("this run may cost {} and has cost {}; the next request may cost {}", dollars(*budget),
                       dollars(so_far), dollars(*cost));
  const std::string& person = state.request().requester;
  const std::int64_t of_person = spent_under(spent_today, person_scope(person));
  if (budgets.person_day_usd > 0 && of_person + *cost > millionths(budgets.person_day_usd))
    return fmt::format("the runs of {} may cost ${:.2f} a day and have cost {} today", person, budgets.person_day_usd,
                       dollars(of_person));
  const std::int64_t of_all = spent_under(spent_today, kEverybody);
  if (budgets.day_usd > 0 && of_all + *cost > millionths(budgets.day_usd))
    return fmt::format("all runs together may cost ${:.2f} a day and have cost {} today", budgets.day_usd,
                       dollars(of_all));
  return std::nullopt;
}

std::optional<std::int64_t> rest_of_budget(const RunState& state, const BudgetSettings& budgets) {
  const std::optional<std::int64_t> budget = budget_of_run(state, budgets);
  if (!budget) return std::nullopt;
  return std::max<std::int64_t>(*budget - cost_so_far(state), 0);
}

std::optional<std::string> nearly_spent_by_run(const RunState& state, const BudgetSettings& budgets,
                                               std::optional<std::int64_t> cost, std::int64_t tokens) {
  if (state.request().parent) return std::nullopt;
  if (!cost) {
    // The reply that is counted now is still in the state as an estimate too.
    const std::int64_t before = sum_of({state.tokens, state.lost_tokens});
    if (!passes_four_fifths(before, tokens, budgets.run_tokens)) return std::nullopt;
    return fmt::format("This run has used {} of its {} tokens.", sum_of({before, tokens}), budgets.run_tokens);
  }
  const std::int64_t before = sum_of({state.cost, state.lost_cost});
  const std::int64_t budget = budget_of_run(state, budgets).value_or(0);
  if (!passes_four_fifths(before, *cost, budget)) return std::nullopt;
  const std::int64_t now = sum_of({before, *cost});
  if (now >= budget) return fmt::format("This run has used its {} budget ({}).", dollars(budget), dollars(now));
  return fmt::format("This run has used {} of its {} budget.", dollars(now), dollars(budget));
}

std::vector<std::string> nearly_spent(const RunState& state, const BudgetSettings& budgets,
                                      const std::vector<store::SpendRow>& spent_before, std::int64_t cost) {
  std::vector<std::string> words;
  const auto look = [&](std::string_view scope, double budget, const std::string& whose) {
    const std::int64_t before = spent_under(spent_before, scope);
    if (passes_four_fifths(before, cost, millionths(budget)))
      words.push_back(fmt::format("{} of today's ${:.2f} for {} are spent.", dollars(before + cost), budget, whose));
  };
  look(person_scope(state.request().requester), budgets.person_day_usd, state.request().requester);
  look(kEverybody, budgets.day_usd, "everybody");
  return words;
}

}  // namespace deputy::run
