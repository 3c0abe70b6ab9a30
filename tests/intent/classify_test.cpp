#include <gtest/gtest.h>

#include "intent/sample_vocabulary.h"

namespace deputy::intent {
namespace {

std::string_view name_of(IntentType type) {
  for (const auto& [choice, name] : choices_of(IntentType{})) {
    if (choice == type) return name;
  }
  return "";
}

TEST(Classify, TellsWhatARequestWants) {
  const Vocabulary words = sample_vocabulary();
  for (const auto& [request, expected] : std::initializer_list<Row>{
           {"summarize this thread", "summarize"},
           {"can you give me a summary of the last 20 messages", "summarize"},
           {"tl;dr please, recap", "summarize"},
           {"what did I miss", "summarize"},
           {"catch me up", "summarize"},
           {"why is checkout slow", "analyze"},
           {"checkout is down in prod, why?", "analyze"},
           {"investigate the errors in auth", "analyze"},
           {"what is wrong with checkout", "analyze"},
           {"what happened last night", "analyze"},
           {"can you look into the timeouts of cast-core", "analyze"},
           {"what caused the outage", "analyze"},
           {"show me errors in prod", "fetch"},
           {"any errors in checkout?", "fetch"},
           {"who is on call", "fetch"},
           {"who approved the last deploy", "fetch"},
           {"is checkout down?", "fetch"},
           {"did the deploy finish", "fetch"},
           {"how many errors did auth have today", "fetch"},
           {"status of PR 45", "fetch"},
           {"ABC-123", "fetch"},
           {"checkout prod errors", "fetch"},
           {"please check the alarms", "fetch"},
           {"get recent errors for checkout in prod", "fetch"},
           {"explain how token refresh works", "explain"},
           {"how does checkout talk to auth", "explain"},
           {"what does cast-core do", "explain"},
           {"how do I restart checkout", "explain"},
           {"what is the difference between stage and live", "explain"},
           {"restart checkout in prod", "act"},
           {"can you restart checkout", "act"},
           {"please roll back auth", "act"},
           {"check the errors and restart checkout", "act"},
           {"we need to redeploy checkout", "act"},
           {"create a ticket for this", "act"},
           {"ack incident 1234", "act"},
           {"the restart failed, show me the logs", "fetch"},
           {"why did the restart fail", "analyze"},
           {"hello", "chat"},
           {"thanks!", "chat"},
           {"who are you", "chat"},
           {"", "chat"},
       }) {
    EXPECT_EQ(name_of(extract(request, words).type), expected) << request;
  }
}

TEST(Classify, SaysWhatMustBeRead) {
  using enum ContextRequirement;
  const Vocabulary words = sample_vocabulary();
  const auto needed = [&](std::string_view request) { return extract(request, words).context_requirements; };
  EXPECT_EQ(needed("summarize this thread"), std::vector{thread});
  EXPECT_EQ(needed("what do you make of this?"), std::vector{thread});
  EXPECT_EQ(needed("why did the above alert fire"), std::vector{thread});
  EXPECT_EQ(needed("summarize the last 20 messages"), std::vector{channel_history});
  EXPECT_EQ(needed("what did I miss"), std::vector{channel_history});
  EXPECT_EQ(needed("summarize this channel"), std::vector{channel_history});
  EXPECT_EQ(needed("what is in the attached screenshot"), std::vector{files});
  EXPECT_EQ(needed("errors of checkout in prod"), std::vector<ContextRequirement>{});
}

TEST(Suggest, NamesToolsThatExistBestFirst) {
  const Vocabulary words = sample_vocabulary();
  const auto first = [&](std::string_view request) {
    const auto tools = extract(request, words).suggested_tools;
    return tools.empty() ? std::string() : tools.front();
  };
  for (const auto& [request, expected] : std::initializer_list<Row>{
           {"show me errors in prod", "get_recent_errors"},
           {"show the logs of checkout in prod", "get_service_logs"},
           {"search the logs for timeout in prod", "search_logs"},
           {"why is checkout slow in prod", "investigate_issue"},
           {"who is on call", "pagerduty_oncall"},
           {"who is on-call", "pagerduty_oncall"},
           {"what is ABC-123", "jira_get_ticket"},
           {"status of PR 45", "get_pr_details"},
           {"list open PRs", "list_open_prs"},
           {"did the deploy finish", "get_pipeline_status"},
           {"any alarms firing?", "check_alarms"},
           {"incident PT4KHLK details", "pagerduty_incident_details"},
           {"investigate incident PT4KHLK", "pagerduty_investigate"},
           {"any active incidents", "pagerduty_active_incidents"},
           {"summarize the last 20 messages", "summarize_messages"},
           {"summarize this thread", "list_slack_replies"},
           {"deploy checkout to staging", "run_pipeline"},
           {"create a ticket for the outage", "jira_create_ticket"},
           {"explain checkout", "get_service_info"},
           {"use check_alarms and tell me", "check_alarms"},
           {"hello", ""},
       }) {
    EXPECT_EQ(first(request), expected) << request;
  }
}

TEST(Suggest, AsksForWhatTheFirstToolCannotDoWithout) {
  const Vocabulary words = sample_vocabulary();
  const auto questions = [&](std::string_view request) { return extract(request, words).clarifications_needed; };
  EXPECT_EQ(questions("show me errors of checkout"),
            std::vector<std::string>{"Which environment: dev, prod or staging?"});
  EXPECT_EQ(questions("deploy it to prod"), std::vector<std::string>{"Which service?"});
  EXPECT_EQ(questions("show me errors of checkout in prod"), std::vector<std::string>{});
  EXPECT_EQ(questions("who is on call"), std::vector<std::string>{});
}

TEST(Acknowledgement, IsAShortLineOfTheIntent) {
  const Vocabulary words = sample_vocabulary();
  EXPECT_EQ(acknowledgement(extract("show me errors in prod", words)), "Checking those errors…");
  EXPECT_EQ(acknowledgement(extract("who is on call", words)), "Checking who is on call…");
  EXPECT_EQ(acknowledgement(extract("restart checkout in prod", words)), "Preparing that…");
  EXPECT_EQ(acknowledgement(Intent{}), "One moment…");
}

TEST(IntentJson, HasTheNamesOfTheContractAndReadsBack) {
  const Intent intent = extract("show me errors of checkout in prod since 09:00", sample_vocabulary());
  EXPECT_EQ(json::serialize(to_json(intent)),
            R"({"intent_type":"fetch","confidence":8.5E-1,"parameters":{"services":["checkout"],"environment":"prod",)"
            R"("time_range":{"from":"2026-11-18T08:00:00.000Z","to":"2026-11-18T10:30:00.000Z","hours_back":3,)"
            R"("description":"since 09:00","problem":""},"ticket_ids":[],"pr_ids":[],"incident_ids":[],"urls":[],)"
            R"("message_count":null,)"
            R"("text":""},)"
            R"("context_requirements":[],"suggested_tools":["get_recent_errors"],)"
            R"("fallback_options":["search_logs","check_alarms"],"clarifications_needed":[]})");
  EXPECT_EQ(parse_arguments<Intent>(to_json(intent)), intent);
}

TEST(IntentJson, RefusesWhatAModelGetsWrong) {
  for (
      const std::string_view text :
      {R"({"intent_type":"guess","confidence":0.5})", R"({"intent_type":"fetch","confidence":2})",
       R"({"confidence":1})", R"({"intent_type":"fetch","confidence":1,"parameters":{"message_count":101}})",
       R"({"intent_type":"fetch","confidence":1,"parameters":{"time_range":{"from":"yesterday"}}})",
       R"({"intent_type":"fetch","confidence":1,"parameters":{"time_range":{"from":"2026-11-02T00:00:00Z","to":"2026-11-01T00:00:00Z"}}})"}) {
    EXPECT_FALSE(parse_arguments<Intent>(parse_json(text)->get_object())) << text;
  }
}

}  // namespace
}  // namespace deputy::intent
