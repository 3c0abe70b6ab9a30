// Questions, notes, children and what people see, through the whole engine.
#include <fmt/format.h>

#include "e2e/engine.h"

namespace deputy::test {
namespace {

json::object which_environment() {
  return {{"questions", json::array{json::object{{"label", "env"},
                                                 {"question", "Which environment?"},
                                                 {"options", json::array{json::object{{"label", "prod"}},
                                                                         json::object{{"label", "staging"}}}},
                                                 {"allow_custom", false}}}}};
}

/// ask_user is described to models like any tool and never run.
struct AskUserParams {
  json::array questions;
  template <class Fields>
  static void fields(Fields& f) {
    f.required(&AskUserParams::questions, "questions", "What to ask");
  }
};

class Talking : public Engine {};

TEST_F(Talking, AFormIsAskedAnsweredAndItsAnswerIsTheResult) {
  script(ModelScript().calls("ask_user", which_environment()).then_says("Thanks."));
  says("U1", "show me errors");
  until_asked();
  submits("U1", {{"env", {.values = {"prod"}}}});
  until_finished();
  EXPECT_EQ(result_of("call_1"),
            R"({"answers":[{"question_label":"env","answer":"prod","is_custom":false}],"completed":true})");
}

TEST_F(Talking, ATypedReplyIsTheAnswerAndNoNewRequest) {
  script(ModelScript().calls("ask_user", which_environment()).then_says("Thanks."));
  says("U1", "show me errors");
  until_asked();
  says("U1", "2");
  until_finished();
  EXPECT_EQ(runs().size(), 1U);
  EXPECT_NE(result_of("call_1").find(R"("answer":"staging")"), std::string::npos);
}

TEST_F(Talking, AFormThatNobodyAnswersIsNotGuessed) {
  script(ModelScript().calls("ask_user", which_environment()).then_says("I need to know."));
  says("U1", "show me errors");
  until_asked();
  pass(std::chrono::hours(25));
  until_finished();
  EXPECT_NE(result_of("call_1").find(R"("completed":false)"), std::string::npos) << result_of("call_1");
}

TEST_F(Talking, AFormThatBreaksTheRulesIsAnErrorForTheModel) {
  script(ModelScript().calls("ask_user", {{"questions", json::array{}}}).then_says("Sorry."));
  says("U1", "show me errors");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "error");
}

TEST_F(Talking, ANoteToARunThatThinksIsReadBeforeItEnds) {
  auto model = script(ModelScript().hangs());
  says("U1", "look at checkout");
  until([&] { return model->waiting() == 1; });
  says("U1", "and at search");
  EXPECT_EQ(runs().size(), 1U);
  restart();
  model = script(ModelScript().says("Both are fine."));
  gateway_->wake();
  until_finished();
  const auto& turns = model->requests().back().turns;
  EXPECT_NE(std::get<model::Text>(turns.back().blocks.back()).text.find("and at search"), std::string::npos);
  EXPECT_EQ(answers(), 1);
}

TEST_F(Talking, AMessageBesideAParkedRunStartsOneOfItsOwn) {
  script(ModelScript().calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}}).then_says("."));
  says("U1", "restart checkout");
  until_asked();
  const auto model = script(ModelScript().says("It waits for approval."));
  says("U1", "how does it look?");
  until_finished(1);
  EXPECT_EQ(runs().size(), 2U);
  EXPECT_NE(card(), nullptr);
  const auto& first = std::get<model::Text>(model->requests()[0].turns.back().blocks.back()).text;
  EXPECT_NE(first.find("restart_service"), std::string::npos) << first;
}

TEST_F(Talking, TheAcknowledgementComesBeforeTheModelAnswers) {
  channel_->can.working = false;
  const auto model = script(ModelScript().hangs());
  says("U1", "show me errors in checkout");
  until([&] { return !channel_->shown_in(kThread).empty(); });
  EXPECT_EQ(answers(), 0);
}

TEST_F(Talking, AModelThatFailsIsSaidInOneSentence) {
  script(ModelScript().fails({ErrorKind::upstream, "the model is overloaded"}));
  says("U1", "show me errors");
  until_finished();
  EXPECT_EQ(outcome(), "failed");
  EXPECT_NE(answer().find("the model is overloaded"), std::string::npos);
}

TEST_F(Talking, TheSameErrorThreeTimesWithdrawsTheTool) {
  const json::object wrong{{"service", "nothing"}, {"environment", "prod"}};
  set([](policy::Settings& settings) { settings.policy.mode = policy::Mode::allow_all; });
  script(ModelScript()
             .calls("restart_service", wrong)
             .calls("restart_service", wrong)
             .calls("bounce_service", wrong)
             .calls("restart_service", wrong)
             .calls("bounce_service", wrong)
             .then_says("I give up."));
  says("U1", "restart nothing");
  until_finished();
  for (const char* call : {"call_4", "call_5"})
    EXPECT_NE(result_of(call).find("`restart_service` failed three times"), std::string::npos) << result_of(call);
}

TEST_F(Talking, SecretsNeverReachTheStore) {
  const std::string secret = "ghp_" + std::string("16C7e42F292c6912E7710c838347Ae178B4a");
  script(ModelScript().calls("search_notes", {{"query", secret}}).then_says("I saw " + secret));
  says("U1", "what is " + secret + " for?");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "error");
  EXPECT_NE(result_of("call_1").find("by reference"), std::string::npos) << result_of("call_1");
  EXPECT_EQ(transcript().find(secret), std::string::npos);
  close();
  for (const auto& file : std::filesystem::directory_iterator(folder_ / "data")) {
    if (file.is_regular_file()) EXPECT_EQ(read_file(file.path()).find(secret), std::string::npos) << file.path();
  }
  open();
}

TEST_F(Talking, TheRunLimitGivesWhatWasFound) {
  ModelScript turns;
  for (int i = 0; i < 10; ++i) turns.calls("search_notes", {{"query", "note " + std::to_string(i)}});
  const auto model = script(turns.then_says("This is what I found."));
  says("U1", "search a lot");
  until_finished();
  EXPECT_EQ(limited(), "turns");
  EXPECT_EQ(model->requests().back().calls, model::Calls::none);
  EXPECT_EQ(model->requests().back().tools, model->requests().front().tools);
  EXPECT_NE(answer().find("10 rounds"), std::string::npos) << answer();
}

TEST_F(Talking, ARunHasItsTimeAndSaysWhatItDid) {
  limit([](run::LimitSettings& limits) { limits.work = std::chrono::minutes(2); });
  const auto model = script(ModelScript().hangs());
  says("U1", "think");
  until([&] { return model->waiting() == 1; });
  pass(std::chrono::minutes(1));
  EXPECT_EQ(model->waiting(), 1);
  pass(std::chrono::minutes(2));
  until_finished();
  EXPECT_EQ(outcome(), "failed");
  EXPECT_NE(answer().find("out of time"), std::string::npos);
}

TEST_F(Talking, OnlySoManyRunsOfAPersonWorkAtOnceAndTheRestWaitAndAreTold) {
  limit([](run::LimitSettings& limits) { limits.runs_a_person = 2; });
  const auto model = script(ModelScript().hangs().hangs().says("The third."));
  for (const char* thread : {"scripted:C1:1", "scripted:C1:2", "scripted:C1:3"}) says("U1", "think", thread);
  until([&] { return channel_->transcript("scripted:C1:3").find("waits its turn") != std::string::npos; });
  until([&] { return model->waiting() == 2; });
  says("U1", "stop", "scripted:C1:2");
  until_finished(2);
  EXPECT_EQ(answer(2), "The third.");
}

TEST_F(Talking, OnlySoManyRequestsOfAPersonAreBegunInTenMinutes) {
  limit([](run::LimitSettings& limits) { limits.requests_a_person = 2; });
  script(ModelScript().says("One.").says("Two.").says("Three."));
  says("U1", "one", "scripted:C1:1");
  until_finished(1);
  says("U1", "two", "scripted:C1:2");
  until_finished(2);
  says("U1", "three", "scripted:C1:3");
  until([&] { return channel_->transcript("scripted:C1:3").find("this one waits") != std::string::npos; });
  EXPECT_EQ(runs().at(2).headline, "three") << "lists say what waits";
  const std::string told = channel_->transcript("scripted:C1:3");
  const Timestamp until = std::chrono::ceil<std::chrono::minutes>(runs().at(0).created_at + std::chrono::minutes(10));
  EXPECT_NE(
      told.find(fmt::format("waits until {} (limits.requests_a_person).", interaction::time_in(rules_->zone, until))),
      std::string::npos)
      << told;
  clock_.advance(std::chrono::minutes(11));
  until_finished(3);
  EXPECT_EQ(answer(2), "Three.");
}

TEST_F(Talking, FurtherRunsWaitAsRowsWhenEnoughAreLive) {
  limit([](run::LimitSettings& limits) { limits.live_runs = 1; });
  const auto model = script(ModelScript().hangs().says("The second."));
  says("U1", "think", "scripted:C1:1");
  until([&] { return model->waiting() == 1; });
  says("U2", "think", "scripted:C1:2");
  EXPECT_EQ(gateway_->health().live, 1U);
  EXPECT_EQ(runs().at(1).headline, "think") << "lists say what waits";
  says("U1", "stop", "scripted:C1:1");
  until_finished(2);
  EXPECT_EQ(answer(1), "The second.");
}

TEST_F(Talking, TheAcknowledgementDoesNotWaitForTheFastModel) {
  limit([](run::LimitSettings& limits) { limits.intent_time = std::chrono::seconds(10); });
  const auto fast = ModelScript().hangs().make();
  fast_ = fast;
  script(ModelScript().says("Hello."));
  says("U1", "show me the errors");
  until([&] { return fast->waiting() == 1 && channel_->calls(Step::working) == 1; });
  EXPECT_EQ(answers(), 0);
  says("U1", "stop");
  until_finished();
}

TEST_F(Talking, ABudgetEndsARun) {
  auto rules = std::make_shared<run::Rules>(*rules_);
  rules->budgets.run_usd = 0.5;
  rules_ = rules;
  script(ModelScript().calls("search_notes", {{"query", "a"}}).calls("search_notes", {{"query", "b"}}).costs(300'000));
  says("U1", "search");
  until_finished();
  EXPECT_EQ(limited(), "budget");
  EXPECT_NE(answer().find("$0.50"), std::string::npos) << answer();
}

TEST_F(Talking, RunsOfLongAgoAreRemovedWhenItStarts) {
  script(ModelScript().says("Hello."));
  says("U1", "hello");
  until_finished();
  until([&] { return answers() == 1; });
  pass(std::chrono::days(100));
  restart();
  until([&] { return gateway_->health().live == 0; });
  EXPECT_EQ(runs().size(), 1U);
  pass(std::chrono::days(100));
  restart();
  until([&] { return runs().empty(); });
}

}  // namespace
}  // namespace deputy::test
