// Base64 as it stands in text, in either alphabet, and the digits of hexadecimal numbers.
#pragma once

#include <string>
#include <string_view>

#include "base/characters.h"

namespace deputy::redact {

constexpr bool is_hexadecimal(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// The bytes of `text` up to the first character that is no base64.
std::string decode_base64(std::string_view text);

}  // namespace deputy::redact
