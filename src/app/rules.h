// From settings to the rules that runs are judged and bounded by. The only place where a run's rules and the settings
// people write meet.
#pragma once

#include <memory>

#include "app/settings.h"
#include "base/clock.h"
#include "base/result.h"
#include "run/rules.h"

namespace deputy::app {

/// DEPUTY_AUTO_CONFIRM: for tests and CI.
enum class AutoConfirm { no, yes };

/// `settings` loaded without a problem. Times are shown as clocks stand at `now`: a new one is made on every reload,
/// and whenever the offset of the zone changes. `services` are those that requests may name.
Result<std::shared_ptr<const run::Rules>> make_rules(const Settings& settings, Timestamp now,
                                                     AutoConfirm auto_confirm = AutoConfirm::no,
                                                     std::vector<intent::KnownService> services = {});

}  // namespace deputy::app
