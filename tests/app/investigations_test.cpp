// Investigations and `doctor --tools` through the real program, offline: PagerDuty and Kubernetes are the stand-ins of
// tests/peers, logs are files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "base/clock.h"
#include "base/json.h"
#include "support/child.h"
#include "support/node.h"

namespace deputy {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kToken = "operations-token-0123456789";

std::string address_of(test::Child& peer) {
  return "http://127.0.0.1:" + peer.read_line().value_or("port 0").substr(5);
}

class InvestigationsAtWork : public testing::Test {
 protected:
  void set_up(const std::string& more = "") {
    deputy_.folder.write("home/.config/deputy/services.yaml", "payments: {full_name: Payments API, repo: shop/pay}\n");
    const std::string at = format_timestamp(SystemClock().now() - std::chrono::minutes(10));
    deputy_.folder.write("logs/prod/payments.log", fmt::format("{0} ERROR the pool is exhausted\n", at));
    deputy_.variables["PAGERDUTY_API_URL"] = address_of(pagerduty_);
    deputy_.variables["PAGERDUTY_TOKEN"] = kToken;
    deputy_.write_user("services: {file: services.yaml}\nenvironments: {prod: [production]}\ntools:\n  log_tools: " +
                       fmt::format("{{files: {{root: {}}}}}\n", (deputy_.folder / "logs").string()) + more);
  }
  std::string call(const std::string& tool, const std::string& arguments) const {
    const ProcessEnd end = deputy_.run({"tools", "call", tool, arguments});
    return end.output + end.errors;
  }

  test::Child pagerduty_{test::node_program("pagerduty.js", {kToken, "ana@example.com"})};
  test::Program deputy_;
};

TEST_F(InvestigationsAtWork, AnIncidentIsLookedAtEverywhereThatIsSetUp) {
  set_up();
  const std::string report = call("pagerduty_investigate", R"({"incident_id": "1234"})");
  EXPECT_THAT(report, HasSubstr("## Summary\n"));
  EXPECT_THAT(report, ContainsRegex("PT4KHLK.* \\[call_1\\]"));
  EXPECT_THAT(report,
              HasSubstr("get_recent_errors(service=payments, environment=prod, from=2026-11-18T08:30:00.000Z)"));
  EXPECT_THAT(report, HasSubstr("the pool is exhausted"));
  EXPECT_THAT(report, HasSubstr("`check_alarms` gave no result"));
  EXPECT_THAT(report, HasSubstr("`list_workloads` gave no result"));
  EXPECT_THAT(report, HasSubstr("tools.cluster_tools.kubernetes.contexts"));
  EXPECT_THAT(report, HasSubstr("## Root-cause hypothesis\nNone: no model concluded"));
}

TEST_F(InvestigationsAtWork, AnIssueIsInvestigatedWithoutAModel) {
  set_up();
  const ProcessEnd end = deputy_.run({"ask", "investigate payments in prod"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, AllOf(HasSubstr("Summary"), HasSubstr("the pool is exhausted"), HasSubstr("PT4KHLK")));
}

TEST_F(InvestigationsAtWork, AFamilyThatFailsHidesNothingElse) {
  set_up();
  deputy_.variables["PAGERDUTY_TOKEN"] = "wrong";
  const std::string report = call("investigate_issue", R"({"service": "payments", "environment": "prod"})");
  EXPECT_THAT(report, AllOf(HasSubstr("the pool is exhausted"),
                            HasSubstr("`pagerduty_active_incidents` gave no result: PagerDuty answered 401")));
}

TEST_F(InvestigationsAtWork, WhereNothingIsSetUpItSaysWhatToSet) {
  const std::string report = call("investigate_issue", R"({"service": "payments", "environment": "prod"})");
  EXPECT_THAT(report, AllOf(HasSubstr("tools.log_tools.files.root"), HasSubstr("PAGERDUTY_TOKEN"),
                            HasSubstr("tools.cluster_tools.kubernetes.contexts")));
}

TEST_F(InvestigationsAtWork, DoctorTriesEachToolThatReads) {
  set_up();
  const ProcessEnd end = deputy_.run({"doctor", "--tools"});
  EXPECT_EQ(end.exit_code, 0) << end.output << end.errors;
  EXPECT_THAT(end.output, ContainsRegex("incidents +ok"));
  EXPECT_THAT(end.output, ContainsRegex("pagerduty_active_incidents +ok +1 "));
  EXPECT_THAT(end.output, ContainsRegex("pagerduty_incident_details +ok +answered: "));
  EXPECT_THAT(end.output, ContainsRegex("get_service_info +ok +payments: Payments API"));
  EXPECT_THAT(end.output, ContainsRegex("get_service_logs +ok "));
  EXPECT_THAT(end.output, ContainsRegex("list_workloads +not set up +tools.cluster_tools.kubernetes.contexts"));
  EXPECT_THAT(end.output, ContainsRegex("restart_deployment +skipped +it may write"));
  EXPECT_THAT(end.output, ContainsRegex("search_history +skipped +it works within a request only"));
  EXPECT_THAT(deputy_.run({"doctor"}).output, Not(HasSubstr("get_service_info")));
}

TEST_F(InvestigationsAtWork, DoctorSaysWhichToolIsBroken) {
  set_up("  cluster_tools: {kubernetes: {contexts: {prod: eks-prod}}}\n");
  test::Child cluster(test::node_program("kubernetes.js", {R"({"token": "another-token"})"}));
  deputy_.folder.write("kubeconfig", "clusters: [{name: c, cluster: {server: '" + address_of(cluster) +
                                         "'}}]\nusers: [{name: u, user: {token: " + kToken +
                                         "}}]\ncontexts: [{name: eks-prod, context: {cluster: c, user: u}}]\n");
  deputy_.variables["KUBECONFIG"] = (deputy_.folder / "kubeconfig").string();
  const ProcessEnd end = deputy_.run({"doctor", "--tools", "--json"});
  EXPECT_EQ(end.exit_code, 1) << end.errors;
  const Result<json::value> findings = parse_json(end.output);
  ASSERT_TRUE(findings && findings->is_array()) << end.output;
  std::map<std::string, std::string> health;
  for (const json::value& one : findings->get_array())
    health[text_at(one.get_object(), "name")] = text_at(one.get_object(), "health");
  EXPECT_EQ(health["list_workloads"], "broken");
  EXPECT_EQ(health["get_workload"], "broken");
  EXPECT_EQ(health["restart_deployment"], "skipped");
  EXPECT_EQ(health["get_recent_errors"], "ok");
  EXPECT_THAT(end.output, HasSubstr("Kubernetes answered 401"));
}

}  // namespace
}  // namespace deputy
