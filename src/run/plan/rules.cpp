#include "run/plan/rules.h"

#include "base/text.h"

namespace deputy::run {

std::string canonical_environment(std::string_view name, const Rules& rules) {
  const std::string wanted = to_lower(trim(name));
  for (const auto& [environment, other_names] : rules.environments) {
    if (to_lower(environment) == wanted) return environment;
    for (const std::string& other : other_names) {
      if (to_lower(other) == wanted) return environment;
    }
  }
  return std::string(name);
}

policy::GrantDuration lasting_at(const policy::Place& place, const Rules& rules) {
  const bool session = rules.in_session && place.kind == policy::PlaceKind::terminal;
  return session ? policy::GrantDuration::session : policy::GrantDuration::thread;
}

interaction::Zone zone_of(const Rules& rules, std::string_view name) {
  if (name.empty() || !rules.zone_named) return rules.zone;
  return rules.zone_named(name).value_or(rules.zone);
}

PlanLimits plan_limits(const LimitSettings& settings) {
  PlanLimits limits;
  limits.tool_turns = settings.tool_turns;
  limits.calls_at_once = settings.calls_at_once;
  limits.reply_tokens = settings.reply_tokens;
  return limits;
}

}  // namespace deputy::run
