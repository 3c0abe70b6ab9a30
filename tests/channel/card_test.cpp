#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel/channel.h"

namespace deputy::channel {
namespace {

using interaction::ApprovalView;
using testing::HasSubstr;
using testing::Not;

const Timestamp kNow = from_millis(1'700'000'000'000);

ShownInteraction approval(std::string tool, std::string code) {
  ApprovalView view;
  view.approval.run = "R1";
  view.approval.requester = "Ana";
  view.approval.tool = std::move(tool);
  view.approval.approvers = {"bo"};
  view.code = std::move(code);
  view.expires_at = kNow;
  return {InteractionId::make(kNow), ShownApproval{view, std::nullopt}, {}};
}
ShownInteraction settled(ShownInteraction shown) {
  std::get<ShownApproval>(shown.what).settled =
      interaction::Settled{interaction::State::denied, "bo", kNow, interaction::Scope::once, "not now"};
  return shown;
}
ShownInteraction questions() {
  interaction::Form form;
  form.questions = {{"env", "Which one?", {{{}, "prod", "", false}, {{}, "staging", "", false}}, false, false}};
  return {InteractionId::make(kNow), ShownQuestions{form, interaction::begin(form), kNow, {}, "", {}}, {}};
}
Card card(std::vector<ShownInteraction> interactions) {
  Card made;
  made.interactions = std::move(interactions);
  return made;
}

TEST(CardText, OfOneApprovalIsItsTextForm) {
  const ShownInteraction shown = approval("restart", "K7PQ2M");
  EXPECT_EQ(text_of(card({shown})), interaction::approval_text(std::get<ShownApproval>(shown.what).view, {}).markdown);
}

TEST(CardText, NumbersSeveralApprovals) {
  EXPECT_THAT(text_of(card({approval("restart", "AAAAAA"), approval("scale", "BBBBBB")})),
              testing::AllOf(HasSubstr("**1 of 2**"), HasSubstr("approve AAAAAA"), HasSubstr("**2 of 2**"),
                             HasSubstr("approve BBBBBB")));
}

TEST(CardText, OfASettledApprovalHasNoCode) {
  const std::string text = text_of(card({settled(approval("restart", "AAAAAA")), approval("scale", "BBBBBB")}));
  EXPECT_THAT(text, HasSubstr("**1 of 2**\n**Denied** by **bo**"));
  EXPECT_THAT(text, Not(HasSubstr("AAAAAA")));
  EXPECT_THAT(text, HasSubstr("approve BBBBBB"));
}

TEST(CardText, OfAFormAsksItsQuestion) {
  EXPECT_THAT(text_of(card({questions()})), HasSubstr("**env**\nWhich one?\n\n- `1` prod\n- `2` staging\n"));
}

TEST(CardText, OfAnAnsweredFormSaysTheAnswer) {
  ShownInteraction shown = questions();
  auto& form = std::get<ShownQuestions>(shown.what);
  form.settled =
      interaction::FormResult{{{"env", "prod", false, std::nullopt}}, true, "", interaction::State::answered};
  form.settled_by = "Ana";
  form.settled_at = kNow;
  EXPECT_THAT(text_of(card({shown})), HasSubstr("**Answered** by **Ana** at 2023-11-14 22:13 UTC.\n- env: `prod`\n"));
}

TEST(CardText, SaysThatNobodyWasHere) {
  Card shown = card({questions()});
  shown.was_away = true;
  EXPECT_THAT(text_of(shown), testing::StartsWith("I was away; if you clicked, click again.\n\n**env**"));
}

TEST(CardText, OfAnOpenedCardFoldsNothing) {
  ShownInteraction shown = approval("restart", "AAAAAA");
  std::get<ShownApproval>(shown.what).view.approval.arguments["note"] = std::string(20'000, 'x');
  Card opened = card({shown});
  EXPECT_LT(text_of(opened).size(), 20'000U);
  opened.whole = true;
  EXPECT_GT(text_of(opened).size(), 20'000U);
}

ShownInteraction three_questions(std::size_t current, std::size_t page) {
  using interaction::Control;
  ShownInteraction shown = questions();
  auto& asked = std::get<ShownQuestions>(shown.what);
  for (const char* label : {"when", "why"}) asked.form.questions.push_back({label, "?", {}, true, false});
  asked.draft.current = current;
  asked.page = page;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string number = std::to_string(i);
    shown.controls.push_back({{Control::done, {}, i, std::nullopt}, "next" + number});
    shown.controls.push_back({{Control::own_words, {}, i, std::nullopt}, "words" + number});
  }
  shown.controls.push_back({{Control::option, {}, 0, 1}, "staging"});
  shown.controls.push_back({{Control::submit, {}, std::nullopt, std::nullopt}, "submit"});
  return shown;
}

TEST(CardForm, IsDrawnPageByPage) {
  const auto now = [](const ShownInteraction& shown) { return questions_now(std::get<ShownQuestions>(shown.what)); };
  EXPECT_THAT(now(three_questions(0, 2)), testing::ElementsAre(0, 1));
  EXPECT_EQ(token_to_send(three_questions(0, 2)), "next0");
  EXPECT_THAT(now(three_questions(2, 2)), testing::ElementsAre(2));
  EXPECT_EQ(token_to_send(three_questions(2, 2)), "submit");
  EXPECT_EQ(token_to_send(three_questions(0, 10)), "submit");
}

TEST(CardForm, HasATokenForEachOptionAndEachField) {
  const ShownInteraction shown = three_questions(0, 10);
  EXPECT_EQ(token_of(shown, 0, 1), "staging");
  EXPECT_EQ(token_of(shown, 2, std::nullopt), "words2");
  EXPECT_EQ(token_of(shown, 0, 7), "");
}

TEST(CardForm, WithTooManyOrTooLongOptionsDoesNotFit) {
  const Card form = card({questions()});
  EXPECT_TRUE(fits(form, {.questions = 1, .options = 2, .option_text = 7}));
  EXPECT_FALSE(fits(form, {.questions = 1, .options = 1, .option_text = 7}));
  EXPECT_FALSE(fits(form, {.questions = 1, .options = 2, .option_text = 6}));
  EXPECT_TRUE(fits(card({approval("restart", "AAAAAA")}), {.questions = 0, .options = 0, .option_text = 0}));
}

TEST(ConversationKey, BeginsWithTheKindOfItsChannel) {
  EXPECT_EQ(kind_of("slack:T1:C1:1.0"), "slack");
  EXPECT_EQ(kind_of("alerts:"), "alerts");
  EXPECT_EQ(kind_of("nothing"), "nothing");
}

}  // namespace
}  // namespace deputy::channel
