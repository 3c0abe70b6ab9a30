#include "base/log.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>
#include <cmath>
#include <mutex>

#include "base/clock.h"
#include "base/json.h"
#include "base/text.h"

namespace deputy::log {

namespace {

struct Setup {
  std::atomic<Level> level = Level::info;
  std::atomic<Format> format = Format::text;
  Filter filter;
  std::recursive_mutex sink_mutex;  // a sink may log
  Sink sink;
  std::shared_ptr<spdlog::logger> stderr_logger;

  Setup()
      : stderr_logger(std::make_shared<spdlog::logger>("deputy", std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
    stderr_logger->set_pattern("%v");
    stderr_logger->set_level(spdlog::level::trace);
    stderr_logger->flush_on(spdlog::level::trace);
  }
};

Setup& setup() {
  static Setup instance;
  return instance;
}

std::string_view name_of(Level level) {
  for (const auto& [choice, choice_name] : choices_of(level)) {
    if (choice == level) return choice_name;
  }
  return "error";
}

std::string filtered(std::string_view text) {
  const Filter& filter = setup().filter;
  return to_valid_utf8(filter ? filter(text) : std::string(text));
}

// Characters that a terminal acts on or treats as a line end: C0, DEL, C1, Unicode's two separators.
bool is_control(char32_t c) { return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0x2028 || c == 0x2029; }

bool has_control(std::string_view text) {
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    if (is_control(point.value)) return true;
    text.remove_prefix(point.bytes);
  }
  return false;
}

// The filter sees a value together with its name, because the name may be what makes it a secret.
std::string filtered_value(std::string_view key, std::string_view text) {
  const std::string prefix = fmt::format("{}=", key);
  const std::string shown = filtered(prefix + std::string(text));
  return shown.starts_with(prefix) ? shown.substr(prefix.size()) : filtered(text);
}

bool needs_quotes(std::string_view text) {
  return text.empty() || text.find_first_of(" \"=\\") != std::string_view::npos || has_control(text);
}

// As JSON quotes it, with every control character as \uXXXX.
std::string in_quotes(std::string_view text) {
  std::string quoted = "\"";
  for (; !text.empty();) {
    const CodePoint point = decode_utf8(text);
    if (point.value == '\n') {
      quoted += "\\n";
    } else if (is_control(point.value)) {
      quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(point.value));
    } else {
      if (point.value == '"' || point.value == '\\') quoted += '\\';
      quoted += text.substr(0, point.bytes);
    }
    text.remove_prefix(point.bytes);
  }
  return quoted += '"';
}

std::string as_text(std::string_view key, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    std::string safe = filtered_value(key, *text);
    return needs_quotes(safe) ? in_quotes(safe) : safe;
  }
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::to_string(*number);
  if (const auto* number = std::get_if<double>(&value)) return fmt::to_string(*number);
  return std::get<bool>(value) ? "true" : "false";
}

json::value as_json(std::string_view key, const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return json::value(filtered_value(key, *text));
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* number = std::get_if<double>(&value)) {
    return std::isfinite(*number) ? json::value(*number)
                                  : json::value(fmt::to_string(*number));  // JSON has no infinity
  }
  return std::get<bool>(value);
}

std::string json_line(std::string_view at, Level level, std::string_view event, Fields fields) {
  json::object line{{"at", at}, {"level", name_of(level)}, {"event", filtered(event)}};
  for (const auto& [key, value] : fields) line[key] = as_json(key, value);
  return json::serialize(line);
}

std::string text_line(std::string_view at, Level level, std::string_view event, Fields fields) {
  const std::string what = filtered(event);
  std::string line = fmt::format("{} {:<7} {}", at, name_of(level), has_control(what) ? in_quotes(what) : what);
  for (const auto& [key, value] : fields) line += fmt::format(" {}={}", key, as_text(key, value));
  return line;
}

void write(Level level, std::string_view event, Fields fields) {
  Setup& to = setup();
  if (level < to.level) return;
  const std::string at = format_timestamp(SystemClock{}.now());
  const std::string line =
      to.format == Format::json ? json_line(at, level, event, fields) : text_line(at, level, event, fields);
  const std::lock_guard lock(to.sink_mutex);
  if (to.sink) {
    to.sink(line);
  } else {
    to.stderr_logger->info(line);
  }
}

}  // namespace

void debug(std::string_view event, Fields fields) { write(Level::debug, event, fields); }
void info(std::string_view event, Fields fields) { write(Level::info, event, fields); }
void warning(std::string_view event, Fields fields) { write(Level::warning, event, fields); }
void error(std::string_view event, Fields fields) { write(Level::error, event, fields); }

void set_level(Level level) { setup().level = level; }
void set_format(Format format) { setup().format = format; }
void set_filter(Filter filter) { setup().filter = std::move(filter); }
void set_sink(Sink sink) {
  const std::lock_guard lock(setup().sink_mutex);  // after this returns no thread is inside the previous sink
  setup().sink = std::move(sink);
}

}  // namespace deputy::log
