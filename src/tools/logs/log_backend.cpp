#include "tools/logs/log_backend.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/text.h"

namespace deputy::tools {

namespace {

Result<TextQuery> regex_query(std::string_view expression, std::string_view flags) {
  std::string regex = flags.empty() ? std::string(expression) : fmt::format("(?i:{})", expression);
  RE2::Options options;
  options.set_log_errors(false);
  const RE2 compiled(regex, options);
  if (!compiled.ok()) {
    return fail(ErrorKind::invalid_input,
                fmt::format("`query` is not a valid regular expression: {}", to_valid_utf8(compiled.error())),
                "leave the slashes out to search for words");
  }
  return TextQuery{{}, std::move(regex)};
}

}  // namespace

Result<TextQuery> parse_query(std::string_view text) {
  text = trim(text);
  if (text == "*") return TextQuery{};
  if (text.starts_with('/')) {
    const std::size_t end = text.rfind('/');
    const std::string_view flags = text.substr(end + 1);
    if (end > 1 && (flags.empty() || flags == "i")) return regex_query(text.substr(1, end - 1), flags);
  }
  TextQuery query;
  while (!text.empty()) {
    const bool phrase = text.starts_with('"') && text.find('"', 1) != std::string_view::npos;
    const std::size_t end = phrase ? text.find('"', 1) : text.find_first_of(" \t\r\n");
    const std::string_view word = phrase ? text.substr(1, end - 1) : text.substr(0, end);
    if (!word.empty()) query.words.push_back(to_lower(word));
    text = end == std::string_view::npos ? std::string_view() : trim(text.substr(end + (phrase ? 1 : 0)));
  }
  if (query.words.empty()) {
    return fail(ErrorKind::invalid_input, "`query` has nothing to search for",
                "give words, a \"quoted phrase\", a /regular expression/, or * for everything");
  }
  if (query.words.size() > kMaxWords) {
    return fail(ErrorKind::invalid_input,
                fmt::format("`query` has {} words; at most {} are allowed", query.words.size(), kMaxWords),
                "use fewer words, or put a phrase in double quotes");
  }
  return query;
}

}  // namespace deputy::tools
