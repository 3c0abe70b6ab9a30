// Reads messages of any log, whatever program wrote them: the shape of a message, by which similar messages are counted
// together, and its level.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace deputy::tools {

inline constexpr std::size_t kMaxShape = 240;    // bytes
inline constexpr std::size_t kMaxMessage = 400;  // bytes that are looked at

/// Appends the shape of a message to `into`: what is left when numbers, ids, times and quoted values are taken out.
/// "took 31 ms for 'a'" and "took 7 ms for 'b'" both become `took {n} ms for "…"`. Takes any bytes, linear; adds at
/// most kMaxShape bytes, and a mark if it was cut. If the message is not valid UTF-8, the shape may not be either.
void append_shape(std::string_view message, std::string& into);

inline std::string shape_of(std::string_view message) {
  std::string shape;
  append_shape(message, shape);
  return shape;
}

/// How severe a log entry is. `none`: the entry does not say.
enum class LogLevel { none, trace, debug, info, warning, error, fatal };

std::string_view name(LogLevel level);

/// "ERR", "Warning", "crit", "notice", ignoring case; nothing if the word is not a level.
std::optional<LogLevel> level_of_word(std::string_view word);

/// The words that mean this level or a graver one, in lower case.
std::vector<std::string_view> words_of_level(LogLevel least);

/// A regular expression (RE2) that matches every text that can be an error. It also matches others: what it lets
/// through is judged by its level.
inline constexpr std::string_view kMayBeError =
    R"re((?i)err|eror|severe|failure|crit|fatal|ftl|panic|alert|emerg|exception|traceback|out of memory|oom-kill|)re"
    R"re(segfault|" 5\d\d|^[EF]\d{4} |(?:level|levelname|severity|lvl|@l)"\s*:\s*"?(?:5\d|60)\b)re";

/// The numbers of bunyan and pino: 10 trace … 60 fatal.
std::optional<LogLevel> level_of_number(std::string_view digits);

/// Of a field that is nothing but a level, as a word or a number; `none` where it is neither.
LogLevel level_of_field(std::string_view value);

/// The level of a text that names none, by what it says: "panic:", "Traceback", the name of an exception.
LogLevel level_of_text(std::string_view text);

}  // namespace deputy::tools
