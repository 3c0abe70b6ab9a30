// What operations people ask of the demo, the calls that a model makes for it, and what their results must tell it: a
// table for every place where it is asked. What they must tell is taken from the generated files (facts.h).
#pragma once

#include <string>
#include <vector>

#include "demo/facts.h"

namespace deputy::test {

struct AskedCall {
  std::string tool;
  json::object arguments;
};

struct Asked {
  std::string request;
  std::vector<AskedCall> calls;   // of one turn
  std::vector<std::string> told;  // in their results
  std::string answer;             // of the model, from what it was told
};

inline std::vector<Asked> asked_of(const DemoFacts& facts) {
  const std::string day = DemoFacts::yesterday();
  const std::vector<std::string> tickets = facts.open_tickets_about_timeouts();
  const std::map<std::string, int> pods = facts.restarts("cast-core");
  const auto restarted = std::ranges::max_element(pods, {}, &std::pair<const std::string, int>::second);
  const std::string cpu = facts.highest_cpu("checkout", "prod", std::chrono::hours(6));
  const std::string failed = facts.failed_pipelines("cast-core");
  const json::object core{{"service", "cast-core"}, {"environment", "prod"}};
  return {
      {"why did cast-core fail after the last deploy",
       {{"get_recent_errors", core},
        {"search_logs", {{"service", "cast-core"}, {"environment", "prod"}, {"query", "deployed"}}},
        {"get_rollout", {{"environment", "prod"}, {"deployment", "cast-core"}, {"namespace", "northlight"}}},
        {"search_code", {{"query", "payment gateway timeout"}}}},
       {"× Connection timeout to payment gateway after", "version 3.12.0 deployed, commit",
        "Before it, revision 1: main: registry.northlight.test/cast-core:3.11.4",
        "cast-core/src/n/c/PaymentClient.java"},
       "3.12.0 waits 2 seconds for the payment gateway (search_code); since it was deployed (search_logs) calls time "
       "out "
       "(get_recent_errors)."},
      {"what is on fire",
       {{"check_alarms", {}}, {"pagerduty_active_incidents", {}}},
       {"2 alarms firing", facts.firing().at(0), facts.firing().at(1), "1 incident active", "Payments fail in prod"},
       "Payments of cast-core: 2 alarms (check_alarms), 1 incident (pagerduty_active_incidents)."},
      {"who is on call for payments",
       {{"pagerduty_oncall", {{"schedule", "payments"}}}},
       {"On call: " + facts.on_call("Payments")},
       facts.on_call("Payments") + " (pagerduty_oncall)."},
      {"failed pipelines of cast-core",
       {{"get_pipeline_status", {{"repo", "cast-core"}}}},
       {" pipeline runs: " + failed + " failed, ", " build on capture-later at "},
       failed + " failed, the last of them a build of capture-later (get_pipeline_status)."},
      {"where do we retry the payment gateway",
       {{"search_code", {{"query", "retry payment gateway"}}}},
       {"cast-core/src/n/c/PaymentClient.java"},
       "In PaymentClient.capture of cast-core (search_code)."},
      {"open tickets about timeouts",
       {{"jira_search", {{"query", "timeouts"}, {"state", "open"}}}},
       {"2 open tickets", tickets.at(0), tickets.at(1)},
       tickets.at(0) + " and " + tickets.at(1) + " (jira_search)."},
      {"cpu of checkout in prod, last 6 hours",
       {{"query_metrics", {{"query", R"(cpu{container="checkout", environment="prod"})"}, {"hours_back", 6}}}},
       {", highest " + cpu + " at "},
       "At most " + cpu + " cores (query_metrics)."},
      {"errors between 02:50 and 03:10 yesterday",
       {{"get_recent_errors", {{"environment", "prod"}, {"from", day + "T02:50:00Z"}, {"to", day + "T03:10:00Z"}}}},
       {facts.logged("gate-auth", "time=" + day + "T0[23].*could not be rotated") + " × keys could not be rotated"},
       "gate-auth could not rotate its keys (get_recent_errors)."},
      {"which pods of cast-core restart",
       {{"list_workloads", {{"environment", "prod"}, {"kind", "pod"}, {"name", "cast-core"}}}},
       {fmt::format("2 have restarted, most often northlight/{} ({} restarts)", restarted->first, restarted->second)},
       "Two, most often " + restarted->first + " (list_workloads)."},
  };
}

}  // namespace deputy::test
