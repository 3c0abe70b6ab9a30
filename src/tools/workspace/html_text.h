// A web page as text to read: tags, scripts and styles dropped, entities decoded, one line a block. It understands
// enough of HTML for that and no more. Pure, linear, without recursion.
#pragma once

#include <string>
#include <string_view>

namespace deputy::tools {

/// Whatever the bytes are, the text is valid UTF-8 without ASCII control characters but line ends and tabs, and not
/// longer than the page by more than a few bytes.
std::string html_to_text(std::string_view html);

}  // namespace deputy::tools
