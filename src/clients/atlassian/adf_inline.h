// The inside of a paragraph: Markdown as text nodes with marks, and line breaks. Pure, linear.
#pragma once

#include <string_view>

#include "base/json.h"

namespace deputy::clients::atlassian {

/// `text` is valid UTF-8 without control characters but line ends and tabs. `strong`: all of it is bold.
json::array inline_nodes(std::string_view text, bool strong = false);

}  // namespace deputy::clients::atlassian
