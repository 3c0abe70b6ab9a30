// Questions to Deputy as it comes, with its own tools and an intent made with a vocabulary: five wordings each.
#include <gtest/gtest.h>

#include "model/offline/catalogue.h"

namespace deputy::model::offline {
namespace {

struct Row {
  std::string_view request;
  std::string_view expected;
};

void check(std::initializer_list<Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(in_one_line(ask_deputy(std::string(row.request))), row.expected) << row.request;
}

TEST(OfflineOwnTools, Errors) {
  check({{"show me the errors of checkout in prod over the last 2 hours",
          R"(get_recent_errors{"environment":"prod","from":"2026-11-18T08:30:00.000Z","service":"checkout",)"
          R"("to":"2026-11-18T10:30:00.000Z"})"},
         {"any errors in production?", R"(get_recent_errors{"environment":"prod"})"},
         {"what errors did cast-core have in staging",
          R"(get_recent_errors{"environment":"staging","service":"cast-core"})"},
         {"are there exceptions in live for the cart?",
          R"(get_recent_errors{"environment":"prod","service":"checkout"})"},
         {"compare errors of checkout and cast-core in prod",
          R"(get_recent_errors{"environment":"prod","service":"checkout"} )"
          R"(get_recent_errors{"environment":"prod","service":"cast-core"})"}});
}

TEST(OfflineOwnTools, Logs) {
  check({{"search the logs for \"connection refused\" in prod",
          R"(search_logs{"environment":"prod","query":"connection refused"})"},
         {"search logs of checkout in prod for timeouts",
          R"(search_logs{"environment":"prod","query":"timeout","service":"checkout"})"},
         {"search the prod logs for \"deadlock\"", R"(search_logs{"environment":"prod","query":"deadlock"})"},
         {"grep the prod logs for OutOfMemory", R"(search_logs{"environment":"prod","query":"OutOfMemory"})"},
         {"which log lines mention deadlock in staging?", R"(search_logs{"environment":"staging","query":"deadlock"})"},
         {"how often did \"payment declined\" occur in prod?",
          R"(search_logs{"environment":"prod","query":"payment declined"})"}});
}

TEST(OfflineOwnTools, Services) {
  check({{"tell me about checkout", R"(get_service_info{"service_name":"checkout"})"},
         {"what is cast-core?", R"(get_service_info{"service_name":"cast-core"})"},
         {"who owns the cart?", R"(get_service_info{"service_name":"checkout"})"},
         {"which services are there?", "list_services{}"},
         {"list all services", "list_services{}"}});
}

TEST(OfflineOwnTools, PipelinesAndPullRequests) {
  check({{"status of the checkout pipeline", R"(get_pipeline_status{"repo":"checkout"})"},
         {"did the last build of checkout pass?", R"(get_pipeline_status{"repo":"checkout"})"},
         {"show open PRs for cast-core", R"(list_open_prs{"repo":"cast-core"})"},
         {"what's in PR 12 of checkout", R"(get_pr_details{"pr_id":12,"repo":"checkout"})"},
         {"run the pipeline of checkout on main", R"(run_pipeline{"ref":"main","repo":"checkout"})"}});
}

TEST(OfflineOwnTools, Commands) {
  check({{"run `ls -l`", R"(shell{"command":"ls -l"})"},
         {"please run `make test`", R"(shell{"command":"make test"})"},
         {"execute `git status`", R"(shell{"command":"git status"})"},
         {"run the command `echo $((1+2)) > x`", R"(shell{"command":"echo $((1+2)) > x"})"},
         {"can you run \"uptime\"?", R"(shell{"command":"uptime"})"}});
}

TEST(OfflineOwnTools, Tickets) {
  check({{"tickets about login", R"(jira_search{"query":"login"})"},
         {"open tickets mentioning checkout", R"(jira_search{"query":"checkout"})"},
         {"what is OPS-12 about", R"(jira_get_ticket{"issue_key":"OPS-12"})"},
         {"comment on OPS-12: fixed", R"(jira_add_comment{"issue_key":"OPS-12","text":"fixed"})"},
         {"create a ticket in project OPS about the login page being slow",
          R"(jira_create_ticket{"description":"create a ticket in project OPS about the login page being slow",)"
          R"("project":"OPS","summary":"the login page being slow"})"}});
}

TEST(OfflineOwnTools, IncidentsAndAlarms) {
  check({{"any open incidents?", "pagerduty_active_incidents{}"},
         {"errors and open incidents for checkout in prod",
          R"(pagerduty_active_incidents{} get_recent_errors{"environment":"prod","service":"checkout"})"},
         {"who is on call", "pagerduty_oncall{}"},
         {"ack incident PT4KHLK", R"(pagerduty_acknowledge{"incident_id":"PT4KHLK"})"},
         {"are there alarms?", "check_alarms{}"}});
}

TEST(OfflineOwnTools, Others) {
  check({{"how do I rotate certificates?", R"(search_confluence{"query":"rotate certificate"})"},
         {"where is the retry logic in the code", R"(search_code{"query":"retry logic"})"},
         {"read file src/guide.md", R"(read_file{"path":"src/guide.md"})"},
         {"post \"deploy done\" in #ops", R"(post_slack_message{"channel":"#ops","text":"deploy done"})"},
         {"CPU of checkout in prod", R"(get_ecs_metrics{"environment":"prod","service":"checkout"})"}});
}

TEST(OfflineOwnTools, AServiceThatNobodyKnowsIsAskedForAsTyped) {
  check({{"errors of nosuchsvc in prod", R"(get_recent_errors{"environment":"prod","service":"nosuchsvc"})"},
         {"show me errors of service parcel in prod", R"(get_recent_errors{"environment":"prod","service":"parcel"})"},
         {"show me the logs of nosuchsvc in prod", R"(get_service_logs{"environment":"prod","service":"nosuchsvc"})"},
         {"status of nosuchsvc in prod", R"(get_recent_errors{"environment":"prod","service":"nosuchsvc"})"},
         {"errors of checkout and nosuchsvc in prod",
          R"(get_recent_errors{"environment":"prod","service":"checkout"} )"
          R"(get_recent_errors{"environment":"prod","service":"nosuchsvc"})"}});
}

TEST(OfflineOwnTools, WordsThatEntriesMustHoldAreNotDropped) {
  check({{"timeout errors in the cart in prod",
          R"(search_logs{"environment":"prod","query":"timeout","service":"checkout"})"},
         {"logs of checkout in prod with \"token\"",
          R"(search_logs{"environment":"prod","query":"token","service":"checkout"})"},
         {"errors for user 42 in cast-core prod",
          R"(search_logs{"environment":"prod","query":"user 42","service":"cast-core"})"},
         {"errors in prod containing deadlock", R"(search_logs{"environment":"prod","query":"deadlock"})"},
         {"database errors in production", R"(search_logs{"environment":"prod","query":"database"})"}});
}

TEST(OfflineOwnTools, ALevelIsAskedForAndNotAllEntries) {
  check(
      {{"show me warnings in cast-core prod",
        R"(search_logs{"environment":"prod","query":"warn","service":"cast-core"})"},
       {"any warnings in production?", R"(search_logs{"environment":"prod","query":"warn"})"},
       {"warnings in cast-core prod", R"(search_logs{"environment":"prod","query":"warn","service":"cast-core"})"},
       {"warning messages of checkout in prod",
        R"(search_logs{"environment":"prod","query":"warn","service":"checkout"})"},
       {"debug logs of checkout in prod", R"(search_logs{"environment":"prod","query":"debug","service":"checkout"})"},
       {"show me info logs of checkout in staging",
        R"(search_logs{"environment":"staging","query":"info","service":"checkout"})"},
       {"fatal logs of checkout in prod", R"(search_logs{"environment":"prod","query":"fatal","service":"checkout"})"},
       {"any fatals in checkout prod?", R"(get_recent_errors{"environment":"prod","service":"checkout"})"},
       {"critical errors in checkout prod", R"(get_recent_errors{"environment":"prod","service":"checkout"})"},
       {"errors and warnings in checkout prod", R"(get_recent_errors{"environment":"prod","service":"checkout"})"},
       {"show me the logs of checkout in prod", R"(get_service_logs{"environment":"prod","service":"checkout"})"}});
}

TEST(OfflineOwnTools, WhatWasAskedBefore) {
  check({{"what was asked about timeouts before?", R"(search_history{"query":"timeout"})"},
         {"what did we ask about timeouts earlier?", R"(search_history{"query":"timeout"})"},
         {"has anyone asked about timeouts before?", R"(search_history{"query":"timeout"})"},
         {"search history for timeouts", R"(search_history{"query":"timeout"})"},
         {"have we seen timeouts before?", R"(search_history{"query":"timeout"})"}});
}

TEST(OfflineOwnTools, WhichFilesThereAre) {
  check({{"which files are there?", "list_files{}"},
         {"list the files", "list_files{}"},
         {"list files", "list_files{}"},
         {"what files do we have?", "list_files{}"},
         {"show me the files in the workspace", "list_files{}"},
         {"what is in the folder?", "list_files{}"},
         {"which files mention deadlock?", R"(search_files{"pattern":"deadlock"})"}});
}

TEST(OfflineOwnTools, WhatIsToBeDeletedIsNotEditedInstead) {
  for (const char* request : {"delete all files", "remove the file limits.conf", "please delete every file",
                              "remove all files of the workspace", "delete the folder"}) {
    const Reply reply = answer(ask_deputy(request));
    EXPECT_EQ(reply.stop, Stop::end_turn) << request;
    EXPECT_TRUE(text_of(reply).starts_with("None of my tools does that, so nothing was changed.")) << request;
  }
}

TEST(OfflineOwnTools, WhereNoToolReadsTicketsNobodyIsAskedForAnEnvironment) {
  const std::vector<std::string> kTickets = {"jira_search", "jira_get_ticket", "jira_create_ticket",
                                             "jira_add_comment"};
  for (const char* request :
       {"tickets about cast-core", "open tickets mentioning checkout", "any bugs about cast-core?"}) {
    const std::string planned = in_one_line(ask_deputy(request, kTickets));
    EXPECT_EQ(planned.find("ask_user"), std::string::npos) << request << ": " << planned;
    EXPECT_EQ(planned.find("investigate_issue"), std::string::npos) << request << ": " << planned;
  }
}

TEST(OfflineOwnTools, QuestionsInHaste) {
  check({{"cast-core prod errors last 3h",
          R"(get_recent_errors{"environment":"prod","from":"2026-11-18T07:30:00.000Z","service":"cast-core",)"
          R"("to":"2026-11-18T10:30:00.000Z"})"},
         {"show me errros in cast-core prod", R"(get_recent_errors{"environment":"prod","service":"cast-core"})"},
         {"erors cast-core prod", R"(get_recent_errors{"environment":"prod","service":"cast-core"})"},
         {"prod errors please", R"(get_recent_errors{"environment":"prod"})"},
         {"top errors in prod", R"(get_recent_errors{"environment":"prod"})"},
         {"which service has the most errors in prod?", R"(get_recent_errors{"environment":"prod"})"},
         {"stack traces in cast-core prod", R"(get_recent_errors{"environment":"prod","service":"cast-core"})"},
         {"tail cast-core prod", R"(get_service_logs{"environment":"prod","service":"cast-core"})"},
         {"last 20 log lines of cast-core in prod",
          R"(get_service_logs{"environment":"prod","limit":20,"service":"cast-core"})"},
         {"any OOM kills in prod?", R"(search_logs{"environment":"prod","query":"oom"})"},
         {"find PaymentClient in the code", R"(search_code{"query":"PaymentClient"})"},
         {"cat limits.conf", R"(read_file{"path":"limits.conf"})"},
         {"who asked about checkout before?", R"(search_history{"query":"checkout"})"}});
}

TEST(OfflineOwnTools, HowAServiceIsIsToldByItsErrors) {
  for (const char* request : {"is cast-core ok in prod?", "anything weird in cast core production", "cast-core prod?",
                              "is anything strange in cast-core in live?", "how is cast-core doing in prod"}) {
    EXPECT_EQ(in_one_line(ask_deputy(request)), R"(get_recent_errors{"environment":"prod","service":"cast-core"})")
        << request;
  }
}

TEST(OfflineOwnTools, WhatChangedIsNoQuestionOfWhatAServiceIs) {
  EXPECT_EQ(in_one_line(ask_deputy("what changed in checkout recently?")), R"(get_pipeline_status{"repo":"checkout"})");
  // Where nobody can tell, that is said.
  intent::Intent intent;
  intent.type = intent::IntentType::fetch;
  intent.parameters.services = {"checkout"};
  const std::vector<ToolDescription> tools = {
      tool("get_service_info", "Says what a service is: its type, stack, owner and repository", "service_name*")};
  EXPECT_EQ(answer(ask("what changed in checkout recently?", intent, tools)).stop, Stop::end_turn);
  EXPECT_EQ(in_one_line(ask("tell me about checkout", intent, tools)),
            R"(get_service_info{"service_name":"checkout"})");
}

TEST(OfflineOwnTools, ATimeThatCannotBeLookedAtIsSaidAndNothingIsCalled) {
  for (const char* request :
       {"errors in checkout prod in the last 999999999999 hours", "errors in checkout prod on 2026-02-30",
        "errors in checkout prod tomorrow", "logs of checkout in prod from 10:00 to 09:00",
        "search the prod logs for \"deadlock\" at 25:00"}) {
    const Reply reply = answer(ask_deputy(request));
    EXPECT_EQ(reply.stop, Stop::end_turn) << request;
    EXPECT_TRUE(text_of(reply).starts_with("I have looked at nothing: `")) << request << ": " << text_of(reply);
  }
  // An aside about the future is no time to look at.
  for (const char* request : {"Any errors in checkout prod? We go live tomorrow",
                              "Any errors in checkout prod? It must be fixed before tomorrow"}) {
    const std::string planned = in_one_line(ask_deputy(request));
    EXPECT_TRUE(planned.starts_with(R"(get_recent_errors{"environment":"prod","service":"checkout"})"))
        << request << ": " << planned;
  }
  // A tool that looks at no time does not mind.
  EXPECT_TRUE(in_one_line(ask_deputy("tickets about the release tomorrow")).starts_with("jira_search{"));
}

TEST(OfflineOwnTools, WithoutAnEnvironmentPeopleAreAsked) {
  for (const char* request : {"errors in the cart", "show me recent errors", "errors in prod and staging",
                              "search the logs for deadlock", "any exceptions today?"}) {
    EXPECT_EQ(
        in_one_line(ask_deputy(request)),
        R"(ask_user{"questions":[{"allow_custom":true,"label":"environment","options":[)"
        R"({"label":"prod","value":"prod"},{"label":"staging","value":"staging"}],"question":"Which environment?"}]})")
        << request;
  }
}

}  // namespace
}  // namespace deputy::model::offline
