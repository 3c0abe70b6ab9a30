#include <fmt/format.h>

#include <array>

#include "base/json_pointer.h"
#include "base/text.h"
#include "tools/logs/coralogix/coralogix.h"
#include "tools/logs/paged_backend.h"
#include "tools/logs/times.h"

namespace deputy::tools::coralogix {

namespace {

constexpr std::size_t kMaxSaid = 300;  // of an error or a warning
constexpr int kMaxDepth = 8;

template <class Names>
std::string one_of(const Names& names, std::string_view key) {
  std::vector<std::string> strings;
  for (const std::string& name : names) strings.push_back(dataprime_string(name));
  return fmt::format(" | filter [{}].arrayContains({})", join(strings, ", "), key);
}

std::string severities(LogLevel least) {
  constexpr auto kSeverities = std::to_array<std::pair<LogLevel, std::string_view>>({{LogLevel::debug, "DEBUG"},
                                                                                     {LogLevel::debug, "VERBOSE"},
                                                                                     {LogLevel::info, "INFO"},
                                                                                     {LogLevel::warning, "WARNING"},
                                                                                     {LogLevel::error, "ERROR"},
                                                                                     {LogLevel::fatal, "CRITICAL"}});
  std::vector<std::string> words;
  for (const auto& [level, word] : kSeverities) {
    if (level >= least) words.emplace_back(word);
  }
  return fmt::format(" | filter [{}].arrayContains($m.severity)", join(words, ", "));
}

/// The first text anywhere in a value: nobody says what an error looks like.
std::string first_text(const json::value& value, int depth = 0) {
  if (value.is_string()) return std::string(as_view(value.get_string()));
  if (depth == kMaxDepth) return {};
  if (value.is_object()) {
    for (const std::string_view name : {"message", "warningMessage", "errorMessage", "reason"}) {
      if (std::string text = text_at(value.get_object(), name); !text.empty()) return text;
    }
    for (const auto& [name, inside] : value.get_object()) {
      if (std::string text = first_text(inside, depth + 1); !text.empty()) return text;
    }
  }
  if (value.is_array()) {
    for (const json::value& inside : value.get_array()) {
      if (std::string text = first_text(inside, depth + 1); !text.empty()) return text;
    }
  }
  return {};
}

std::string said_in(const json::value& value) {
  std::string text = first_text(value);
  if (trim(text).empty()) text = json::serialize(value);
  return cut_with_mark(to_valid_utf8(std::move(text)), kMaxSaid);
}

/// [{"key": "severity", "value": "5"}] as {"severity": "5"}.
json::object by_key(const json::value& entry, std::string_view pointer) {
  json::object pairs;
  for (const json::value& pair : items_in(entry, pointer)) {
    if (std::string key = text_in(pair, "/key"); !key.empty()) pairs[key] = text_in(pair, "/value");
  }
  return pairs;
}

std::string nested_text(const json::value& value, std::string_view path) {
  if (!value.is_object()) return {};
  const std::size_t dot = path.find('.');
  const json::value* inside = value.get_object().if_contains(path.substr(0, dot));
  if (inside == nullptr || inside->is_null()) return {};
  return dot == std::string_view::npos ? as_text(*inside) : nested_text(*inside, path.substr(dot + 1));
}

}  // namespace

std::string dataprime_string(std::string_view text) {
  const char quote = text.contains('\'') && !text.contains('"') ? '"' : '\'';
  std::string string(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') string += '\\';
    string += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return string + quote;
}

std::string log_query(const CoralogixSettings& settings, const LogQuery& query,
                      const std::vector<std::string>& services) {
  std::string text = "source logs" + one_of(logs::spellings(query.environment_names), settings.environment_key);
  if (!services.empty()) text += one_of(services, settings.service_key);
  if (query.least != LogLevel::none) text += severities(query.least);
  for (const std::string& word : query.text.words) text += " | wildfind " + dataprime_string(word);
  return text;
}

std::string services_query(const CoralogixSettings& settings, const LogQuery* query) {
  std::string text = "source logs";
  if (query != nullptr) text += one_of(logs::spellings(query->environment_names), settings.environment_key);
  return text + fmt::format(
                    " | groupby {} as service, {} as environment aggregate count() as entries | orderby entries "
                    "desc | limit {}",
                    settings.service_key, settings.environment_key, kMaxServices);
}

std::string Entry::at(std::string_view key) const {
  if (key.starts_with("$l.")) return text_at(labels, key.substr(3));
  if (key.starts_with("$m.")) return text_at(metadata, key.substr(3));
  return nested_text(data, key.starts_with("$d.") ? key.substr(3) : key);
}

std::optional<Timestamp> Entry::time() const { return logs::parse_time(text_at(metadata, "timestamp"), {}); }

LogLevel Entry::level() const {
  constexpr std::array kByNumber{LogLevel::debug,   LogLevel::debug, LogLevel::info,
                                 LogLevel::warning, LogLevel::error, LogLevel::fatal};
  const std::string severity = text_at(metadata, "severity");
  const bool is_number = severity.size() == 1 && severity[0] >= '1' && severity[0] <= '6';
  return is_number ? kByNumber[static_cast<std::size_t>(severity[0] - '1')] : level_of_field(severity);
}

std::string Entry::text() const {
  // What was logged as a line of text is an object with nothing but the line.
  if (data.is_object() && data.get_object().size() == 1) {
    if (const json::value& only = data.get_object().begin()->value(); only.is_string()) return as_text(only);
  }
  return as_text(data);
}

Result<Answer> read_answer(std::string_view body) {
  Answer answer;
  while (!body.empty()) {
    const std::size_t end = std::min(body.find('\n'), body.size() - 1) + 1;
    const std::string_view line = trim(body.substr(0, end));
    body.remove_prefix(end);
    if (line.empty()) continue;
    TRY(const json::value said, parse_json(line));
    if (!said.is_object()) continue;
    for (const auto& [kind, value] : said.get_object()) {
      answer.recognized = answer.recognized || kind == "queryId" || kind == "result" || kind == "statistics";
      if (kind == "error") answer.error = said_in(value);
      if (kind == "warning") answer.warnings.push_back(said_in(value));
      if (kind != "result") continue;
      for (const json::value& one : items_in(value, "/results")) {
        const std::string text = text_in(one, "/userData");
        Entry entry{by_key(one, "/metadata"), by_key(one, "/labels"), json::string(text)};
        // It is JSON within a string.
        if (auto decoded = parse_json(text)) entry.data = *std::move(decoded);
        answer.entries.push_back(std::move(entry));
      }
    }
  }
  return answer;
}

}  // namespace deputy::tools::coralogix
