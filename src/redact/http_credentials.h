// Credentials after `Bearer` and `Basic`, as opposed to prose about them ("bearer token", "basic authentication"), and
// cookies that identify somebody, as opposed to those that do not (`theme=dark`). Also base64, in either alphabet.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "redact/marker.h"

namespace deputy::redact {

/// A credential rather than a word: it has a digit or is longer than words are.
bool is_bearer_value(std::string_view value);

/// A value after `Authorization: Bearer`, which is a header and not prose: any word except those that describe one.
bool is_header_value(std::string_view value);

/// Base64 of `name:password`.
bool is_basic_value(std::string_view value);

/// The machine-generated values in `a=b; c=d`.
std::vector<Range> secret_cookies(std::string_view cookies);

constexpr bool is_hexadecimal(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

/// Decodes `text` up to the first character that is not base64.
std::string decode_base64(std::string_view text);

}  // namespace deputy::redact
