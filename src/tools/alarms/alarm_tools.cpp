#include "tools/alarms/alarm_tools.h"

#include <fmt/format.h>

#include <algorithm>

#include "tools/alarms/cloudwatch/cloudwatch.h"
#include "tools/alarms/cloudwatch/ecs.h"
#include "tools/alarms/files/files.h"
#include "tools/alarms/prometheus/prometheus.h"
#include "tools/alarms/report.h"
#include "tools/common_steps.h"

namespace deputy::tools {

namespace {

using std::chrono::milliseconds;

constexpr std::int64_t kMaxPoints = 11'000;  // Prometheus refuses more
constexpr int kReadablePoints = 240;

toolkit::ToolSpec alarm_tool_spec(std::string name, std::string description, json::object target, std::string missing) {
  return {.name = std::move(name),
          .version = 1,
          .description = std::move(description),
          .category = "alarm_tools",
          .effect = toolkit::Effect::read,
          .timeout = std::chrono::seconds(30),
          .target = std::move(target),
          .missing = std::move(missing)};
}

}  // namespace

milliseconds usual_step(const TimeSpan& span) { return round_step(span, kReadablePoints); }

AlarmBackends make_alarm_backends(const AlarmToolsSettings& settings, net::HttpClient& http, const Clock& clock,
                                  Workers& workers, clients::aws::Account* aws) {
  const prometheus::Made made = prometheus::make(settings, http, clock);
  std::vector<std::shared_ptr<AlarmBackend>> alarms;
  std::vector<std::shared_ptr<MetricsBackend>> metrics;
  if (made.alarms) alarms.push_back(made.alarms);
  if (made.metrics) metrics.push_back(made.metrics);
  if (const auto& file = settings.files.alarms; !file.empty()) alarms.push_back(make_file_alarms(file, workers));
  if (const auto& file = settings.files.metrics; !file.empty()) metrics.push_back(make_file_metrics(file, workers));
  if (aws != nullptr && settings.cloudwatch.enabled) {
    const auto cloudwatch = std::make_shared<cloudwatch::CloudWatch>(*aws);
    alarms.push_back(cloudwatch);
    metrics.push_back(cloudwatch);
  }
  std::shared_ptr<cloudwatch::Ecs> ecs;
  if (aws != nullptr && !settings.cloudwatch.clusters.empty())
    ecs = std::make_shared<cloudwatch::Ecs>(settings.cloudwatch, *aws);
  return {Backends<AlarmBackend>({.family = "alarms",
                                  .category = "alarm_tools",
                                  .usual = settings.backend,
                                  .missing = "tools.alarm_tools.alertmanager.url (ALERTMANAGER_URL), "
                                             "tools.alarm_tools.prometheus.url (PROMETHEUS_URL) or "
                                             "tools.alarm_tools.cloudwatch.enabled"},
                                 std::move(alarms)),
          Backends<MetricsBackend>({.family = "metrics",
                                    .category = "alarm_tools",
                                    .usual = settings.backend,
                                    .missing = "tools.alarm_tools.prometheus.url (PROMETHEUS_URL) or "
                                               "tools.alarm_tools.cloudwatch.enabled"},
                                   std::move(metrics)),
          std::move(ecs)};
}

std::vector<std::shared_ptr<const toolkit::Tool>> alarm_tools(const AlarmBackends& backends, const Clock& clock) {
  return {check_alarms(backends.alarms, clock), query_metrics(backends.metrics, clock),
          cloudwatch::get_ecs_metrics(backends.ecs, clock)};
}

// check_alarms = [ look ]

namespace {

enum class WantedState { firing, pending, silenced, ok, no_data, all };

constexpr auto choices_of(WantedState) {
  using W = WantedState;
  return std::to_array<std::pair<W, std::string_view>>({{W::firing, "firing"},
                                                        {W::pending, "pending"},
                                                        {W::silenced, "silenced"},
                                                        {W::ok, "ok"},
                                                        {W::no_data, "no_data"},
                                                        {W::all, "all"}});
}

std::optional<AlarmState> state_of(WantedState wanted) {
  if (wanted == WantedState::all) return std::nullopt;
  return static_cast<AlarmState>(wanted);
}
static_assert(static_cast<int>(WantedState::no_data) == static_cast<int>(AlarmState::no_data));

struct CheckAlarmsParams {
  WantedState state = WantedState::firing;
  std::string prefix;

  template <class Fields>
  static void fields(Fields& f) {
    using P = CheckAlarmsParams;
    f.optional(&P::state, "state", "Which alarms: those that are firing, or in another state");
    f.optional(&P::prefix, "prefix", "Only alarms whose name begins with this").characters(0, 200);
  }
};

Task<Result<toolkit::Step>> look_at_alarms(Backends<AlarmBackend> backends, AlarmQuery query, Timestamp now,
                                           const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<AlarmBackend> backend, backends.choose());
  CO_TRY(const FoundAlarms found, co_await backend->find(query, context.time_left()));
  co_return report(query, found, now, context.redact_picked);
}

}  // namespace

std::shared_ptr<const toolkit::Tool> check_alarms(const Backends<AlarmBackend>& backends, const Clock& clock) {
  toolkit::ToolSpec spec =
      alarm_tool_spec("check_alarms",
                      "Lists alarms of the monitoring system with what each says, since when, and a link. Without "
                      "arguments those that are firing now. Use it to see what is on fire.",
                      backends.target(), backends.missing());
  spec.topics = {.words = {"alarms", "alerts", "firing", "fire", "alerting"},
                 .examples = {"what is on fire?", "which alarms are firing?", "any alerts right now?"},
                 .working = "Checking alarms"};
  spec.primary_param = "prefix";
  return toolkit::make_tool<CheckAlarmsParams>(std::move(spec), [backends, &clock](const CheckAlarmsParams& params) {
    const AlarmQuery query{state_of(params.state), params.prefix};
    toolkit::Pipeline pipeline;
    pipeline.then(
        {.name = "look", .repeatable = true, .call = [backends, query, &clock](toolkit::CallContext& context) {
           return as_step(look_at_alarms(backends, query, clock.now(), context));
         }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

// query_metrics = [ query ]

namespace {

struct QueryMetricsParams : TimeRangeParams {
  std::string query;
  std::optional<milliseconds> step;

  template <class Fields>
  static void fields(Fields& f) {
    fields_with(f, toolkit::Kind::query);
  }

  template <class Fields>
  static void fields_with(Fields& f, toolkit::Kind kind) {
    using P = QueryMetricsParams;
    f.required(&P::query, "query",
               "In the language of the backend: PromQL, such as rate(http_requests_total[5m]); for CloudWatch an "
               "expression, such as SELECT AVG(CPUUtilization) FROM \"AWS/EC2\"; for files words of names and labels, "
               "such as cpu checkout prod")
        .characters(1, 4000)
        .kind(kind);
    f.optional(&P::step, "step", "Distance of the samples, such as 1m; fits the range by default");
    time_fields(f);
  }
};

/// Where the query is words: a request's own will do.
struct MetricWordsParams : QueryMetricsParams {
  template <class Fields>
  static void fields(Fields& f) {
    fields_with(f, toolkit::Kind::text);
  }
};

Task<Result<toolkit::Step>> ask_for_metrics(Backends<MetricsBackend> backends, QueryMetricsParams params, Timestamp now,
                                            const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<MetricsBackend> backend, backends.choose());
  CO_TRY(const TimeSpan span, span_of(params, now));
  const MetricQuery query{params.query, span, params.step.value_or(usual_step(span))};
  if (query.step < std::chrono::seconds(1) || (span.to - span.from) / query.step >= kMaxPoints) {
    co_return fail(ErrorKind::invalid_input, "`step` is too small for this time range",
                   fmt::format("leave it out, or give {} or more", format_duration(usual_step(span))));
  }
  CO_TRY(const FoundMetrics found, co_await backend->query(query, context.time_left()));
  co_return report(query, found, context.redact_picked);
}

}  // namespace

std::shared_ptr<const toolkit::Tool> query_metrics(const Backends<MetricsBackend>& backends, const Clock& clock) {
  toolkit::ToolSpec spec = alarm_tool_spec(
      "query_metrics",
      "Runs a query over metrics for a time range. Returns for each series its last, smallest, largest and average "
      "value "
      "and its course. Use it for CPU, memory, request rates, latencies; the default is the last 4 hours.",
      backends.target(), backends.missing());
  const bool takes_words = !backends.all().empty() && std::ranges::all_of(backends.all(), &MetricsBackend::takes_words);
  const std::string_view what = takes_words ? "{text}" : "{query}";
  spec.topics = {.words = {"metrics", "promql", "graph", "plot", "chart", "cpu", "memory", "latency", "throughput"},
                 .examples = {fmt::format("plot the metrics \"{}\"", what),
                              fmt::format("metrics \"{}\" of the last 6 hours", what)},
                 .working = "Reading metrics"};
  if (const auto usual = backends.choose()) spec.probe = {{"query", (*usual)->probe()}};
  spec.primary_param = "query";
  auto compose = [backends, &clock](const QueryMetricsParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then(
        {.name = "query", .repeatable = true, .call = [backends, params, &clock](toolkit::CallContext& context) {
           return as_step(ask_for_metrics(backends, params, clock.now(), context));
         }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  };
  if (takes_words) return toolkit::make_tool<MetricWordsParams>(std::move(spec), std::move(compose));
  return toolkit::make_tool<QueryMetricsParams>(std::move(spec), std::move(compose));
}

}  // namespace deputy::tools
