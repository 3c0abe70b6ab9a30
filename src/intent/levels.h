// Levels of log entries as requests name them, beside errors, which are a topic of their own (topics.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "intent/tokens.h"

namespace deputy::intent {

struct Level {
  /// What entries of it hold, however they write it. Empty: it is worse than an error, programs have many names for it,
  /// and whoever is shown the errors has these among them.
  std::string_view text;
  std::size_t next = 0;  // behind the words that only say the level: "debug level" of "debug level logs"
};

/// What begins at the token: "warnings" wherever it stands, "debug" where entries follow ("debug logs"), for "debug it"
/// and "critical alarms" speak of no level.
std::optional<Level> read_level(const Tokens& tokens, std::size_t at);

}  // namespace deputy::intent
