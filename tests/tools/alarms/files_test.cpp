// Alarms and metrics of files, in the shapes that Prometheus answers.
#include "tools/alarms/files/files.h"

#include <gmock/gmock.h>

#include "support/manual_clock.h"
#include "support/scripted_http.h"
#include "support/temporary_folder.h"
#include "tools/alarms/alarm_tools.h"
#include "tools/call_tool.h"

namespace deputy::tools {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// As Prometheus 2.55 answers GET /api/v1/rules?type=alert.
constexpr const char* kRules = R"({"status": "success", "data": {"groups": [{"name": "shop", "rules": [
  {"type": "alerting", "state": "firing", "name": "QueueTooLong", "health": "ok", "labels": {"severity": "critical"},
   "alerts": [{"labels": {"alertname": "QueueTooLong", "severity": "critical", "queue": "pay"},
               "annotations": {"summary": "Queue pay has 42 entries"}, "state": "firing",
               "activeAt": "2026-11-18T11:00:00Z", "value": "4.2e+01"}]},
  {"type": "alerting", "state": "pending", "name": "SlowDisk", "health": "ok", "labels": {},
   "alerts": [{"labels": {"alertname": "SlowDisk"}, "annotations": {}, "state": "pending",
               "activeAt": "2026-11-18T11:58:00Z", "value": "1e+00"}]},
  {"type": "alerting", "state": "inactive", "name": "TargetDown", "health": "ok", "labels": {}, "alerts": []},
  {"type": "alerting", "state": "inactive", "name": "Broken", "health": "err", "lastError": "no such metric"}]}]}})";

// As it answers GET /api/v1/query_range; the times are 11:00, 11:30 and 12:00, and one of the day before.
constexpr const char* kSeries = R"({"status": "success", "data": {"resultType": "matrix", "result": [
  {"metric": {"__name__": "cpu_usage", "service": "checkout", "environment": "prod"},
   "values": [[1794913200, "9"], [1794999600, "0.5"], [1795001400, "0.75"], [1795003200, "0.25"]]},
  {"metric": {"__name__": "cpu_usage", "service": "checkout", "environment": "staging"}, "values": [[1795003200, "0.1"]]},
  {"metric": {"__name__": "cpu_usage", "service": "checkout-web", "environment": "prod"}, "values": [[1795003200, "3"]]},
  {"metric": {"__name__": "memory_usage", "service": "checkout", "environment": "prod"}, "values": [[1795003200, "7"]]},
  "nothing"]}})";

class AlarmFiles : public testing::Test {
 protected:
  AlarmFiles() {
    settings_.files.alarms = folder_.write("alarms.json", kRules);
    settings_.files.metrics = folder_.write("metrics.json", kSeries);
  }
  Result<std::string> call(const std::string& name, const json::object& arguments) {
    for (const auto& tool : alarm_tools(make_alarm_backends(settings_, http_, clock_, workers_), clock_)) {
      if (tool->spec().name != name) continue;
      TRY(const toolkit::Output output, test::call_tool(*tool, arguments));
      return output.text;
    }
    return fail(ErrorKind::internal, "no such tool");
  }
  Result<std::string> query(const std::string& text) { return call("query_metrics", {{"query", text}}); }

  test::TemporaryFolder folder_;
  test::ManualClock clock_{*parse_timestamp("2026-11-18T12:00:00Z")};
  test::ScriptedHttp http_;
  Workers workers_{"test", {.threads = 1}};
  AlarmToolsSettings settings_;
};

TEST_F(AlarmFiles, SayWhatFiresAndWhatDoesNot) {
  EXPECT_EQ(*call("check_alarms", {}),
            "1 alarm firing: QueueTooLong\nAs of 2026-11-18 12:00:00 UTC\n"
            "- QueueTooLong [firing, critical] since 2026-11-18 11:00:00 UTC (60m): Queue pay has 42 entries "
            "(queue=pay)\n");
  EXPECT_THAT(*call("check_alarms", {{"state", "pending"}}), StartsWith("1 alarm pending: SlowDisk\n"));
  EXPECT_THAT(*call("check_alarms", {{"state", "ok"}}), StartsWith("1 alarm ok: TargetDown\n"));
  EXPECT_THAT(*call("check_alarms", {{"state", "no_data"}}), HasSubstr("Broken [no_data]: no such metric"));
  EXPECT_THAT(*call("check_alarms", {{"state", "all"}}), StartsWith("4 alarms: "));
  EXPECT_THAT(*call("check_alarms", {{"prefix", "slow"}}), StartsWith("No alarm firing"));
  EXPECT_THAT(*call("check_alarms", {{"state", "silenced"}}), HasSubstr("silences are not known"));
}

TEST_F(AlarmFiles, FindSeriesThatHaveAllWords) {
  const auto text = query("cpu checkout prod -web");
  EXPECT_THAT(*text, AllOf(StartsWith("Last 3, highest 3 at 2026-11-18 12:00:00 UTC\n"), HasSubstr("checkout-web")));
  EXPECT_THAT(*query("cpu checkout prod"), AllOf(StartsWith("2 series, "), Not(HasSubstr("staging"))));
  EXPECT_THAT(*query("Memory"), StartsWith("Last 7, "));
}

TEST_F(AlarmFiles, ConditionsInBracesHoldExactly) {
  const auto text = query(R"(cpu_usage{service="checkout", environment='prod'})");
  EXPECT_THAT(*text, StartsWith("Last 0.25, highest 0.75 at 2026-11-18 11:30:00 UTC\n"));
  EXPECT_THAT(*text, HasSubstr("last 0.25, lowest 0.25, highest 0.75, average 0.5\n"));
  EXPECT_THAT(*query(R"({service="check"})"), StartsWith("No data\n"));
}

TEST_F(AlarmFiles, AWordThatNoSeriesHasIsAnErrorThatNamesTheMetrics) {
  const auto none = query("latency checkout");
  ASSERT_FAILS(none, not_found);
  EXPECT_THAT(none.error().message, HasSubstr("`latency`"));
  EXPECT_THAT(none.error().hint, HasSubstr("`cpu_usage` and `memory_usage`"));
}

TEST_F(AlarmFiles, KnowNoPromQL) {
  for (const char* promql : {"rate(cpu_usage[5m])", "cpu_usage > 1", R"(cpu{service=~"c.*"})", R"(cpu{service!="c"})",
                             "cpu{service", "sum by (x) (cpu)", R"(cpu{service="c"}[5m])", "{}", "-"}) {
    EXPECT_FAILS(query(promql), invalid_input) << promql;
  }
}

TEST_F(AlarmFiles, MayBeMissingBrokenOrHostile) {
  folder_.write("alarms.json", R"({"data": {"groups": [7, {"rules": [null, {"alerts": "x", "state": 7}]}]}})");
  EXPECT_THAT(*call("check_alarms", {{"state", "all"}}), StartsWith("No alarm\n"));
  folder_.write("metrics.json", R"({"data": {"result": [{"metric": 7, "values": [[1], ["x", "y"], [1e300, "1"]]}]}})");
  EXPECT_FAILS(query("cpu"), not_found);
  for (const char* broken : {"{", "[]", R"({"data": {}})", "", "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["}) {
    folder_.write("alarms.json", broken);
    folder_.write("metrics.json", broken);
    const auto called = call("check_alarms", {});
    ASSERT_FAILS(called, invalid_input);
    EXPECT_THAT(called.error().hint, HasSubstr("tools.alarm_tools.files.alarms"));
    EXPECT_FAILS(query("cpu"), invalid_input);
  }
  std::filesystem::resize_file(folder_ / "alarms.json", (32UL << 20) + 1);
  EXPECT_FAILS(call("check_alarms", {}), invalid_input);
  settings_.files.alarms = folder_.path();
  EXPECT_FAILS(call("check_alarms", {}), not_configured);
}

TEST(SeriesQuery, ReadsWordsAndConditions) {
  const auto parsed = parse_series_query(R"(CPU of shop-core {environment="prod", pod='a-1',})");
  ASSERT_OK(parsed);
  EXPECT_EQ(parsed->words, (std::set<std::string>{"core", "cpu", "of", "shop"}));
  EXPECT_EQ(parsed->labels, (std::map<std::string, std::string>{{"environment", "prod"}, {"pod", "a-1"}}));
}

}  // namespace
}  // namespace deputy::tools
