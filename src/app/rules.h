// From settings to the rules that runs are judged and bounded by. The only place where a run's rules and the settings
// people write meet.
#pragma once

#include <memory>

#include "app/settings.h"
#include "base/clock.h"
#include "base/result.h"
#include "run/plan/rules.h"

namespace deputy::app {

/// DEPUTY_AUTO_CONFIRM: for tests and CI.
enum class AutoConfirm { no, yes };

/// `settings` loaded without a problem; new rules are made on every reload. The services that requests may name are not
/// in settings: see known_services.h.
Result<std::shared_ptr<const run::Rules>> make_rules(const Settings& settings,
                                                     AutoConfirm auto_confirm = AutoConfirm::no);

}  // namespace deputy::app
