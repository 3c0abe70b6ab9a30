// Whole conversations, the same on every channel.
#include "conformance/channel/conversation.h"

#include <gmock/gmock.h>

#include "base/text.h"

namespace deputy::channel {
namespace {

using interaction::Control;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

json::object question(std::string label, std::vector<std::string> options) {
  json::array list;
  for (const std::string& option : options) list.push_back(json::object{{"label", option}});
  return {{"label", label}, {"question", "What about " + label + "?"}, {"options", std::move(list)}};
}
json::object single(std::string label, std::vector<std::string> options) {
  json::object asked = question(std::move(label), std::move(options));
  asked["allow_custom"] = false;
  return asked;
}
json::object multi(std::string label, std::vector<std::string> options) {
  json::object asked = question(std::move(label), std::move(options));
  asked["multi_select"] = true;
  return asked;
}

// ---- Questions.

TEST_P(ConversationTest, ASingleChoiceIsAnswered) {
  ana_is_asked({single("env", {"prod", "staging"})});
  fills_in({{"env", {"staging"}}});
  EXPECT_EQ(response(),
            R"({"answers":[{"question_label":"env","answer":"staging","is_custom":false}],"completed":true})");
}

TEST_P(ConversationTest, SeveralOptionsAreChosen) {
  ana_is_asked({multi("services", {"checkout", "search", "cart"})});
  fills_in({{"services", {"checkout", "cart"}}});
  EXPECT_THAT(response(),
              AllOf(HasSubstr(R"("selected_values":["checkout","cart"])"), HasSubstr(R"("is_custom":false)")));
}

TEST_P(ConversationTest, OwnWordsAreAnAnswer) {
  ana_is_asked({question("why", {})});
  fills_in({{"why", {"\"it is slow – très lent 🐢\""}}});
  EXPECT_THAT(response(), AllOf(HasSubstr("it is slow – très lent 🐢"), HasSubstr(R"("is_custom":true)")));
}

TEST_P(ConversationTest, OwnWordsStandBesideOptions) {
  ana_is_asked({multi("services", {"checkout", "search"})});
  fills_in({{"services", {"search", "\"the old one\""}}});
  EXPECT_THAT(response(), HasSubstr(R"("selected_values":["search","the old one"])"));
}

TEST_P(ConversationTest, MoreOptionsThanFitCanBeChosenFrom) {
  std::vector<std::string> many;
  for (int i = 1; i <= 25; ++i) many.push_back("option-" + std::to_string(i));
  ana_is_asked({single("which", many)});
  fills_in({{"which", {"option-17"}}});
  EXPECT_THAT(response(), HasSubstr(R"("answer":"option-17")"));
}

TEST_P(ConversationTest, OptionsThatAreTooLongCanBeChosenFrom) {
  const std::string length(150, 'x');
  ana_is_asked({single("which", {"a" + length, "b" + length})});
  fills_in({{"which", {"b" + length}}});
  EXPECT_THAT(response(), HasSubstr("\"answer\":\"b" + length));
}

TEST_P(ConversationTest, AFormOfEveryKindIsAnswered) {
  ana_is_asked({single("env", {"prod", "staging"}), multi("services", {"checkout", "search"}), question("why", {}),
                question("when", {"now", "later"})});
  fills_in({{"env", {"prod"}}, {"services", {"search"}}, {"when", {"later"}}});
  EXPECT_THAT(response(), AllOf(HasSubstr(R"("answer":"prod")"), HasSubstr(R"(["search"])"), Not(HasSubstr(R"("why")")),
                                HasSubstr(R"("answer":"later")"), HasSubstr(R"("completed":true)")));
}

TEST_P(ConversationTest, AFormIsAnsweredAfterARestart) {
  ana_is_asked({single("env", {"prod", "staging"})});
  restart();
  fills_in({{"env", {"prod"}}});
  EXPECT_THAT(response(), HasSubstr(R"("answer":"prod")"));
}

TEST_P(ConversationTest, AFormThatNobodyAnswersExpires) {
  ana_is_asked({single("env", {"prod", "staging"})});
  pass(std::chrono::hours(25));
  EXPECT_THAT(response(), AllOf(HasSubstr(R"("completed":false)"), HasSubstr("expired")));
}

TEST_P(ConversationTest, ATypedNumberAnswersAForm) {
  ana_is_asked({single("env", {"prod", "staging"})});
  says(bench_->ana(), "2");
  EXPECT_THAT(response(), HasSubstr(R"("answer":"staging")"));
}

// ---- Approvals.

TEST_P(ConversationTest, TheRightPersonApproves) {
  ana_asks_for_a_restart();
  EXPECT_EQ(restarts(), 0);
  decides(bench_->bo(), Control::approve_once);
  until_finished();
  EXPECT_EQ(restarts(), 1);
  until([&] { return all_seen().find("That was it.") != std::string::npos; });
  EXPECT_FALSE(card()) << all_seen();
}

TEST_P(ConversationTest, ADenialWithAReasonIsToldToTheModel) {
  ana_asks_for_a_restart();
  decides(bench_->bo(), Control::deny_with_reason, "not during the sale");
  EXPECT_THAT(response(), HasSubstr("not during the sale"));
  EXPECT_EQ(restarts(), 0);
}

TEST_P(ConversationTest, TheWrongPersonChangesNothing) {
  NEEDS(others, "one person alone writes and answers");
  ana_asks_for_a_restart();
  const std::string told = decides(bench_->eve(), Control::approve_once);
  if (can_.buttons) EXPECT_THAT(told, HasSubstr("refused: "));
  decides(bench_->stranger(), Control::approve_once);
  EXPECT_EQ(pending(), 1);
  EXPECT_EQ(restarts(), 0);
  decides(bench_->bo(), Control::approve_once);
  until_finished();
  EXPECT_EQ(restarts(), 1);
}

TEST_P(ConversationTest, ASecondPersonIsToldWhoAnswered) {
  NEEDS(others, "one person alone writes and answers");
  ana_asks_for_a_restart();
  const Seen shown = card().value_or(Seen{});
  decides(bench_->bo(), Control::deny);
  if (can_.buttons) {
    // The click was on its way before the card was redrawn.
    const auto late = await(bench_->presses(bench_->cy(), shown.ref, Control::deny, ""));
    if (late) EXPECT_TRUE(std::holds_alternative<AlreadyAnswered>(*late));
  } else {
    decides(bench_->cy(), Control::approve_once);
    until([&] { return all_seen().find("lready") != std::string::npos; });
  }
  until_finished();
  EXPECT_EQ(restarts(), 0);
}

TEST_P(ConversationTest, NobodyInTimeIsADenialAndTheCardSaysSo) {
  ana_asks_for_a_restart();
  pass(std::chrono::minutes(31));
  until_finished();
  EXPECT_EQ(restarts(), 0);
  until([&] { return all_seen().find("xpired") != std::string::npos; });
}

TEST_P(ConversationTest, AnApprovalIsGivenAfterARestartAndItsCardIsNotShownAgain) {
  ana_asks_for_a_restart();
  const std::size_t before = seen().size();
  restart();
  EXPECT_EQ(seen().size(), before);
  decides(bench_->bo(), Control::approve_once);
  until_finished();
  EXPECT_EQ(restarts(), 1);
}

TEST_P(ConversationTest, OnlyACodeAnswersByTyping) {
  ana_asks_for_a_restart();
  const auto asking = model_;
  script(test::ModelScript().says("I wait."));
  says(bench_->bo(), "yes");
  until([&] { return all_seen().find("I wait.") != std::string::npos; });
  EXPECT_EQ(pending(), 1);
  model_ = asking;
  says(bench_->bo(), "approve " + await(store_->interactions({}))->at(0).code);
  until_finished(2);
  EXPECT_EQ(restarts(), 1);
}

// ---- Access.

TEST_P(ConversationTest, AStrangerStartsNothing) {
  NEEDS(others, "one person alone writes and answers");
  script(test::ModelScript().says("Here it is."));
  says(bench_->stranger(), "tell me everything");
  EXPECT_TRUE(runs().empty());
}

TEST_P(ConversationTest, OnlyThoseWhoSeeTheConversationReadItsRuns) {
  script(test::ModelScript().says("Here it is."));
  says(bench_->ana(), "what is wrong?");
  until_finished();
  gateway::Caller caller{.identity = *await(bench_->channel().who(bench_->ana())), .place = {}, .name = "ana"};
  caller.place.channel = bench_->channel().name();
  EXPECT_OK(await(gateway_->requests().read(caller, runs().at(0).run)));
  caller.identity = {.account = bench_->stranger()};
  EXPECT_FALSE(await(gateway_->requests().read(caller, runs().at(0).run)));
}

// ---- Answers.

TEST_P(ConversationTest, ALongAnswerIsShownWhole) {
  std::string text;
  for (int i = 0; text.size() < 2 * can_.max_message && i < 4000; ++i)
    text += "line " + std::to_string(i) + " of many\n";
  const std::string last = "the very end";
  script(test::ModelScript().says(text + last));
  says(bench_->ana(), "say much");
  until([&] { return all_seen().find(last) != std::string::npos; });
  for (const Seen& one : seen()) EXPECT_LE(one.text.size(), can_.max_message + 1000);
}

TEST_P(ConversationTest, ACodeBlockIsClosedInEveryPart) {
  std::string text = "Look:\n```sh\n";
  for (int i = 0; i < 50; ++i) text += "echo " + std::string(100, 'x') + " " + std::to_string(i) + "\n";
  text += "```\nthe end";
  script(test::ModelScript().says(text));
  says(bench_->ana(), "show me the code");
  until([&] { return all_seen().find("the end") != std::string::npos; });
  EXPECT_THAT(all_seen(), HasSubstr(std::string(100, 'x') + " 49"));
  for (const Seen& one : seen()) {
    std::size_t fences = 0;
    for (const std::string_view line : split(one.text, "\n")) fences += line.starts_with("```") ? 1 : 0;
    EXPECT_EQ(fences % 2, 0U) << one.text;
  }
}

TEST_P(ConversationTest, UnicodeComesThrough) {
  const std::string text = "Größe 尺寸 🧑‍🚒 e\u0301 עברית";
  script(test::ModelScript().says(text));
  says(bench_->ana(), "what about " + text + "?");
  until([&] { return all_seen().find(text) != std::string::npos; });
  EXPECT_THAT(runs().at(0).headline, HasSubstr(text));
}

TEST_P(ConversationTest, AnAnswerIsShownOnce) {
  script(test::ModelScript().says("Only once."));
  says(bench_->ana(), "say it");
  until_finished();
  until([&] { return all_seen().find("Only once.") != std::string::npos; });
  restart();
  pass(std::chrono::minutes(1));
  const std::string all = all_seen();
  EXPECT_EQ(all.find("Only once."), all.rfind("Only once.")) << all;
}

}  // namespace
}  // namespace deputy::channel
