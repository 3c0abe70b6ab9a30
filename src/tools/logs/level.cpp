#include "tools/logs/level.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string>

#include "base/text.h"

namespace deputy::tools {

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
constexpr std::size_t kLongestWord = 11;

// What a writer without levels says when something broke. As programs and kernels spell it.
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
  if (word.size() < 3 || word.size() > kLongestWord) return std::nullopt;
  std::array<char, kLongestWord> lower{};
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

std::optional<LogLevel> level_of_number(std::string_view digits) {
  int number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  if (number < 10 || number > 60) return std::nullopt;
  constexpr std::array kBySteps{LogLevel::trace,   LogLevel::debug, LogLevel::info,
                                LogLevel::warning, LogLevel::error, LogLevel::fatal};
  return kBySteps[static_cast<std::size_t>(number / 10 - 1)];
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
