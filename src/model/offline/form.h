// The form that asks people for what no rule can find, as the arguments of `ask_user` (their shape is ask_user's own
// schema).
#pragma once

#include <string>
#include <vector>

#include "model/offline/fill.h"

namespace deputy::model::offline {

/// One question a label, at most ten; options are the choices of the schema, or for an environment the names that were
/// offered before.
json::object form_for(const std::vector<Missing>& missing, const std::vector<std::string>& environments);

/// What is missing, as a list in words: "`environment` (prod or staging)".
std::string in_words(const std::vector<Missing>& missing, const std::vector<std::string>& environments);

}  // namespace deputy::model::offline
