// A result as an answer quotes it: whole where it fits, else its most telling parts, with a mark where something is
// left out and a line that says how to see the rest. Pure; it adds no words inside the quote but those marks.
#pragma once

#include <string>
#include <string_view>

namespace deputy::model::offline {

/// In a fence that the text cannot end. A text of more than `most` characters is cut section by section (at headings
/// and empty lines), so that each keeps its beginning; a list that says it is "oldest first" keeps its end, the newest.
/// Only whole lines are left out, but for those longer than a section's share.
std::string quote(std::string_view text, std::size_t most);

}  // namespace deputy::model::offline
