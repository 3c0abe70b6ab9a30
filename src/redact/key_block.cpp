#include "redact/key_block.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "redact/http_credentials.h"

namespace deputy::redact {

namespace {

constexpr std::string_view kLineEnds = "\n\r";

enum class Boundary { begin, end };

/// The length of `-----BEGIN RSA PRIVATE KEY-----` or a variant at the start of `text`; 0 when there is none.
std::size_t length_of_armour(std::string_view text, Boundary which) {
  constexpr std::string_view kDashes = "-----";
  constexpr std::size_t kMaxLabel = 64;
  if (!text.starts_with(kDashes)) return 0;
  const std::string_view word = which == Boundary::begin ? "BEGIN" : "END";
  std::string_view rest = text.substr(kDashes.size());
  if (!rest.starts_with(word)) return 0;
  rest.remove_prefix(word.size());
  const std::size_t end = rest.substr(0, kMaxLabel).find(kDashes);
  if (end == std::string_view::npos || !rest.substr(0, end).contains("PRIVATE KEY")) return 0;
  return kDashes.size() + word.size() + end + kDashes.size();
}

constexpr std::string_view kPutty = "Private";

/// The same for `-Lines: 14` and `-MAC: 00aa…` after `Private` in a PuTTY file.
std::size_t length_of_putty_field(std::string_view text, Boundary which) {
  constexpr std::size_t kMaxMac = 64;
  const std::string_view field = which == Boundary::begin ? "-Lines:" : "-MAC:";
  if (!text.starts_with(field)) return 0;
  std::size_t end = field.size();
  while (end < text.size() && text[end] == ' ' && end - field.size() < 4) ++end;
  const std::size_t value = end;
  const auto of_value = which == Boundary::begin ? is_digit : is_hexadecimal;
  while (end < text.size() && end - value < kMaxMac && of_value(text[end])) ++end;
  return which == Boundary::end || end > value ? end : 0;
}

/// The place where a block begins or ends. Both kinds of boundary contain a dash.
std::optional<Range> find_boundary(std::string_view line, Boundary which, std::size_t from) {
  for (std::size_t at = line.find('-', from); at != std::string_view::npos; at = line.find('-', at + 1)) {
    const std::string_view rest = line.substr(at);
    if (const std::size_t length = length_of_armour(rest, which); length > 0) return Range{at, at + length};
    if (at < from + kPutty.size() || !line.substr(0, at).ends_with(kPutty)) continue;
    if (const std::size_t length = length_of_putty_field(rest, which); length > 0)
      return Range{at - kPutty.size(), at + length};
  }
  return std::nullopt;
}

/// The number of bytes at the start of `text` that can be the inside of a block on one line: base64 and its separators.
std::size_t length_of_inside(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\\' && at + 1 < text.size() &&
        (text[at + 1] == 'n' || text[at + 1] == 'r' || text[at + 1] == '\\')) {
      at += 2;
    } else if (is_base64_or_padding(text[at]) || text[at] == ' ' || text[at] == '\t') {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

/// True for a line that can be inside a block: base64, alone or after a log prefix, or a header field.
bool is_inside(std::string_view line) {
  constexpr std::string_view kAround = " \t\"',+\\>|";
  constexpr auto kHeaders =
      std::to_array<std::string_view>({"Proc-Type:", "DEK-Info:", "Version:", "Comment:", "Hash:", "Charset:"});
  constexpr std::size_t kLongerThanWords = 24;
  const std::size_t begin = line.find_first_not_of(kAround);
  if (begin == std::string_view::npos) return true;
  // `curl \` begins a command that continues on the next line, where a password may be.
  const bool goes_on = line.ends_with('\\') && line.find_first_of("\"'") == std::string_view::npos;
  line = line.substr(begin, line.find_last_not_of(kAround) - begin + 1);
  if (line.ends_with("\\n")) line.remove_suffix(2);
  if (std::ranges::any_of(kHeaders, [&](std::string_view header) { return line.starts_with(header); })) return true;
  const std::size_t before_last_word = line.find_last_of(" \t|:");
  const bool single = before_last_word == std::string_view::npos;
  const std::string_view last_word = single ? line : line.substr(before_last_word + 1);
  return std::ranges::all_of(last_word, is_base64_or_padding) &&
         ((single && !goes_on) || last_word.size() >= kLongerThanWords || last_word.ends_with('='));
}

}  // namespace

bool KeyBlocks::read(std::string_view line, std::size_t offset) {
  if (!open_) {
    read_outside(line, 0, offset);
    return true;
  }
  const std::optional<Range> end = find_boundary(line, Boundary::end, 0);
  if (!end && !is_inside(line)) {
    open_ = begun_ = false;
    return false;
  }
  const std::size_t last = end ? end->end : line.find_last_not_of(" \t") + 1;  // 0 for a blank line
  if (last > 0) {
    if (!begun_) found_.push_back({{offset, offset}, kKeyBlock});
    begun_ = true;
    found_.back().end = offset + last;
  }
  if (end) {
    open_ = begun_ = false;
    read_outside(line, end->end, offset);
  }
  return true;
}

void KeyBlocks::read_outside(std::string_view line, std::size_t from, std::size_t offset) {
  std::optional<Range> end = find_boundary(line, Boundary::end, from);
  while (const std::optional<Range> begin = find_boundary(line, Boundary::begin, from)) {
    if (end && end->begin < begin->end) end = find_boundary(line, Boundary::end, begin->end);
    const std::size_t inside = begin->end + length_of_inside(line.substr(begin->end));
    from = end ? end->end : inside;
    found_.push_back({{offset + begin->begin, offset + from}, kKeyBlock});
    if (!end && inside == line.size()) open_ = begun_ = true;
  }
}

bool is_private_key_in_base64(std::string_view text) { return decode_base64(text).contains("PRIVATE KEY-----"); }

std::vector<Finding> find_key_blocks(std::string_view text, bool starts_open) {
  if (!starts_open && !text.contains("-----BEGIN") && !text.contains("Private-Lines:")) return {};
  KeyBlocks blocks(starts_open);
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(kLineEnds, at), text.size());
    if (!blocks.read(text.substr(at, end - at), at)) blocks.read(text.substr(at, end - at), at);
    at = end + 1;
  }
  return blocks.found();
}

}  // namespace deputy::redact
