// Which environments a request speaks of, by the names that settings give them.
#pragma once

#include <string>
#include <vector>

#include "intent/names.h"
#include "intent/vocabulary.h"

namespace deputy::intent {

/// Their names, in order of mention. `production` inside another word, "the dev team", "we went live" and "not in
/// staging" are none. `claims` is of the size of `tokens`; what is found is claimed.
std::vector<std::string> find_environments(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims);

}  // namespace deputy::intent
