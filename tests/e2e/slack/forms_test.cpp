// Questions in Slack as forms.
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
  /// The value of the option with this label, anywhere in the newest form of the thread.
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
    return value;
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
