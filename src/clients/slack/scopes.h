// The bot scopes that Deputy asks Slack for, each with what is off without it. One table for the app's manifest, for
// `deputy doctor` and for the Slack guide. Pure.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace deputy::clients::slack {

struct Scope {
  std::string_view name;
  std::string_view feature;  // what is off without it

  bool operator==(const Scope&) const = default;
};

/// All of them, sorted by name.
std::span<const Scope> bot_scopes();

/// Those that are not among `granted`, a list with commas as Slack's replies have it.
std::vector<Scope> missing_scopes(std::string_view granted);

}  // namespace deputy::clients::slack
