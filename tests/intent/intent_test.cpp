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

TEST(IntentTypes, TellWhatARequestWants) {
  const Vocabulary words = sample_vocabulary();
  for (const auto& [request, expected] : std::initializer_list<Row>{
           {"show me errors in prod", "fetch"},
           {"any errors in checkout?", "fetch"},
           {"is checkout down?", "fetch"},
           {"how many errors did auth have today", "fetch"},
           {"ABC-123", "fetch"},
           {"checkout prod errors", "fetch"},
           {"the restart failed, show me the logs", "fetch"},
           {"restart checkout in prod", "act"},
           {"can you restart checkout", "act"},
           {"check the errors and restart checkout", "act"},
           {"we need to redeploy checkout", "act"},
           {"create a ticket for this", "act"},
           {"how do I restart checkout", "fetch"},
           {"explain how token refresh works", "chat"},
           {"hello", "chat"},
           {"thanks!", "chat"},
           {"", "chat"},
       }) {
    EXPECT_EQ(name_of(extract(request, words).type), expected) << request;
  }
}

TEST(Text, IsInQuotesOrBehindACue) {
  expect_all({
      {"where is \"pool is full\"", "text='pool is full'"},
      {"search the logs for deadlock", "text='deadlock'"},
      {"errors with shard in prod", "env=prod text='shard'"},
      {"errors for user 42 in checkout prod", "services=checkout env=prod text='user 42'"},
      {"which files mention retry logic?", "text='retry logic'"},
      {"find PaymentClient in the code", "text='PaymentClient'"},
      {"what was asked about timeouts before?", "text='timeouts'"},
      {"check the prod logs for errors", "env=prod"},
      {"errors for checkout", "services=checkout"},
      {"errors of `checkout`", "services=checkout"},
  });
}

TEST(Clarifications, AskForWhatTheFirstToolCannotDoWithout) {
  const Vocabulary words = sample_vocabulary();
  const auto questions = [&](std::string_view request) { return extract(request, words).clarifications_needed; };
  EXPECT_EQ(questions("show me errors of checkout"),
            std::vector<std::string>{"Which environment: dev, prod or staging?"});
  EXPECT_EQ(questions("show me log lines of prod"), std::vector<std::string>{"Which service?"});
  EXPECT_EQ(questions("show me errors of checkout in prod"), std::vector<std::string>{});
  EXPECT_EQ(questions("which services are there"), std::vector<std::string>{});
}

TEST(Acknowledgement, IsWhatTheFirstToolShowsWhileItWorks) {
  const Vocabulary words = sample_vocabulary();
  const auto said = [&](std::string_view request) { return acknowledgement(extract(request, words), words); };
  EXPECT_EQ(said("show me errors in prod"), "Counting errors of all services…");
  EXPECT_EQ(said("errors in checkout and auth prod"), "Counting errors of checkout, auth…");
  EXPECT_EQ(said("which services are there?"), "Listing services…");
  EXPECT_EQ(said("what was asked about timeouts before?"), "Looking into it…");
  EXPECT_EQ(said("restart checkout in prod"), "Preparing that…");
  EXPECT_EQ(said("hello"), "One moment…");
}

TEST(IntentJson, HasTheNamesOfTheContractAndReadsBack) {
  const Intent intent = extract("show me errors of checkout in prod since 09:00", sample_vocabulary());
  EXPECT_EQ(json::serialize(to_json(intent)),
            R"({"intent_type":"fetch","confidence":8E-1,"parameters":{"services":["checkout"],"environment":"prod",)"
            R"("time_range":{"from":"2026-11-18T08:00:00.000Z","to":"2026-11-18T10:30:00.000Z","hours_back":3,)"
            R"("description":"since 09:00","problem":""},"ticket_ids":[],"pr_ids":[],"incident_ids":[],"urls":[],)"
            R"("message_count":null,)"
            R"("text":""},)"
            R"("context_requirements":[],"suggested_tools":["count_errors","find_lines"],)"
            R"("fallback_options":[],"clarifications_needed":[]})");
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
