// The answer in words: what was understood, a verdict in a line, at most ten lines of evidence, and how to see the
// rest. It draws no conclusion: what is not in a result is not in the answer.
#pragma once

#include <string>
#include <string_view>

#include "model/offline/conversation.h"

namespace deputy::model::offline {

inline constexpr std::size_t kMostEvidence = 10;  // lines

/// "errors · checkout · prod · 04:00–08:00 UTC", of the arguments of a call: a tool that takes a service and was given
/// none says "all services". `today` is left out of times.
std::string understood(const toolkit::ToolSpec& spec, const json::object& arguments, std::string_view today);

/// What was done and what came of it, behind `first` where there is something to say first. The first line of a result
/// is its verdict, but for what reads a file, a page or a command. `room` is how many characters the whole may have.
std::string answer_with(const Conversation& conversation, const toolkit::Registry& registry, std::string_view first,
                        std::size_t room);

/// For a request that no tool answers: one line, with three things that the tools on offer can do.
std::string not_understood(const Conversation& conversation, const std::vector<ToolDescription>& offered,
                           const toolkit::Registry& registry);

}  // namespace deputy::model::offline
