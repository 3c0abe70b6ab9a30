#include "tools/logs/report.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace deputy::tools {

namespace {

std::string moment(Timestamp at) {
  std::string text = format_timestamp(at);  // 2026-11-15T04:10:02.123Z
  text[10] = ' ';
  return text.substr(0, 19);
}

std::string megabytes(std::int64_t bytes) { return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6); }

std::string what_matched(const LogQuery& query, std::int64_t matched) {
  std::string what =
      query.least >= LogLevel::error ? (matched == 1 ? "error" : "errors") : (matched == 1 ? "entry" : "entries");
  if (query.text.words.empty() && query.text.regex.empty()) return what;
  std::string sought = query.text.regex.empty() ? join(query.text.words, " ") : "/" + query.text.regex + "/";
  return fmt::format("{} with `{}`", what, cut_with_mark(sought, 100));
}

std::string where(const LogQuery& query) {
  return fmt::format("{} in {}", query.service_names.empty() ? "all services" : query.service_names.front(),
                     query.environment);
}

void tell_group(const MessageGroup& group, bool name_service, std::string& text) {
  const std::string_view level = name(group.level);
  text += fmt::format("{} × {}", with_commas(group.count), cut_with_mark(group.shape, 240));
  text += fmt::format(" ({}{}", level.empty() ? "no level" : level, name_service ? ", " + group.service : "");
  if (group.first && group.last) text += fmt::format(", first {}, last {}", moment(*group.first), moment(*group.last));
  text += fmt::format(")\n    e.g. {}\n", group.example);
}

void tell_groups(const LogQuery& query, const LogFindings& findings, std::string& text) {
  const std::size_t told = std::min(findings.groups.size(), kMostGroupsTold);
  std::int64_t rest = findings.ungrouped;
  for (std::size_t at = told; at < findings.groups.size(); ++at) rest += findings.groups[at].count;
  for (std::size_t at = 0; at < told; ++at) tell_group(findings.groups[at], query.service_names.empty(), text);
  if (rest > 0) text += fmt::format("{} × other messages, not told apart here\n", with_commas(rest));
}

void tell_newest(const LogQuery& query, const LogFindings& findings, std::string& text) {
  if (findings.newest.empty()) return;
  const auto shown = static_cast<std::int64_t>(findings.newest.size());
  text += shown == findings.matched
              ? fmt::format("\nAll {}, oldest first:\n", shown)
              : fmt::format("\nThe newest {} of {}, oldest first:\n", shown, with_commas(findings.matched));
  for (const FoundEntry& entry : findings.newest) {
    text += query.service_names.empty() ? fmt::format("[{}] {}\n", entry.service, entry.text) : entry.text + "\n";
  }
}

void tell_coverage(const LogFindings& findings, std::string& text) {
  const LogCoverage& coverage = findings.coverage;
  text += fmt::format("\nRead {} {}", coverage.source_count, coverage.source_count == 1 ? "file" : "files");
  if (!coverage.sources.empty()) {
    text += fmt::format(" ({}", join(coverage.sources, ", "));
    const auto unnamed = coverage.source_count - static_cast<std::int64_t>(coverage.sources.size());
    text += unnamed > 0 ? fmt::format(" and {} more)", unnamed) : ")";
  }
  text += fmt::format(": {} lines, {}", with_commas(coverage.lines), megabytes(coverage.bytes));
  if (coverage.outside > 0) {
    text +=
        fmt::format("; {} more {} nothing of that time", coverage.outside, coverage.outside == 1 ? "holds" : "hold");
  }
  text += ".\n";
  for (const std::string& note : findings.notes) text += fmt::format("Note: {}.\n", note);
}

json::object data_of(const LogQuery& query, const LogFindings& findings) {
  json::array groups;
  for (std::size_t at = 0; at < std::min(findings.groups.size(), kMostGroupsTold); ++at) {
    const MessageGroup& group = findings.groups[at];
    groups.push_back(json::object{{"count", group.count},
                                  {"shape", group.shape},
                                  {"service", group.service},
                                  {"level", std::string(name(group.level))}});
  }
  return {{"matched", findings.matched},
          {"from", format_timestamp(query.span.from)},
          {"to", format_timestamp(query.span.to)},
          {"lines", findings.coverage.lines},
          {"groups", std::move(groups)}};
}

}  // namespace

std::string with_commas(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

toolkit::Output report(const LogQuery& query, const LogFindings& findings, Telling telling) {
  std::string text =
      fmt::format("{} {}: {}, {} to {} UTC\n", with_commas(findings.matched), what_matched(query, findings.matched),
                  where(query), moment(query.span.from), moment(query.span.to));
  if (findings.coverage.source_count == 0 && findings.coverage.outside == 0) {
    text += fmt::format("No log file belongs to {}.\n", where(query));
  }
  if (telling == Telling::groups_first) tell_groups(query, findings, text);
  tell_newest(query, findings, text);
  tell_coverage(findings, text);
  return {std::move(text), data_of(query, findings)};
}

}  // namespace deputy::tools
