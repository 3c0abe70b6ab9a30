#include "tools/alarms/files/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>

#include "base/json_pointer.h"
#include "base/text.h"
#include "tools/alarms/prometheus/prometheus.h"
#include "tools/json_file.h"
#include "tools/shown.h"

namespace deputy::tools {

namespace {

using std::chrono::milliseconds;
using Labels = std::map<std::string, std::string>;

constexpr std::string_view kAlarmsSetting = "tools.alarm_tools.files.alarms";
constexpr std::string_view kMetricsSetting = "tools.alarm_tools.files.metrics";
constexpr std::size_t kNamesTold = 10;

/// The document, which holds a list at `pointer`.
Result<json::value> read_answer(const std::filesystem::path& file, std::string_view pointer, std::string_view what,
                                std::string_view setting) {
  TRY(json::value document, read_json_file(file, setting));
  const json::value* list = find_in(document, pointer);
  if (list == nullptr || !list->is_array()) return holds_no(what, file, setting);
  return document;
}

Result<json::value> read_rules(const std::filesystem::path& file) {
  return read_answer(file, "/data/groups", "`data.groups` with alerting rules", kAlarmsSetting);
}
Result<json::value> read_series(const std::filesystem::path& file) {
  return read_answer(file, "/data/result", "`data.result` with series", kMetricsSetting);
}

std::vector<Alarm> all_alarms(const json::value& rules) {
  std::vector<Alarm> alarms = prometheus::alerts_of_rules(rules, "");
  std::ranges::move(prometheus::quiet_rules(rules, ""), std::back_inserter(alarms));
  return alarms;
}

Result<FoundAlarms> find_alarms(const std::filesystem::path& file, const AlarmQuery& query) {
  TRY(const json::value rules, read_rules(file));
  FoundAlarms found;
  for (Alarm& alarm : all_alarms(rules)) {
    const bool is_named = to_lower(alarm.name).starts_with(to_lower(query.prefix));
    if (is_named && (!query.state || *query.state == alarm.state)) found.alarms.push_back(std::move(alarm));
  }
  if (query.state == AlarmState::silenced) found.notes.emplace_back("silences are not known: the file has rules only");
  return found;
}

std::set<std::string> words_of_series(const Labels& labels) {
  std::set<std::string> words;
  for (const auto& [name, value] : labels) words.merge(words_in(value));
  return words;
}

std::string in_backquotes(const std::set<std::string>& names) {
  std::vector<std::string> shown;
  for (const std::string& name : names | std::views::take(kNamesTold)) shown.push_back(cut_with_mark(name, 60));
  return list_names(shown) + (names.size() > kNamesTold ? fmt::format(" and {} more", names.size() - kNamesTold) : "");
}

Result<FoundMetrics> find_series(const std::filesystem::path& file, const MetricQuery& query) {
  TRY(const SeriesQuery wanted, parse_series_query(query.text));
  TRY(const json::value document, read_series(file));
  const json::array& items = items_in(document, "/data/result");
  std::vector<Labels> all;
  for (const json::value& item : items) all.push_back(prometheus::labels_of_series(item));
  std::set<std::string> names;
  for (const Labels& labels : all) {
    if (const auto name = labels.find("__name__"); name != labels.end()) names.insert(name->second);
  }
  if (const std::set<std::string> unknown = unknown_words(wanted, all); !unknown.empty())
    return fail(ErrorKind::not_found, fmt::format("no series has {} in its name or labels", in_backquotes(unknown)),
                fmt::format("the metrics in the file are {}; leave out other words", in_backquotes(names)));
  json::array chosen;
  for (std::size_t at = 0; at < items.size(); ++at) {
    if (matches_series(wanted, all[at])) chosen.push_back(items[at]);
  }
  FoundMetrics found = prometheus::matrix(json::object{{"data", json::object{{"result", std::move(chosen)}}}});
  for (MetricSeries& series : found.series)
    std::erase_if(series.samples, [&](const Sample& sample) { return !query.span.contains(sample.at); });
  std::erase_if(found.series, [](const MetricSeries& series) { return series.samples.empty(); });
  for (MetricSeries& series : found.series) std::ranges::sort(series.samples, {}, &Sample::at);
  return found;
}

class FileAlarms final : public AlarmBackend {
 public:
  FileAlarms(std::filesystem::path file, Workers& workers) : file_(std::move(file)), workers_(workers) {}

  std::string_view name() const override { return "files"; }
  json::object target() const override { return {{"alarms", file_.string()}}; }
  Task<Result<FoundAlarms>> find(AlarmQuery query, milliseconds limit) override {
    auto job = [file = file_, query](const std::stop_token&) { return find_alarms(file, query); };
    co_return co_await on_worker<FoundAlarms>(workers_, limit, std::move(job));
  }
  Task<Result<std::string>> diagnose(milliseconds limit) override {
    auto job = [file = file_](const std::stop_token&) -> Result<std::string> {
      TRY(const json::value rules, read_rules(file));
      return count_of(static_cast<std::int64_t>(all_alarms(rules).size()), "alarm") + " in " + file.string();
    };
    co_return co_await on_worker<std::string>(workers_, limit, std::move(job));
  }

 private:
  std::filesystem::path file_;
  Workers& workers_;
};

class FileMetrics final : public MetricsBackend {
 public:
  FileMetrics(std::filesystem::path file, Workers& workers) : file_(std::move(file)), workers_(workers) {}

  std::string_view name() const override { return "files"; }
  json::object target() const override { return {{"metrics", file_.string()}}; }
  bool takes_words() const override { return true; }
  std::string_view probe() const override { return "cpu"; }
  Task<Result<FoundMetrics>> query(MetricQuery query, milliseconds limit) override {
    auto job = [file = file_, query](const std::stop_token&) { return find_series(file, query); };
    co_return co_await on_worker<FoundMetrics>(workers_, limit, std::move(job));
  }
  Task<Result<std::string>> diagnose(milliseconds limit) override {
    auto job = [file = file_](const std::stop_token&) -> Result<std::string> {
      TRY(const json::value document, read_series(file));
      return fmt::format("{} series in {}", items_in(document, "/data/result").size(), file.string());
    };
    co_return co_await on_worker<std::string>(workers_, limit, std::move(job));
  }

 private:
  std::filesystem::path file_;
  Workers& workers_;
};

std::unexpected<Error> only_words(std::string_view what) {
  return fail(ErrorKind::invalid_input, fmt::format("the metrics are in a file, which knows no {}", what),
              "give words of the series' name and labels, such as `cpu checkout prod`, or `cpu{environment=\"prod\"}`");
}

}  // namespace

std::shared_ptr<AlarmBackend> make_file_alarms(std::filesystem::path file, Workers& workers) {
  return std::make_shared<FileAlarms>(std::move(file), workers);
}

std::shared_ptr<MetricsBackend> make_file_metrics(std::filesystem::path file, Workers& workers) {
  return std::make_shared<FileMetrics>(std::move(file), workers);
}

Result<SeriesQuery> parse_series_query(std::string_view text) {
  SeriesQuery query;
  const std::size_t open = text.find('{');
  query.words = words_in(text.substr(0, open));
  if (text.substr(0, open).find_first_of("()[]}=<>*/+!~") != std::string_view::npos) return only_words("PromQL");
  if (open != std::string_view::npos) {
    std::string_view inside = text.substr(open + 1);
    const std::size_t close = inside.find('}');
    if (close == std::string_view::npos) return only_words("query without a closing brace");
    if (!trim(inside.substr(close + 1)).empty()) return only_words("PromQL");
    for (const std::string_view part : split(inside.substr(0, close), ",")) {
      if (trim(part).empty()) continue;
      const std::size_t equals = part.find('=');
      const std::string_view name = trim(part.substr(0, equals));
      const std::string_view value = equals == std::string_view::npos ? "" : trim(part.substr(equals + 1));
      const bool is_quoted =
          value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
      if (!is_quoted || name.empty() || name.ends_with('!')) return only_words("conditions but `label=\"value\"`");
      query.labels.emplace(name, value.substr(1, value.size() - 2));
    }
  }
  if (query.words.empty() && query.labels.empty()) return only_words("query without words");
  return query;
}

std::set<std::string> unknown_words(const SeriesQuery& query, const std::vector<Labels>& series) {
  std::set<std::string> unknown = query.words;
  for (const Labels& labels : series) {
    for (const std::string& word : words_of_series(labels)) unknown.erase(word);
  }
  return unknown;
}

bool matches_series(const SeriesQuery& query, const Labels& series) {
  const bool meets = std::ranges::all_of(query.labels, [&](const auto& label) {
    const auto own = series.find(label.first);
    return own != series.end() && own->second == label.second;
  });
  return meets && std::ranges::includes(words_of_series(series), query.words);
}

}  // namespace deputy::tools
