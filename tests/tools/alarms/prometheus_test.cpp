// What the backend sends, and what it makes of answers that the real programs do not give on demand.
#include "tools/alarms/prometheus/prometheus.h"

#include <gmock/gmock.h>

#include "base/fields_codec.h"
#include "base/plot.h"
#include "support/manual_clock.h"
#include "support/vendor_errors.h"
#include "tools/alarms/alarm_tools.h"
#include "tools/alarms/report.h"
#include "tools/call_tool.h"

namespace deputy::tools {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

AlarmToolsSettings settings() {
  AlarmToolsSettings settings;
  settings.prometheus = {"http://127.0.0.1:1/prom/", Secret(std::string(test::kVendorToken))};
  settings.alertmanager = {"http://127.0.0.1:2", Secret(std::string(test::kVendorToken))};
  return settings;
}

Workers& workers() {
  static Workers workers("test", {.threads = 1});
  return workers;
}

Task<Result<>> call(net::HttpClient& http, const Clock& clock, const std::string tool) {
  const AlarmBackends backends = make_alarm_backends(settings(), http, clock, workers());
  const auto made =
      tool == "query_metrics" ? query_metrics(backends.metrics, clock) : check_alarms(backends.alarms, clock);
  json::object arguments;
  if (tool == "query_metrics") arguments["query"] = "up";
  CO_TRY(const toolkit::Output output, co_await test::call_chain(*made, arguments));
  co_return Result<>{};
}

test::ScriptedResponse prometheus_error(int status, const std::string& type) {
  return {.status = status, .pieces = {R"({"status": "error", "errorType": ")" + type + R"(", "error": "why"})"}};
}

TEST(PrometheusErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock;
  test::expect_vendor_errors(
      [&](net::HttpClient& http) { return call(http, clock, "query_metrics"); },
      {{"Http400", prometheus_error(400, "bad_data"), ErrorKind::invalid_input, "PromQL"},
       {"Http422", prometheus_error(422, "execution"), ErrorKind::invalid_input, "PromQL"},
       {"Http503Timeout", prometheus_error(503, "timeout"), ErrorKind::timeout, "shorter time range"},
       {"NotPrometheus", test::ScriptedResponse{.pieces = {R"({"hello": "you"})"}}, ErrorKind::upstream,
        "tools.alarm_tools.prometheus.url"}});
}

TEST(AlertmanagerErrors, EachHasACategoryAndAHint) {
  const test::ManualClock clock;
  test::expect_vendor_errors(
      [&](net::HttpClient& http) { return call(http, clock, "check_alarms"); },
      {{"Http400", test::ScriptedResponse{.status = 400, .pieces = {R"("bad matcher")"}}, ErrorKind::invalid_input}});
}

TEST(PrometheusRequests, NameQueryRangeStepAndToken) {
  const test::ManualClock clock(*parse_timestamp("2026-11-18T12:00:00Z"));
  test::ScriptedHttp http;
  http.answers({.pieces = {R"({"status": "success", "data": {"resultType": "matrix", "result": []}})"}});
  EXPECT_OK(test::run(call(http, clock, "query_metrics")));
  const net::Request& sent = http.asked().front();
  EXPECT_EQ(sent.url,
            "http://127.0.0.1:1/prom/api/v1/query_range?query=up&start=1794988800.000&end=1795003200.000&step=60.000");
  EXPECT_EQ(net::find_header(sent.headers, "authorization"), "Bearer " + std::string(test::kVendorToken));
}

TEST(AlarmToolsNotSetUp, SayWhatToSet) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  const AlarmBackends none = make_alarm_backends({}, http, clock, workers());
  for (const auto& tool : alarm_tools(none, clock))
    EXPECT_THAT(tool->spec().missing, HasSubstr("tools.alarm_tools.")) << tool->spec().name;
  const auto called = test::call_tool(*check_alarms(none.alarms, clock), {});
  ASSERT_FAILS(called, not_configured);
  EXPECT_THAT(called.error().hint, HasSubstr("ALERTMANAGER_URL"));
}

TEST(AlarmToolsSet, AllToolsKeepTheRulesOfATool) {
  const test::ManualClock clock;
  test::ScriptedHttp http;
  const auto tools = alarm_tools(make_alarm_backends(settings(), http, clock, workers()), clock);
  EXPECT_THAT(tools, SizeIs(3));
  for (const auto& tool : tools) EXPECT_THAT(toolkit::check_spec(tool->spec()), SizeIs(0)) << tool->spec().name;
}

FoundMetrics many_series(int count, int samples) {
  FoundMetrics found;
  for (int i = 0; i < count; ++i) {
    MetricSeries series{.labels = {{"__name__", "load"}, {"host", "h" + std::to_string(i)}}};
    for (int at = 0; at < samples; ++at) series.samples.push_back({from_millis(at * 1000), i + at / 3.0});
    found.series.push_back(std::move(series));
  }
  return found;
}

TEST(MetricsReport, CarriesAPlotOfTheHighestSeries) {
  const MetricQuery query{"load", {from_millis(0), from_millis(240'000)}, std::chrono::seconds(1)};
  const toolkit::Output output = report(query, many_series(20, 241), {});
  EXPECT_THAT(output.text, HasSubstr("20 series, the highest {host=\"h19\"} with 99 at 1970-01-01 00:04:00 UTC\n"));
  EXPECT_THAT(output.text, HasSubstr("and 8 more series"));
  const auto plot = parse_arguments<Plot>(output.data.at("plot").as_object());
  ASSERT_OK(plot);
  ASSERT_THAT(plot->series, SizeIs(6));
  EXPECT_EQ(plot->series[0].name, "{host=\"h19\"}");
  EXPECT_EQ(plot->series[0].points.back(), (std::vector<double>{240, 99}));
  EXPECT_LT(json::serialize(output.data).size(), 64U * 1024);
}

TEST(MetricsReport, LeavesOutAPlotThatIsTooLargeToKeep) {
  const MetricQuery query{"load", {from_millis(0), from_millis(9'999'000)}, std::chrono::seconds(1)};
  EXPECT_FALSE(report(query, many_series(6, 10'000), {}).data.contains("plot"));
  EXPECT_FALSE(report(query, {}, {}).data.contains("plot"));
}

TEST(AlarmsReport, RedactsBeforeItCuts) {
  const toolkit::Redact redact = [](std::string_view text) {
    return text.contains("s3cr3t") ? std::string("[redacted]") : std::string(text);
  };
  const FoundAlarms found{.alarms = {{.name = "Leak", .summary = std::string(297, 'x') + "s3cr3t"}}};
  EXPECT_THAT(report({}, found, from_millis(0), redact).text, HasSubstr("- Leak [firing]: [redacted]\n"));
}

struct StepRow {
  std::string name;
  std::chrono::minutes span;
  std::chrono::milliseconds step;
};
class UsualStep : public testing::TestWithParam<StepRow> {};

TEST_P(UsualStep, IsRoundAndReadable) {
  EXPECT_EQ(usual_step({Timestamp{}, Timestamp{} + GetParam().span}), GetParam().step);
}
INSTANTIATE_TEST_SUITE_P(Spans, UsualStep,
                         testing::Values(StepRow{"Nothing", std::chrono::minutes(0), std::chrono::seconds(15)},
                                         StepRow{"AnHour", std::chrono::hours(1), std::chrono::seconds(15)},
                                         StepRow{"FourHours", std::chrono::hours(4), std::chrono::minutes(1)},
                                         StepRow{"ADay", std::chrono::hours(24), std::chrono::minutes(10)},
                                         StepRow{"AWeek", std::chrono::hours(168), std::chrono::hours(1)},
                                         StepRow{"TwoYears", std::chrono::hours(24 * 731), std::chrono::hours(96)}),
                         [](const auto& row) { return row.param.name; });

TEST(PrometheusMatrix, LeavesOutWhatIsNotANumberAndSaysSo) {
  const FoundMetrics found = prometheus::matrix(json::parse(R"({"data": {"result": [
      {"metric": {"__name__": "x"}, "values": [[1, "1.5"], [2, "NaN"], [3, "+Inf"], [4, "2"], ["soon", "3"], [5]]},
      {"metric": 3, "values": {}, "histograms": [[1, {}]]}, 7]}, "warnings": ["partial"]})"));
  ASSERT_THAT(found.series, SizeIs(3));
  ASSERT_THAT(found.series[0].samples, SizeIs(2));
  EXPECT_EQ(found.series[0].samples[1].value, 2);
  EXPECT_EQ(found.series[0].samples[1].at, from_millis(4000));
  EXPECT_THAT(found.notes,
              ElementsAre("4 samples without a finite value left out",
                          "native histograms are not shown; use histogram_quantile", "Prometheus warns: partial"));
}

TEST(PrometheusRules, ThatFailAreNeitherFineNorFiring) {
  const auto alarms = prometheus::quiet_rules(json::parse(R"({"data": {"groups": [{"rules": [
      {"name": "Fine", "state": "inactive", "health": "ok", "annotations": {"summary": "{{ $value }}"}},
      {"name": "Fires", "state": "firing", "health": "ok"},
      {"name": "Broken", "state": "inactive", "health": "err", "lastError": "many-to-many"}]}]}})"),
                                              "http://p");
  ASSERT_THAT(alarms, SizeIs(2));
  EXPECT_EQ(alarms[0].state, AlarmState::ok);
  EXPECT_EQ(alarms[0].summary, "");
  EXPECT_EQ(alarms[1].state, AlarmState::no_data);
  EXPECT_EQ(alarms[1].summary, "many-to-many");
}

TEST(AlertmanagerAlarms, SurviveAnyShape) {
  const json::value odd =
      json::parse(R"x([1, null, {}, {"labels": [], "startsAt": 3, "generatorURL": "javascript:f()"}])x");
  const auto alarms = prometheus::alertmanager_alarms(odd, "http://a");
  ASSERT_THAT(alarms, SizeIs(4));
  EXPECT_EQ(alarms.back().link, "http://a/#/alerts");
  EXPECT_THAT(prometheus::alertmanager_alarms(json::parse(R"({"error": "x"})"), "http://a"), SizeIs(0));
}

}  // namespace
}  // namespace deputy::tools
