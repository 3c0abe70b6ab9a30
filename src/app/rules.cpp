#include "app/rules.h"

#include "app/time_zone.h"

namespace deputy::app {

Result<std::shared_ptr<const run::Rules>> make_rules(const Settings& settings, Timestamp now, AutoConfirm auto_confirm,
                                                     std::vector<intent::KnownService> services) {
  auto rules = std::make_shared<run::Rules>();
  TRY(rules->policy, policy::Policy::make(settings));
  TRY(const std::chrono::seconds offset, utc_offset(settings.timezone, now));
  rules->zone = {settings.timezone, std::chrono::round<std::chrono::minutes>(offset)};
  rules->tools = settings.tools.by_category();
  rules->environments = settings.environments;
  rules->services = std::move(services);
  rules->limits = settings.limits;
  rules->budgets = settings.models.budgets;
  rules->auto_confirm = auto_confirm == AutoConfirm::yes;
  return rules;
}

}  // namespace deputy::app
