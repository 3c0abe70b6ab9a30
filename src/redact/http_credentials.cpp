#include "redact/http_credentials.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "redact/values.h"

namespace deputy::redact {

namespace {

int value_of_base64(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

}  // namespace

bool is_bearer_value(std::string_view value) {
  constexpr std::size_t kLongerThanWords = 24;
  return !is_placeholder(value) &&
         (value.size() >= kLongerThanWords || std::ranges::any_of(value, [](char c) { return c >= '0' && c <= '9'; }));
}

bool is_basic_value(std::string_view value) {
  constexpr std::size_t kEnough = 1024;
  value = value.substr(0, std::min(value.find('='), kEnough));
  std::uint32_t bits = 0;
  int count = 0;
  bool colon = false;
  for (const char c : value) {
    bits = bits << 6 | static_cast<std::uint32_t>(value_of_base64(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    const auto byte = static_cast<unsigned char>(bits >> count);
    if (byte < ' ') return false;
    colon |= byte == ':';
  }
  return colon;
}

}  // namespace deputy::redact
