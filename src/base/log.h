// Structured logging. One event is one line, whatever its texts contain: time, level, event, named values. Every text
// passes the filter that the app sets (the redactor), the last place where a secret is caught.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace deputy::log {

enum class Level { debug, info, warning, error };
enum class Format { text, json };

/// The names of levels, for lines and for settings.
constexpr auto choices_of(Level) {
  return std::to_array<std::pair<Level, std::string_view>>(
      {{Level::debug, "debug"}, {Level::info, "info"}, {Level::warning, "warning"}, {Level::error, "error"}});
}
constexpr auto choices_of(Format) {
  return std::to_array<std::pair<Format, std::string_view>>({{Format::text, "text"}, {Format::json, "json"}});
}

struct Value : std::variant<std::string, std::int64_t, double, bool> {
  using std::variant<std::string, std::int64_t, double, bool>::variant;
  Value(std::string_view text) : variant(std::string(text)) {}
  Value(const char* text) : variant(std::string(text)) {}
  template <std::integral N>
    requires(!std::same_as<N, bool>)
  Value(N number) : variant(static_cast<std::int64_t>(number)) {}
};
using Field = std::pair<std::string_view, Value>;
using Fields = std::initializer_list<Field>;

void debug(std::string_view event, Fields fields = {});
void info(std::string_view event, Fields fields = {});
void warning(std::string_view event, Fields fields = {});
void error(std::string_view event, Fields fields = {});

/// Set these at start, before threads log. The filter gets every text of a line and returns what may be written.
using Filter = std::function<std::string(std::string_view)>;
using Sink = std::function<void(std::string_view line)>;
void set_level(Level level);
void set_format(Format format);
void set_filter(Filter filter);

/// Sets where lines go; an empty sink restores the default, standard error. It is called on the thread that logs.
void set_sink(Sink sink);

}  // namespace deputy::log
