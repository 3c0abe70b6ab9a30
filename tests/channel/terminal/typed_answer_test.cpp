#include "channel/terminal/typed_answer.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::channel {
namespace {

using interaction::Control;

struct Row {
  std::string name;
  std::string typed;
  std::optional<TypedDecision> decision;
};

class TypedAtAnApproval : public testing::TestWithParam<Row> {};

TEST_P(TypedAtAnApproval, Decides) {
  const Result<TypedDecision> read = read_decision(GetParam().typed);
  EXPECT_EQ(read ? std::optional(*read) : std::nullopt, GetParam().decision);
}

INSTANTIATE_TEST_SUITE_P(Lines, TypedAtAnApproval,
                         testing::Values(Row{"Yes", " YES ", {{Control::approve_once}}},
                                         Row{"Letter", "y", {{Control::approve_once}}},
                                         Row{"Always", "a", {{Control::approve_for_thread}}},
                                         Row{"No", "n", {{Control::deny}}},
                                         Row{"NoAndWhy", "no  not today ", {{Control::deny_with_reason, "not today"}}},
                                         Row{"YesAndMore", "yes but later", std::nullopt},
                                         Row{"Else", "maybe", std::nullopt}, Row{"Nothing", "", std::nullopt}),
                         [](const auto& row) { return row.param.name; });

TEST(TypedDecision, KnowsWhatOnlyAsksForMore) {
  EXPECT_TRUE(is_explain(" X "));
  EXPECT_FALSE(is_explain("y"));
  EXPECT_TRUE(is_bare_no("No"));
  EXPECT_FALSE(is_bare_no("no, not today"));
}

ShownControl control(Control control, std::string token) { return {{control, {}, {}, {}}, std::move(token)}; }

ShownInteraction form() {
  ShownQuestions asked;
  asked.form =
      interaction::Form{{{.label = "env", .question = "Which?", .options = {{.label = "prod"}, {.label = "dev"}}},
                         {.label = "parts",
                          .question = "What?",
                          .options = {{.value = "a1", .label = "api"}, {.label = "web"}},
                          .multi_select = true}}};
  return {{}, std::move(asked), {control(Control::submit, "t_submit"), control(Control::skip, "t_skip")}};
}

ShownInteraction approval() {
  return {{},
          ShownApproval{},
          {control(Control::approve_once, "t_once"), control(Control::deny, "t_deny"),
           control(Control::deny_with_reason, "t_reason")}};
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

struct AnswerRow {
  std::string name;
  ShownInteraction shown;
  std::vector<std::string> texts;
  std::string does;
};

class ReadAnswers : public testing::TestWithParam<AnswerRow> {};

TEST_P(ReadAnswers, AsTheyWereMeant) {
  EXPECT_EQ(in_words(read_answer({}, GetParam().shown, GetParam().texts)), GetParam().does);
}

INSTANTIATE_TEST_SUITE_P(
    Typed, ReadAnswers,
    testing::Values(
        AnswerRow{"Yes", approval(), {"yes"}, "t_once |"}, AnswerRow{"ShortYes", approval(), {" Y "}, "t_once |"},
        AnswerRow{"No", approval(), {"no"}, "t_deny |"},
        AnswerRow{"NoWithAReason", approval(), {"no", "not on Friday"}, "t_reason not on Friday|"},
        AnswerRow{"YesWithMoreIsNoYes", approval(), {"yes but later"}, "error: that is neither yes nor no"},
        AnswerRow{"AnythingElse", approval(), {"sure"}, "error: that is neither yes nor no"},
        AnswerRow{"AlwaysWhereItIsNotOffered", approval(), {"always"}, "error: this answer is not possible here"},
        AnswerRow{"ByNumberAndName", form(), {"2", "web"}, "t_submit | env=dev,+ parts=web,+"},
        AnswerRow{"SeveralAndOwnWords", form(), {"prod", "1, \"the db\""}, "t_submit | env=prod,+ parts=a1,+the db"},
        AnswerRow{"OwnWords", form(), {"the old one", "1"}, "t_submit | env=+the old one parts=a1,+"},
        AnswerRow{"OneOfTwo", form(), {"prod"}, "more 1"}, AnswerRow{"None", form(), {}, "more 0"},
        AnswerRow{"Skip", form(), {"skip"}, "t_skip |"},
        AnswerRow{"TooMany", form(), {"prod", "web", "x"}, "error: too many answers: 3 for 2 questions"},
        AnswerRow{"Stop", form(), {"stop"}, "error: `stop` is not an answer"}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace deputy::channel
