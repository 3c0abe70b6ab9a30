// What typed words do to an interaction.
#include "app/answering.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace deputy::app {
namespace {

using interaction::Form;
using testing::HasSubstr;

run::InteractionBody form() {
  run::InteractionBody asking;
  asking.questions = Form{{{.label = "env", .question = "Which?", .options = {{.label = "prod"}, {.label = "dev"}}},
                           {.label = "parts",
                            .question = "What?",
                            .options = {{.value = "a1", .label = "api"}, {.label = "web"}},
                            .multi_select = true}}};
  asking.tokens = {{"submit", "t_submit"}, {"skip", "t_skip"}};
  return asking;
}

run::InteractionBody approval() {
  run::InteractionBody asking;
  asking.approval = interaction::Approval{};
  asking.tokens = {{"approve_once", "t_once"}, {"deny", "t_deny"}, {"deny_with_reason", "t_reason"}};
  return asking;
}

/// "token words | label=values+own words", "more N", or "error: words".
std::string in_words(const ReadAnswer& read) {
  if (const auto* more = std::get_if<More>(&read)) return "more " + std::to_string(more->draft.current);
  if (const auto* error = std::get_if<Error>(&read)) return "error: " + error->message;
  const auto& press = std::get<Press>(read);
  std::string text = press.token + " " + press.words + "|";
  for (const auto& [label, given] : press.given) {
    text += " " + label + "=";
    for (const std::string& value : given.values) text += value + ",";
    text += "+" + given.own_words;
  }
  return text;
}

struct Row {
  std::string name;
  run::InteractionBody asking;
  std::vector<std::string> texts;
  std::string does;
};

class ReadAnswers : public testing::TestWithParam<Row> {};

TEST_P(ReadAnswers, AsTheyWereMeant) {
  EXPECT_EQ(in_words(read_answer(GetParam().asking, GetParam().texts)), GetParam().does);
}

INSTANTIATE_TEST_SUITE_P(
    Typed, ReadAnswers,
    testing::Values(
        Row{"Yes", approval(), {"yes"}, "t_once |"}, Row{"ShortYes", approval(), {" Y "}, "t_once |"},
        Row{"No", approval(), {"no"}, "t_deny |"},
        Row{"NoWithAReason", approval(), {"no", "not on Friday"}, "t_reason not on Friday|"},
        Row{"YesWithMoreIsNoYes", approval(), {"yes but later"}, "error: that is neither yes nor no"},
        Row{"AnythingElse", approval(), {"sure"}, "error: that is neither yes nor no"},
        Row{"AlwaysWhereItIsNotOffered", approval(), {"always"}, "error: this cannot be answered that way"},
        Row{"ByNumberAndName", form(), {"2", "web"}, "t_submit | env=dev,+ parts=web,+"},
        Row{"SeveralAndOwnWords", form(), {"prod", "1, \"the db\""}, "t_submit | env=prod,+ parts=a1,+the db"},
        Row{"OwnWords", form(), {"the old one", "1"}, "t_submit | env=+the old one parts=a1,+"},
        Row{"OneOfTwo", form(), {"prod"}, "more 1"}, Row{"None", form(), {}, "more 0"},
        Row{"Skip", form(), {"skip"}, "t_skip |"},
        Row{"TooMany", form(), {"prod", "web", "x"}, "error: 3 answers are too many: the form has 2 questions"},
        Row{"Stop", form(), {"stop"}, "error: `stop` is no answer"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace deputy::app
