#include "interaction/random_text.h"

#include "base/text.h"

namespace deputy::interaction {
namespace {

constexpr std::string_view kAlphabet = "0123456789abcdefghjkmnpqrstvwxyz";
static_assert(kAlphabet.size() == 32);

char as_written(char c) {
  if (c == 'i' || c == 'l') return '1';
  return c == 'o' ? '0' : c;
}

}  // namespace

std::string random_text(std::span<const std::uint8_t> bytes, std::size_t length) {
  std::string text;
  std::uint32_t bits = 0;
  int held = 0;
  for (const std::uint8_t byte : bytes) {
    bits = (bits << 8) | byte;
    for (held += 8; held >= 5 && text.size() < length; held -= 5) text += kAlphabet[(bits >> (held - 5)) & 31];
    if (text.size() == length) break;
  }
  return text;
}

std::optional<std::string> read_random_text(std::string_view typed) {
  std::string text = to_lower(typed);
  for (char& c : text) {
    c = as_written(c);
    if (!kAlphabet.contains(c)) return std::nullopt;
  }
  return text;
}

}  // namespace deputy::interaction
