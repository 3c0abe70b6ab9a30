#include "redact/visible.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace deputy::redact {

namespace {

constexpr char kEscape = '\x1b';
constexpr std::size_t kMaxCode = 512;  // a longer one is not a code: only its escape character is removed
constexpr std::size_t kNone = std::string_view::npos;

bool is_between(char c, unsigned char first, unsigned char last) {
  return static_cast<unsigned char>(c) >= first && static_cast<unsigned char>(c) <= last;
}

constexpr std::size_t kBlock = 64;

/// True for a block of ASCII without an escape character. Without branches, so that it costs little.
bool is_plain(const char* block) {
  unsigned char other = 0;
  for (std::size_t i = 0; i < kBlock; ++i)
    other |= static_cast<unsigned char>((block[i] & '\x80') | (block[i] == kEscape ? 1 : 0));
  return other == 0;
}

/// The first byte at or after `at` that may begin something invisible.
std::size_t next_candidate(std::string_view text, std::size_t at) {
  constexpr std::string_view kLeads = "\x1b\xC2\xCD\xE1\xE2\xEF";
  while (at < text.size()) {
    if (text.size() - at >= kBlock && is_plain(text.data() + at)) {
      at += kBlock;
      continue;
    }
    for (const std::size_t end = std::min(at + kBlock, text.size()); at < end; ++at) {
      if ((text[at] == kEscape || (text[at] & '\x80') != 0) && kLeads.contains(text[at])) return at;
    }
  }
  return text.size();
}

/// The length of the terminal code at the start of `text`; nothing when more of it is needed.
std::optional<std::size_t> length_of_code(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  const std::string_view code = text.substr(0, kMaxCode);
  const bool cut = text.size() < kMaxCode;
  const auto unfinished = [&] { return cut ? std::nullopt : std::optional<std::size_t>(1); };
  if (text[1] == '[') {  // ESC [ parameters letter
    std::size_t at = 2;
    while (at < code.size() && is_between(code[at], 0x20, 0x3F)) ++at;
    if (at == code.size()) return unfinished();
    return is_between(code[at], 0x40, 0x7E) ? at + 1 : 1;
  }
  if (text[1] == ']') {  // ESC ] text BEL, or ESC ] text ESC backslash
    const std::size_t end = code.find_first_of("\a\n\x1b", 2);
    if (end == kNone) return unfinished();
    if (code[end] == '\a') return end + 1;
    if (code[end] == '\n') return 1;
    if (end + 1 == code.size()) return unfinished();
    return code[end + 1] == '\\' ? end + 2 : 1;
  }
  if (std::string_view("()*+#%").contains(text[1]))  // ESC ( character set
    return text.size() < 3 ? std::nullopt : std::optional<std::size_t>(is_between(text[2], 0x30, 0x7E) ? 3 : 1);
  return std::string_view("78=>cDEHMNOZ").contains(text[1]) ? 2 : 1;
}

/// The length of the zero-width character at the start of `text`, 0 for another one; nothing when more is needed.
std::optional<std::size_t> length_of_zero_width(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  if (text.size() < 2) return std::nullopt;
  if (byte(0) == 0xC2) return byte(1) == 0xAD ? 2 : 0;  // soft hyphen
  if (byte(0) == 0xCD) return byte(1) == 0x8F ? 2 : 0;  // grapheme joiner
  const bool candidate = (byte(0) == 0xE1 && byte(1) == 0xA0) ||
                         (byte(0) == 0xE2 && (byte(1) == 0x80 || byte(1) == 0x81)) ||
                         (byte(0) == 0xEF && byte(1) == 0xBB);
  if (!candidate) return 0;
  if (text.size() < 3) return std::nullopt;
  const unsigned char third = byte(2);
  if (byte(0) == 0xE1) return third == 0x8E ? 3 : 0;
  if (byte(0) == 0xEF) return third == 0xBF ? 3 : 0;  // byte order mark
  if (byte(1) == 0x81) return third >= 0xA0 && third <= 0xAF ? 3 : 0;
  return (third >= 0x8B && third <= 0x8F) || (third >= 0xAA && third <= 0xAE) ? 3 : 0;
}

}  // namespace

std::string VisibleText::feed(std::string_view text, Input input) {
  std::string joined;
  if (!held_.empty()) {
    joined = std::exchange(held_, {});
    joined += text;
    text = joined;
  }
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t next = next_candidate(text, at);
    out += text.substr(at, next - at);
    if (next > at) last_ = text[next - 1];
    at = next;
    if (at == text.size()) break;
    const bool is_code = text[at] == kEscape;
    std::optional<std::size_t> length =
        is_code ? length_of_code(text.substr(at)) : length_of_zero_width(text.substr(at));
    if (!length && input == Input::more_follows) {
      held_ = text.substr(at);
      break;
    }
    const std::size_t hidden = length.value_or(is_code ? 1 : 0);
    if (hidden > 0 && (is_code || is_between(last_, 0, 0x7F))) {
      at += hidden;
    } else {
      const std::size_t kept = std::max<std::size_t>(hidden, 1);
      out += text.substr(at, kept);
      at += kept;
      last_ = text[at - 1];
    }
  }
  return out;
}

std::string visible(std::string_view text) { return VisibleText().feed(text, Input::ended); }

}  // namespace deputy::redact
