// The shape of a message: what stays when numbers, ids, times and quoted values are taken out, so that entries that say
// the same count together: "took 31 ms for 'a'" and "took 7 ms for 'b'" are both `took {n} ms for "…"`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace deputy::tools {

inline constexpr std::size_t kLongestShape = 240;    // bytes
inline constexpr std::size_t kMostOfAMessage = 400;  // bytes that are looked at

/// Appends the shape of any bytes to `into`. Linear; adds at most kLongestShape bytes and a mark where it was cut. The
/// shape is as valid as the message is: who shows it makes it UTF-8.
void append_shape(std::string_view message, std::string& into);

inline std::string shape_of(std::string_view message) {
  std::string shape;
  append_shape(message, shape);
  return shape;
}

// How grave a log entry is, whatever its writer calls it.

/// `none`: the entry does not say.
enum class LogLevel { none, trace, debug, info, warning, error, fatal };

std::string_view name(LogLevel level);

/// "ERR", "Warning", "crit", "notice"; nothing when the word is no level. Case does not count.
std::optional<LogLevel> level_of_word(std::string_view word);

/// As bunyan and pino count them: 10 trace … 60 fatal.
std::optional<LogLevel> level_of_number(std::string_view digits);

/// Of a text that names no level, by what it says: "panic:", "Traceback", an exception's name.
LogLevel level_of_text(std::string_view text);

}  // namespace deputy::tools
