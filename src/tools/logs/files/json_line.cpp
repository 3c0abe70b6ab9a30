#include "tools/logs/files/json_line.h"

#include <charconv>

#include "base/text.h"

namespace deputy::tools::files {

namespace {

/// The four hexadecimal digits of \uXXXX.
std::optional<char32_t> hex_at(std::string_view raw, std::size_t at) {
  if (at + 4 > raw.size()) return std::nullopt;
  unsigned value = 0;
  const auto [end, error] = std::from_chars(raw.data() + at, raw.data() + at + 4, value, 16);
  if (error != std::errc{} || end != raw.data() + at + 4) return std::nullopt;
  return value;
}

bool is_high(char32_t c) { return c >= 0xD800 && c <= 0xDBFF; }
bool is_low(char32_t c) { return c >= 0xDC00 && c <= 0xDFFF; }

}  // namespace

JsonLine::JsonLine(std::string_view line) : line_(line) {
  skip_space();
  at_ = at_ < line_.size() && line_[at_] == '{' ? at_ + 1 : line_.size();
}

void JsonLine::skip_space() {
  while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t')) ++at_;
}

std::optional<std::string_view> JsonLine::take_text() {
  if (at_ >= line_.size() || line_[at_] != '"') return std::nullopt;
  const std::size_t begin = ++at_;
  while (at_ < line_.size()) {
    const char c = line_[at_];
    if (c == '"') return line_.substr(begin, at_++ - begin);
    at_ += c == '\\' ? 2 : 1;
  }
  at_ = line_.size();
  return line_.substr(begin);  // it breaks off inside
}

// A number, a word, or a list or object as a whole: to the comma or brace that ends it.
std::string_view JsonLine::take_other() {
  const std::size_t begin = at_;
  std::size_t depth = 0;
  while (at_ < line_.size()) {
    const char c = line_[at_];
    if (c == '"') {
      take_text();
      continue;
    }
    if (depth == 0 && (c == ',' || c == '}')) break;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && depth > 0) --depth;
    ++at_;
  }
  std::string_view value = line_.substr(begin, at_ - begin);
  while (!value.empty() && (value.back() == ' ' || value.back() == '\t' || value.back() == '\r'))
    value.remove_suffix(1);
  return value;
}

std::optional<JsonField> JsonLine::next() {
  skip_space();
  if (at_ < line_.size() && line_[at_] == ',') {
    ++at_;
    skip_space();
  }
  const auto key = take_text();
  if (!key) return std::nullopt;
  skip_space();
  if (at_ >= line_.size() || line_[at_] != ':') return std::nullopt;
  ++at_;
  skip_space();
  if (const auto text = take_text()) return JsonField{*key, *text, true};
  return JsonField{*key, take_other(), false};
}

std::string unescape(std::string_view raw) {
  std::string text;
  text.reserve(raw.size());
  for (std::size_t at = 0; at < raw.size(); ++at) {
    if (raw[at] != '\\' || at + 1 == raw.size()) {
      text += raw[at];
      continue;
    }
    const char c = raw[++at];
    constexpr std::string_view kEscaped = "bfnrt\"\\/";
    constexpr std::string_view kMeant = "\b\f\n\r\t\"\\/";
    if (const std::size_t which = kEscaped.find(c); which != std::string_view::npos) {
      text += kMeant[which];
      continue;
    }
    auto code = c == 'u' ? hex_at(raw, at + 1) : std::nullopt;
    if (!code) {
      text += '\\';
      text += c;
      continue;
    }
    at += 4;
    if (is_high(*code) && raw.substr(at + 1).starts_with("\\u")) {
      const auto low = hex_at(raw, at + 3);
      if (low && is_low(*low)) {
        code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
        at += 6;
      }
    }
    append_utf8(text, *code);  // half a pair becomes U+FFFD
  }
  return text;
}

}  // namespace deputy::tools::files
