// Where a request's verb stands: the difference between "restart it", which asks, and "the restart failed", which
// tells.
#pragma once

#include "intent/tokens.h"

namespace deputy::intent {

enum class Asking {
  no,
  order,     // "restart it", "please restart", "can you restart", "we need to restart"
  question,  // "how do I restart", "can I see"
};

/// Whether the word at `at`, read as a verb, is what the writer wants done.
Asking asking_at(const Tokens& tokens, std::size_t at);

/// The word before, with apostrophes skipped: "don't ask" -> "t" stands for not.
bool is_negated(const Tokens& tokens, std::size_t at);

}  // namespace deputy::intent
