#include "tools/alarms/cloudwatch/ecs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_pointer.h"
#include "base/text.h"
#include "net/sigv4.h"
#include "tools/alarms/alarm_tools.h"
#include "tools/alarms/cloudwatch/cloudwatch.h"
#include "tools/alarms/report.h"
#include "tools/common_steps.h"

namespace deputy::tools::cloudwatch {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxEvents = 3;
constexpr std::string_view kCpu = "CPUUtilization";
constexpr std::string_view kMemory = "MemoryUtilization";

std::string filled(std::string pattern, std::string_view placeholder, std::string_view value) {
  for (std::size_t at = 0; (at = pattern.find(placeholder, at)) != std::string::npos; at += value.size())
    pattern.replace(at, placeholder.size(), value);
  return pattern;
}

std::string clean_line(std::string_view text) {
  std::string line = to_valid_utf8(std::string(trim(text)));
  std::ranges::replace_if(line, [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return line;
}

std::string moment_in(const json::value& document, std::string_view pointer) {
  const json::value* found = find_in(document, pointer);
  if (found == nullptr || !found->is_number()) return "at an unknown time";
  const double seconds = found->to_number<double>();
  return seconds >= 0 && seconds < 1e11 ? moment(from_millis(static_cast<std::int64_t>(seconds * 1000))) + " UTC"
                                        : "at an unknown time";
}

EcsState state_from(const json::value& service) {
  EcsState state{whole_in(service, "/runningCount").value_or(0),
                 whole_in(service, "/desiredCount").value_or(0),
                 whole_in(service, "/pendingCount").value_or(0),
                 {},
                 {}};
  for (const json::value& one : items_in(service, "/deployments")) {
    const std::string rollout = text_in(one, "/rolloutState");
    const bool is_done = rollout == "COMPLETED" || (rollout.empty() && text_in(one, "/status") == "PRIMARY");
    if (is_done) continue;
    const std::string task = text_in(one, "/taskDefinition");
    std::string line = fmt::format(
        "{} deployment of {} since {}: {} of {} running", rollout.empty() ? text_in(one, "/status") : rollout,
        task.substr(task.rfind('/') + 1), moment_in(one, "/createdAt"), whole_in(one, "/runningCount").value_or(0),
        whole_in(one, "/desiredCount").value_or(0));
    if (const auto failed = whole_in(one, "/failedTasks").value_or(0); failed > 0)
      line += ", " + count_of(failed, "task") + " failed";
    if (const std::string why = text_in(one, "/rolloutStateReason"); !why.empty()) line += "; " + why;
    state.deployments.push_back(std::move(line));
  }
  for (const json::value& event : items_in(service, "/events")) {
    if (state.events.size() == kMaxEvents) break;
    state.events.push_back(fmt::format("{} {}", moment_in(event, "/createdAt"), text_in(event, "/message")));
  }
  return state;
}

}  // namespace

Result<Ecs::Name> Ecs::name_of(const std::string& service, const std::string& environment) const {
  const auto cluster = settings_.clusters.find(environment);
  if (cluster == settings_.clusters.end()) {
    std::vector<std::string> known;
    for (const auto& [name, its_cluster] : settings_.clusters) known.push_back(name);
    return fail(ErrorKind::invalid_input,
                "ENVIRONMENT_REQUIRED: name one of the environments with an ECS cluster: " + join(known, ", "),
                "a cluster is set up in tools.alarm_tools.cloudwatch.clusters");
  }
  return Name{cluster->second,
              filled(filled(settings_.ecs_service, "{environment}", environment), "{service}", service)};
}

json::object Ecs::target() const {
  json::object clusters;
  for (const auto& [environment, cluster] : settings_.clusters) clusters[environment] = cluster;
  return {{"metrics", metrics_->target()}, {"ecs", ecs_->target()}, {"clusters", std::move(clusters)}};
}

Task<Result<FoundMetrics>> Ecs::utilization(Name name, TimeSpan span, std::chrono::seconds period, milliseconds limit) {
  const json::array dimensions{{{"Name", "ClusterName"}, {"Value", name.cluster}},
                               {{"Name", "ServiceName"}, {"Value", name.service}}};
  json::array queries;
  std::map<std::string, std::map<std::string, std::string>> labels;
  for (const std::string_view metric : {kCpu, kMemory}) {
    for (const std::string_view stat : {"Average", "Maximum"}) {
      const std::string id = fmt::format("q{}", queries.size());
      queries.push_back({{"Id", id},
                         {"MetricStat",
                          {{"Metric", {{"Namespace", "AWS/ECS"}, {"MetricName", metric}, {"Dimensions", dimensions}}},
                           {"Period", period.count()},
                           {"Stat", stat}}}});
      labels[id] = {{"__name__", std::string(metric)}, {"stat", std::string(stat)}};
    }
  }
  CO_TRY(FoundMetrics found, co_await read_metrics(metrics_, std::move(queries), span, limit, std::move(labels)));
  found.link = console_page(metrics_->place()->region,
                            fmt::format("ecs/v2/clusters/{}/services/{}/health", net::percent_encode(name.cluster),
                                        net::percent_encode(name.service)),
                            "");
  co_return found;
}

Task<Result<EcsState>> Ecs::state(Name name, milliseconds limit) {
  json::object body{{"cluster", name.cluster}, {"services", json::array{name.service}}};
  CO_TRY(const json::value answer,
         co_await ecs_->call({.name = "DescribeServices", .body = std::move(body), .limit = limit}));
  const json::array& services = items_in(answer, "/services");
  if (services.empty() || text_in(services.front(), "/status") == "INACTIVE") {
    if (find_in(answer, "/services") == nullptr)
      co_return std::unexpected(ecs_->unusable("did not answer with services"));
    co_return fail(
        ErrorKind::not_found,
        fmt::format("the ECS cluster `{}` has no service `{}`", name.cluster, cut_with_mark(name.service, 100)),
        "check the name, and tools.alarm_tools.cloudwatch.ecs_service");
  }
  co_return state_from(services.front());
}

Task<Result<std::string>> Ecs::diagnose(milliseconds limit) {
  // A service of this name need not exist; the cluster must.
  const std::string cluster = settings_.clusters.begin()->second;
  json::object body{{"cluster", cluster}, {"services", json::array{"deputy-doctor"}}};
  CO_TRY(const json::value answer,
         co_await ecs_->call({.name = "DescribeServices", .body = std::move(body), .limit = limit}));
  co_return fmt::format("the cluster {} can be read", cluster);
}

// get_ecs_metrics = [ read ]

namespace {

struct GetEcsMetricsParams : TimeRangeParams {
  std::string service;
  std::string environment;

  template <class Fields>
  static void fields(Fields& f) {
    using P = GetEcsMetricsParams;
    f.required(&P::service, "service", "Service name or alias").characters(1, 200).kind(toolkit::Kind::service);
    f.required(&P::environment, "environment", "Environment, such as prod or staging")
        .characters(0, 100)
        .kind(toolkit::Kind::environment);
    time_fields(f);
  }
};

std::string percent(double value) { return fmt::format("{:.3g}%", value); }

/// "CPU average 43%, highest 93%" from the last average and the largest maximum; empty without samples.
std::string in_short(const FoundMetrics& found, std::string_view metric, std::string_view word) {
  std::optional<double> last, highest;
  for (const MetricSeries& series : found.series) {
    if (series.labels.at("__name__") != metric || series.samples.empty()) continue;
    if (series.labels.at("stat") == "Average") last = series.samples.back().value;
    highest = std::max(highest.value_or(0), std::ranges::max(series.samples, {}, &Sample::value).value);
  }
  if (!highest) return {};
  return fmt::format(", {}{} highest {}", word, last ? fmt::format(" now {},", percent(*last)) : "", percent(*highest));
}

Task<Result<toolkit::Step>> read_ecs(std::shared_ptr<Ecs> ecs, GetEcsMetricsParams params, Timestamp now,
                                     const toolkit::CallContext& context) {
  CO_TRY(const Ecs::Name name, ecs->name_of(params.service, params.environment));
  CO_TRY(const TimeSpan span, span_of(params, now));
  const std::chrono::seconds period = period_of(span, usual_step(span), now);
  const Result<EcsState> state = co_await ecs->state(name, context.time_left());
  if (!state && state.error().kind == ErrorKind::not_found) co_return std::unexpected(state.error());
  CO_TRY(const FoundMetrics found, co_await ecs->utilization(name, span, period, context.time_left()));
  std::string text = fmt::format("{} in {}: ", params.service, params.environment);
  text += state ? fmt::format("{} of {} running", state->running, count_of(state->desired, "task"))
                : "the number of tasks is unknown";
  if (state && state->pending > 0) text += fmt::format(", {} pending", state->pending);
  text += in_short(found, kCpu, "CPU") + in_short(found, kMemory, "memory") + "\n";
  if (!state) text += fmt::format("Note: ECS did not tell its tasks: {}.\n", describe(state.error()));
  if (state) {
    const auto redacted = [&](std::string_view line) {
      return cut_with_mark(toolkit::redact_or_withhold(clean_line(line), context.redact_picked), 300);
    };
    for (const std::string& line : state->deployments) text += fmt::format("- {}\n", redacted(line));
    if (!state->events.empty()) text += "Newest events of ECS:\n";
    for (const std::string& line : state->events) text += fmt::format("- {}\n", redacted(line));
  }
  const MetricQuery query{fmt::format("CPU and memory in percent: {} in cluster {}", name.service, name.cluster), span,
                          period};
  toolkit::Output output = report(query, found, context.redact_picked);
  output.text = text + output.text;
  if (state) output.data["tasks"] = {{"running", state->running}, {"desired", state->desired}};
  co_return output;
}

}  // namespace

std::shared_ptr<const toolkit::Tool> get_ecs_metrics(const std::shared_ptr<Ecs>& ecs, const Clock& clock) {
  toolkit::ToolSpec spec{.name = "get_ecs_metrics",
                         .version = 1,
                         .description =
                             "Returns how a service on ECS does: running and desired tasks, deployments in "
                             "progress, its newest events, and CPU and memory over a time range with their "
                             "course. The default is the last 4 hours.",
                         .category = "alarm_tools",
                         .effect = toolkit::Effect::read,
                         .primary_param = "service",
                         .pins = {"service", "environment"},
                         .timeout = std::chrono::seconds(30),
                         .target = ecs ? ecs->target() : json::object{},
                         .missing = ecs ? "" : "tools.alarm_tools.cloudwatch.clusters, such as {prod: acme-prod}"};
  spec.topics = {.words = {"ecs", "cpu", "utilization"},
                 .examples = {"cpu and memory of {service} in {environment}", "ecs of {service} in {environment}"},
                 .working = "Reading ECS metrics of {service}"};
  return toolkit::make_tool<GetEcsMetricsParams>(std::move(spec), [ecs, &clock](const GetEcsMetricsParams& params) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "read", .repeatable = true, .call = [ecs, params, &clock](toolkit::CallContext& context) {
                     return as_step(read_ecs(ecs, params, clock.now(), context));
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  });
}

}  // namespace deputy::tools::cloudwatch
