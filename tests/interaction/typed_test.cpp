#include "interaction/typed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::interaction {
namespace {

using testing::HasSubstr;
using Values = std::vector<std::string>;

Form form(std::string_view questions) {
  return parse_form(parse_json_object(fmt::format(R"({{"questions":[{}]}})", questions)).value()).value();
}

// Options p, staging and dev; a single choice, several, or without own words.
const char* const kOptions = R"("options":[{"value":"p","label":"Production"},{"label":"staging"},{"label":"dev"}])";
Form single() { return form(fmt::format(R"({{"label":"env","question":"Which?",{}}})", kOptions)); }
Form several() {
  return form(fmt::format(R"({{"label":"env","question":"Which?","multi_select":true,{}}})", kOptions));
}
Form strict() {
  return form(fmt::format(R"({{"label":"env","question":"Which?","allow_custom":false,{}}})", kOptions));
}
Form named(std::string_view first, std::string_view second, bool multi = false) {
  return form(fmt::format(
      R"({{"label":"env","question":"Which?","multi_select":{},"options":[{{"label":"{}"}},{{"label":"{}"}}]}})", multi,
      first, second));
}
Form free_text() { return form(R"({"label":"env","question":"Which?"})"); }

Typed type(const Form& form, std::string_view text, Addressed addressed = Addressed::yes) {
  return take_typed(form, begin(form), text, addressed, "Ana");
}

Typed completed(Answer answer) { return FormResult{{std::move(answer)}, true, "", State::answered}; }
Typed option(std::string value) { return completed({"env", std::move(value), false, std::nullopt}); }
Typed own(std::string text) { return completed({"env", std::move(text), true, std::nullopt}); }
Typed list(Values values, bool is_custom = false) {
  json::array array(values.begin(), values.end());
  return completed({"env", json::serialize(array), is_custom, std::move(values)});
}

struct Row {
  std::string name;
  Form asked;
  std::string text;
  Typed expected;
  Addressed addressed = Addressed::yes;
};

class TypedText : public testing::TestWithParam<Row> {};

TEST_P(TypedText, IsTakenAs) {
  const Row& row = GetParam();
  EXPECT_EQ(type(row.asked, row.text, row.addressed), row.expected) << row.text;
}

INSTANTIATE_TEST_SUITE_P(
    Typed, TypedText,
    testing::Values(
        Row{"StopCancelsTheRun", single(), " Stop ", StopRun{}},
        Row{"CancelCancelsTheRun", free_text(), "CANCEL", StopRun{}},
        Row{"StopCountsAlsoInACrowd", single(), "stop", StopRun{}, Addressed::no},
        Row{"StopInASentenceIsNoStop", free_text(), "stop the worker", own("stop the worker")},
        Row{"SkipEndsTheFormAlone", single(), "skip", FormResult{{}, false, "skipped by Ana", State::answered}},
        Row{"SkipFormDoesToo", single(), "Skip form", FormResult{{}, false, "skipped by Ana", State::answered}},
        Row{"AnExactValue", single(), "p", option("p")}, Row{"AnExactLabel", single(), "Production", option("p")},
        Row{"CaseAndSpaceAreNotMinded", single(), "  STAGING ", option("staging")},
        Row{"AnOptionCountsAlsoInACrowd", single(), "staging", option("staging"), Addressed::no},
        Row{"APosition", single(), "2", option("staging")},
        Row{"APositionCountsAlsoInACrowd", single(), "2", option("staging"), Addressed::no},
        Row{"APositionAsListsAreWritten", single(), "2.", option("staging")},
        Row{"APositionWithABracket", single(), "2)", option("staging")},
        Row{"OwnWords", single(), "the old one", own("the old one")},
        Row{"OwnWordsInACrowdAreAnOrdinaryMessage", single(), "the old one", NotAnAnswer{}, Addressed::no},
        Row{"OwnWordsInACrowdToAFreeQuestionAreAnOrdinaryMessage", free_text(), "7", NotAnAnswer{}, Addressed::no},
        Row{"ANumberToAFreeQuestionIsTheAnswer", free_text(), "7", own("7")},
        Row{"ANumberInQuotesIsOwnWords", single(), "\"2\"", own("2")},
        Row{"CurlyQuotesCountToo", single(), "“2”", own("2")},
        Row{"AnOptionInQuotesIsTheOption", single(), "\"staging\"", option("staging")},
        Row{"APortIsNoPosition", single(), "8080", own("8080")},
        Row{"ADateIsNoPosition", single(), "2026-11-15", own("2026-11-15")},
        Row{"AFractionIsNoPosition", single(), "1.5", own("1.5")},
        Row{"ANegativeNumberIsNoPosition", single(), "-1", own("-1")},
        Row{"PositionsWithCommas", several(), "1,3", list({"p", "dev"})},
        Row{"PositionsWithSpaces", several(), "1 3", list({"p", "dev"})},
        Row{"PositionsWithBoth", several(), "3 , 1", list({"p", "dev"})},
        Row{"ARange", several(), "1-3", list({"p", "staging", "dev"})},
        Row{"ARangeAndANumber", several(), "1 - 2, 3", list({"p", "staging", "dev"})},
        Row{"APositionTwiceIsOnce", several(), "2,2", list({"staging"})},
        Row{"NamesWithCommas", several(), "production, DEV", list({"p", "dev"})},
        Row{"NamesAndPositions", several(), "1, dev", list({"p", "dev"})},
        Row{"OneOfSeveral", several(), "staging", list({"staging"})},
        Row{"OwnWordsInQuotesBesidePositions", several(), "1, \"qa, old\"", list({"p", "qa, old"}, true)},
        Row{"OwnWordsForSeveral", several(), "none of these, I think", list({"none of these, I think"}, true)},
        Row{"DoneLeavesTheQuestionOpen", single(), "done", FormResult{{}, true, "", State::answered}},
        Row{"DoneInACrowdIsAnOrdinaryMessage", single(), "done", NotAnAnswer{}, Addressed::no},
        Row{"NothingIsNoAnswer", single(), "  \n ", NotAnAnswer{}},
        Row{"TalkThatNamesAnOptionInACrowdIsAnOrdinaryMessage", several(), "dev, I think, is fine", NotAnAnswer{},
            Addressed::no},
        Row{"OtherWordsInACrowdAreAnOrdinaryMessageWhereOnlyOptionsCount", strict(), "hm", NotAnAnswer{},
            Addressed::no},
        Row{"ANameThatIsANumberNoPositionHas", named("7", "8"), "7", option("7")},
        Row{"ANameThatIsItsOwnPosition", named("1", "2"), "2", option("2")},
        Row{"ANameThatLooksLikeARangeOfASingleChoice", named("1-2", "more"), "1-2", option("1-2")},
        Row{"AListWithANameThatNoPositionHas",
            form(R"({"label":"env","question":"Which?","multi_select":true,"options":[{"label":"a"},{"label":"9"}]})"),
            "1,9", list({"a", "9"})},
        Row{"ASignMakesAPositionClear", named("2", "1"), "#2", option("1")},
        Row{"TwoSignsWhereOneIsAName",
            form(R"({"label":"env","question":"Which?","options":[{"label":"2"},{"label":"#1"},{"label":"x"}]})"),
            "##2", option("#1")}),
    [](const auto& info) { return info.param.name; });

struct NotTakenRow {
  std::string name;
  Form asked;
  std::string text, words;
};

class TypedUnclear : public testing::TestWithParam<NotTakenRow> {};

TEST_P(TypedUnclear, IsNotTakenAndAsksAgain) {
  const NotTakenRow& row = GetParam();
  const Typed typed = type(row.asked, row.text);
  ASSERT_TRUE(std::holds_alternative<NotTaken>(typed));
  EXPECT_THAT(std::get<NotTaken>(typed).words, HasSubstr(row.words));
}

INSTANTIATE_TEST_SUITE_P(
    Typed, TypedUnclear,
    testing::Values(
        NotTakenRow{"ALabelThatIsAnothersPosition", named("2", "1"), "2",
                    "`2` can be read in two ways here, so I took neither. Type `#1` for `2`, `#2` for `1`."},
        NotTakenRow{
            "TwoOptionsOfOneName",
            form(
                R"({"label":"env","question":"Which?","options":[{"value":"x","label":"a"},{"value":"y","label":"A"}]})"),
            "a", "Type `1` for `a`, `2` for `A`."},
        NotTakenRow{"AnOptionCalledStop", named("stop", "restart"), "stop", "Type `1` for `stop`."},
        NotTakenRow{"AnOptionCalledSkip", named("skip", "restart"), "skip", "type `skip form`"},
        NotTakenRow{"AnOptionCalledDone", named("done", "restart"), "done", "Type `1` for `done`"},
        NotTakenRow{
            "ANumberOutOfRange", single(), "4",
            "There is no option 4: they go from 1 to 3. To answer with the number itself, put it in quotes: \"4\"."},
        NotTakenRow{"NoOptionIsZero", strict(), "0", "There is no option 0: they go from 1 to 3."},
        NotTakenRow{"OneOfSeveralOutOfRange", several(), "1,9", "There is no option 9"},
        NotTakenRow{"SeveralNumbersForASingleChoice", single(), "1,3", "Only one option can be chosen here."},
        NotTakenRow{"ARangeForASingleChoice", strict(), "1-2", "Only one option can be chosen here."},
        NotTakenRow{"OtherWordsWhereOnlyOptionsCount", strict(), "qa", "Type its number, from 1 to 3, or its name."},
        NotTakenRow{"QuotedWordsWhereOnlyOptionsCount", strict(), "\"qa\"", "Type its number"},
        NotTakenRow{"AnOptionAndAStrayWord", several(), "1, qa", "Some of that is an option, and `qa` is not."},
        NotTakenRow{
            "ANameWithACommaThatIsAlsoTwoOthers",
            form(
                R"({"label":"env","question":"?!","multi_select":true,"options":[{"label":"a"},{"label":"b"},{"label":"a, b"}]})"),
            "a, b", "two ways"},
        NotTakenRow{"ANumberInQuotesBesideOptionsIsNoPosition",
                    form(R"({"label":"env","question":"Which?","multi_select":true,"allow_custom":false,
                             "options":[{"label":"a"},{"label":"b"}]})"),
                    "1, \"2\"", "is not one of the options"},
        NotTakenRow{"AnAnswerTooLong", free_text(), std::string(2001, 'x'), "at most 2000"}),
    [](const auto& info) { return info.param.name; });

TEST(TypedForm, OwnWordsBesideOptionsInACrowdMustBeMeantForUs) {
  const Typed typed = type(several(), "1, \"qa\"", Addressed::no);
  ASSERT_TRUE(std::holds_alternative<NotTaken>(typed));
  EXPECT_THAT(std::get<NotTaken>(typed).words, HasSubstr("mention me or reply to the form"));
  EXPECT_EQ(type(several(), "\"qa\", \"old\"", Addressed::no), Typed(NotAnAnswer{}));
}

TEST(TypedForm, AsksOneQuestionAfterTheOther) {
  const Form both = form(
      R"({"label":"a","question":"x?"},{"label":"b","question":"y?","options":[{"label":"u","selected":true},{"label":"v"}]})");
  const Typed first = take_typed(both, begin(both), "hello", Addressed::yes, "Ana");
  EXPECT_EQ(first, Typed(Draft{1, 1, {{"a", "hello", true, std::nullopt}}, {"u"}}));
  const Typed second = take_typed(both, std::get<Draft>(first), "2", Addressed::yes, "Ana");
  EXPECT_EQ(second,
            Typed(FormResult{
                {{"a", "hello", true, std::nullopt}, {"b", "v", false, std::nullopt}}, true, "", State::answered}));
}

TEST(TypedForm, DoneTakesWhatIsTicked) {
  const Form asked = form(R"({"label":"env","question":"y?","options":[{"label":"u","selected":true},{"label":"v"}]})");
  EXPECT_EQ(type(asked, "done"), option("u"));
}

TEST(TypedForm, SkipKeepsWhatWasAnsweredBefore) {
  const Form both = form(R"({"label":"a","question":"x?"},{"label":"b","question":"y?"})");
  const Draft draft{1, 1, {{"a", "hello", true, std::nullopt}}, {}};
  EXPECT_EQ(take_typed(both, draft, "skip", Addressed::yes, "Ana"),
            Typed(FormResult{{{"a", "hello", true, std::nullopt}}, false, "skipped by Ana", State::answered}));
}

TEST(DraftOfAForm, BeginsWithWhatTheModelSelected) {
  const Form asked = form(
      R"({"label":"e","question":"y?","multi_select":true,"options":[{"label":"u","selected":true},{"label":"v"}]})");
  EXPECT_EQ(begin(asked), (Draft{1, 0, {}, {"u"}}));
  EXPECT_EQ(read_draft(asked, ""), begin(asked));
}

TEST(DraftOfAForm, TogglesOptions) {
  EXPECT_EQ(toggle(several(), toggle(several(), begin(several()), 0), 2).ticked, (Values{"p", "dev"}));
  EXPECT_EQ(toggle(several(), toggle(several(), begin(several()), 0), 0).ticked, Values{});
  EXPECT_EQ(toggle(single(), toggle(single(), begin(single()), 0), 2).ticked, Values{"dev"});
  EXPECT_EQ(toggle(single(), begin(single()), 3), begin(single()));
}

TEST(DraftOfAForm, WhatIsTickedBecomesTheAnswer) {
  const Moved moved = take_ticked(several(), toggle(several(), begin(several()), 2));
  EXPECT_EQ(std::get<FormResult>(moved).answers, (std::vector<Answer>{{"env", R"(["dev"])", false, Values{"dev"}}}));
}

struct BadDraft {
  std::string name, stored;
};

class DraftRefused : public testing::TestWithParam<BadDraft> {};

TEST_P(DraftRefused, Is) { EXPECT_FALSE(read_draft(several(), GetParam().stored)); }

INSTANTIATE_TEST_SUITE_P(
    DraftOfAForm, DraftRefused,
    testing::Values(
        BadDraft{"NotJson", "{"}, BadDraft{"ANewerVersion", R"({"version":2,"current":0,"answers":[],"ticked":[]})"},
        BadDraft{"AQuestionThatIsNotThere", R"({"version":1,"current":1,"answers":[],"ticked":[]})"},
        BadDraft{
            "AnAnswerToNoQuestion",
            R"({"version":1,"current":0,"answers":[{"question_label":"x","answer":"y","is_custom":true}],"ticked":[]})"},
        BadDraft{"AnOptionThatWasNotOffered", R"({"version":1,"current":0,"answers":[],"ticked":["root"]})"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace deputy::interaction
