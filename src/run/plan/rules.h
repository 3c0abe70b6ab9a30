// Settings made ready for runs: everything a run is judged and bounded by. Immutable; a reload makes a new one, and
// each decision takes the one of its moment.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "intent/vocabulary.h"
#include "interaction/approval.h"
#include "policy/grants.h"
#include "policy/policy.h"
#include "run/plan/plan.h"
#include "run/settings.h"
#include "toolkit/settings.h"

namespace deputy::run {

struct Rules {
  policy::Policy policy;
  toolkit::ToolsSettings tools;
  std::map<std::string, std::vector<std::string>> environments;  // name to its other names
  LimitSettings limits;
  BudgetSettings budgets;
  std::vector<intent::KnownService> services;
  interaction::Zone zone;  // in which times are shown and read
  /// Zones of people, by IANA name; empty, or giving nothing: `zone` counts.
  std::function<std::optional<interaction::Zone>(std::string_view name)> zone_named;
  std::string system_prompt;  // in place of the built-in one, but for what is data; empty: that
  bool auto_confirm = false;
  bool stop_asking = false;  // the terminal's /yolo
  bool in_session = false;   // this process is a terminal session, which ends its grants when it leaves
};

using CurrentRules = std::function<std::shared_ptr<const Rules>()>;

/// The one name of an environment, whichever of its names is given; as given when no environment has that name.
std::string canonical_environment(std::string_view name, const Rules& rules);

/// The duration of *Approve for this thread* at that place.
policy::GrantDuration lasting_at(const policy::Place& place, const Rules& rules);

/// The zone of a person, by its IANA name; `rules.zone` if it is empty or unknown.
interaction::Zone zone_of(const Rules& rules, std::string_view name);

/// The part of `limits` that `plan` needs.
PlanLimits plan_limits(const LimitSettings& settings);

}  // namespace deputy::run
