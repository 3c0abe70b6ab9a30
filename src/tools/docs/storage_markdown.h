// Turns Confluence's storage format, XHTML with elements of its own, into Markdown. Code blocks, lists, tables, panels
// and links are kept; a macro that is not known leaves a mark and the text in it. Pure, linear, bounded in depth.
#pragma once

#include <string>
#include <string_view>

namespace deputy::tools {

/// Takes any bytes; the text is valid UTF-8 without control characters but line ends and tabs.
std::string markdown_from_storage(std::string_view storage);

}  // namespace deputy::tools
