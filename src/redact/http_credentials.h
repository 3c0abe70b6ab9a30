// What follows `Bearer` and `Basic`, told from prose about them ("bearer token", "basic authentication"), and the
// cookies that say who somebody is, told from those that do not (`theme=dark`).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "redact/marker.h"

namespace deputy::redact {

/// A credential, not a word: with a digit, or longer than words are.
bool is_bearer_value(std::string_view value);

/// What follows `Authorization: Bearer`, where a header stands and no prose: any word but those that speak of one.
bool is_header_value(std::string_view value);

/// Base64 of `name:password`.
bool is_basic_value(std::string_view value);

/// The values among `a=b; c=d` that were made by a machine.
std::vector<Range> secret_cookies(std::string_view cookies);

// Base64 as it stands in text, in either alphabet, and the digits of hexadecimal numbers.

constexpr bool is_hexadecimal(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// The bytes of `text` up to the first character that is no base64.
std::string decode_base64(std::string_view text);

}  // namespace deputy::redact
