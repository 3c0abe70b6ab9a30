// Whether a run may ask the model once more. Pure; what was spent is looked up by the caller.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "run/settings.h"
#include "run/state.h"
#include "store/rows.h"

namespace deputy::run {

inline constexpr std::string_view kEverybody = "all";
std::string person_scope(std::string_view person);

/// "2026-11-15", UTC.
std::string day_of(Timestamp at);

/// Why not, for people; nothing when it may. `cost` is what the next request may cost, nothing when no price is known.
std::optional<std::string> over_budget(const RunState& state, const BudgetSettings& budgets,
                                       const std::vector<store::SpendRow>& spent_today,
                                       std::optional<std::int64_t> cost, std::int64_t tokens);

/// What is left for a child run; nothing when nothing bounds it.
std::optional<std::int64_t> rest_of_budget(const RunState& state, const BudgetSettings& budgets);

/// The budgets of a day that this cost brings past four fifths, a sentence each.
std::vector<std::string> nearly_spent(const RunState& state, const BudgetSettings& budgets,
                                      const std::vector<store::SpendRow>& spent_before, std::int64_t cost);

}  // namespace deputy::run
