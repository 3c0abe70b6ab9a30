// Settings made ready to judge by: checked (check.h) and with compiled patterns. Immutable; a reload makes a new one.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "policy/identity.h"
#include "policy/rules.h"
#include "policy/settings.h"

namespace deputy::policy {

struct Policy {
  Settings settings;
  Rules rules;
  Rules hard_deny;

  /// Fails on a pattern that RE2 refuses, which `check` would have reported.
  static Result<Policy> make(Settings settings);
};

/// What holds at a place: what its own key of `channels` says, else what that of its kind says. `mode` also looks at
/// `policy.mode`, and deny_all at any of the three holds.
struct PlaceRules {
  Mode mode = Mode::ask;
  std::optional<std::vector<std::string>> categories = std::nullopt;
  std::optional<std::vector<std::string>> environments = std::nullopt;
  std::string default_environment = {};
  Follow follow = Follow::requester;
  std::string instead = {};
};
PlaceRules rules_at(const Place& place, const Settings& settings);

}  // namespace deputy::policy
