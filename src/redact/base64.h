// Base64 as it stands in text, in either alphabet.
#pragma once

#include <string>
#include <string_view>

namespace deputy::redact {

/// The bytes of `text` up to the first character that is no base64.
std::string decode_base64(std::string_view text);

}  // namespace deputy::redact
