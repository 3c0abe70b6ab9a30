// Checks settings that involve more than one key: that names exist, and that rules match their own examples.
#pragma once

#include <map>
#include <set>
#include <string>

#include "base/fields.h"
#include "policy/identity.h"
#include "policy/settings.h"

namespace deputy::policy {

/// Names that exist outside these settings. Nothing is checked against an empty set.
struct Known {
  std::set<std::string> environments = {};
  std::set<std::string> categories = {};
  std::set<std::string> channel_kinds = {};
  std::map<std::string, ValueKind> tools = {};                   // every tool, and how to read its primary value
  std::map<std::string, std::set<std::string>> parameters = {};  // by tool
  std::set<std::string> later_kinds = {};                        // channels to come: rules for them are already allowed
};

/// Reports every problem at its place in settings; settings without problems make a Policy. `reader` has read these
/// settings: if it found problems in `people` or `roles`, unknown names are not reported.
void check(const Settings& settings, const Known& known, FieldReader& reader);

}  // namespace deputy::policy
