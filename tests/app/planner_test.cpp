// Requests in the words people use, over the real tools, by the real planner: which tool they get and with what.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>

#include "app/tools.h"
#include "base/text.h"
#include "intent/context_section.h"
#include "intent/match.h"
#include "model/offline/offline.h"

namespace deputy::app {
namespace {

/// All tools, without settings: none is set up, and each says what it is about.
struct AllTools {
  asio::io_context loop;
  SystemClock clock;
  Accounts accounts{Settings{}, {}, clock, loop.get_executor()};
  Tools tools{Settings{}, OwnFolders{}, accounts, clock, loop.get_executor()};
};

const toolkit::Registry& registry() {
  static const AllTools all;
  return all.tools.registry();
}

intent::Vocabulary vocabulary() {
  intent::Vocabulary words;
  words.services = {{"cart", "Shopping Cart", {"basket"}}, {"pay-core", "", {"payments"}}, {"mailer", "", {}}};
  words.environments = {{"prod", {"production", "live"}}, {"staging", {"stage"}}};
  words.tools = registry().known_tools({});
  words.now = from_millis(1'794'997'800'000);  // 2026-11-18 10:30 UTC
  return words;
}

/// All tools are offered, set up or not.
model::Request ask(std::string_view request) {
  const std::string section = intent::context_section(intent::extract(request, vocabulary()));
  model::Request asked;
  asked.turns = {{model::Role::user, {model::Text{fmt::format("{}\n\n{}", request, section)}}}};
  std::vector<model::ToolDescription> offered;
  for (const auto& tool : registry().tools()) {
    const toolkit::ToolSpec& spec = tool->spec();
    offered.push_back({spec.name, spec.description, spec.params});
  }
  asked.tools = std::move(offered);
  return asked;
}

/// `tool service=cart query=x`, of all calls, without times; or the first line of the answer.
std::string planned(std::string_view request) {
  const model::Reply reply = model::offline::answer(ask(request), registry());
  std::vector<std::string> calls;
  for (const model::Block& block : reply.blocks) {
    const auto* call = std::get_if<model::Call>(&block);
    if (call == nullptr) continue;
    std::vector<std::string> arguments;
    for (const auto& [name, value] : call->arguments) {
      const bool is_time = as_view(name) == "from" || as_view(name) == "to";
      if (!is_time)
        arguments.push_back(
            fmt::format("{}={}", as_view(name), value.is_string() ? as_text(value) : json::serialize(value)));
    }
    std::ranges::sort(arguments);
    calls.push_back(call->tool + (arguments.empty() ? "" : " " + join(arguments, " ")));
    if (call->tool == "ask_user") calls.back() = "ask_user";
  }
  const std::string text = text_of(reply);
  return calls.empty() ? text.substr(0, text.find('\n')) : join(calls, " + ");
}

TEST(Examples, EachPicksTheToolThatGivesIt) {
  static constexpr std::pair<toolkit::Kind, std::string_view> kValues[] = {
      {toolkit::Kind::service, "cart"},  {toolkit::Kind::environment, "prod"},       {toolkit::Kind::query, "deadlock"},
      {toolkit::Kind::text, "deadlock"}, {toolkit::Kind::path, "docs/a.conf"},       {toolkit::Kind::id, "big-42"},
      {toolkit::Kind::command, "ls -l"}, {toolkit::Kind::url, "https://a.example/b"}};
  std::size_t examples = 0;
  for (const auto& tool : registry().tools()) {
    const toolkit::ToolSpec& spec = tool->spec();
    for (const std::string& example : spec.topics.examples) {
      const std::string request = intent::fill_in(example, [](toolkit::Kind kind) {
        for (const auto& [one, value] : kValues) {
          if (one == kind) return std::string(value);
        }
        return std::string();
      });
      ++examples;
      EXPECT_TRUE(planned(request).starts_with(spec.name)) << request << ": " << planned(request);
    }
    // Who is offered to people has something to show.
    EXPECT_TRUE(spec.talk_tool() || !spec.topics.words.empty()) << spec.name;
    EXPECT_TRUE(spec.talk_tool() || !spec.topics.working.empty()) << spec.name;
  }
  EXPECT_GE(examples, 25U);
}

struct Row {
  std::string_view request;
  std::string_view expected;
};

void expect_all(std::initializer_list<Row> rows) {
  for (const auto& [request, expected] : rows) EXPECT_EQ(planned(request), expected) << request;
}

TEST(PlainRequests, AboutErrors) {
  expect_all({
      {"show me errors in cart prod", "get_recent_errors environment=prod service=cart"},
      {"errors in cart prod", "get_recent_errors environment=prod service=cart"},
      {"prod errors cart", "get_recent_errors environment=prod service=cart"},
      {"cart prod errors last 3h", "get_recent_errors environment=prod service=cart"},
      {"any errors for the shopping cart on live in the last 4 hours?",
       "get_recent_errors environment=prod service=cart"},
      {"What is failing in the basket in production?", "get_recent_errors environment=prod service=cart"},
      {"what is failing in prod?", "get_recent_errors environment=prod"},
      {"what's broken in production right now?", "get_recent_errors environment=prod"},
      {"why does the cart fail in prod", "get_recent_errors environment=prod service=cart"},
      {"Please check the production logs of Cart for errors", "get_recent_errors environment=prod service=cart"},
      {"is cart healthy in prod?", "get_recent_errors environment=prod service=cart"},
      {"is anything wrong with pay-core in staging?", "get_recent_errors environment=staging service=pay-core"},
      {"is the mailer down in prod?", "get_recent_errors environment=prod service=mailer"},
      {"any exceptions in payments staging today?", "get_recent_errors environment=staging service=pay-core"},
      {"how many errors in prod in the last 6 hours", "get_recent_errors environment=prod"},
      {"which service has the most errors in prod?", "get_recent_errors environment=prod"},
      {"top errors in prod", "get_recent_errors environment=prod"},
      {"crashes of the mailer in prod since yesterday", "get_recent_errors environment=prod service=mailer"},
      {"any timeouts in cart prod?", "get_recent_errors environment=prod service=cart"},
      {"did cart crash in prod between 04:00 and 08:00?", "get_recent_errors environment=prod service=cart"},
      {"compare errors of cart and mailer in prod",
       "get_recent_errors environment=prod service=cart + get_recent_errors environment=prod service=mailer"},
      {"errors of nosuchservice in prod", "get_recent_errors environment=prod"},
      {"status of cart in prod", "get_recent_errors environment=prod service=cart"},
      {"show me errors in cart", "ask_user"},
  });
}

TEST(PlainRequests, AboutLogs) {
  expect_all({
      {"show me the logs of cart in prod", "get_service_logs environment=prod service=cart"},
      {"logs of cart in prod", "get_service_logs environment=prod service=cart"},
      {"tail cart prod", "get_service_logs environment=prod service=cart"},
      {"last 20 log lines of cart in prod", "get_service_logs environment=prod limit=20 service=cart"},
      {"cart prod?", "get_service_logs environment=prod service=cart"},
      {"search the prod logs for deadlock", "search_logs environment=prod query=deadlock"},
      {"search the logs of cart in prod for \"pool is full\"",
       "search_logs environment=prod query=pool is full service=cart"},
      {"grep the prod logs for OutOfMemory", "search_logs environment=prod query=OutOfMemory"},
      {"errors with \"card declined\" in payments prod",
       "search_logs environment=prod query=card declined service=pay-core"},
      {"which log lines mention deadlock in staging?", "search_logs environment=staging query=deadlock"},
      {"errors for user 42 in cart prod", "search_logs environment=prod query=user 42 service=cart"},
      {"log entries containing shard in prod", "search_logs environment=prod query=shard"},
  });
}

TEST(PlainRequests, AboutServicesCodeAndFiles) {
  expect_all({
      {"which services are there?", "list_services"},
      {"list all services", "list_services"},
      {"what services do we run?", "list_services"},
      {"which services do you know?", "list_services"},
      {"what is the mailer?", "get_service_info service_name=mailer"},
      {"tell me about cart", "get_service_info service_name=cart"},
      {"cart?", "get_service_info service_name=cart"},
      {"who owns payments?", "get_service_info service_name=pay-core"},
      {"where is \"timeout\" in the code?", "search_code query=timeout"},
      {"find timeout in the code", "search_code query=timeout"},
      {"search the code for timeout", "search_code query=timeout"},
      {"which code mentions timeout?", "search_code query=timeout"},
      {"grep the code for \"timeout\"", "search_code query=timeout"},
      {"find PaymentClient in the source code", "search_code query=PaymentClient"},
      {"which files are there?", "list_files"},
      {"list the files", "list_files"},
      {"what files do we have?", "list_files"},
      {"show me the files in the workspace", "list_files"},
      {"what is in the runbooks folder?", "list_files"},
      {"which files mention deadlock?", "search_files pattern=deadlock"},
      {"read the file docs/limits.conf", "read_file path=docs/limits.conf"},
      {"cat limits.conf", "read_file path=limits.conf"},
      {"fetch https://a.example/b", "fetch_url url=https://a.example/b"},
  });
}

TEST(PlainRequests, AboutPipelinesAndPullRequests) {
  expect_all({
      {"failed pipelines of cart", "get_pipeline_status repo=cart"},
      {"which pipelines of the basket failed?", "get_pipeline_status repo=cart"},
      {"show me the last builds of cart", "get_pipeline_status repo=cart"},
      {"open prs of payments", "list_open_prs repo=pay-core"},
      {"which pull requests are open in cart?", "list_open_prs repo=cart"},
      {"show the repository of cart", "get_repo repo=cart"},
  });
}

TEST(PlainRequests, AboutThePastAndChanges) {
  expect_all({
      {"what was asked about timeouts before?", "search_history query=timeouts"},
      {"what did we ask about timeouts earlier?", "search_history query=timeouts"},
      {"has anyone asked about timeouts before?", "search_history query=timeouts"},
      {"search history for timeouts", "search_history query=timeouts"},
      {"have we seen timeouts before?", "search_history query=timeouts"},
      {"run `ls -l`", "shell command=ls -l"},
      {"please run `make test`", "shell command=make test"},
      {"execute `git status`", "shell command=git status"},
      {"can you run \"uptime\"?", "shell command=uptime"},
      {"which background tasks are there?", "list_background_tasks"},
      {"cancel background task 01abc2", "cancel_background_task task_id=01abc2"},
      {"investigate cart in prod",
       "investigate_issue description=investigate cart in prod environment=prod service=cart"},
  });
}

TEST(PlainRequests, AboutOperations) {
  expect_all({
      {"what is on fire?", "check_alarms"},
      {"anything on fire right now?", "check_alarms"},
      {"which alarms are pending?", "check_alarms state=pending"},
      {"who is on call for the mailer", "pagerduty_oncall schedule=who is on call for the mailer"},
      {"which incidents are open?", "pagerduty_active_incidents"},
      {"open tickets about timeouts", "jira_search query=timeouts state=open"},
      {"show all open tickets about deadlocks", "jira_search query=deadlocks state=open"},
      {"tickets about deadlocks", "jira_search query=deadlocks"},
      {"which pods of cart restart in prod", "list_workloads environment=prod kind=pod name=cart"},
      {"are any pods of the basket restarting in production?", "list_workloads environment=prod kind=pod name=cart"},
      {"which deployments run in staging?", "list_workloads environment=staging kind=deployment"},
      {"list the workloads in prod", "list_workloads environment=prod"},
      {"where do we retry the payment gateway", "search_code query=retry payment gateway"},
      {"where do we lock a row in pay-core?", "search_code query=lock row"},
      {"errors between 02:50 and 03:10 yesterday in prod", "get_recent_errors environment=prod"},
      // Prometheus takes PromQL, which the planner does not write.
      {"cpu of checkout in prod, last 6 hours", "ask_user"},
      {"metrics \"up\" of the last 6 hours", "query_metrics query=up"},
  });
}

TEST(PlainRequests, WhatNoToolDoesIsSaid) {
  for (const char* request : {"delete all files", "remove the file limits.conf", "restart cart in prod",
                              "scale the mailer to 5", "stop cart in prod", "please delete the logs of cart"}) {
    EXPECT_TRUE(planned(request).starts_with("None of my tools does that, so nothing was changed. Try “"))
        << request << planned(request);
  }
  for (const char* request : {"hello", "thanks!", "how are you?", "what is the weather?"}) {
    EXPECT_TRUE(planned(request).starts_with("Without a model I can only look things up. Try “"))
        << request << planned(request);
  }
}

}  // namespace
}  // namespace deputy::app
