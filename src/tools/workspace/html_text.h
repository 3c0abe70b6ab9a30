// A web page as text to read: tags, scripts and styles dropped, entities decoded, one line a block. It understands
// enough of HTML for that and no more. Pure, linear, without recursion.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace deputy::tools {

/// Whatever the bytes are, the text is valid UTF-8 without ASCII control characters but line ends and tabs, and not
/// longer than the page by more than a few bytes.
std::string html_to_text(std::string_view html);

// What a web server sent, as text to read, or why it is none. Pure.

/// By its content type: HTML made readable, other text as it is, in UTF-8. Everything else is refused, with its type.
/// Without a type the bytes decide.
Result<std::string> web_text(std::string_view content_type, std::string_view body);

}  // namespace deputy::tools
