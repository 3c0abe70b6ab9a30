// The settings of the alarm tools, seen in calls made by hand and in `doctor`, through the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "support/monitoring.h"

namespace deputy {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

class AlarmSettingsAtWork : public testing::Test {
 protected:
  std::string call(const std::string& tool, const std::string& arguments) const {
    const ProcessEnd end = deputy_.run({"tools", "call", tool, arguments});
    return end.output + end.errors;
  }
  void set(const std::string& prometheus, const std::string& alertmanager) {
    deputy_.write_user(fmt::format("tools: {{alarm_tools: {{prometheus: {{{}}}, alertmanager: {{{}}}}}}}\n", prometheus,
                                   alertmanager));
  }
  std::string doctor() const { return deputy_.run({"doctor"}).output; }

  test::Program deputy_;
  test::MonitoringPeer peer_{"sesame"};
};

TEST_F(AlarmSettingsAtWork, UrlAndTokenSayHowPrometheusIsReached) {
  deputy_.variables["THE_TOKEN"] = "sesame";
  set(fmt::format("url: {}/, token: env:THE_TOKEN", peer_.url()), "");
  EXPECT_THAT(call("query_metrics", R"({"query": "up"})"), HasSubstr("No data"));
  EXPECT_THAT(doctor(), ContainsRegex("metrics +ok +Prometheus at http://127[^ ]*: 3 targets"));
  set(fmt::format("url: {}", peer_.url()), "");
  EXPECT_THAT(call("query_metrics", R"({"query": "up"})"), HasSubstr("tools.alarm_tools.prometheus.token"));
  EXPECT_THAT(doctor(), ContainsRegex("metrics +broken .*Prometheus answered 401"));
}

TEST_F(AlarmSettingsAtWork, UrlAndTokenSayHowAlertmanagerIsReached) {
  deputy_.variables["THE_TOKEN"] = "sesame";
  set("", fmt::format("url: {}, token: env:THE_TOKEN", peer_.url()));
  EXPECT_THAT(call("check_alarms", "{}"), HasSubstr("No alarm firing"));
  EXPECT_THAT(doctor(), ContainsRegex("alarms +ok +Alertmanager 0.0.1 at http://127"));
  set("", fmt::format("url: {}", peer_.url()));
  EXPECT_THAT(call("check_alarms", "{}"), HasSubstr("tools.alarm_tools.alertmanager.token"));
}

TEST_F(AlarmSettingsAtWork, TheUsualVariablesNameTheAddresses) {
  EXPECT_THAT(call("query_metrics", R"({"query": "up"})"), HasSubstr("PROMETHEUS_URL"));
  EXPECT_THAT(doctor(), ContainsRegex("alarms +not set up +tools.alarm_tools.alertmanager.url \\(ALERTMANAGER_URL\\)"));
  deputy_.variables["PROMETHEUS_URL"] = peer_.url();
  deputy_.variables["ALERTMANAGER_URL"] = peer_.url();
  EXPECT_THAT(call("query_metrics", R"({"query": "up"})"), HasSubstr("Prometheus answered 401"));
  EXPECT_THAT(call("check_alarms", "{}"), HasSubstr("Alertmanager answered 401"));
}

TEST_F(AlarmSettingsAtWork, PlainHttpIsForThisMachineOnly) {
  set("url: http://prometheus.example", "");
  EXPECT_EQ(deputy_.run({"config", "check"}).exit_code, 1);
  deputy_.write_user("tools: {alarm_tools: {backend: graphite}}\n");
  EXPECT_THAT(deputy_.run({"config", "check"}).output, HasSubstr("there is no backend `graphite` for these tools"));
}

}  // namespace
}  // namespace deputy
