#include "app/rules.h"

#include "app/time_zone.h"

namespace deputy::app {

Result<std::shared_ptr<const run::Rules>> make_rules(const Settings& settings, AutoConfirm auto_confirm) {
  auto rules = std::make_shared<run::Rules>();
  TRY(rules->policy, policy::Policy::make(settings));
  TRY(rules->zone, zone_named(settings.timezone));
  rules->tools = settings.tools.by_category();
  rules->environments = settings.environments;
  rules->limits = settings.limits;
  rules->budgets = settings.models.budgets;
  rules->auto_confirm = auto_confirm == AutoConfirm::yes;
  return rules;
}

}  // namespace deputy::app
