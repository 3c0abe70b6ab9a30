// The answer in words: which tools ran with which arguments, and what they said, quoted. It draws no conclusion: what
// is not in a result is not in the answer, and what is left out is said to be.
#pragma once

#include <string>
#include <vector>

#include "model/offline/conversation.h"

namespace deputy::model::offline {

inline constexpr std::size_t kMostEvidence = 3500;  // characters a result

/// What was done and what came of it. `room` is how many characters the whole answer may have; evidence is made to fit
/// as far as that goes.
std::string summarize(const Conversation& conversation, std::size_t room);

/// The same, after saying that `missing` was not to be had.
std::string summarize_without(const Conversation& conversation, std::string_view missing, std::size_t room);

/// For a request that no tool answers: what could be asked instead.
std::string say_what_is_possible(const Conversation& conversation, const std::vector<ToolDescription>& tools);

}  // namespace deputy::model::offline
