// Which tool a question gets and with what: each in five wordings, over tools the planner has never heard of.
#include "model/offline/choose.h"

#include <gtest/gtest.h>

#include "model/offline/world.h"

namespace deputy::model::offline {
namespace {

struct Row {
  std::string_view request;
  std::string_view expected;
};

void check(std::initializer_list<Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(in_one_line(ask(std::string(row.request))), row.expected) << row.request;
}

TEST(OfflineChoice, ErrorsOfAService) {
  check({{"show me the errors in checkout-api in prod over the last 2 hours",
          R"(error_overview{"environment":"prod","hours_back":2,"service":"checkout-api"})"},
         {"any exceptions in payments-core on staging?",
          R"(error_overview{"environment":"staging","service":"payments-core"})"},
         {"what is failing in checkout-api?", R"(error_overview{"service":"checkout-api"})"},
         {"why is checkout-api throwing 500s in production",
          R"(error_overview{"environment":"production","service":"checkout-api"})"},
         {"errors for checkout-api", R"(error_overview{"service":"checkout-api"})"}});
}

TEST(OfflineChoice, WordsInTheLogs) {
  check({{"search the logs of checkout-api for connection refused in prod",
          R"(find_log_lines{"environment":"prod","service":"checkout-api","text_query":"connection refused"})"},
         {"find \"OutOfMemoryError\" in the logs of billing-worker",
          R"(find_log_lines{"service":"billing-worker","text_query":"OutOfMemoryError"})"},
         {"grep logs for timeouts in staging last 6h",
          R"(find_log_lines{"environment":"staging","hours":6,"text_query":"timeout"})"},
         {"log lines mentioning NullPointerException, top 20",
          R"(find_log_lines{"limit":20,"text_query":"NullPointerException"})"},
         {"can you look in the logs for deadlock detected please",
          R"(find_log_lines{"text_query":"deadlock detected"})"}});
}

TEST(OfflineChoice, WhatAServiceIs) {
  check({{"who owns checkout-api?", R"(describe_application{"app_name":"checkout-api"})"},
         {"tell me about the service checkout-api", R"(describe_application{"app_name":"checkout-api"})"},
         {"what is checkout-api running on", R"(describe_application{"app_name":"checkout-api"})"},
         {"describe checkout-api", R"(describe_application{"app_name":"checkout-api"})"},
         {"info on billing-worker please", R"(describe_application{"app_name":"billing-worker"})"}});
}

TEST(OfflineChoice, Deployments) {
  check({{"last 5 deployments of checkout-api", R"(deployment_history{"max_results":5,"repository":"checkout-api"})"},
         {"what was deployed to checkout-api recently?", R"(deployment_history{"repository":"checkout-api"})"},
         {"show me the builds of billing-worker", R"(deployment_history{"repository":"billing-worker"})"},
         {"did the latest build of checkout-api pass?", R"(deployment_history{"repository":"checkout-api"})"},
         {"deployment history for checkout-api", R"(deployment_history{"repository":"checkout-api"})"}});
}

TEST(OfflineChoice, Alarms) {
  check({{"are any alerts firing?", "open_alerts{}"},
         {"which critical alarms are open right now", R"(open_alerts{"severity":"critical"})"},
         {"show warning alerts", R"(open_alerts{"severity":"warning"})"},
         {"what alarms do we have", "open_alerts{}"},
         {"is anything alerting", "open_alerts{}"}});
}

TEST(OfflineChoice, Incidents) {
  check({{"are there open incidents?", "current_outages{}"},
         {"any outages at the moment?", "current_outages{}"},
         {"list current incidents", "current_outages{}"},
         {"what incidents are active", "current_outages{}"},
         {"is there an ongoing incident", "current_outages{}"}});
}

TEST(OfflineChoice, OneTicket) {
  check({{"show me ticket OPS-123", R"(tracker_lookup{"issue_key":"OPS-123"})"},
         {"what is OPS-123 about?", R"(tracker_lookup{"issue_key":"OPS-123"})"},
         {"read OPS-123", R"(tracker_lookup{"issue_key":"OPS-123"})"},
         {"status of OPS-77", R"(tracker_lookup{"issue_key":"OPS-77"})"},
         {"summarize OPS-9 for me", R"(tracker_lookup{"issue_key":"OPS-9"})"}});
}

TEST(OfflineChoice, TicketsByTheirWords) {
  check({{"tickets about login failures", R"(tracker_search{"query":"login failures"})"},
         {"find open bugs mentioning certificate expiry", R"(tracker_search{"query":"certificate expiry"})"},
         {"search jira for flaky tests", R"(tracker_search{"query":"flaky tests"})"},
         {"list 3 tickets about \"disk full\"", R"(tracker_search{"max_results":3,"query":"disk full"})"},
         {"are there issues regarding slow exports?", R"(tracker_search{"query":"slow exports"})"}});
}

TEST(OfflineChoice, WhoIsOnCall) {
  check({{"who is on call?", "rota{}"},
         {"who's on-call this week", "rota{}"},
         {"oncall?", "rota{}"},
         {"tell me who is on call right now", "rota{}"},
         {"who is on the rota tonight", "rota{}"}});
}

TEST(OfflineChoice, WhatIsWrittenDown) {
  check({{"how do I rotate the TLS certificates?", R"(handbook_search{"query":"rotate TLS certificate"})"},
         {"runbook for failover", R"(handbook_search{"query":"failover"})"},
         {"is there documentation about \"blue green\"?", R"(handbook_search{"query":"blue green"})"},
         {"find the playbook for disk alerts", R"(handbook_search{"query":"disk alerts"})"},
         {"search the wiki for vpn setup", R"(handbook_search{"query":"vpn setup"})"}});
}

TEST(OfflineChoice, Restarts) {
  check({{"restart checkout-api in prod", R"(restart_application{"environment":"prod","service":"checkout-api"})"},
         {"can you reboot the checkout-api service in staging",
          R"(restart_application{"environment":"staging","service":"checkout-api"})"},
         {"please restart billing-worker on staging",
          R"(restart_application{"environment":"staging","service":"billing-worker"})"},
         {"we need to restart checkout-api in prod now",
          R"(restart_application{"environment":"prod","service":"checkout-api"})"},
         {"Restart the service billing-worker in the prod environment!",
          R"(restart_application{"environment":"prod","service":"billing-worker"})"}});
}

TEST(OfflineChoice, OtherChanges) {
  check({{"run the build of checkout-api on main", R"(trigger_build{"ref":"main","repo":"checkout-api"})"},
         {"trigger a build of billing-worker at release/1.4",
          R"(trigger_build{"ref":"release/1.4","repo":"billing-worker"})"},
         {"start a build of checkout-api from branch fix-login",
          R"(trigger_build{"ref":"fix-login","repo":"checkout-api"})"},
         {"comment on OPS-5: we are looking into it",
          R"(add_ticket_comment{"issue_key":"OPS-5","text":"we are looking into it"})"},
         {"add a comment \"fixed in prod\" to OPS-5",
          R"(add_ticket_comment{"issue_key":"OPS-5","text":"fixed in prod"})"}});
}

TEST(OfflineChoice, IndependentThingsAreAskedForTogether) {
  check(
      {{"errors and open incidents for checkout-api", R"(error_overview{"service":"checkout-api"} current_outages{})"},
       {"show me firing alerts, open incidents and the errors of checkout-api in prod",
        R"(open_alerts{} current_outages{} error_overview{"environment":"prod","service":"checkout-api"})"},
       {"compare the errors of checkout-api and billing-worker",
        R"(error_overview{"service":"checkout-api"} error_overview{"service":"billing-worker"})"},
       {"OPS-1 and OPS-2", R"(tracker_lookup{"issue_key":"OPS-1"} tracker_lookup{"issue_key":"OPS-2"})"},
       {"who is on call and are there outages?", "current_outages{} rota{}"}});
}

TEST(OfflineChoice, NoMoreThanThreeCallsATurn) {
  const Reply reply = answer(ask("OPS-1, OPS-2, OPS-3, OPS-4 and OPS-5 please"));
  EXPECT_EQ(reply.blocks.size(), kMostCallsATurn);
}

TEST(OfflineChoice, AQuestionNeverGetsAToolThatWrites) {
  for (const char* request :
       {"why did the restart of checkout-api fail?", "when was checkout-api last restarted in prod?",
        "how do I restart checkout-api?", "did anyone comment on OPS-5?", "what does restart_application do?"}) {
    for (const Block& block : answer(ask(request)).blocks) {
      const Call* call = std::get_if<Call>(&block);
      if (call == nullptr) continue;
      EXPECT_TRUE(call->tool != "restart_application" && call->tool != "add_ticket_comment") << request << call->tool;
    }
  }
}

TEST(OfflineChoice, ChatAndWhatNoToolDoesAreAnsweredInWords) {
  for (const char* request : {"hi", "what can you do?", "thanks!", "hello there, how are you", "nice work!", "",
                              "delete the database", "scale checkout-api to 5"}) {
    const Reply reply = answer(ask(request));
    EXPECT_EQ(reply.stop, Stop::end_turn) << request;
    EXPECT_NE(text_of(reply).find("`current_outages`"), std::string::npos) << request;
    EXPECT_NE(text_of(reply).find("offline planner"), std::string::npos) << request;
  }
}

TEST(OfflineChoice, SuggestedToolsComeFirstAndOnlyWhenTheyExist) {
  intent::Intent intent;
  intent.type = intent::IntentType::fetch;
  intent.suggested_tools = {"gone", "open_alerts", "error_overview"};
  EXPECT_EQ(in_one_line(ask("how is it going over there?", intent)), "open_alerts{}");
}

TEST(OfflineChoice, TellsReadingFromWritingByTheName) {
  const std::pair<const char*, bool> rows[] = {
      {"get_pipeline_run", false},      {"list_open_prs", false}, {"pipeline_runs", false},
      {"deploy_history", false},        {"run_pipeline", true},   {"jira_add_comment", true},
      {"update_incident_status", true}, {"shell", true},          {"merge_request_details", false},
      {"investigate_issue", false},     {"acknowledge", true},    {"check_alarms", false}};
  for (const auto& [name, writes] : rows) EXPECT_EQ(looks_like_writing(tool(name, "About it")), writes) << name;
  EXPECT_TRUE(looks_like_writing(tool("aws_cli", "Runs one AWS command")));
}

}  // namespace
}  // namespace deputy::model::offline
