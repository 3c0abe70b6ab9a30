#include "tools/alarms/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "base/fields_codec.h"
#include "base/plot.h"
#include "base/text.h"
#include "tools/sparkline.h"

namespace deputy::tools {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxName = 120;
constexpr std::size_t kMaxSummary = 300;
constexpr std::size_t kMaxLabel = 80;
constexpr std::size_t kMaxLabels = 8;
constexpr std::size_t kNamesInVerdict = 5;
constexpr std::string_view kMetricName = "__name__";
constexpr std::size_t kMaxSeriesDrawn = 6;
constexpr std::size_t kMaxPlotBytes = 48UL * 1024;  // a step may keep 64 KB of data

std::string_view word_of(AlarmState state) {
  for (const auto& [choice, word] : choices_of(AlarmState{})) {
    if (choice == state) return word;
  }
  return "unknown";
}

/// Texts of the backend for one report, each on one line and cut.
class Shown {
 public:
  explicit Shown(const toolkit::Redact& redact) : redact_(redact) {}

  std::string operator()(std::string_view text, std::size_t most) const {
    std::string line = to_valid_utf8(std::string(trim(text)));
    std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
    if (count_characters(line) > most) line = toolkit::redact_or_withhold(line, redact_);
    return cut_with_mark(line, most);
  }

 private:
  const toolkit::Redact& redact_;
};

/// "12m", "3h", "2d": how long something has lasted, roughly.
std::string roughly(milliseconds duration) {
  const auto minutes = std::chrono::floor<std::chrono::minutes>(std::max(duration, milliseconds(0))).count();
  if (minutes < 1) return "under 1m";
  if (minutes < 120) return fmt::format("{}m", minutes);
  if (minutes < 48 * 60) return fmt::format("{}h", minutes / 60);
  return fmt::format("{}d", minutes / (24 * 60));
}

std::string labels_in_words(const std::map<std::string, std::string>& labels, const Shown& shown) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : labels | std::views::take(kMaxLabels))
    parts.push_back(fmt::format("{}={}", shown(name, kMaxLabel), shown(value, kMaxLabel)));
  if (labels.size() > kMaxLabels) parts.push_back(fmt::format("and {} more labels", labels.size() - kMaxLabels));
  return join(parts, ", ");
}

std::string line_of(const Alarm& alarm, Timestamp now, const Shown& shown) {
  std::string line = fmt::format("- {}", shown(alarm.name, kMaxName));
  line += fmt::format(" [{}{}]", word_of(alarm.state),
                      alarm.severity.empty() ? "" : ", " + shown(alarm.severity, kMaxLabel));
  if (alarm.since) line += fmt::format(" since {} UTC ({})", moment(*alarm.since), roughly(now - *alarm.since));
  if (!alarm.summary.empty()) line += ": " + shown(alarm.summary, kMaxSummary);
  if (!alarm.labels.empty()) line += fmt::format(" ({})", labels_in_words(alarm.labels, shown));
  if (!alarm.link.empty()) line += " " + alarm.link;
  return line + "\n";
}

/// "HighErrorRate ×3, TargetDown and 2 more".
std::string names_in_words(const std::vector<Alarm>& alarms, const Shown& shown) {
  std::vector<std::pair<std::string, int>> counts;
  for (const Alarm& alarm : alarms) {
    const auto found = std::ranges::find(counts, alarm.name, &std::pair<std::string, int>::first);
    if (found == counts.end()) {
      counts.emplace_back(alarm.name, 1);
    } else {
      ++found->second;
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, count] : counts | std::views::take(kNamesInVerdict))
    names.push_back(shown(name, kMaxName) + (count > 1 ? fmt::format(" ×{}", count) : ""));
  std::string words = join(names, ", ");
  if (counts.size() > kNamesInVerdict) words += fmt::format(" and {} more", counts.size() - kNamesInVerdict);
  return words;
}

std::string verdict(const AlarmQuery& query, const std::vector<Alarm>& alarms, const Shown& shown) {
  std::string which = query.state ? fmt::format(" {}", word_of(*query.state)) : "";
  if (!query.prefix.empty()) which += fmt::format(" with a name that begins with `{}`", shown(query.prefix, kMaxName));
  if (alarms.empty()) return fmt::format("No alarm{}", which);
  return fmt::format("{}{}: {}", count_of(static_cast<std::int64_t>(alarms.size()), "alarm"), which,
                     names_in_words(alarms, shown));
}

void tell_notes(const std::vector<std::string>& notes, std::string& text) {
  for (const std::string& note : notes) text += fmt::format("Note: {}.\n", note);
}

std::string number(double value) { return fmt::format("{:.4g}", value); }

/// `http_requests_total{code="500", job="api"}`, without the labels in `known`.
std::string series_name(const std::map<std::string, std::string>& labels,
                        const std::map<std::string, std::string>& known, const Shown& shown) {
  std::vector<std::string> parts;
  std::string name;
  for (const auto& [label, value] : labels) {
    if (known.contains(label)) continue;
    if (label == kMetricName) {
      name = shown(value, kMaxName);
    } else {
      parts.push_back(fmt::format("{}=\"{}\"", shown(label, kMaxLabel), shown(value, kMaxLabel)));
    }
  }
  if (parts.empty()) return name.empty() ? "{}" : name;
  return cut_with_mark(name + "{" + join(parts, ", ") + "}", kMaxSummary);
}

struct Told {
  const MetricSeries* series;
  std::string name;
  double last = 0, low = 0, high = 0, mean = 0;
  Timestamp high_at;
};

Told told(const MetricSeries& series, std::string name) {
  Told told{.series = &series, .name = std::move(name), .last = series.samples.back().value};
  const auto [low, high] = std::ranges::minmax_element(series.samples, {}, &Sample::value);
  told.low = low->value;
  told.high = high->value;
  told.high_at = high->at;
  double count = 0;
  for (const Sample& sample : series.samples) {
    ++count;
    told.mean += sample.value / count - told.mean / count;
  }
  return told;
}

/// The values at the steps of the span; none where there is no sample.
std::vector<std::optional<double>> on_grid(const MetricSeries& series, const MetricQuery& query) {
  std::vector<std::optional<double>> values(static_cast<std::size_t>((query.span.to - query.span.from) / query.step) +
                                            1);
  for (const Sample& sample : series.samples) {
    if (!query.span.contains(sample.at)) continue;
    values[static_cast<std::size_t>((sample.at - query.span.from) / query.step)] = sample.value;
  }
  return values;
}

std::map<std::string, std::string> common_labels(const std::vector<MetricSeries>& all) {
  if (all.size() < 2) return {};
  std::map<std::string, std::string> common = all.front().labels;
  for (const MetricSeries& series : all) {
    std::erase_if(common, [&](const auto& label) {
      const auto own = series.labels.find(label.first);
      return own == series.labels.end() || own->second != label.second;
    });
  }
  return common;
}

/// Rounded: a picture shows no more, and what a step keeps is small.
double rounded(double value) {
  if (value == 0) return 0;
  const double scale = std::pow(10, 5 - std::ceil(std::log10(std::abs(value))));
  const double result = std::round(value * scale) / scale;
  return std::isfinite(result) ? result : value;
}

Plot plot_of(const MetricQuery& query, const std::vector<Told>& all, const Shown& shown) {
  Plot plot{.title = shown(query.text, kMaxName), .from = query.span.from, .to = query.span.to};
  plot.gap = std::chrono::duration<double>(query.step).count() * 2.5;
  for (const Told& one : all | std::views::take(kMaxSeriesDrawn)) {
    PlotSeries& line = plot.series.emplace_back(PlotSeries{one.name, {}});
    for (const Sample& sample : one.series->samples) {
      if (!query.span.contains(sample.at)) continue;
      line.points.push_back({static_cast<double>((sample.at - query.span.from).count()) / 1000, rounded(sample.value)});
    }
  }
  return plot;
}

}  // namespace

toolkit::Output report(const AlarmQuery& query, const FoundAlarms& found, Timestamp now,
                       const toolkit::Redact& redact) {
  const Shown shown(redact);
  std::vector<Alarm> alarms = found.alarms;
  // Firing first, and the newest of them first.
  std::ranges::sort(alarms, [](const Alarm& a, const Alarm& b) {
    if (a.state != b.state) return a.state < b.state;
    if (a.since != b.since) return a.since > b.since;
    return a.name < b.name;
  });
  std::string text = fmt::format("{}\nAs of {} UTC\n", verdict(query, alarms, shown), moment(now));
  for (const Alarm& alarm : alarms | std::views::take(kMaxAlarmsTold)) text += line_of(alarm, now, shown);
  if (alarms.size() > kMaxAlarmsTold)
    text += fmt::format("and {} more; give `prefix` to see fewer\n", alarms.size() - kMaxAlarmsTold);
  tell_notes(found.notes, text);
  if (!found.link.empty()) text += fmt::format("All of them: {}\n", found.link);
  json::array names;
  for (const Alarm& alarm : alarms | std::views::take(kMaxAlarmsTold))
    names.push_back(json::object{{"name", shown(alarm.name, kMaxName)}, {"state", std::string(word_of(alarm.state))}});
  return {std::move(text), {{"count", alarms.size()}, {"alarms", std::move(names)}}};
}

toolkit::Output report(const MetricQuery& query, const FoundMetrics& found, const toolkit::Redact& redact) {
  const Shown shown(redact);
  const std::map<std::string, std::string> common = common_labels(found.series);
  std::vector<Told> all;
  for (const MetricSeries& series : found.series) {
    if (!series.samples.empty()) all.push_back(told(series, series_name(series.labels, common, shown)));
  }
  std::ranges::sort(all,
                    [](const Told& a, const Told& b) { return a.high != b.high ? a.high > b.high : a.name < b.name; });
  std::string text;
  if (all.empty()) {
    text = "No data\n";
  } else if (const Told& top = all.front(); all.size() == 1) {
    text = fmt::format("Last {}, highest {} at {} UTC\n", number(top.last), number(top.high), moment(top.high_at));
  } else {
    text = fmt::format("{} series, the highest {} with {} at {} UTC\n", all.size(), top.name, number(top.high),
                       moment(top.high_at));
  }
  text += fmt::format("`{}`, {} to {} UTC, every {}\n", shown(query.text, kMaxSummary), moment(query.span.from),
                      moment(query.span.to), format_duration(query.step));
  if (!common.empty()) text += fmt::format("All have {}\n", series_name(common, {}, shown));
  for (const Told& one : all | std::views::take(kMaxSeriesTold)) {
    text += fmt::format("- {}\n  {}\n  last {}, lowest {}, highest {}, average {}\n", one.name,
                        sparkline(on_grid(*one.series, query)), number(one.last), number(one.low), number(one.high),
                        number(one.mean));
  }
  if (all.size() > kMaxSeriesTold)
    text += fmt::format("and {} more series; sum or filter them to see fewer\n", all.size() - kMaxSeriesTold);
  if (all.empty()) text += "Nothing was recorded for this query: check the names of metric and labels.\n";
  tell_notes(found.notes, text);
  if (!found.link.empty()) text += fmt::format("Graph: {}\n", found.link);
  json::object data{{"series", all.size()}};
  json::object plot = to_json(plot_of(query, all, shown));
  if (!all.empty() && json::serialize(plot).size() <= kMaxPlotBytes) data[kPlot] = std::move(plot);
  return {std::move(text), std::move(data)};
}

}  // namespace deputy::tools
