// Credentials after `Bearer` and `Basic`, as opposed to prose about them ("bearer token", "basic authentication"), and
// cookies that identify somebody, as opposed to those that do not (`theme=dark`). Also base64, in either alphabet.
#pragma once

#include <array>
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

inline constexpr std::array<bool, 256> kIsBase64 = [] {
  std::array<bool, 256> table{};
  for (int c = 0; c < 128; ++c) table[c] = is_letter_or_digit(static_cast<char>(c)) || c == '+' || c == '/';
  return table;
}();
/// A character of the common alphabet. From a table: every 64th byte of all text is looked at.
constexpr bool is_base64(char c) { return kIsBase64[static_cast<unsigned char>(c)]; }
constexpr bool is_base64_or_padding(char c) { return is_base64(c) || c == '='; }

/// Decodes `text` up to the first character that is not base64.
std::string decode_base64(std::string_view text);

}  // namespace deputy::redact
