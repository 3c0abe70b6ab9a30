// Tries each tool that reads once, for `deputy doctor --tools`: a call with harmless arguments, outside of any run.
// Nothing that may write is called. What a tool needs is taken from settings: an environment, a service, a repository;
// what these cannot say is in ToolSpec::probe.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/task.h"
#include "run/plan/rules.h"
#include "toolkit/registry.h"
#include "tools/services_registry.h"

namespace deputy::app {

struct ToolTrial {
  enum class Outcome { works, broken, not_set_up, skipped };

  std::string tool;
  Outcome outcome = Outcome::works;
  std::string words;  // what came back, what to set, or why it was skipped
};

/// The arguments of a trial; an error names what nobody can say. Pure.
Result<json::object> trial_arguments(const toolkit::ToolSpec& spec, const std::string& environment,
                                     const tools::ServiceList& services);

/// Of every tool that is on, sorted by name.
Task<std::vector<ToolTrial>> try_tools(const toolkit::Registry& registry, const run::Rules& rules,
                                       const tools::ServiceList& services, const Clock& clock);

}  // namespace deputy::app
