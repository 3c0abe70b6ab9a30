// How grave a log entry is, whatever its writer calls it.
#pragma once

#include <optional>
#include <string_view>

namespace deputy::tools {

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
