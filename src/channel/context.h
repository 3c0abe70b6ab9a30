// What is left of a long conversation: what it began with, and what was said last.
#pragma once

#include <vector>

#include "channel/message.h"

namespace deputy::channel {

/// The first of `said` and the newest, `most` at most, oldest first; `left_out` counts the others.
ConversationContext root_and_newest(std::vector<Said> said, int most);

}  // namespace deputy::channel
