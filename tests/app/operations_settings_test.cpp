// The settings of cluster and incident tools, seen in calls made by hand and in `doctor`, through the real program.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "support/child.h"
#include "support/node.h"
#include "support/temporary_folder.h"

namespace deputy {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

constexpr const char* kToken = "operations-token-0123456789";

std::string address_of(test::Child& peer) {
  return "http://127.0.0.1:" + peer.read_line().value_or("port 0").substr(5);
}

class OperationsSettingsAtWork : public testing::Test {
 protected:
  std::string call(const std::string& tool, const std::string& arguments) const {
    const ProcessEnd end = deputy_.run({"tools", "call", tool, arguments});
    return end.output + end.errors;
  }
  std::string doctor() const { return deputy_.run({"doctor"}).output; }
  void write_kubeconfig(const std::string& server, const std::string& user) const {
    folder_.write("kubeconfig", "clusters: [{name: c, cluster: {server: '" + server + "'}}]\nusers: [{name: u, user: " +
                                    user + "}]\ncontexts: [{name: eks-prod, context: {cluster: c, user: u}}]\n");
  }

  test::Program deputy_;
  test::TemporaryFolder folder_;
};

TEST_F(OperationsSettingsAtWork, UrlAndTokenSayHowPagerDutyIsReached) {
  EXPECT_THAT(call("pagerduty_active_incidents", "{}"), HasSubstr("PAGERDUTY_TOKEN"));
  test::Child peer(test::node_program("pagerduty.js", {kToken, "ana@example.com"}));
  deputy_.variables["PAGERDUTY_API_URL"] = address_of(peer);
  deputy_.variables["PAGERDUTY_TOKEN"] = kToken;
  EXPECT_THAT(call("pagerduty_active_incidents", "{}"), HasSubstr("PT4KHLK"));
  EXPECT_THAT(doctor(), ContainsRegex("incidents +ok"));
  deputy_.variables["PAGERDUTY_TOKEN"] = "another";
  EXPECT_THAT(call("pagerduty_active_incidents", "{}"), HasSubstr("PagerDuty answered 401"));
}

TEST_F(OperationsSettingsAtWork, FilesSayWhereIncidentsDutiesAlarmsAndMetricsAre) {
  const auto path = [&](const std::string& name, const std::string& text) {
    return folder_.write(name, text).string();
  };
  const std::string incidents = path("i.json", R"({"incidents": [{"id": "PT1", "title": "Disk full"}]})");
  const std::string oncalls = path("o.json", R"({"oncalls": [{"user": {"summary": "Bo"}, "escalation_level": 1}]})");
  const std::string rules = R"([{"state": "inactive", "name": "TargetDown", "health": "ok"}])";
  const std::string alarms = path("a.json", R"({"data": {"groups": [{"rules": )" + rules + "}]}}");
  const std::string metrics = path("m.json", R"({"data": {"result": [{"metric": {"__name__": "up"}}]}})");
  deputy_.write_user(
      fmt::format("tools: {{incident_tools: {{files: {{incidents: {}, oncalls: {}}}}}, "
                  "alarm_tools: {{files: {{alarms: {}, metrics: {}}}}}}}\n",
                  incidents, oncalls, alarms, metrics));
  EXPECT_THAT(call("pagerduty_active_incidents", "{}"), HasSubstr("PT1 Disk full"));
  EXPECT_THAT(call("pagerduty_oncall", "{}"), HasSubstr("On call: Bo"));
  EXPECT_THAT(call("check_alarms", R"({"state": "ok"})"), HasSubstr("TargetDown"));
  EXPECT_THAT(call("query_metrics", R"({"query": "up"})"), HasSubstr("No data"));
  EXPECT_THAT(doctor(), ContainsRegex("metrics +ok +1 series in "));
  deputy_.write_user("tools: {incident_tools: {backend: opsgenie}}\n");
  EXPECT_THAT(deputy_.run({"config", "check"}).output, HasSubstr("there is no backend `opsgenie` for these tools"));
}

TEST_F(OperationsSettingsAtWork, FilesSayWhereTheObjectsOfAClusterAre) {
  const std::string file =
      folder_.write("c.json", R"({"items": [{"kind": "Deployment", "metadata": {"name": "cart"}}]})").string();
  deputy_.write_user(fmt::format("tools: {{cluster_tools: {{files: {{staging: {}}}}}}}\n", file));
  EXPECT_THAT(call("list_workloads", "{}"), HasSubstr("1 workload in staging"));
  EXPECT_THAT(doctor(), ContainsRegex("clusters +ok +staging: 1 object in "));
  deputy_.write_user("tools: {cluster_tools: {files: {prod: c.json}, kubernetes: {contexts: {prod: eks-prod}}}}\n");
  EXPECT_THAT(deputy_.run({"config", "check"}).output, HasSubstr("names a cluster for this environment too"));
}

TEST_F(OperationsSettingsAtWork, KubeconfigAndContextsSayWhichClusterIsRead) {
  test::Child peer(test::node_program("kubernetes.js", {"{\"token\": \"" + std::string(kToken) + "\"}"}));
  write_kubeconfig(address_of(peer), "{token: " + std::string(kToken) + "}");
  deputy_.variables["KUBECONFIG"] = (folder_.path() / "kubeconfig").string();
  deputy_.write_user("tools: {cluster_tools: {kubernetes: {contexts: {prod: eks-prod}}}}\n");
  EXPECT_THAT(call("list_workloads", R"({"environment": "prod"})"), HasSubstr("checkout"));
  EXPECT_THAT(doctor(), ContainsRegex("clusters +ok"));
  deputy_.write_user("tools: {cluster_tools: {kubernetes: {contexts: {prod: elsewhere}}}}\n");
  EXPECT_THAT(call("list_workloads", R"({"environment": "prod"})"), HasSubstr("elsewhere"));
}

TEST_F(OperationsSettingsAtWork, ExecProgramsSayWhatMayRunForCredentials) {
  write_kubeconfig("http://127.0.0.1:1", "{exec: {apiVersion: client.authentication.k8s.io/v1, command: /bin/true}}");
  deputy_.variables["KUBECONFIG"] = (folder_.path() / "kubeconfig").string();
  deputy_.write_user("tools: {cluster_tools: {kubernetes: {contexts: {prod: eks-prod}}}}\n");
  EXPECT_THAT(call("list_workloads", R"({"environment": "prod"})"), HasSubstr("exec_programs"));
  deputy_.write_user(
      "tools: {cluster_tools: {kubernetes: {contexts: {prod: eks-prod}, exec_programs: [/bin/true]}}}\n");
  EXPECT_THAT(call("list_workloads", R"({"environment": "prod"})"), testing::Not(HasSubstr("exec_programs")));
}

}  // namespace
}  // namespace deputy
