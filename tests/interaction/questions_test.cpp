#include "interaction/questions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "interaction/draft.h"
#include "support/results.h"

namespace deputy::interaction {
namespace {

using testing::HasSubstr;

json::object parsed(std::string_view text) { return parse_json_object(text).value(); }

Question question(std::string_view text) {
  return parse_form(json::object{{"questions", json::array{parsed(text)}}}).value().questions.front();
}

std::string options(int count) {
  std::string list;
  for (int i = 0; i < count; ++i)
    list += (i == 0 ? "" : ",") + std::string(R"({"label":"o)") + std::to_string(i) + "\"}";
  return "[" + list + "]";
}

std::string form_of(int count) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    list += (i == 0 ? "" : ",") + std::string(R"({"label":"q)") + std::to_string(i) + R"(","question":"Which?"})";
  }
  return R"({"questions":[)" + list + "]}";
}

std::string one(const std::string& rest) {
  return R"({"questions":[{"label":"env","question":"Which one?")" + rest + "}]}";
}

struct Accepted {
  std::string name, text;
};

class FormAccepted : public testing::TestWithParam<Accepted> {};

TEST_P(FormAccepted, Is) {
  const auto form = parse_form(parsed(GetParam().text));
  ASSERT_TRUE(form) << describe(form.error());
  EXPECT_EQ(parse_form(to_json(*form)), *form);
}

INSTANTIATE_TEST_SUITE_P(
    AskUser, FormAccepted,
    testing::Values(
        Accepted{"ThePlainQuestion", one("")}, Accepted{"TwoOptions", one(R"(,"options":)" + options(2))},
        Accepted{"TwentyFiveOptions", one(R"(,"options":)" + options(25))},
        Accepted{"NoOptionsWithOwnWords", one(R"(,"options":[],"allow_custom":true)")},
        Accepted{"TenQuestions", form_of(10)},
        Accepted{"OptionsWithoutOwnWords", one(R"(,"allow_custom":false,"options":)" + options(2))},
        Accepted{
            "EverythingAtOnce",
            one(R"(,"multi_select":true,"options":[{"value":"p","label":"Prod","description":"live","selected":true},
                                 {"value":"s","label":"Staging","selected":true}])")},
        Accepted{"TheSameLabelWithDifferentValues",
                 one(R"(,"options":[{"value":"1","label":"a"},{"value":"2","label":"a"}])")}),
    [](const auto& info) { return info.param.name; });

struct Refused {
  std::string name, text, words;
};

class FormRefused : public testing::TestWithParam<Refused> {};

TEST_P(FormRefused, SayingWhichRule) {
  const auto form = parse_form(parsed(GetParam().text));
  ASSERT_FALSE(form);
  EXPECT_EQ(form.error().kind, ErrorKind::invalid_input);
  EXPECT_THAT(describe(form.error()), HasSubstr(GetParam().words));
}

INSTANTIATE_TEST_SUITE_P(
    AskUser, FormRefused,
    testing::Values(
        Refused{"NoQuestions", R"({"questions":[]})", "at least 1"}, Refused{"QuestionsMissing", "{}", "required"},
        Refused{"ElevenQuestions", form_of(11), "at most 10"},
        Refused{"OneOption", one(R"(,"options":)" + options(1)), "2 to 25 options"},
        Refused{"TwentySixOptions", one(R"(,"options":)" + options(26)), "at most 25"},
        Refused{"NeitherOptionsNorOwnWords", one(R"(,"allow_custom":false)"), "must allow own words"},
        Refused{"TwoQuestionsOfOneLabel",
                R"({"questions":[{"label":"a","question":"x?"},{"label":"a","question":"y?"}]})", "labels are unique"},
        Refused{"TwoOptionsOfOneValue", one(R"(,"options":[{"value":"a","label":"x"},{"value":"a","label":"y"}])"),
                "values are unique"},
        Refused{"AValueThatIsAnotherOptionsLabel", one(R"(,"options":[{"value":"a","label":"x"},{"label":"a"}])"),
                "a missing value is the label"},
        Refused{"TwoSelectedForASingleChoice",
                one(R"(,"options":[{"label":"a","selected":true},{"label":"b","selected":true}])"),
                "select at most one"},
        Refused{"AnEmptyLabel", R"({"questions":[{"label":"","question":"x?"}]})", "label"},
        Refused{"ABlankLabel", R"({"questions":[{"label":"  ","question":"x?"}]})", "is blank"},
        Refused{"ABlankOption", one(R"(,"options":[{"label":" "},{"label":"b"}])"), "is blank"},
        Refused{"AQuestionTooLong", R"({"questions":[{"label":"a","question":")" + std::string(2001, 'x') + R"("}]})",
                "2000"},
        Refused{"ALabelTooLong", R"({"questions":[{"label":")" + std::string(101, 'x') + R"(","question":"x?"}]})",
                "100"},
        Refused{"AnOptionTooLong", one(R"(,"options":[{"label":")" + std::string(201, 'x') + R"("},{"label":"b"}])"),
                "200"},
        Refused{"ADescriptionTooLong",
                one(R"(,"options":[{"label":"a","description":")" + std::string(501, 'x') + R"("},{"label":"b"}])"),
                "500"},
        Refused{"AnUnknownKey", one(R"(,"multiselect":true)"), "did you mean `multi_select`"},
        Refused{"APassword", R"({"questions":[{"label":"a","question":"What is the database password?"}]})",
                "never asked for a password, key or token"}),
    [](const auto& info) { return info.param.name; });

const char* const kChoice =
    R"({"label":"env","question":"Which?","options":[{"value":"prod","label":"Production"},{"label":"staging"},{"label":"dev"}]})";
const char* const kChoiceOnly =
    R"({"label":"env","question":"Which?","allow_custom":false,"options":[{"value":"prod","label":"Production"},{"label":"staging"}]})";
const char* const kMulti =
    R"({"label":"env","question":"Which?","multi_select":true,"options":[{"value":"prod","label":"Production"},{"label":"staging"},{"label":"dev"}]})";

using Values = std::vector<std::string>;

TEST(AnswerTo, ASingleChoiceIsTheValue) {
  EXPECT_EQ(answer_to(question(kChoice), {{"prod"}, ""}), (Answer{"env", "prod", false, std::nullopt}));
}

TEST(AnswerTo, AMissingValueIsTheLabel) {
  EXPECT_EQ(answer_to(question(kChoice), {{"staging"}, ""}), (Answer{"env", "staging", false, std::nullopt}));
}

TEST(AnswerTo, OwnWordsAreMarked) {
  EXPECT_EQ(answer_to(question(kChoice), {{}, " qa 2 "}), (Answer{"env", "qa 2", true, std::nullopt}));
}

TEST(AnswerTo, SeveralAreAListAndItsJson) {
  EXPECT_EQ(answer_to(question(kMulti), {{"dev", "prod"}, ""}),
            (Answer{"env", R"(["prod","dev"])", false, Values{"prod", "dev"}}));
}

TEST(AnswerTo, OwnWordsAreAddedToSeveral) {
  EXPECT_EQ(answer_to(question(kMulti), {{"prod"}, "qa"}),
            (Answer{"env", R"(["prod","qa"])", true, Values{"prod", "qa"}}));
  EXPECT_EQ(answer_to(question(kMulti), {{}, "qa"}), (Answer{"env", R"(["qa"])", true, Values{"qa"}}));
}

struct TypedRow {
  Takes takes;
  std::string words;
  std::string problem;  // empty: it is taken
};

TEST(AnswerTo, OwnWordsMustBeWhatIsTaken) {
  const Takes hours{.type = AnswerType::integer, .minimum = 1, .maximum = 336};
  const Takes share{.type = AnswerType::number, .maximum = 1};
  const Takes environment{.values = {"prod", "staging", "Live"}};
  for (const TypedRow& row : std::initializer_list<TypedRow>{
           {hours, "24", ""},
           {hours, " 24 ", ""},
           {hours, "0", "it must be at least 1"},
           {hours, "400", "it must be at most 336"},
           {hours, "1.5", "`1.5` is not a whole number"},
           {hours, "a day", "`a day` is not a whole number"},
           {hours, "24h", "`24h` is not a whole number"},
           {hours, "nan", "`nan` is not a whole number"},
           {share, "0.5", ""},
           {share, "-1e3", ""},
           {share, "inf", "`inf` is not a number"},
           {share, "2", "it must be at most 1"},
           {environment, "PROD", ""},
           {environment, "live", ""},
           {environment, "prodd", "`prodd` is not known here; did you mean `prod`?"},
           {environment, "xyzzy", "`xyzzy` is not known here; there is prod, staging, Live"},
           {Takes{.max_length = 3}, "abcd", "that is 4 characters; at most 3 are allowed"},
           {Takes{.max_length = 3}, "äöü", ""}}) {
    Question one{.label = "x", .question = "Which?"};
    one.takes = row.takes;
    const auto answer = answer_to(one, {{}, row.words});
    EXPECT_EQ(answer ? "" : answer.error().message, row.problem) << row.words;
  }
}

TEST(AnswerTo, AnOptionIsTakenWhateverOwnWordsMustBe) {
  Question one = question(kChoice);
  one.takes = Takes{.values = {"other"}};
  EXPECT_EQ(answer_to(one, {{"prod"}, ""}), (Answer{"env", "prod", false, std::nullopt}));
  EXPECT_FALSE(answer_to(one, {{}, "qa"}).has_value());
}

TEST(AnswerTo, NothingIsNoAnswer) { EXPECT_FALSE(answer_to(question(kMulti), {{}, "  "}).value().has_value()); }

TEST(AnswerTo, NothingIsTakenThatWasNotOffered) {
  EXPECT_EQ(answer_to(question(kChoice), {{"root"}, ""}).error().message, "that option was not offered");
  EXPECT_EQ(answer_to(question(kChoice), {{"Production"}, ""}).error().message, "that option was not offered");
  EXPECT_EQ(answer_to(question(kChoiceOnly), {{}, "qa"}).error().message,
            "this question accepts only one of its options");
  EXPECT_EQ(answer_to(question(kChoice), {{"prod", "dev"}, ""}).error().message, "only one option can be chosen");
  EXPECT_EQ(answer_to(question(kChoice), {{"prod"}, "qa"}).error().message,
            "choose an option or use own words, not both");
  EXPECT_THAT(answer_to(question(kChoice), {{}, std::string(2001, 'x')}).error().message, HasSubstr("at most 2000"));
}

Form two_questions() {
  return parse_form(parsed(R"({"questions":[{"label":"a","question":"x?"},
                                {"label":"b","question":"y?","options":[{"label":"1"},{"label":"2"}],"multi_select":true}]})"))
      .value();
}

TEST(FormResults, UnansweredQuestionsAreLeftOut) {
  const auto result = submit(two_questions(), {{"a", {{}, "hm"}}, {"b", {{}, ""}}});
  ASSERT_TRUE(result);
  EXPECT_EQ(to_result(*result),
            parsed(R"({"answers":[{"question_label":"a","answer":"hm","is_custom":true}],"completed":true})"));
}

TEST(FormResults, AWholeForm) {
  const auto result = submit(two_questions(), {{"a", {{}, "hm"}}, {"b", {{"2"}, ""}}});
  ASSERT_TRUE(result);
  EXPECT_EQ(to_result(*result), parsed(R"({"answers":[{"question_label":"a","answer":"hm","is_custom":true},
                {"question_label":"b","answer":"[\"2\"]","is_custom":false,"selected_values":["2"]}],"completed":true})"));
}

TEST(FormResults, EveryQuestionHearsWhatIsWrongWithIt) {
  const auto result = submit(two_questions(), {{"a", {{"x"}, ""}}, {"b", {{"3"}, ""}}, {"c", {{}, "?"}}});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), (std::vector<Problem>{{"a", "that option was not offered", ""},
                                                  {"b", "that option was not offered", ""},
                                                  {"", "an answer matches no question of this form", ""}}));
}

TEST(FormResults, WhatWasNotSubmittedIsNotCompletedAndSaysWhy) {
  EXPECT_EQ(to_result(unanswered(Unanswered::skipped, "Ana", {})),
            parsed(R"({"answers":[],"completed":false,"reason":"skipped by Ana"})"));
  EXPECT_EQ(to_result(unanswered(Unanswered::cancelled, "Ana", {})),
            parsed(R"({"answers":[],"completed":false,"reason":"cancelled by Ana"})"));
  EXPECT_EQ(to_result(unanswered(Unanswered::expired, "", {})),
            parsed(R"({"answers":[],"completed":false,"reason":"expired: nobody answered in time"})"));
  EXPECT_EQ(to_result(unanswered(Unanswered::cannot_ask, "", {})),
            parsed(R"({"answers":[],"completed":false,"reason":"this channel cannot ask: nobody can answer here"})"));
  EXPECT_EQ(to_result(unanswered(Unanswered::expired, "", {{"a", "hm", true, std::nullopt}})),
            parsed(R"({"answers":[{"question_label":"a","answer":"hm","is_custom":true}],"completed":false,
                     "reason":"expired: nobody answered in time"})"));
}

TEST(FormResults, EachEndHasItsState) {
  EXPECT_EQ(unanswered(Unanswered::skipped, "Ana", {}).state, State::answered);
  EXPECT_EQ(unanswered(Unanswered::cancelled, "Ana", {}).state, State::cancelled);
  EXPECT_EQ(unanswered(Unanswered::expired, "", {}).state, State::expired);
  EXPECT_EQ(unanswered(Unanswered::cannot_ask, "", {}).state, State::cancelled);
}

const Form kFour = parse_form(parsed(form_of(4))).value();

std::vector<std::string> answered_in(const std::vector<Answer>& answers) {
  std::vector<std::string> found;
  for (const Answer& answer : answers) found.push_back(answer.question_label + "=" + answer.answer);
  return found;
}

TEST(FormPages, AreAnsweredOneAfterTheOther) {
  const auto first = take_page(kFour, begin(kFour), 3, {{"q0", {{}, "a"}}, {"q2", {{}, "c"}}});
  ASSERT_TRUE(first);
  const Draft draft = std::get<Draft>(*first);
  EXPECT_EQ(draft.current, 3U);
  EXPECT_THAT(answered_in(draft.answers), testing::ElementsAre("q0=a", "q2=c"));
  EXPECT_OK(read_draft(kFour, write_draft(draft)));
  const auto last = take_page(kFour, draft, 3, {{"q3", {{}, "d"}}});
  ASSERT_TRUE(last);
  EXPECT_THAT(answered_in(std::get<FormResult>(*last).answers), testing::ElementsAre("q0=a", "q2=c", "q3=d"));
}

TEST(FormPages, TakeNothingThatIsNotOnThem) {
  const auto taken = take_page(kFour, begin(kFour), 2, {{"q2", {{}, "c"}}});
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error(), (std::vector<Problem>{{"", "an answer matches no question of this form", ""}}));
}

TEST(FormPages, ThatWereSentStandBesideWhatIsSubmitted) {
  Draft draft = begin(kFour);
  draft.current = 2;
  draft.answers = {{"q0", "a", true, std::nullopt}, {"q1", "b", true, std::nullopt}};
  const auto result = submit(kFour, draft, {{"q3", {{}, "d"}}, {"q1", {{}, "better"}}});
  ASSERT_TRUE(result);
  EXPECT_THAT(answered_in(result->answers), testing::ElementsAre("q0=a", "q1=better", "q3=d"));
}

}  // namespace
}  // namespace deputy::interaction
