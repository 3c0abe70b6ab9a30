// Budgets: may a run ask the model once more? Pure; the caller looks up what was spent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/journal/state.h"
#include "run/settings.h"
#include "store/rows.h"

namespace deputy::run {

inline constexpr std::string_view kEverybody = "all";
std::string person_scope(std::string_view person);
/// The scopes whose budgets of a day hold for this person's runs.
std::vector<std::string> scopes_of(std::string_view person);

/// "2026-11-15", UTC.
std::string day_of(Timestamp at);

/// The rows of a day that this cost is added to: the person's and everybody's.
void add_spent(store::Effects& effects, std::string_view person, std::int64_t cost, Timestamp now);

/// The reason, for people, why it may not; nothing when it may. `cost` is what the next request may cost, nothing when
/// no price is known: then all tokens count. Tokens that were used without a price are always held to `run_tokens`.
std::optional<std::string> over_budget(const RunState& state, const BudgetSettings& budgets,
                                       const std::vector<store::SpendRow>& spent_today,
                                       std::optional<std::int64_t> cost, std::int64_t tokens);

/// The rest of the budget, for a child run; nothing when there is no budget.
std::optional<std::int64_t> rest_of_budget(const RunState& state, const BudgetSettings& budgets);

/// The cost of a run so far, with the estimates of replies that died with their owner.
std::int64_t cost_so_far(const RunState& state);
std::int64_t tokens_so_far(const RunState& state);

/// The sentence that is due when this brings a run past four fifths of its budget. `cost` is nothing when no price is
/// known: then tokens count. A child run spends its parent's budget, which says so itself.
std::optional<std::string> nearly_spent_by_run(const RunState& state, const BudgetSettings& budgets,
                                               std::optional<std::int64_t> cost, std::int64_t tokens);

/// The budgets of a day that this cost brings past four fifths, a sentence each.
std::vector<std::string> nearly_spent(const RunState& state, const BudgetSettings& budgets,
                                      const std::vector<store::SpendRow>& spent_before, std::int64_t cost);

}  // namespace deputy::run
