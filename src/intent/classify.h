// What kind of request it is: scores from a table of words, where they stand, and what the request names.
#pragma once

#include "intent/intent.h"
#include "intent/tokens.h"

namespace deputy::intent {

struct Classified {
  IntentType type = IntentType::chat;
  double confidence = 0;
};
Classified classify(const Tokens& tokens, const Parameters& parameters);

/// What must be read beside the request to understand it.
std::vector<ContextRequirement> find_context_requirements(const Tokens& tokens, IntentType type,
                                                          const Parameters& parameters);

}  // namespace deputy::intent
