// Which services a request speaks of, by key, full name or alias.
#pragma once

#include <string>
#include <vector>

#include "intent/names.h"
#include "intent/vocabulary.h"

namespace deputy::intent {

/// Their keys, in order of mention, at most kMostOfAKind. The longest name wins; an alias that is an ordinary word
/// ("search") counts only where a thing is meant ("errors in search", not "search the logs"); an alias inside another
/// name (`core` in `other-core`) does not count. What is found is claimed.
std::vector<std::string> find_services(const Tokens& tokens, const Vocabulary& vocabulary, Claims& claims);

}  // namespace deputy::intent
