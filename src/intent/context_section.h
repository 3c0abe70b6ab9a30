// The intent inside a turn: JSON in a fenced block, appended to the request under a heading. Writing and reading are in
// one file, so that the code that builds the turn and the offline planner that reads it agree on the format.
//
// A request may contain such a heading itself: the last one counts, and the text before it is the request.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "intent/intent.h"

namespace deputy::intent {

/// The section, from its heading to the end of its block. Empty fields are left out. Always valid UTF-8.
std::string context_section(const Intent& intent);

/// The intent in the last section; nothing when there is no section or it cannot be parsed. Takes any bytes; linear
/// time.
std::optional<Intent> read_context_section(std::string_view text);

/// The text before the last section, without trailing white space; the whole text when there is no section.
std::string_view without_context_section(std::string_view text);

}  // namespace deputy::intent
