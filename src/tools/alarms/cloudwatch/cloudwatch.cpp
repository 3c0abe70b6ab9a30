#include "tools/alarms/cloudwatch/cloudwatch.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json_pointer.h"
#include "base/text.h"
#include "net/sigv4.h"

namespace deputy::tools::cloudwatch {

namespace {

namespace aws = clients::aws;
using std::chrono::milliseconds;

constexpr std::size_t kMaxReply = 16UL * 1024 * 1024;
constexpr int kMaxAlarmPages = 50;  // of 100 alarms
constexpr int kMaxMetricPages = 20;
constexpr std::int64_t kMaxDatapoints = 20'000;  // a page

std::optional<double> number_in(const json::value& document, std::string_view pointer) {
  const json::value* found = find_in(document, pointer);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  return found->to_number<double>();
}

/// AWS writes times in seconds, with or without a fraction.
std::optional<Timestamp> time_of(std::optional<double> seconds) {
  if (!seconds || !(*seconds >= 0) || *seconds > 1e11) return std::nullopt;
  return from_millis(std::llround(*seconds * 1000));
}

std::string_view vendor_word(AlarmState state) {
  if (state == AlarmState::ok) return "OK";
  return state == AlarmState::no_data ? "INSUFFICIENT_DATA" : "ALARM";
}

AlarmState state_of(const json::value& alarm) {
  const std::string word = text_in(alarm, "/StateValue");
  if (word == "OK") return AlarmState::ok;
  if (word != "ALARM") return AlarmState::no_data;
  const json::value* acts = find_in(alarm, "/ActionsEnabled");
  const bool is_muted = acts != nullptr && acts->is_bool() && !acts->get_bool();
  return is_muted || !text_in(alarm, "/ActionsSuppressedBy").empty() ? AlarmState::silenced : AlarmState::firing;
}

Alarm alarm_of(const json::value& given, std::string_view region) {
  Alarm alarm{.name = text_in(given, "/AlarmName"), .state = state_of(given)};
  alarm.summary = text_in(given, "/AlarmDescription");
  const std::string reason = text_in(given, "/StateReason");
  if (!reason.empty()) alarm.summary += (alarm.summary.empty() ? "" : ": ") + reason;
  if (const std::string metric = text_in(given, "/MetricName"); !metric.empty())
    alarm.labels["metric"] = fmt::format("{} {}", text_in(given, "/Namespace"), metric);
  if (const std::string rule = text_in(given, "/AlarmRule"); !rule.empty()) alarm.labels["rule"] = rule;
  for (const json::value& dimension : items_in(given, "/Dimensions"))
    alarm.labels[text_in(dimension, "/Name")] = text_in(dimension, "/Value");
  alarm.since = time_of(number_in(given, "/StateTransitionedTimestamp"));
  if (!alarm.since) alarm.since = time_of(number_in(given, "/StateUpdatedTimestamp"));
  alarm.link = console_page(region, "cloudwatch/home", "#alarmsV2:alarm/" + net::percent_encode(alarm.name));
  return alarm;
}

milliseconds left(std::chrono::steady_clock::time_point deadline) {
  const auto rest = std::chrono::floor<milliseconds>(deadline - std::chrono::steady_clock::now());
  return std::max(rest, milliseconds(1));
}

/// The samples of one result; what is not a finite number is counted.
void add_samples(const json::value& result, MetricSeries& series, std::int64_t& left_out) {
  const json::array& times = items_in(result, "/Timestamps");
  const json::array& values = items_in(result, "/Values");
  for (std::size_t at = 0; at < std::min(times.size(), values.size()); ++at) {
    const std::optional<Timestamp> when = time_of(number_in(times[at], ""));
    const std::optional<double> value = number_in(values[at], "");
    if (when && value && std::isfinite(*value)) {
      series.samples.push_back({*when, *value});
    } else {
      ++left_out;
    }
  }
}

void note_once(std::vector<std::string>& notes, std::string note) {
  if (!contains(notes, note)) notes.push_back(std::move(note));
}

}  // namespace

std::string console_page(std::string_view region, std::string_view path, std::string_view fragment) {
  const std::string_view host = region.starts_with("cn-") ? "console.amazonaws.cn" : "console.aws.amazon.com";
  return fmt::format("https://{}.{}/{}?region={}{}", region, host, path, region, fragment);
}

std::vector<Alarm> alarms_in(const json::value& answer, std::string_view region) {
  std::vector<Alarm> alarms;
  for (const std::string_view list : {"/MetricAlarms", "/CompositeAlarms"}) {
    for (const json::value& alarm : items_in(answer, list)) alarms.push_back(alarm_of(alarm, region));
  }
  return alarms;
}

Task<Result<FoundAlarms>> CloudWatch::find(AlarmQuery query, milliseconds limit) {
  FoundAlarms found;
  if (query.state == AlarmState::pending) {
    found.notes.emplace_back("CloudWatch has no pending alarms: they are fine until they fire");
    co_return found;
  }
  const auto deadline = std::chrono::steady_clock::now() + limit;
  const std::string region = api_->place() ? api_->place()->region : "";
  json::object body{{"AlarmTypes", json::array{"MetricAlarm", "CompositeAlarm"}}, {"MaxRecords", 100}};
  if (query.state) body["StateValue"] = vendor_word(*query.state);
  std::int64_t muted = 0;
  for (int page = 0;; ++page) {
    if (page == kMaxAlarmPages) {
      found.notes.push_back(fmt::format("only the first {} alarms were looked at", kMaxAlarmPages * 100));
      break;
    }
    CO_TRY(const json::value answer,
           co_await api_->call({.name = "DescribeAlarms", .body = body, .limit = left(deadline), .most = kMaxReply}));
    if (!answer.is_object() || find_in(answer, "/MetricAlarms") == nullptr)
      co_return std::unexpected(api_->unusable("did not answer with alarms"));
    // The prefix is compared here, because CloudWatch minds the case.
    for (Alarm& alarm : alarms_in(answer, region)) {
      if (!to_lower(alarm.name).starts_with(to_lower(query.prefix))) continue;
      if (!query.state || alarm.state == *query.state) {
        found.alarms.push_back(std::move(alarm));
      } else if (alarm.state == AlarmState::silenced) {
        ++muted;
      }
    }
    std::string next = text_in(answer, "/NextToken");
    if (next.empty()) break;
    body["NextToken"] = std::move(next);
  }
  if (muted > 0)
    found.notes.push_back(
        fmt::format("{} in state ALARM with actions switched off or suppressed; see them with state "
                    "silenced",
                    count_of(muted, "more alarm")));
  if (!region.empty()) found.link = console_page(region, "cloudwatch/home", "#alarmsV2:");
  co_return found;
}

std::chrono::seconds period_of(const TimeSpan& span, milliseconds step, Timestamp now) {
  using namespace std::chrono;
  const auto age = now - span.from;
  // Samples of a minute are kept for 15 days, of five minutes for 63.
  const seconds least = age > days(63) ? seconds(3600) : age > days(15) ? seconds(300) : seconds(60);
  return std::max<std::int64_t>((step + least - milliseconds(1)) / least, 1) * least;
}

Task<Result<FoundMetrics>> read_metrics(std::shared_ptr<aws::JsonApi> api, json::array queries, TimeSpan span,
                                        milliseconds limit,
                                        std::map<std::string, std::map<std::string, std::string>> labels_of) {
  const auto deadline = std::chrono::steady_clock::now() + limit;
  json::object body{{"MetricDataQueries", std::move(queries)},
                    {"StartTime", to_millis(span.from) / 1000},
                    {"EndTime", to_millis(span.to) / 1000 + 1},
                    {"ScanBy", "TimestampAscending"},
                    {"MaxDatapoints", kMaxDatapoints}};
  FoundMetrics found;
  std::map<std::pair<std::string, std::string>, std::size_t> place_of;  // by id and label
  std::int64_t left_out = 0, too_many = 0;
  for (int page = 0;; ++page) {
    if (page == kMaxMetricPages) {
      found.notes.push_back(fmt::format("only the first {} pages of values were read", kMaxMetricPages));
      break;
    }
    CO_TRY(const json::value answer,
           co_await api->call({.name = "GetMetricData", .body = body, .limit = left(deadline), .most = kMaxReply}));
    if (!answer.is_object() || find_in(answer, "/MetricDataResults") == nullptr)
      co_return std::unexpected(api->unusable("did not answer with metrics"));
    for (const json::value& result : items_in(answer, "/MetricDataResults")) {
      const std::string id = text_in(result, "/Id");
      const std::string label = text_in(result, "/Label");
      if (const std::string status = text_in(result, "/StatusCode"); status == "InternalError" || status == "Forbidden")
        note_once(found.notes, fmt::format("CloudWatch could not read {}: {}", cut_with_mark(label, 100), status));
      auto place = place_of.find({id, label});
      if (place == place_of.end()) {
        if (found.series.size() == kMaxSeries) {
          ++too_many;
          continue;
        }
        const auto named = labels_of.find(id);
        found.series.push_back(
            {named == labels_of.end() ? std::map<std::string, std::string>{{"__name__", label}} : named->second, {}});
        place = place_of.emplace(std::pair(id, label), found.series.size() - 1).first;
      }
      add_samples(result, found.series[place->second], left_out);
    }
    for (const json::value& message : items_in(answer, "/Messages"))
      note_once(found.notes, "CloudWatch says: " + cut_with_mark(text_in(message, "/Value"), 200));
    std::string next = text_in(answer, "/NextToken");
    if (next.empty()) break;
    body["NextToken"] = std::move(next);
  }
  if (left_out > 0)
    found.notes.push_back(fmt::format("{} without a finite value left out", count_of(left_out, "sample")));
  if (too_many > 0) found.notes.push_back(fmt::format("only {} series were read", kMaxSeries));
  co_return found;
}

Task<Result<FoundMetrics>> CloudWatch::query(MetricQuery query, milliseconds limit) {
  const std::chrono::seconds period = period_of(query.span, query.step, query.span.to);
  json::array queries{{{"Id", "q1"}, {"Expression", query.text}, {"Period", period.count()}}};
  CO_TRY(FoundMetrics found, co_await read_metrics(api_, std::move(queries), query.span, limit));
  if (period > query.step)
    found.notes.push_back(fmt::format("CloudWatch has a value every {} for that time", format_duration(period)));
  found.link = console_page(api_->place()->region, "cloudwatch/home", "#metricsV2");
  co_return found;
}

Task<Result<std::string>> CloudWatch::diagnose(milliseconds limit) {
  CO_TRY(const json::value alarms,
         co_await api_->call({.name = "DescribeAlarms", .body = {{"MaxRecords", 1}}, .limit = limit}));
  if (find_in(alarms, "/MetricAlarms") == nullptr)
    co_return std::unexpected(api_->unusable("did not answer with alarms"));
  const json::object metric{{"Namespace", "AWS/Usage"}, {"MetricName", "CallCount"}};
  json::array queries{{{"Id", "q1"}, {"MetricStat", {{"Metric", metric}, {"Period", 300}, {"Stat", "Sum"}}}}};
  const json::object body{{"MetricDataQueries", std::move(queries)}, {"StartTime", 0}, {"EndTime", 300}};
  CO_TRY(const json::value metrics, co_await api_->call({.name = "GetMetricData", .body = body, .limit = limit}));
  co_return fmt::format("alarms and metrics in {} can be read", api_->place()->region);
}

}  // namespace deputy::tools::cloudwatch
