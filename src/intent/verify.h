// Checks what a fast model found in a request against the request itself and the vocabulary, because the model may be
// wrong. Pure. What fails the check is dropped and reported.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "intent/intent.h"

namespace deputy::intent {

struct Checked {
  Intent intent;
  std::vector<std::string> dropped;  // one line for each dropped value

  bool operator==(const Checked&) const = default;
};

/// Keeps an environment if the request names it and no other; a service if it is known or named; ids and URLs if they
/// are in the request; a time if it lies in the past; a tool if it is in `tools`. Always clears `time_range.problem`,
/// which only the rules may set.
Checked check_found(Intent found, std::string_view request, const Vocabulary& vocabulary,
                    const std::vector<std::string>& tools);

}  // namespace deputy::intent
