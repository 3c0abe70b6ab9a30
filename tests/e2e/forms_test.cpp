// Forms through channel, gateway, runner and the real store: filled in by tokens, page by page, in a modal or as text.
#include <gmock/gmock.h>

#include "e2e/engine.h"

namespace deputy::test {
namespace {

using channel::AnswerTaken;
using channel::InvalidAnswer;
using interaction::Control;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

json::object question(std::string label, std::vector<std::string> options, bool multi_select = false) {
  json::array list;
  for (const std::string& option : options) list.push_back(json::object{{"label", option}});
  return {{"label", label},
          {"question", "What about " + label + "?"},
          {"options", std::move(list)},
          {"multi_select", multi_select},
          {"allow_custom", label != "env"}};
}

class Forms : public Engine {
 protected:
  /// One of several, several of several, own words.
  void ask(std::vector<std::string> services = {"checkout", "search", "cart"}) {
    json::array questions;
    questions.push_back(question("env", {"prod", "staging"}));
    questions.push_back(question("services", std::move(services), true));
    questions.push_back(question("why", {}));
    script(ModelScript().calls("ask_user", {{"questions", std::move(questions)}}).then_says("Thanks."));
    says("U1", "restart something");
    until([&] { return !must(store_->interactions({})).empty() && channel_->shown().size() > before_; });
  }
  channel::Verdict fills_in(std::string account, std::map<std::string, std::vector<std::string>> given) {
    const ScriptedChannel::Shown* shown = card();
    EXPECT_NE(shown, nullptr) << transcript();
    if (shown == nullptr) return channel::Refused{"there is no form"};
    return must(channel_->fills_in(std::move(account), shown->ref, std::move(given)));
  }
  channel::InboundAnswer submission() {
    channel::InboundAnswer answer;
    answer.sender.id = "U1";
    answer.conversation = kThread;
    answer.token = channel::token_of(card_shown().interactions.at(0), Control::submit);
    return answer;
  }
  std::string response() {
    until_finished();
    return json::serialize(answered("call_1").response);
  }

  std::size_t before_ = 0;
};

TEST_F(Forms, AreFilledInByTheTokensThatWereDrawn) {
  ask();
  const channel::Verdict verdict = fills_in(
      "U1", {{"env", {"staging"}}, {"services", {"cart", "checkout", "\"the old one\""}}, {"why", {"\"slow\""}}});
  EXPECT_TRUE(std::holds_alternative<AnswerTaken>(verdict));
  EXPECT_EQ(response(),
            R"({"answers":[{"question_label":"env","answer":"staging","is_custom":false},)"
            R"({"question_label":"services","answer":"[\"checkout\",\"cart\",\"the old one\"]","is_custom":true,)"
            R"("selected_values":["checkout","cart","the old one"]},)"
            R"({"question_label":"why","answer":"slow","is_custom":true}],"completed":true})");
}

TEST_F(Forms, ATokenOfAnotherFormIsRefusedAndChangesNothing) {
  ask();
  channel::InboundAnswer answer = submission();
  answer.chosen = {channel::token_of(card_shown().interactions.at(0), 0, 1), "0123456789abcdefghjk"};
  EXPECT_TRUE(std::holds_alternative<channel::Refused>(must(channel_->sends(answer))));
  answer = submission();
  answer.written = {{channel::token_of(card_shown().interactions.at(0), 0, 1), "an option is no field"}};
  EXPECT_TRUE(std::holds_alternative<channel::Refused>(must(channel_->sends(answer))));
  EXPECT_EQ(must(store_->interactions({})).size(), 1U);
}

TEST_F(Forms, AProblemSaysWhichQuestionItIsOf) {
  ask();
  channel::InboundAnswer answer = submission();
  const channel::ShownInteraction form = card_shown().interactions.at(0);
  answer.chosen = {channel::token_of(form, 0, 0), channel::token_of(form, 0, 1)};
  answer.written = {{channel::token_of(form, 2, std::nullopt), std::string(3000, 'x')}};
  const channel::Verdict verdict = must(channel_->sends(answer));
  ASSERT_TRUE(std::holds_alternative<channel::Invalid>(verdict));
  EXPECT_THAT(std::get<channel::Invalid>(verdict).problems,
              ElementsAre(InvalidAnswer{0, "env", "only one option can be chosen"},
                          InvalidAnswer{2, "why", "that is 3000 characters; at most 2000 are allowed"}));
  EXPECT_EQ(must(store_->interactions({})).size(), 1U);
}

TEST_F(Forms, WithMoreQuestionsThanFitAreAskedPageByPage) {
  channel_->can.form.questions = 2;
  ask();
  fills_in("U1", {{"env", {"prod"}}, {"services", {"cart"}}});
  until([&] {
    return channel::questions_now(std::get<channel::ShownQuestions>(card_shown().interactions.at(0).what)) ==
           std::vector<std::size_t>{2};
  });
  restart();
  fills_in("U1", {{"why", {"\"slow\""}}});
  EXPECT_THAT(response(), testing::AllOf(HasSubstr(R"("answer":"prod")"), HasSubstr(R"(["cart"])"),
                                         HasSubstr(R"("answer":"slow")"), HasSubstr(R"("completed":true)")));
}

TEST_F(Forms, APageThatIsSentTwiceAnswersNothingOfTheNext) {
  channel_->can.form.questions = 1;
  ask();
  channel::InboundAnswer page = submission();
  page.token = channel::token_to_send(card_shown().interactions.at(0));
  page.chosen = {channel::token_of(card_shown().interactions.at(0), 0, 0)};
  must(channel_->sends(page));
  must(channel_->sends(page));
  EXPECT_THAT(must(store_->interactions({})).at(0).draft, HasSubstr(R"("current":1)"));
}

TEST_F(Forms, WithMoreOptionsThanFitAreAskedAsNumberedText) {
  channel_->can.form.options = 3;
  ask({"a", "b", "c", "d"});
  EXPECT_EQ(card(), nullptr);
  EXPECT_THAT(transcript(), HasSubstr("- `1` prod"));
  says("U1", "2");
  says("U1", "1,4");
  says("U1", "done");
  EXPECT_THAT(response(), testing::AllOf(HasSubstr(R"("answer":"staging")"), HasSubstr(R"(["a","d"])"),
                                         HasSubstr(R"("completed":true)")));
  until([&] { return transcript().find("**Answered** by") != std::string::npos; });
}

TEST_F(Forms, WithALabelThatIsTooLongAreAskedAsNumberedText) {
  channel_->can.form.option_text = 10;
  ask({"a", "an option that is long"});
  EXPECT_EQ(card(), nullptr);
  EXPECT_THAT(transcript(), HasSubstr("- `2` staging"));
}

TEST_F(Forms, AClickOpensTheFormWhereThereAreModals) {
  ask();
  const channel::Verdict opened = clicks("U1", Control::open_form);
  ASSERT_TRUE(std::holds_alternative<channel::OpenCard>(opened));
  const channel::Card form = std::get<channel::OpenCard>(opened).card;
  EXPECT_EQ(form.interactions.at(0).id, card_shown().interactions.at(0).id);
  EXPECT_FALSE(channel::token_to_send(form.interactions.at(0)).empty());
  channel_->can.modals = false;
  EXPECT_TRUE(std::holds_alternative<channel::ShowText>(clicks("U1", Control::open_form)));
  EXPECT_TRUE(std::holds_alternative<channel::Refused>(clicks("U2", Control::open_form))) << "it was not asked of bo";
}

TEST_F(Forms, AClickOpensTheFullTextOfAFoldedCard) {
  set([](policy::Settings& settings) { settings.policy.approvers["doc_tools"] = {"bo"}; });
  script(ModelScript().calls("run_command", {{"command", "echo " + std::string(3900, 'x')}}).then_says("Done."));
  says("U1", "run it");
  until_asked();
  EXPECT_THAT(card()->text, Not(HasSubstr(std::string(3900, 'x'))));
  const channel::Verdict opened = clicks("U2", Control::show_whole);
  ASSERT_TRUE(std::holds_alternative<channel::OpenCard>(opened));
  EXPECT_THAT(channel::text_of(std::get<channel::OpenCard>(opened).card), HasSubstr(std::string(3900, 'x')));
}

TEST_F(Forms, OnAChannelWithoutFormsOneQuestionIsAskedAtATime) {
  channel_->can.forms = false;
  ask();
  EXPECT_EQ(std::get<channel::ShownQuestions>(card_shown().interactions.at(0).what).page, 1U);
  clicks("U1", Control::option);
  EXPECT_THAT(must(store_->interactions({})).at(0).draft, HasSubstr(R"("current":1)"));
}

}  // namespace
}  // namespace deputy::test
