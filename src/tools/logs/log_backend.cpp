#include "tools/logs/log_backend.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "tools/services_registry.h"

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

constexpr int kStepsOfCourse = 120;

}  // namespace

std::vector<std::string> wanted_services(const LogQuery& query, const std::vector<std::string>& there) {
  std::vector<std::string> wanted;
  for (const std::string& service : there) {
    const std::string plain = plain_name(service);
    if (std::ranges::any_of(query.service_names, [&](const std::string& name) { return plain_name(name) == plain; }))
      wanted.push_back(service);
  }
  return wanted;
}

Error unknown_service(const LogQuery& query, const std::vector<std::string>& there) {
  std::set<std::string> known(query.known_services.begin(), query.known_services.end());
  known.insert(there.begin(), there.end());
  return no_such_service(query.service_names.front(), {known.begin(), known.end()});
}

LogCourse LogCourse::over(const TimeSpan& span) {
  LogCourse course{.step = round_step(span, kStepsOfCourse), .counts = {}};
  course.counts.resize(static_cast<std::size_t>((span.to - span.from) / course.step) + 1);
  // The span ends with its last moment: a whole number of steps needs no further one.
  if (course.counts.size() > 1 && (span.to - span.from) % course.step == std::chrono::milliseconds(0))
    course.counts.pop_back();
  return course;
}

std::size_t LogCourse::step_of(const TimeSpan& span, Timestamp at) const {
  return std::min(static_cast<std::size_t>((at - span.from) / step), counts.size() - 1);
}

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
