#include "redact/http_credentials.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "base/text.h"
#include "redact/names.h"
#include "redact/values.h"

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

bool is_bearer_value(std::string_view value) {
  constexpr std::size_t kLongerThanWords = 24;
  return !is_placeholder(value) && (value.size() >= kLongerThanWords || std::ranges::any_of(value, is_digit));
}

bool is_header_value(std::string_view value) {
  constexpr auto kWordsOfProse = std::to_array<std::string_view>(
      {"authentication", "authorization", "credential", "credentials", "verification", "validation"});
  return !is_placeholder(value) && !contains(kWordsOfProse, to_lower(value));
}

bool is_basic_value(std::string_view value) {
  constexpr std::size_t kEnough = 1024;
  const std::string decoded = decode_base64(value.substr(0, kEnough));
  return decoded.contains(':') && std::ranges::none_of(decoded, [](unsigned char c) { return c < ' '; });
}

std::vector<Range> secret_cookies(std::string_view cookies) {
  constexpr std::size_t kShortest = 16;
  std::vector<Range> found;
  for (std::size_t at = 0; at < cookies.size();) {
    const std::string_view cookie = cookies.substr(at, cookies.find(';', at) - at);
    const std::size_t begin = cookie.find('=') + 1;  // 0 when there is no value
    const Range value{at + begin, at + std::min(cookie.find_first_of(" \t,\\", begin), cookie.size())};
    const std::string_view text = value.of(cookies);
    if (begin > 0 && text.size() >= kShortest && looks_random(text) && !is_placeholder(text)) found.push_back(value);
    at += cookie.size() + 1;
  }
  return found;
}

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
