#include <fmt/format.h>
#include <re2/re2.h>

#include "base/text.h"
#include "tools/logs/loki/loki.h"

namespace deputy::tools::loki {

namespace {

std::string literally(std::string_view text) { return RE2::QuoteMeta({text.data(), text.size()}); }

std::string one_of(const std::vector<std::string>& texts) {
  std::vector<std::string> literals;
  for (const std::string& text : texts) literals.push_back(literally(text));
  return join(literals, "|");
}

std::string environment_matcher(const LokiSettings& settings, const LogQuery& query) {
  return fmt::format("{}=~{}", settings.environment_label,
                     logql_string(fmt::format("(?i)(?:{})", one_of(query.environment_names))));
}

/// As Loki finds it in the label: a word in any case, or a number of bunyan and pino.
std::string level_pattern(LogLevel least) {
  std::vector<std::string> words;
  for (const std::string_view word : words_of_level(least)) words.emplace_back(word);
  for (int number = 10; number <= 60; number += 10) {
    const std::string digits = std::to_string(number);
    if (level_of_number(digits) >= least) words.push_back(digits);
  }
  return fmt::format("(?i)(?:{})", join(words, "|"));
}

}  // namespace

std::string logql_string(std::string_view text) {
  std::string string = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      string += '\\';
      string += c;
    } else if (static_cast<unsigned char>(c) < ' ') {
      string += fmt::format("\\x{:02x}", static_cast<unsigned>(c));
    } else {
      string += c;
    }
  }
  return string + '"';
}

std::string environment_selector(const LokiSettings& settings, const LogQuery& query) {
  return fmt::format("{{{}}}", environment_matcher(settings, query));
}

std::string log_query(const LokiSettings& settings, const LogQuery& query, const std::vector<std::string>& services) {
  std::string text = "{" + environment_matcher(settings, query);
  if (services.size() == 1) text += fmt::format(", {}={}", settings.service_label, logql_string(services.front()));
  if (services.size() > 1) text += fmt::format(", {}=~{}", settings.service_label, logql_string(one_of(services)));
  text += "}";
  if (query.least >= LogLevel::error && settings.level_label.empty()) text += " |~ " + logql_string(kMayBeError);
  for (const std::string& word : query.text.words) text += " |~ " + logql_string("(?i)" + literally(word));
  if (!query.text.regex.empty()) text += " |~ " + logql_string(fmt::format("(?m:{})", query.text.regex));
  // After the line filters, which are cheaper.
  if (query.least != LogLevel::none && !settings.level_label.empty())
    text += fmt::format(" | {}=~{}", settings.level_label, logql_string(level_pattern(query.least)));
  return text;
}

}  // namespace deputy::tools::loki
