// Questions in Slack as forms.
#include <fmt/format.h>

#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;

json::array some_options(int count, const std::string& word = "option") {
  json::array options;
  for (int i = 1; i <= count; ++i) options.push_back(json::object{{"label", word + " " + std::to_string(i)}});
  return options;
}

class SlackForms : public SlackService {
 protected:
  ModelScript asks(json::array questions) {
    return ModelScript().calls("ask_user", {{"questions", std::move(questions)}}).then_says("Thank you.");
  }
  /// The value of the option with this label in a form; without a form, in the newest view.
  std::string option(const std::string& form, const std::string& label) {
    std::string value;
    const auto look = [&](auto& self, const json::value& at) -> void {
      if (const json::array* list = at.if_array()) {
        for (const json::value& item : *list) self(self, item);
      } else if (const json::object* object = at.if_object()) {
        const json::object* text = find_object(*object, "text");
        if (text != nullptr && text_at(*text, "text") == label && object->contains("value"))
          value = text_at(*object, "value");
        for (const auto& [key, inner] : *object) self(self, inner);
      }
    };
    for (const auto& message : simulator_->world().workspace.channels.at(kOps).messages) {
      if (message.ts == form) look(look, json::value(message.body));
    }
    if (form.empty()) look(look, json::value(newest_view()));
    return value;
  }
  /// The action of the field for own words in this block of the newest view.
  std::string field_in(const std::string& block) {
    const json::object view = newest_view();
    for (const json::value& one : view.at("blocks").as_array()) {
      if (text_at(one.as_object(), "block_id") == block)
        return text_at(*find_object(one.as_object(), "element"), "action_id");
    }
    return "";
  }
};

TEST_F(SlackForms, EveryKindOfQuestionIsAnsweredInOneForm) {
  script(asks({json::object{{"label", "Where"}, {"question", "Which environment?"}, {"options", some_options(3)}},
               json::object{{"label", "What"},
                            {"question", "Which services?"},
                            {"options", some_options(4, "service")},
                            {"multi_select", true}},
               json::object{{"label", "One"}, {"question", "One of many?"}, {"options", some_options(12, "number")}},
               json::object{{"label", "Why"}, {"question", "Why?"}, {"options", json::array{}}}}));
  serve();
  const std::string ts = mention(kAna, "help me");
  const std::string form = until_found("Which environment?", ts);
  const std::string page = thread(ts);
  EXPECT_THAT(page, HasSubstr("Which services?"));
  click(kAna, form, "send", kOps,
        {{"state",
          {{"question0", {{"choose", option(form, "option 2")}}},
           {"question1", {{"choose", json::array{option(form, "service 1"), option(form, "service 4")}}}},
           {"question2", {{"choose", option(form, "number 12")}}}}}});
  until_shown(ts, "Thank you.");
  stop();
  EXPECT_THAT(asked(1), HasSubstr("option 2"));
  EXPECT_THAT(asked(1), HasSubstr("service 4"));
  EXPECT_THAT(asked(1), HasSubstr("number 12"));
}

TEST_F(SlackForms, OptionsAndOwnWordsAreTakenTogetherWhereSeveralMayBeChosen) {
  script(asks({json::object{{"label", "What"},
                            {"question", "Which services?"},
                            {"options", some_options(4, "service")},
                            {"multi_select", true}}}));
  serve();
  const std::string ts = mention(kAna, "help me");
  const std::string form = until_found("What, in your own words", ts);
  std::string field;
  for (const json::value& message : messages(ts)) {
    const std::string body = json::serialize(message);
    const std::size_t at = body.find("\"action_id\":\"", body.find("plain_text_input"));
    if (body.contains("plain_text_input")) field = body.substr(at + 13, body.find('"', at + 13) - at - 13);
  }
  click(kAna, form, "send", kOps,
        {{"state",
          {{"question0", {{"choose", json::array{option(form, "service 3")}}}},
           {"question0_words", {{field, "and the queue"}}}}}});
  until_shown(ts, "Thank you.");
  stop();
  EXPECT_THAT(asked(1), HasSubstr("service 3"));
  EXPECT_THAT(asked(1), HasSubstr("and the queue"));
}

TEST_F(SlackForms, AFormThatIsTooLargeOpensAsAModalWithErrorsBesideTheirFields) {
  json::array questions;
  for (int i = 1; i <= 10; ++i) {
    json::array options;
    for (int j = 1; j <= 25; ++j)
      options.push_back(
          json::object{{"label", fmt::format("choice {}.{}", i, j)}, {"description", std::string(60, 'x')}});
    questions.push_back(json::object{{"label", fmt::format("Q{}", i)},
                                     {"question", fmt::format("Question number {}?", i)},
                                     {"options", std::move(options)}});
  }
  script(asks(std::move(questions)));
  serve();
  const std::string ts = mention(kAna, "help me");
  const std::string form = until_found("I have 10 questions for you", ts);
  EXPECT_THAT(thread(ts), HasSubstr("Question number 10?"));
  click(kAna, form, "send");
  ASSERT_TRUE(until([&] { return !newest_view().empty(); }));
  const std::string view = text_at(newest_view(), "id");
  const auto values = [&](const std::string& words) {
    json::object filled{{"question0", {{"choose", option("", "choice 1.25")}}},
                        {"question9", {{"choose", option("", "choice 10.1")}}}};
    if (!words.empty()) filled["question9_words"] = json::object{{field_in("question9_words"), words}};
    return filled;
  };
  const json::object refused = control("submit", {{"user", kAna}, {"view_id", view}, {"values", values("neither")}});
  EXPECT_THAT(json::serialize(refused), HasSubstr("\"question9\""));
  EXPECT_THAT(json::serialize(refused), HasSubstr("not both"));
  control("submit", {{"user", kAna}, {"view_id", view}, {"values", values("")}});
  until_shown(ts, "Thank you.");
  stop();
  EXPECT_THAT(asked(1), HasSubstr("choice 1.25"));
  EXPECT_THAT(asked(1), HasSubstr("choice 10.1"));
}

TEST_F(SlackForms, AFormIsSkipped) {
  script(asks({json::object{{"label", "Where"}, {"question", "Which environment?"}, {"options", some_options(3)}}}));
  serve();
  const std::string ts = mention(kAna, "help me");
  click(kAna, until_found("Which environment?", ts), "skip");
  until_shown(ts, "Thank you.");
  stop();
  EXPECT_THAT(asked(1), HasSubstr("\"completed\":false"));
}

TEST_F(SlackForms, AnAnswerCanBeTypedAlsoAfterARestart) {
  script(asks({json::object{{"label", "Where"}, {"question", "Which environment?"}, {"options", some_options(3)}}}));
  serve();
  const std::string ts = mention(kAna, "help me");
  until_found("Which environment?", ts);
  stop();
  serve();
  say(kAna, "option 3", ts, kOps, true);
  until_shown(ts, "Thank you.");
  stop();
  EXPECT_THAT(asked(1), HasSubstr("option 3"));
}

TEST_F(SlackForms, SomebodyElsesAnswerIsRefused) {
  script(asks({json::object{{"label", "Where"}, {"question", "Which environment?"}, {"options", some_options(3)}}}));
  serve();
  const std::string ts = mention(kAna, "help me");
  const std::string form = until_found("Which environment?", ts);
  click(kBo, form, "send", kOps, {{"state", {{"question0", {{"choose", option(form, "option 1")}}}}}});
  EXPECT_TRUE(until([&] { return !whispered_to(kBo).empty(); }));
  click(kAna, form, "send", kOps, {{"state", {{"question0", {{"choose", option(form, "option 2")}}}}}});
  until_shown(ts, "Thank you.");
}

}  // namespace
}  // namespace deputy::test
