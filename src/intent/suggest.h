// Which tools would answer a request, from the names that exist, and what must be asked first.
#pragma once

#include "intent/intent.h"
#include "intent/tokens.h"

namespace deputy::intent {

/// Fills suggested_tools, fallback_options and clarifications_needed of an intent whose other fields are set.
/// `environments` are all that the request names: more than one is a question.
void suggest(const Tokens& tokens, const Vocabulary& vocabulary, const std::vector<std::string>& environments,
             Intent& intent);

}  // namespace deputy::intent
