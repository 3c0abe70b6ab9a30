#include "tools/logs/shape.h"

#include <array>
#include <charconv>
#include <string>

#include "base/text.h"

namespace deputy::tools {

namespace {

constexpr std::size_t kMaxQuoted = 200;
constexpr std::size_t kShortestHexId = 8;
constexpr std::size_t kShortestMixedId = 16;  // letters and digits in one word

bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_word(char c) { return is_digit(c) || is_letter(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class Shaper {
 public:
  Shaper(std::string_view message, std::string& into) : text_(message.substr(0, kMaxMessage)), into_(into) {
    begin_ = into_.size();
  }

  void run() {
    while (at_ < text_.size() && into_.size() - begin_ < kMaxShape) step();
    while (into_.size() > begin_ && into_.back() == ' ') into_.pop_back();
    if (at_ < text_.size() || text_.size() == kMaxMessage) into_ += "…";
  }

 private:
  char here(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  void step() {
    const char c = here();
    if (is_space(c)) {
      if (into_.size() > begin_ && into_.back() != ' ') into_ += ' ';
      ++at_;
    } else if ((c == '"' || c == '\'') && !(at_ > 0 && is_word(text_[at_ - 1])) && quoted(c)) {
      into_ += "\"…\"";
    } else if (is_word(c)) {
      word();
    } else {
      into_ += c;
      ++at_;
    }
  }

  bool quoted(char quote) {
    const std::string_view rest = text_.substr(at_ + 1, kMaxQuoted);
    const std::size_t end = rest.find(quote);
    if (end == std::string_view::npos) return false;
    at_ += end + 2;
    return true;
  }

  void word() {
    if (take_uuid()) {
      into_ += "{id}";
    } else if (take_time()) {
      into_ += "{time}";
    } else {
      plain_word();
    }
  }

  /// A run of letters and digits.
  void plain_word() {
    std::size_t end = at_;
    bool letters = false, digits = false, hex = true;
    while (end < text_.size() && is_word(text_[end])) {
      letters = letters || is_letter(text_[end]);
      digits = digits || is_digit(text_[end]);
      hex = hex && is_hex(text_[end]);
      ++end;
    }
    const std::size_t size = end - at_;
    const bool from_0x = size > 2 && here() == '0' && (here(1) == 'x' || here(1) == 'X');
    if (from_0x || (letters && digits && ((hex && size >= kShortestHexId) || size >= kShortestMixedId))) {
      into_ += "{id}";
      at_ = end;
    } else if (!digits) {
      into_ += text_.substr(at_, size);
      at_ = end;
    } else {
      letters_and_numbers(end);
    }
  }

  /// "worker3" is worker{n}, "300ms" is {n}ms, "10.0.0.1:80" is {n}.
  void letters_and_numbers(std::size_t end) {
    while (at_ < end) {
      if (!is_digit(here())) {
        into_ += text_[at_++];
        continue;
      }
      into_ += "{n}";
      take_number();
    }
  }

  void take_number() {
    const auto joins = [](char c) { return c == '.' || c == ':' || c == ','; };
    while (is_digit(here()) || (joins(here()) && is_digit(here(1)))) ++at_;
  }

  bool take_uuid() {
    constexpr std::size_t kSize = 36;
    if (text_.size() - at_ < kSize || text_[at_ + 8] != '-') return false;
    for (std::size_t i = 0; i < kSize; ++i) {
      const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
      if (dash ? text_[at_ + i] != '-' : !is_hex(text_[at_ + i])) return false;
    }
    if (is_word(here(kSize))) return false;
    at_ += kSize;
    return true;
  }

  /// A date dddd-dd-dd, and a time of day if one follows.
  bool take_time() {
    constexpr std::string_view kDate = "dddd-dd-dd";
    if (text_.size() - at_ < kDate.size()) return false;
    for (std::size_t i = 0; i < kDate.size(); ++i) {
      const char c = text_[at_ + i];
      if (kDate[i] == 'd' ? !is_digit(c) : c != '-' && c != '/') return false;
    }
    if (is_digit(here(kDate.size()))) return false;
    at_ += kDate.size();
    const bool joined = here() == 'T' || here() == ' ' || here() == '_';
    if (joined && is_digit(here(1)) && is_digit(here(2)) && here(3) == ':') {
      ++at_;
      take_number();
      if (here() == 'Z') {
        ++at_;
      } else if ((here() == '+' || here() == '-') && is_digit(here(1))) {
        ++at_;
        take_number();
      }
    }
    return true;
  }

  std::string_view text_;
  std::string& into_;
  std::size_t begin_ = 0;
  std::size_t at_ = 0;
};

}  // namespace

void append_shape(std::string_view message, std::string& into) { Shaper(message, into).run(); }

namespace {

struct LevelWord {
  std::string_view word;
  LogLevel level;
};
constexpr auto kWords = std::to_array<LevelWord>({
    {"trace", LogLevel::trace},    {"finest", LogLevel::trace},    {"verbose", LogLevel::debug},
    {"debug", LogLevel::debug},    {"dbg", LogLevel::debug},       {"fine", LogLevel::debug},
    {"info", LogLevel::info},      {"inf", LogLevel::info},        {"information", LogLevel::info},
    {"notice", LogLevel::info},    {"warn", LogLevel::warning},    {"warning", LogLevel::warning},
    {"wrn", LogLevel::warning},    {"error", LogLevel::error},     {"err", LogLevel::error},
    {"eror", LogLevel::error},     {"severe", LogLevel::error},    {"failure", LogLevel::error},
    {"critical", LogLevel::fatal}, {"crit", LogLevel::fatal},      {"fatal", LogLevel::fatal},
    {"ftl", LogLevel::fatal},      {"panic", LogLevel::fatal},     {"alert", LogLevel::fatal},
    {"emerg", LogLevel::fatal},    {"emergency", LogLevel::fatal}, {"dpanic", LogLevel::fatal},
});
constexpr std::size_t kMaxWord = 11;

// What programs and kernels that write no levels say about a failure.
constexpr auto kGraveWords = std::to_array<std::string_view>(
    {"Exception", "Traceback (most recent call last)", "panic: ", "Out of memory", "oom-kill", "segfault"});
constexpr auto kGraveBeginnings = std::to_array<std::string_view>({"error", "fatal", "critical", "panic"});

}  // namespace

std::string_view name(LogLevel level) {
  switch (level) {
    case LogLevel::none:
      return "";
    case LogLevel::trace:
      return "trace";
    case LogLevel::debug:
      return "debug";
    case LogLevel::info:
      return "info";
    case LogLevel::warning:
      return "warning";
    case LogLevel::error:
      return "error";
    case LogLevel::fatal:
      return "fatal";
  }
  return "";
}

std::optional<LogLevel> level_of_word(std::string_view word) {
  if (word.size() < 3 || word.size() > kMaxWord) return std::nullopt;
  std::array<char, kMaxWord> lower{};
  for (std::size_t at = 0; at < word.size(); ++at) {
    const char c = word[at];
    lower[at] = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  const std::string_view plain(lower.data(), word.size());
  for (const LevelWord& row : kWords) {
    if (row.word == plain) return row.level;
  }
  return std::nullopt;
}

std::vector<std::string_view> words_of_level(LogLevel least) {
  std::vector<std::string_view> words;
  for (const LevelWord& row : kWords) {
    if (row.level >= least) words.push_back(row.word);
  }
  return words;
}

std::optional<LogLevel> level_of_number(std::string_view digits) {
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  if (number < 10 || number > 60) return std::nullopt;
  constexpr std::array kBySteps{LogLevel::trace,   LogLevel::debug, LogLevel::info,
                                LogLevel::warning, LogLevel::error, LogLevel::fatal};
  return kBySteps[static_cast<std::size_t>(number / 10 - 1)];
}

LogLevel level_of_field(std::string_view value) {
  return level_of_word(value).value_or(level_of_number(value).value_or(LogLevel::none));
}

LogLevel level_of_text(std::string_view text) {
  for (const std::string_view word : kGraveWords) {
    if (text.contains(word)) return LogLevel::error;
  }
  const std::string beginning = to_lower(text.substr(0, 9));
  for (const std::string_view word : kGraveBeginnings) {
    if (beginning.starts_with(word)) return LogLevel::error;
  }
  return LogLevel::none;
}

}  // namespace deputy::tools
