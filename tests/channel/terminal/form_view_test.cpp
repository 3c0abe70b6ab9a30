#include "channel/terminal/form_view.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace deputy::channel {
namespace {

using interaction::Answer;
using interaction::FormResult;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr WindowSize kWindow{.columns = 80, .rows = 24};

interaction::Form sample() {
  return {{{"env", "Which environment?", {{"prod", "Production"}, {"dev", "Development"}}, false, false},
           {"parts", "Which parts?", {{{}, "api"}, {{}, "web"}, {{}, "jobs"}}, true, true},
           {"why", "Why?", {}, true, false}}};
}

// "\1" down, "\2" up, "\3" left, " " space, "\n" Enter, "<" backspace, "^" Escape; anything else is typed.
Pressed type(Pressed at, std::string_view keys) {
  for (const char c : keys) {
    auto* view = std::get_if<FormView>(&at);
    if (view == nullptr) return at;
    const KeyKind kind = c == '\n'   ? KeyKind::enter
                         : c == '^'  ? KeyKind::escape
                         : c == '<'  ? KeyKind::backspace
                         : c == '\1' ? KeyKind::down
                         : c == '\2' ? KeyKind::up
                         : c == '\3' ? KeyKind::left
                                     : KeyKind::character;
    at = press(*view, {kind, static_cast<char32_t>(c), std::string(1, c)});
  }
  return at;
}

Pressed begin_with(std::string_view keys) { return type(view_of(sample(), interaction::begin(sample())), keys); }

FormResult result_of(std::string_view keys) {
  const Pressed end = begin_with(keys);
  return std::holds_alternative<FormResult>(end) ? std::get<FormResult>(end) : FormResult{};
}

TEST(FormView, ArrowsSpaceAndWordsAnswerAllKindsOfQuestions) {
  const FormResult result = result_of(
      "\1\1\n"
      " \1\1 \n"
      "because\n");
  EXPECT_TRUE(result.completed);
  EXPECT_THAT(result.answers,
              ElementsAre(Answer{"env", "dev", false, std::nullopt},
                          Answer{"parts", R"(["api","jobs"])", false, std::vector<std::string>{"api", "jobs"}},
                          Answer{"why", "because", true, std::nullopt}));
}

TEST(FormView, OwnWordsGoBesideWhatIsTicked) {
  const FormResult result = result_of(
      "1\n"
      " \1\1\1old\n"
      "x\n");
  EXPECT_EQ(result.answers.at(1).selected_values, (std::vector<std::string>{"api", "old"}));
}

TEST(FormView, NumbersMarkAndUpGoesRound) {
  EXPECT_EQ(result_of("2\n2\nx\n").answers.at(0).answer, "dev");
  EXPECT_EQ(result_of("\2\n2\nx\n").answers.at(0).answer, "dev");
}

TEST(FormView, OnlyEscapeSkips) {
  EXPECT_TRUE(std::holds_alternative<Skipped>(begin_with("^")));
  EXPECT_TRUE(std::holds_alternative<FormView>(begin_with("s")));
  EXPECT_EQ(result_of("1\n1\nskiff\n").answers.at(2).answer, "skiff");
}

TEST(FormView, AWordThatIsTypedAtTheOptionsIsOwnWords) {
  EXPECT_EQ(result_of("1\nstaging\nx\n").answers.at(1).selected_values, (std::vector<std::string>{"staging"}));
}

TEST(FormView, WhatIsPastedIsOwnWordsAndSendsNothing) {
  const Key paste{KeyKind::paste, 0, "1\nold\r\n"};
  EXPECT_THAT(std::get<FormView>(press(std::get<FormView>(begin_with("")), paste)).problem, HasSubstr("arrows"));
  const Pressed at = press(std::get<FormView>(begin_with("1\n")), paste);
  EXPECT_EQ(std::get<FormView>(at).own_words.text(), "1 old");
  EXPECT_TRUE(std::get<FormView>(at).draft.ticked.empty());
}

TEST(FormView, NothingIsNoAnswer) {
  const Pressed at = begin_with("1\n\n");
  ASSERT_TRUE(std::holds_alternative<FormView>(at));
  EXPECT_THAT(std::get<FormView>(at).problem, HasSubstr("space"));
}

TEST(FormView, NothingIsChosenUnlessAnOptionSaysSelected) {
  EXPECT_THAT(std::get<FormView>(begin_with("\n")).problem, HasSubstr("choose one"));
  interaction::Form form = sample();
  form.questions[0].options[1].selected = true;
  const Pressed at = type(view_of(form, interaction::begin(form)), "\n1\nx\n");
  EXPECT_EQ(std::get<FormResult>(at).answers.at(0).answer, "dev");
}

TEST(FormView, BackspaceTakesAWholeCharacter) {
  Pressed at = begin_with("1\n1\n");
  at = press(std::get<FormView>(at), {KeyKind::character, U'ä', "ä"});
  at = type(at, "<b\n");
  EXPECT_EQ(std::get<FormResult>(at).answers.at(2).answer, "b");
}

TEST(FormView, OwnWordsAreEditedAsALine) {
  EXPECT_EQ(result_of("1\n1\nbeuse\3\3\3ca\n").answers.at(2).answer, "because");
  const Pressed at = press(std::get<FormView>(begin_with("1\n1\nnot this one")), {KeyKind::cut_space_word});
  EXPECT_EQ(std::get<FormResult>(type(at, "\n")).answers.at(2).answer, "not this");
}

TEST(FormView, LeftGoesBackAndKeepsWhatWasAnswered) {
  EXPECT_EQ(result_of("1\n\3\1\n1\nx\n").answers.at(0).answer, "dev");
  EXPECT_EQ(result_of("1\n\3\n1\nx\n").answers.at(0).answer, "prod");
  EXPECT_EQ(result_of("1\n1own\n\3\nx\n").answers.at(1).selected_values, (std::vector<std::string>{"api", "own"}));
  EXPECT_EQ(result_of("1\n1own\3\3\3\n\nx\n").answers.at(1).selected_values, (std::vector<std::string>{"api", "own"}))
      << "left without being sent";
  EXPECT_EQ(result_of("1\n1\nx\3\3\3\n\n\n").answers.at(1).selected_values, (std::vector<std::string>{"api"}))
      << "two questions back";
  EXPECT_EQ(std::get<FormView>(begin_with("\3\3")).draft.current, 0U);
  EXPECT_EQ(result_of("1\n\3\n1\nx\n").answers.size(), 3U);
}

TEST(FormView, ShowsWhatIsMarkedAndObeysNothing) {
  interaction::Form form = sample();
  form.questions[0].options[0].label = "\x1b[2Jprod";
  const auto lines = lines_of(view_of(form, interaction::begin(form)), Colours::off, kWindow);
  EXPECT_THAT(lines, Contains("  1. \\u{1B}[2Jprod"));
  EXPECT_THAT(lines_of(std::get<FormView>(begin_with("\1\1")), Colours::off, kWindow), Contains("❯ 2. Development"));
  EXPECT_EQ(lines.front(), "? Which environment? (1 of 3)");
}

TEST(FormView, ANarrowWindowCutsNothing) {
  const interaction::Form form{{{"env",
                                 "Which environment do you mean?",
                                 {{"prod", "prod", "what customers see every day"}, {"dev", "dev"}},
                                 true,
                                 false}}};
  const Pressed at = type(view_of(form, interaction::begin(form)), "the one that was there before");
  EXPECT_THAT(lines_of(std::get<FormView>(at), Colours::off, {.columns = 24, .rows = 24}),
              ElementsAre("? Which environment do", "  you mean?", "  1. prod  what", "     customers see",
                          "     every day", "  2. dev", "❯ other: the one that", "  was there before▏",
                          "↑↓ move · Enter chooses", "· Esc skips"));
}

TEST(FormView, OfManyOptionsThoseAroundTheMarkedOneAreShown) {
  interaction::Form form{{{"service", "Which service?", {}, false, false}}};
  for (int i = 1; i <= 20; ++i) form.questions[0].options.push_back({{}, fmt::format("s{}", i)});
  const auto shown = [&](std::string_view keys) {
    return lines_of(std::get<FormView>(type(view_of(form, interaction::begin(form)), keys)), Colours::off,
                    {.columns = 80, .rows = 8});
  };
  EXPECT_THAT(shown(""), ElementsAre("? Which service?", "  1. s1", "  2. s2", "  3. s3", "  ↓ 17 more", testing::_));
  EXPECT_THAT(shown("\2"),
              ElementsAre("? Which service?", "  ↑ 17 more", "     s18", "     s19", "❯    s20", testing::_));
  EXPECT_THAT(shown("\2\2\2\2\2"), ElementsAre("? Which service?", "  ↑ 14 more", "     s15", "❯    s16", "     s17",
                                               "  ↓ 3 more", testing::_));
}

}  // namespace
}  // namespace deputy::channel
