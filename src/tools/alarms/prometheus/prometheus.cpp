#include "tools/alarms/prometheus/prometheus.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "base/json_pointer.h"
#include "base/text.h"

namespace deputy::tools::prometheus {

namespace {

namespace rest = clients::rest;
using std::chrono::milliseconds;

constexpr std::size_t kMaxReply = 16UL * 1024 * 1024;

constexpr auto kPrometheusErrors = std::to_array<rest::Meaning>({
    {.code = "bad_data",
     .kind = ErrorKind::invalid_input,
     .hint = "correct the PromQL expression; the message says what is wrong with it"},
    {.code = "execution",
     .kind = ErrorKind::invalid_input,
     .hint = "change the PromQL expression, or ask for fewer series"},
    {.code = "timeout",
     .kind = ErrorKind::timeout,
     .message = "the query took too long",
     .hint = "ask for a shorter time range or fewer series"},
});

Account account(std::string name, std::string setting, const std::string& url, const Secret& token,
                std::span<const rest::Meaning> meanings, net::HttpClient& http, const Clock& clock) {
  if (url.empty()) return nullptr;
  return std::make_shared<rest::Api>(rest::Account{.vendor = {.name = std::move(name),
                                                              .address_setting = setting + ".url",
                                                              .token_setting = setting + ".token",
                                                              .meanings = meanings},
                                                   .base_url = url,
                                                   .auth = rest::bearer(token)},
                                     http, clock);
}

std::map<std::string, std::string> labels_in(const json::value& document, std::string_view pointer) {
  std::map<std::string, std::string> labels;
  const json::value* found = find_in(document, pointer);
  if (found == nullptr || !found->is_object()) return labels;
  for (const auto& [name, value] : found->get_object()) labels.emplace(as_view(name), as_text(value));
  return labels;
}

std::string take(std::map<std::string, std::string>& labels, const std::string& name) {
  const auto node = labels.extract(name);
  return node.empty() ? std::string() : std::move(node.mapped());
}

/// What Prometheus and Alertmanager say alike.
Alarm alarm_from(const json::value& alert, AlarmState state) {
  Alarm alarm{.state = state, .labels = labels_in(alert, "/labels")};
  alarm.name = take(alarm.labels, "alertname");
  alarm.severity = take(alarm.labels, "severity");
  for (const std::string_view annotation :
       {"/annotations/summary", "/annotations/description", "/annotations/message"}) {
    if (alarm.summary.empty()) alarm.summary = text_in(alert, annotation);
  }
  return alarm;
}

std::optional<Timestamp> time_in(const json::value& document, std::string_view pointer) {
  const Result<Timestamp> at = parse_timestamp(text_in(document, pointer));
  // A time that was never set is the year 1.
  return at && *at > Timestamp{} ? std::optional(*at) : std::nullopt;
}

bool is_web_address(std::string_view url) { return url.starts_with("https://") || url.starts_with("http://"); }

/// Empty if there are no pages.
std::string rules_page(std::string_view ui, std::string_view name) {
  if (ui.empty()) return {};
  return fmt::format("{}/alerts?{}", ui, net::build_form(std::array{net::FormField{"search", std::string(name)}}));
}

std::optional<double> finite(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = error == std::errc() && end == text.data() + text.size();
  return is_whole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string seconds(Timestamp at) { return fmt::format("{:.3f}", static_cast<double>(to_millis(at)) / 1000); }

std::string graph_page(std::string_view ui, const MetricQuery& query) {
  const auto minutes = std::max<std::int64_t>((query.span.to - query.span.from) / std::chrono::minutes(1), 1);
  const std::array fields{net::FormField{"g0.expr", query.text}, net::FormField{"g0.tab", "0"},
                          net::FormField{"g0.range_input", fmt::format("{}m", minutes)},
                          net::FormField{"g0.end_input", moment(query.span.to)}};
  return fmt::format("{}/graph?{}", ui, net::build_form(fields));
}

class Alarms final : public AlarmBackend {
 public:
  Alarms(Account prometheus, Account alertmanager)
      : prometheus_(std::move(prometheus)), alertmanager_(std::move(alertmanager)) {}

  std::string_view name() const override { return "prometheus"; }
  json::object target() const override {
    json::object target;
    if (prometheus_) target["prometheus"] = prometheus_->base_url();
    if (alertmanager_) target["alertmanager"] = alertmanager_->base_url();
    return target;
  }

  Task<Result<FoundAlarms>> find(AlarmQuery query, milliseconds limit) override {
    const auto wants = [&](AlarmState state) { return !query.state || query.state == state; };
    const bool quiet = wants(AlarmState::ok) || wants(AlarmState::no_data);
    if (query.state && !prometheus_ && (quiet || wants(AlarmState::pending)))
      co_return fail(ErrorKind::not_configured, "only Prometheus knows alarms that do not fire",
                     "set tools.alarm_tools.prometheus.url (PROMETHEUS_URL)");
    FoundAlarms found{.link = alertmanager_ ? alertmanager_->base_url() + "/#/alerts"
                                            : prometheus_->base_url() + "/alerts"};
    if (alertmanager_ && (wants(AlarmState::firing) || wants(AlarmState::silenced))) {
      CO_TRY(const json::value reply,
             co_await alertmanager_->call({.path = "api/v2/alerts", .limit = limit, .most = kMaxReply}));
      keep(alertmanager_alarms(reply, alertmanager_->base_url()), query, found);
    }
    if (prometheus_ && (wants(AlarmState::pending) || (!alertmanager_ && wants(AlarmState::firing)))) {
      CO_TRY(const json::value reply,
             co_await prometheus_->call({.path = "api/v1/alerts", .limit = limit, .most = kMaxReply}));
      std::vector<Alarm> alerts = prometheus_alerts(reply, prometheus_->base_url());
      if (alertmanager_) std::erase_if(alerts, [](const Alarm& alarm) { return alarm.state == AlarmState::firing; });
      keep(std::move(alerts), query, found);
    }
    if (prometheus_ && quiet) {
      CO_TRY(const json::value reply,
             co_await prometheus_->call(
                 {.path = "api/v1/rules", .query = {{"type", "alert"}}, .limit = limit, .most = kMaxReply}));
      keep(quiet_rules(reply, prometheus_->base_url()), query, found);
    }
    if (!prometheus_ && !query.state)
      found.notes.emplace_back("alarms that are pending or fine are not listed, because Prometheus is not set up");
    if (!alertmanager_ && (!query.state || query.state == AlarmState::silenced))
      found.notes.emplace_back("silences are not known, because Alertmanager is not set up");
    co_return found;
  }

  Task<Result<std::string>> diagnose(milliseconds limit) override {
    if (!alertmanager_) {
      CO_TRY(const json::value reply, co_await prometheus_->call({.path = "api/v1/alerts", .limit = limit}));
      co_return fmt::format("Prometheus at {}: {}", prometheus_->base_url(),
                            count_of(static_cast<std::int64_t>(items_in(reply, "/data/alerts").size()), "alert"));
    }
    CO_TRY(const json::value status, co_await alertmanager_->call({.path = "api/v2/status", .limit = limit}));
    const std::string version = text_in(status, "/versionInfo/version");
    if (version.empty()) co_return std::unexpected(rest::unusable(alertmanager_->vendor(), "did not say its version"));
    co_return fmt::format("Alertmanager {} at {}", version, alertmanager_->base_url());
  }

 private:
  static void keep(std::vector<Alarm> alarms, const AlarmQuery& query, FoundAlarms& found) {
    for (Alarm& alarm : alarms) {
      const bool is_named = to_lower(alarm.name).starts_with(to_lower(query.prefix));
      if (is_named && (!query.state || *query.state == alarm.state)) found.alarms.push_back(std::move(alarm));
    }
  }

  Account prometheus_;
  Account alertmanager_;
};

class Metrics final : public MetricsBackend {
 public:
  explicit Metrics(Account prometheus) : prometheus_(std::move(prometheus)) {}

  std::string_view name() const override { return "prometheus"; }
  json::object target() const override { return {{"prometheus", prometheus_->base_url()}}; }
  std::string_view probe() const override { return "up"; }

  Task<Result<FoundMetrics>> query(MetricQuery query, milliseconds limit) override {
    rest::Call call{.path = "api/v1/query_range",
                    .query = {{"query", query.text},
                              {"start", seconds(query.span.from)},
                              {"end", seconds(query.span.to)},
                              {"step", fmt::format("{:.3f}", static_cast<double>(query.step.count()) / 1000)}},
                    .limit = limit,
                    .most = kMaxReply};
    CO_TRY(const json::value reply, co_await prometheus_->call(std::move(call)));
    if (text_in(reply, "/status") != "success")
      co_return std::unexpected(rest::unusable(prometheus_->vendor(), "did not answer as Prometheus does"));
    FoundMetrics found = matrix(reply);
    found.link = graph_page(prometheus_->base_url(), query);
    co_return found;
  }

  Task<Result<std::string>> diagnose(milliseconds limit) override {
    CO_TRY(const json::value reply,
           co_await prometheus_->call({.path = "api/v1/query", .query = {{"query", "count(up)"}}, .limit = limit}));
    if (text_in(reply, "/status") != "success")
      co_return std::unexpected(rest::unusable(prometheus_->vendor(), "did not answer as Prometheus does"));
    const std::string targets = text_in(reply, "/data/result/0/value/1");
    co_return fmt::format("Prometheus at {}: {} targets", prometheus_->base_url(), targets.empty() ? "0" : targets);
  }

 private:
  Account prometheus_;
};

}  // namespace

std::vector<Alarm> alertmanager_alarms(const json::value& reply, std::string_view ui) {
  std::vector<Alarm> alarms;
  for (const json::value& alert : items_in(reply, "")) {
    const bool is_muted = text_in(alert, "/status/state") == "suppressed";
    Alarm alarm = alarm_from(alert, is_muted ? AlarmState::silenced : AlarmState::firing);
    alarm.since = time_in(alert, "/startsAt");
    alarm.link = text_in(alert, "/generatorURL");
    if (!is_web_address(alarm.link)) alarm.link = fmt::format("{}/#/alerts", ui);
    alarms.push_back(std::move(alarm));
  }
  return alarms;
}

namespace {

Alarm alarm_from_alert(const json::value& alert, std::string_view ui) {
  const bool is_pending = text_in(alert, "/state") == "pending";
  Alarm alarm = alarm_from(alert, is_pending ? AlarmState::pending : AlarmState::firing);
  alarm.since = time_in(alert, "/activeAt");
  alarm.link = rules_page(ui, alarm.name);
  return alarm;
}

}  // namespace

std::vector<Alarm> prometheus_alerts(const json::value& reply, std::string_view ui) {
  std::vector<Alarm> alarms;
  for (const json::value& alert : items_in(reply, "/data/alerts")) alarms.push_back(alarm_from_alert(alert, ui));
  return alarms;
}

std::vector<Alarm> alerts_of_rules(const json::value& reply, std::string_view ui) {
  std::vector<Alarm> alarms;
  for (const json::value& group : items_in(reply, "/data/groups")) {
    for (const json::value& rule : items_in(group, "/rules")) {
      for (const json::value& alert : items_in(rule, "/alerts")) alarms.push_back(alarm_from_alert(alert, ui));
    }
  }
  return alarms;
}

std::vector<Alarm> quiet_rules(const json::value& reply, std::string_view ui) {
  std::vector<Alarm> alarms;
  for (const json::value& group : items_in(reply, "/data/groups")) {
    for (const json::value& rule : items_in(group, "/rules")) {
      const std::string health = text_in(rule, "/health");
      const bool is_broken = health == "err" || health == "unknown";
      if (text_in(rule, "/state") != "inactive" && !is_broken) continue;
      Alarm alarm = alarm_from(rule, is_broken ? AlarmState::no_data : AlarmState::ok);
      alarm.name = text_in(rule, "/name");
      if (is_broken) alarm.summary = health == "err" ? text_in(rule, "/lastError") : "it was not evaluated yet";
      if (!is_broken) alarm.summary.clear();  // it says what is wrong when it fires, with gaps for the values
      alarm.link = rules_page(ui, alarm.name);
      alarms.push_back(std::move(alarm));
    }
  }
  return alarms;
}

std::map<std::string, std::string> labels_of_series(const json::value& item) { return labels_in(item, "/metric"); }

FoundMetrics matrix(const json::value& reply) {
  FoundMetrics found;
  const json::array& result = items_in(reply, "/data/result");
  std::int64_t left_out = 0;
  bool has_histograms = false;
  for (const json::value& one : result) {
    if (found.series.size() == kMaxSeries) break;
    MetricSeries series{.labels = labels_of_series(one)};
    for (const json::value& pair : items_in(one, "/values")) {
      const std::optional<double> at = finite(text_in(pair, "/0"));
      const std::optional<double> value = finite(text_in(pair, "/1"));
      const bool has_time = at && *at >= 0 && *at < 1e11;
      if (has_time && value) {
        series.samples.push_back({from_millis(std::llround(*at * 1000)), *value});
      } else {
        ++left_out;
      }
    }
    has_histograms = has_histograms || !items_in(one, "/histograms").empty();
    found.series.push_back(std::move(series));
  }
  if (left_out > 0)
    found.notes.push_back(fmt::format("{} without a finite value left out", count_of(left_out, "sample")));
  if (has_histograms) found.notes.emplace_back("native histograms are not shown; use histogram_quantile");
  if (result.size() > kMaxSeries)
    found.notes.push_back(fmt::format("only {} of {} series were read", kMaxSeries, result.size()));
  for (const json::value& warning : items_in(reply, "/warnings"))
    found.notes.push_back("Prometheus warns: " + cut_with_mark(as_text(warning), 200));
  return found;
}

Made make(const AlarmToolsSettings& settings, net::HttpClient& http, const Clock& clock) {
  const Account prometheus = account("Prometheus", "tools.alarm_tools.prometheus", settings.prometheus.url,
                                     settings.prometheus.token, kPrometheusErrors, http, clock);
  const Account alertmanager = account("Alertmanager", "tools.alarm_tools.alertmanager", settings.alertmanager.url,
                                       settings.alertmanager.token, {}, http, clock);
  Made made;
  if (prometheus || alertmanager) made.alarms = std::make_shared<Alarms>(prometheus, alertmanager);
  if (prometheus) made.metrics = std::make_shared<Metrics>(prometheus);
  return made;
}

}  // namespace deputy::tools::prometheus
