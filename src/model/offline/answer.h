// Writes the answer: what was understood, a verdict in one line, at most ten lines of evidence, and how to see the
// rest. It draws no conclusions: the answer contains only what is in a result.
#pragma once

#include <string>
#include <string_view>

#include "model/offline/conversation.h"

namespace deputy::model::offline {

inline constexpr std::size_t kMaxEvidence = 10;  // lines

/// The arguments of a call in one line: "errors · checkout · prod · 04:00–08:00 UTC". A tool that takes a service but
/// was given none says "all services". Times on the day `today` are shown without their date.
std::string understood(const toolkit::ToolSpec& spec, const json::object& arguments, std::string_view today);

/// The calls that were made and their results, after the text `first` if it is not empty. The first line of a result is
/// its verdict, except for tools that return a file, a page or the output of a command. `room` is the maximum length in
/// characters.
std::string answer_with(const Conversation& conversation, const toolkit::Registry& registry, std::string_view first,
                        std::size_t room);

/// The answer to a request that fits no tool: one line with up to three examples of what the offered tools can do.
std::string not_understood(const Conversation& conversation, const ToolList& offered,
                           const toolkit::Registry& registry);

}  // namespace deputy::model::offline
