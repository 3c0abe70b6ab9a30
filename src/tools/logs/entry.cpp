#include "tools/logs/entry.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/text.h"

namespace deputy::tools::logs {

namespace {

constexpr std::size_t kMaxLine = 8192;  // bytes of a line that are read
constexpr std::size_t kLevelWithin = 160;
constexpr std::size_t kMaxLogger = 100;

constexpr auto kTimeKeys = std::to_array<std::string_view>(
    {"time", "timestamp", "ts", "@timestamp", "datetime", "date", "t", "eventTime", "asctime", "@t"});
constexpr auto kLevelKeys = std::to_array<std::string_view>(
    {"level", "severity", "lvl", "log.level", "loglevel", "levelname", "log_level", "@l"});
constexpr auto kMessageKeys = std::to_array<std::string_view>({"msg", "message", "log", "event", "text", "@m"});
constexpr auto kErrorKeys = std::to_array<std::string_view>({"error", "err", "exception", "error.message"});

struct FoundLevel {
  LogLevel level = LogLevel::none;
  std::size_t end = 0;  // after its word
};

/// A word counts as the level if it is written like one: in capitals, in brackets, after `level=`, or first in the line
/// with a colon after it.
bool reads_as_level(std::string_view line, std::size_t begin, std::size_t end, bool first) {
  const std::string_view word = line.substr(begin, end - begin);
  if (std::ranges::all_of(word, is_upper)) return true;
  const char before = begin > 0 ? line[begin - 1] : '\0';
  const char after = end < line.size() ? line[end] : '\0';
  if ((before == '[' && after == ']') || (before == '<' && after == '>') || (before == '(' && after == ')'))
    return true;
  const std::string_view head = line.substr(0, begin);
  if (before == '=' || before == '"') {
    for (const std::string_view key : {"level=", "lvl=", "severity=", "level=\"", "severity=\""}) {
      if (head.ends_with(key)) return true;
    }
  }
  return first && after == ':';
}

std::optional<FoundLevel> find_level(std::string_view line, std::size_t time_begin, std::size_t time_end) {
  const std::size_t last = std::min(line.size(), time_end + kLevelWithin);
  bool first = true;
  for (std::size_t at = 0; at < last;) {
    if (at >= time_begin && at < time_end) {
      at = time_end;
      first = true;
      continue;
    }
    if (!is_letter(line[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < last && (is_letter(line[end]) || is_digit(line[end]))) ++end;
    if (const auto level = level_of_word(line.substr(at, end - at)); level && reads_as_level(line, at, end, first)) {
      return FoundLevel{*level, end};
    }
    first = false;
    at = end;
  }
  return std::nullopt;
}

void skip_any(std::string_view& text, std::string_view characters) {
  const std::size_t at = text.find_first_not_of(characters);
  text = at == std::string_view::npos ? std::string_view() : text.substr(at);
}

/// Removes what precedes the message: threads in brackets, the name of the logger.
std::string_view without_preamble(std::string_view text) {
  for (int i = 0; i < 4; ++i) {
    skip_any(text, " \t]|:-,;");
    if (!text.starts_with('[')) break;
    const std::size_t end = text.substr(0, kMaxLogger).find(']');
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  if (const std::size_t dashes = text.find(" --- ["); dashes < 12) {  // Spring: "1 --- [thread] logger : message"
    if (const std::size_t colon = text.substr(0, 200).find(" : "); colon != std::string_view::npos) {
      return text.substr(colon + 3);
    }
  }
  const std::size_t space = text.find(' ');
  if (space < kMaxLogger && (text.substr(space).starts_with(" - ") || text.substr(space).starts_with(" : "))) {
    text.remove_prefix(space + 3);
  }
  return text;
}

/// The value of `key=` in a line of such pairs, without its quotes.
std::optional<std::string_view> pair_value(std::string_view line, std::string_view key) {
  for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
    const std::size_t equals = at + key.size();
    if (equals >= line.size() || line[equals] != '=' || (at > 0 && line[at - 1] != ' ')) continue;
    std::string_view value = line.substr(equals + 1);
    if (!value.starts_with('"')) return value.substr(0, value.find(' '));
    value.remove_prefix(1);
    std::size_t end = 0;
    while (end < value.size() && value[end] != '"') end += value[end] == '\\' ? 2 : 1;
    return value.substr(0, end);
  }
  return std::nullopt;
}

/// "host app[123]: message" becomes "message".
std::string_view without_syslog_tag(std::string_view text) {
  skip_any(text, " ");
  const std::size_t host = text.find(' ');
  if (host == std::string_view::npos) return text;
  const std::size_t colon = text.find(": ", host);
  if (colon == std::string_view::npos || text.substr(host + 1, colon - host - 1).contains(' ')) return text;
  return text.substr(colon + 2);
}

std::string_view class_of_status(char first) {
  switch (first) {
    case '5':
      return "a server error";
    case '4':
      return "a client error";
    case '3':
      return "a redirect";
    default:
      return "success";
  }
}

std::string_view without_end(std::string_view line) {
  while (!line.empty() && (line.back() == '\r' || line.back() == '\n')) line.remove_suffix(1);
  return line;
}

}  // namespace

std::optional<Timestamp> time_of(std::string_view line, const TimeRules& rules) {
  line = line.substr(0, kMaxLine);
  if (!line.starts_with('{')) {
    const auto found = find_time(line, rules);
    return found ? std::optional(found->at) : std::nullopt;
  }
  JsonLine fields(line);
  while (const auto field = fields.next()) {
    if (!contains(kTimeKeys, field->key)) continue;
    if (const auto at = parse_time(field->value, rules)) return at;
  }
  return std::nullopt;
}

bool begins_entry(std::string_view line, Times times, const TimeRules& rules) {
  if (line.empty() || line.front() == ' ' || line.front() == '\t' || line.front() == '\r' || line.front() == '\n') {
    return false;
  }
  if (times == Times::none || line.front() == '{') return true;
  return find_time(line.substr(0, kJudgedWithin), rules).has_value();
}

Entry EntryReader::read(std::string_view line) {
  line = without_end(line.substr(0, kMaxLine));
  return line.starts_with('{') ? read_json(line) : read_text(line);
}

Entry EntryReader::read_json(std::string_view line) {
  Entry entry;
  std::string_view said, broke;
  JsonLine fields(line);
  while (const auto field = fields.next()) {
    if (!entry.at && contains(kTimeKeys, field->key)) {
      entry.at = parse_time(field->value, rules_);
    } else if (entry.level == LogLevel::none && contains(kLevelKeys, field->key)) {
      entry.level = level_of_field(field->value);
    } else if (said.empty() && field->is_text && contains(kMessageKeys, field->key)) {
      said = field->value;
    } else if (broke.empty() && field->is_text && contains(kErrorKeys, field->key)) {
      broke = field->value;
    }
  }
  message_ = unescape(said.empty() && broke.empty() ? line : said);
  if (!broke.empty()) message_ += (said.empty() ? "" : ": ") + unescape(broke);
  entry.message = message_;
  entry.message = entry.message.substr(0, entry.message.find('\n'));
  if (entry.level == LogLevel::none) {
    // A container runtime wraps the line of a program, which may name its level.
    const auto inner = find_level(entry.message, 0, 0);
    entry.level = inner ? inner->level : level_of_text(entry.message);
  }
  return entry;
}

Entry EntryReader::read_text(std::string_view line) {
  Entry entry;
  const auto time = find_time(line, rules_);
  if (time && time->format == TimeFormat::clf) return read_access(line, *time);
  const std::size_t time_begin = time ? time->begin : 0;
  const std::size_t time_end = time ? time->end : 0;
  if (time) entry.at = time->at;
  std::string_view words = line.substr(time_end);
  if (time && time->format == TimeFormat::klog) {
    constexpr std::string_view kLetters = "IWEF";
    constexpr std::array kLevels{LogLevel::info, LogLevel::warning, LogLevel::error, LogLevel::fatal};
    entry.level = kLevels[kLetters.find(line[time_begin])];
    if (const std::size_t source = words.find("] "); source != std::string_view::npos) words.remove_prefix(source + 2);
    entry.message = words;
    return entry;
  }
  const auto level = find_level(line, time_begin, time_end);
  if (const auto said = pair_value(line, "msg")) {
    message_ = *said;
    for (const std::string_view key : {"err", "error"}) {
      if (const auto broke = pair_value(line, key)) message_.append(": ").append(*broke);
    }
    entry.message = message_;
  } else {
    if (time && time->format == TimeFormat::syslog) words = without_syslog_tag(words);
    const std::size_t words_begin = line.size() - words.size();
    if (level && level->end > words_begin) words = line.substr(level->end);
    entry.message = without_preamble(words);
  }
  entry.level = level ? level->level : level_of_text(entry.message);
  return entry;
}

// 1.2.3.4 - ana [15/Nov/2026:04:10:02 +0000] "GET /orders/7?page=1 HTTP/1.1" 502 157 …
Entry EntryReader::read_access(std::string_view line, const FoundTime& time) {
  Entry entry{time.at, LogLevel::info, line.substr(time.end)};
  const std::size_t open = line.find('"', time.end);
  if (open == std::string_view::npos) return entry;
  const std::size_t close = line.find('"', open + 1);
  if (close == std::string_view::npos || close + 5 > line.size()) return entry;
  const std::string_view status = line.substr(close + 2, 3);
  if (!std::ranges::all_of(status, is_digit)) return entry;
  if (status.front() == '5') entry.level = LogLevel::error;
  if (status.front() == '4') entry.level = LogLevel::warning;
  const std::string_view request = line.substr(open + 1, close - open - 1);
  std::string_view asked = request.substr(0, request.find_first_of('?'));
  asked = asked.substr(0, asked.rfind(" HTTP/"));
  // In words, because the shape ignores numbers.
  message_.assign(asked).append(" answered with ").append(class_of_status(status.front()));
  entry.message = message_;
  return entry;
}

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
  return line_.substr(begin);  // the line is cut off inside the string
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

}  // namespace deputy::tools::logs
