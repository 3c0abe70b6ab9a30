#include "redact/base64.h"

#include <cstdint>

#include "base/characters.h"

namespace deputy::redact {

namespace {

int value_of(char c) {
  if (is_upper(c)) return c - 'A';
  if (is_lower(c)) return c - 'a' + 26;
  if (is_digit(c)) return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

}  // namespace

std::string decode_base64(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size() * 3 / 4);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int value = value_of(c);
    if (value < 0) break;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    decoded += static_cast<char>(bits >> count & 0xFF);
  }
  return decoded;
}

}  // namespace deputy::redact
