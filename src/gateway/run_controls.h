// The buttons under an answer: feedback on it, and its details. A token names the run and what is wanted; it gives no
// right, so whoever presses one must be allowed to see the run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "channel/message.h"

namespace deputy::gateway {

struct RunPress {
  enum class What { helpful, wrong, details };

  What what = What::details;
  RunId run;
  std::size_t page = 0;  // of the details, from 0
};

std::string token_of(const RunPress& press);
/// Nothing if the token is of another kind.
std::optional<RunPress> read_run_press(std::string_view token);

/// The buttons under the answer of a run.
std::vector<channel::MessageControl> controls_of(const RunId& run);

}  // namespace deputy::gateway
