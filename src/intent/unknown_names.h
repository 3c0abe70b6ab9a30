// What a request narrows its question with and no list knows: a service that nobody has ("errors of chekout"), or words
// that what is found must hold ("timeout errors", logs with "token"). It is kept as typed: dropping it would answer
// more than was asked, and whoever looks it up can say what there is instead.
#pragma once

#include <string>
#include <vector>

#include "intent/names.h"
#include "intent/vocabulary.h"

namespace deputy::intent {

struct UnknownNames {
  std::vector<std::string> services;  // as typed
  std::string text;                   // words that entries of a log must hold; empty: none

  bool operator==(const UnknownNames&) const = default;
};

/// `claims` are all that other rules have read, `services` those of them that are services. What looks like a mistyped
/// environment is neither: that is a question. Linear.
UnknownNames find_unknown_names(const Tokens& tokens, const Vocabulary& vocabulary, const Claims& claims,
                                const Claims& services);

}  // namespace deputy::intent
