#include "tools/logs/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <vector>

#include "base/fields_codec.h"
#include "base/plot.h"
#include "base/text.h"
#include "tools/logs/shape.h"
#include "tools/sparkline.h"

namespace deputy::tools {

namespace {

constexpr std::size_t kMaxInVerdict = 120;
constexpr std::size_t kMaxAsked = 500;

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

/// Redacts texts as one, because a secret may have a line in each: a private key that was logged line by line.
std::vector<std::string> redacted_together(const std::vector<std::string>& texts, const toolkit::Redact& redact) {
  const std::string whole = toolkit::redact_or_withhold(join(texts, "\n"), redact);
  std::string_view rest = whole;
  std::vector<std::string> redacted;
  for (const std::string& text : texts) {
    std::size_t end = 0;
    for (auto lines = std::ranges::count(text, '\n') + 1; lines > 0 && end <= rest.size(); --lines)
      end = std::min(rest.find('\n', end), rest.size()) + 1;
    redacted.emplace_back(rest.substr(0, end - 1));
    rest.remove_prefix(std::min(end, rest.size()));
  }
  return redacted;
}

struct ToldGroup {
  const MessageGroup* group;
  std::string shape;
  std::string example;
};

// Redact before taking the shape: without its digits a secret is not recognized.
std::vector<ToldGroup> told_groups(const LogFindings& findings, const toolkit::Redact& redact) {
  std::vector<std::string> messages, examples;
  for (const MessageGroup& group : findings.groups | std::views::take(kMaxGroupsTold)) {
    messages.push_back(group.message);
    examples.push_back(group.example);
  }
  const std::vector<std::string> safe_messages = redacted_together(messages, redact);
  const std::vector<std::string> safe_examples = redacted_together(examples, redact);
  std::vector<ToldGroup> told;
  for (std::size_t at = 0; at < messages.size(); ++at) {
    told.push_back({&findings.groups[at], to_valid_utf8(shape_of(safe_messages[at])),
                    cut_with_mark(safe_examples[at], kMaxExample)});
  }
  return told;
}

void tell_group(const ToldGroup& told, bool name_service, std::string& text) {
  const MessageGroup& group = *told.group;
  const std::string_view level = name(group.level);
  text += fmt::format("{} × {}", with_commas(group.count), told.shape);
  text += fmt::format(" ({}{}", level.empty() ? "no level" : level, name_service ? ", " + group.service : "");
  if (group.first && group.last) text += fmt::format(", first {}, last {}", moment(*group.first), moment(*group.last));
  text += fmt::format(")\n    e.g. {}\n", told.example);
}

void tell_groups(const LogQuery& query, const LogFindings& findings, const std::vector<ToldGroup>& told,
                 std::string& text) {
  std::int64_t rest = findings.ungrouped;
  for (const MessageGroup& group : findings.groups | std::views::drop(told.size())) rest += group.count;
  for (const ToldGroup& one : told) tell_group(one, query.service_names.empty(), text);
  if (rest > 0) text += fmt::format("{} × other messages, not listed here\n", with_commas(rest));
}

// Fewer are told one by one, and in fewer steps there is nothing to see.
constexpr std::int64_t kFewestWithCourse = 10;
constexpr std::ptrdiff_t kFewestSteps = 3;

bool is_worth_showing(const LogFindings& findings) {
  return findings.matched >= kFewestWithCourse &&
         std::ranges::count_if(findings.course.counts, [](std::int64_t count) { return count > 0; }) >= kFewestSteps;
}

/// The same course in steps that fit into a line of text.
LogCourse coarser(const LogCourse& course) {
  const std::size_t together = (course.counts.size() + kSparkline - 1) / kSparkline;
  LogCourse wide{.step = course.step * together, .counts = {}};
  for (std::size_t at = 0; at < course.counts.size(); ++at) {
    if (at % together == 0) wide.counts.push_back(0);
    wide.counts.back() += course.counts[at];
  }
  return wide;
}

void tell_course(const LogQuery& query, const LogCourse& course, std::string& text) {
  const LogCourse wide = coarser(course);
  const auto highest = std::ranges::max_element(wide.counts);
  const Timestamp since = query.span.from + wide.step * (highest - wide.counts.begin());
  text += fmt::format("\nOver time, every {}: {}, highest {} from {} UTC\n", format_duration(wide.step),
                      sparkline(std::vector<std::optional<double>>(wide.counts.begin(), wide.counts.end())),
                      with_commas(*highest), moment(since).substr(0, 16));
}

Plot plot_of(const LogQuery& query, const LogFindings& findings) {
  const auto seconds = [](std::chrono::milliseconds time) { return std::chrono::duration<double>(time).count(); };
  const LogCourse& course = findings.course;
  const std::string what = query.least >= LogLevel::error ? "errors" : "entries";
  Plot plot{.title = fmt::format("{}, {}", what, where(query)), .from = query.span.from, .to = query.span.to};
  plot.gap = seconds(course.step) * 2.5;
  PlotSeries& line =
      plot.series.emplace_back(PlotSeries{fmt::format("{} in {}", what, format_duration(course.step)), {}});
  for (std::size_t at = 0; at < course.counts.size(); ++at)
    line.points.push_back({seconds(course.step) * static_cast<double>(at), static_cast<double>(course.counts[at])});
  return plot;
}

void tell_newest(const LogQuery& query, const LogFindings& findings, const toolkit::Redact& redact, std::string& text) {
  if (findings.newest.empty()) return;
  const auto count = static_cast<std::int64_t>(findings.newest.size());
  text += count == findings.matched
              ? fmt::format("\nAll {}, oldest first:\n", count)
              : fmt::format("\nThe newest {} of {}, oldest first:\n", count, with_commas(findings.matched));
  std::vector<std::string> entries;
  for (const FoundEntry& entry : findings.newest) entries.push_back(entry.text);
  const std::vector<std::string> safe_entries = redacted_together(entries, redact);
  for (std::size_t at = 0; at < entries.size(); ++at) {
    if (query.service_names.empty()) text += fmt::format("[{}] ", findings.newest[at].service);
    text += cut_with_mark(safe_entries[at], kMaxShown) + "\n";
  }
}

void tell_coverage(const LogFindings& findings, std::string& text) {
  const LogCoverage& coverage = findings.coverage;
  text += fmt::format("\nRead {} {}", coverage.source_count,
                      coverage.source_count == 1 ? coverage.source : coverage.plural);
  if (!coverage.sources.empty()) {
    text += fmt::format(" ({}", join(coverage.sources, ", "));
    const auto unnamed = coverage.source_count - static_cast<std::int64_t>(coverage.sources.size());
    text += unnamed > 0 ? fmt::format(" and {} more)", unnamed) : ")";
  }
  text += fmt::format(": {} {}, {}", with_commas(coverage.lines), coverage.lines_are, megabytes(coverage.bytes));
  if (coverage.outside > 0) {
    text +=
        fmt::format("; {} more {} nothing from that time", coverage.outside, coverage.outside == 1 ? "has" : "have");
  }
  text += ".\n";
  if (!coverage.asked.empty()) text += fmt::format("Asked as: {}\n", cut_with_mark(coverage.asked, kMaxAsked));
  for (const std::string& note : findings.notes) text += fmt::format("Note: {}.\n", note);
}

// When it happened last: "the last at 09:28; none since".
std::string last_time(Timestamp last, const TimeSpan& span) {
  constexpr auto kQuiet = std::chrono::minutes(10);
  const std::string at = moment(last);
  const bool same_day = at.substr(0, 10) == moment(span.to).substr(0, 10);
  return fmt::format("the last at {}{}", same_day ? at.substr(11, 5) : at.substr(0, 16),
                     span.to - last >= kQuiet ? "; none since" : "");
}

// The summary for the first line: how many, mostly what, and when last.
std::string verdict(const LogQuery& query, const LogFindings& findings, const std::vector<ToldGroup>& told,
                    Telling telling) {
  const std::string what = what_matched(query, findings.matched);
  if (findings.matched == 0) return fmt::format("No {}", what);
  std::string line = fmt::format("{} {}", with_commas(findings.matched), what);
  if (telling == Telling::lines_only || told.empty()) {
    const auto newest = std::ranges::max_element(findings.newest, {}, &FoundEntry::at);
    if (newest != findings.newest.end() && newest->at) line += ", " + last_time(*newest->at, query.span);
    return line;
  }
  const MessageGroup& most = *told.front().group;
  line += fmt::format(", {} “{}”", most.count == findings.matched ? "all" : with_commas(most.count) + " of them",
                      cut_with_mark(told.front().shape, kMaxInVerdict));
  if (most.last) line += ", " + last_time(*most.last, query.span);
  return line;
}

json::object data_of(const LogQuery& query, const LogFindings& findings, const std::vector<ToldGroup>& told) {
  json::array groups;
  for (const ToldGroup& one : told) {
    groups.push_back(json::object{{"count", one.group->count},
                                  {"shape", one.shape},
                                  {"service", one.group->service},
                                  {"level", std::string(name(one.group->level))}});
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

toolkit::Output report(const LogQuery& query, const LogFindings& findings, Telling telling,
                       const toolkit::Redact& redact) {
  const std::vector<ToldGroup> told = told_groups(findings, redact);
  std::string text = fmt::format("{}\n{}, {} to {} UTC\n", verdict(query, findings, told, telling), where(query),
                                 moment(query.span.from), moment(query.span.to));
  if (findings.coverage.none_belongs) {
    text += fmt::format("No log {} belongs to {}.\n", findings.coverage.source, where(query));
  }
  if (telling == Telling::groups_first) tell_groups(query, findings, told, text);
  const bool has_course = telling == Telling::groups_first && is_worth_showing(findings);
  if (has_course) tell_course(query, findings.course, text);
  tell_newest(query, findings, redact, text);
  tell_coverage(findings, text);
  json::object data = data_of(query, findings, told);
  if (has_course) data[kPlot] = to_json(plot_of(query, findings));
  return {std::move(text), std::move(data)};
}

}  // namespace deputy::tools
