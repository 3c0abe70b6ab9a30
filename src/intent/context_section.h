// The intent as it stands in a turn: appended to the request under a heading, as JSON in a fenced block. One file
// writes and reads it, so that whoever builds the turn and whoever reads it without a model agree.
//
// A request may hold such a heading itself: the last one counts, and what stands before it is the request.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "intent/intent.h"

namespace deputy::intent {

/// The section, from its heading to the end of its block; what is empty is left out. Valid UTF-8 whatever the intent
/// holds.
std::string context_section(const Intent& intent);

/// The intent of the last section; nothing when there is none or it does not read. Any bytes; linear time.
std::optional<Intent> read_context_section(std::string_view text);

/// What stands before the last section, without white space at its end; all of the text where there is none.
std::string_view without_context_section(std::string_view text);

}  // namespace deputy::intent
