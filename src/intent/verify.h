// What somebody who may be wrong has found in a request (a fast model), held against the request and what there is.
// Pure. What does not hold is dropped, and said.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "intent/intent.h"

namespace deputy::intent {

struct Checked {
  Intent intent;
  std::vector<std::string> dropped;  // a line each

  bool operator==(const Checked&) const = default;
};

/// An environment counts when the request names it and no other; a service when it is known or named; ids and addresses
/// when they stand in the request; a time when it lies in the past; a tool when it is offered. Why there is no
/// time is for the rules to say.
Checked check_found(Intent found, std::string_view request, const Vocabulary& vocabulary,
                    const std::vector<std::string>& tools);

}  // namespace deputy::intent
