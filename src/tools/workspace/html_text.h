// Turns what a web server sent into text to read. Of HTML it drops tags, scripts and styles, decodes entities and
// writes each block as a line; it understands just enough HTML for that. Pure, linear, without recursion.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace deputy::tools {

/// Takes any bytes. The text is valid UTF-8 without ASCII control characters except line ends and tabs, and at most a
/// few bytes longer than the page.
std::string html_to_text(std::string_view html);

/// The body as text in UTF-8, by its content type: HTML is turned into text, other text stays as it is, anything else
/// is an error that names the type. Without a content type the bytes decide.
Result<std::string> web_text(std::string_view content_type, std::string_view body);

}  // namespace deputy::tools
