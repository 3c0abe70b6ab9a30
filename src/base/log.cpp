#include "base/log.h"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <atomic>

#include "base/clock.h"
#include "base/json.h"

namespace deputy::log {

namespace {

struct Setup {
  std::atomic<Level> level = Level::info;
  std::atomic<Format> format = Format::text;
  Filter filter;
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

constexpr std::string_view name_of(Level level) {
  switch (level) {
    case Level::debug:
      return "debug";
    case Level::info:
      return "info";
    case Level::warning:
      return "warning";
    case Level::error:
      return "error";
  }
  return "error";
}

std::string filtered(std::string_view text) {
  const Filter& filter = setup().filter;
  return filter ? filter(text) : std::string(text);
}

bool needs_quotes(std::string_view text) {
  const auto plain = [](unsigned char c) { return c > ' ' && c != '"' && c != '=' && c != '\\' && c != 0x7F; };
  return text.empty() || !std::ranges::all_of(text, plain);
}

std::string in_quotes(std::string_view text) { return json::serialize(json::string_view(text.data(), text.size())); }

std::string as_text(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) {
    std::string safe = filtered(*text);
    return needs_quotes(safe) ? in_quotes(safe) : safe;
  }
  if (const auto* number = std::get_if<std::int64_t>(&value)) return fmt::to_string(*number);
  if (const auto* number = std::get_if<double>(&value)) return fmt::to_string(*number);
  return std::get<bool>(value) ? "true" : "false";
}

json::value as_json(const Value& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return json::value(filtered(*text));
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return std::get<bool>(value);
}

std::string json_line(std::string_view at, Level level, std::string_view event, Fields fields) {
  json::object line{{"at", at}, {"level", name_of(level)}, {"event", filtered(event)}};
  for (const auto& [key, value] : fields) line[key] = as_json(value);
  return json::serialize(line);
}

std::string text_line(std::string_view at, Level level, std::string_view event, Fields fields) {
  std::string line = fmt::format("{} {:<7} {}", at, name_of(level), filtered(event));
  for (const auto& [key, value] : fields) line += fmt::format(" {}={}", key, as_text(value));
  return line;
}

void write(Level level, std::string_view event, Fields fields) {
  Setup& to = setup();
  if (level < to.level) return;
  const std::string at = format_timestamp(SystemClock{}.now());
  const std::string line =
      to.format == Format::json ? json_line(at, level, event, fields) : text_line(at, level, event, fields);
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
void set_sink(Sink sink) { setup().sink = std::move(sink); }

}  // namespace deputy::log
