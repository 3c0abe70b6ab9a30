// What a web server sent, as text to read, or why it is none. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace deputy::tools {

/// By its content type: HTML made readable, other text as it is, in UTF-8. Everything else is refused, with its type.
/// Without a type the bytes decide.
Result<std::string> web_text(std::string_view content_type, std::string_view body);

}  // namespace deputy::tools
