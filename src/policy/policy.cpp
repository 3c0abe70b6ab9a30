#include "policy/policy.h"

namespace deputy::policy {

Result<Policy> Policy::make(Settings settings) {
  TRY(Rules rules, Rules::compile(settings.policy.rules, "policy.rules"));
  TRY(Rules hard_deny, Rules::compile(settings.policy.hard_deny, "policy.hard_deny"));
  return Policy{std::move(settings), std::move(rules), std::move(hard_deny)};
}

PlaceRules rules_at(const Place& place, const Settings& settings) {
  PlaceRules rules;
  rules.mode = settings.policy.mode;
  bool denies_all = rules.mode == Mode::deny_all;
  const auto apply = [&](const std::string& key) {
    const auto found = settings.channels.find(key);
    if (key.empty() || found == settings.channels.end()) return;
    const ChannelRules& channel = found->second;
    rules.mode = channel.mode.value_or(rules.mode);
    denies_all = denies_all || rules.mode == Mode::deny_all;
    if (channel.categories) rules.categories = channel.categories;
    if (channel.environments) rules.environments = channel.environments;
    if (!channel.default_environment.empty()) rules.default_environment = channel.default_environment;
    rules.follow = channel.follow.value_or(rules.follow);
    if (!channel.instead.empty()) rules.instead = channel.instead;
  };
  apply(place.channel);
  apply(place.id);
  if (denies_all) rules.mode = Mode::deny_all;
  return rules;
}

}  // namespace deputy::policy
