// The rules of settings that need more than one key: what a name means, and whether rules keep their own examples.
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/fields.h"
#include "policy/identity.h"
#include "policy/settings.h"

namespace deputy::policy {

/// What exists beside these settings. An empty set is not checked against.
struct Known {
  std::set<std::string> environments = {};
  std::set<std::string> categories = {};
  std::set<std::string> channel_kinds = {};
  std::map<std::string, ValueKind> tools = {};  // every tool, and how its primary value is read
  std::set<std::string> later_kinds = {};       // of channels to come: rules for them may be written already
};

/// Reports every problem where it stands; settings without one make a Policy. `reader` has read these settings: where
/// it found problems in `people` or `roles`, a name that is not among them is not judged.
void check(const Settings& settings, const Known& known, FieldReader& reader);

}  // namespace deputy::policy
