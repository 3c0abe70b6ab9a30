// What a form offers and takes, from what is known about the parameters it asks for.
#include "run/plan/known_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/results.h"
#include "toolkit/tool.h"

namespace deputy::run {
namespace {

using interaction::AnswerType;
using interaction::Question;
using testing::ElementsAre;
using testing::IsEmpty;

enum class Level { low, high };
constexpr auto choices_of(Level) {
  return std::to_array<std::pair<Level, std::string_view>>({{Level::low, "low"}, {Level::high, "high"}});
}

struct LookParams {
  std::string service;
  std::string environment;
  int hours = 4;
  Level level = Level::low;
  std::string note;

  template <class Fields>
  static void fields(Fields& f) {
    using P = LookParams;
    f.required(&P::service, "service", "Which").kind(toolkit::Kind::service);
    f.required(&P::environment, "environment", "Where").kind(toolkit::Kind::environment);
    f.optional(&P::hours, "hours", "How far").in_range(1, 336);
    f.optional(&P::level, "level", "How much");
    f.optional(&P::note, "note", "Why").characters(0, 20);
  }
};

struct Known {
  toolkit::Registry registry;
  Rules rules;

  Known() {
    toolkit::ToolSpec spec{.name = "look",
                           .version = 1,
                           .description = "Looks at something",
                           .category = "log_tools",
                           .effect = toolkit::Effect::read};
    EXPECT_OK(registry.add(toolkit::make_tool<LookParams>(
        std::move(spec), [](const LookParams&) { return Result<toolkit::Pipeline>(toolkit::Pipeline()); })));
    rules.environments = {{"prod", {"live"}}, {"staging", {}}};
    rules.services = {{"cart", "Cart", {}}, {"mailer", "Mailer", {"mail"}}};
  }

  Question completed(std::string label, std::string parameter, std::vector<interaction::Option> options = {}) const {
    Question question{.label = std::move(label), .question = "Which?", .options = std::move(options)};
    question.parameter = std::move(parameter);
    return with_known_answers({{question}}, registry, rules).questions.front();
  }
};

std::vector<std::string> offered(const Question& question) {
  std::vector<std::string> values;
  for (const interaction::Option& option : question.options) {
    values.push_back(option.answer());
    EXPECT_FALSE(option.selected);
  }
  return values;
}

TEST(KnownAnswers, WhatIsKnownIsOffered) {
  const Known known;
  EXPECT_THAT(offered(known.completed("where", "look.environment")), ElementsAre("prod", "staging"));
  EXPECT_THAT(offered(known.completed("what", "look.service")), ElementsAre("cart", "mailer"));
  EXPECT_THAT(offered(known.completed("level", "look.level")), ElementsAre("low", "high"));
  EXPECT_THAT(offered(known.completed("Environment", "")), ElementsAre("prod", "staging"));
  EXPECT_THAT(offered(known.completed("service", "")), ElementsAre("cart", "mailer"));
  EXPECT_THAT(offered(known.completed("note", "look.note")), IsEmpty());
  EXPECT_THAT(offered(known.completed("where", "look.environment", {{{}, "a"}, {{}, "b"}})), ElementsAre("a", "b"));
}

TEST(KnownAnswers, TypedAnswersAreHeldToTheParameter) {
  const Known known;
  EXPECT_THAT(known.completed("where", "look.environment").takes->values, ElementsAre("prod", "staging", "live"));
  EXPECT_THAT(known.completed("level", "look.level").takes->values, ElementsAre("low", "high"));
  EXPECT_THAT(known.completed("what", "look.service").takes->values, IsEmpty());  // backends may know more
  const auto hours = known.completed("hours", "look.hours").takes;
  EXPECT_EQ(hours->type, AnswerType::integer);
  EXPECT_EQ(hours->minimum, 1);
  EXPECT_EQ(hours->maximum, 336);
  EXPECT_EQ(known.completed("note", "look.note").takes->max_length, 20);
}

TEST(KnownAnswers, WhatNamesNoParameterStaysAsItIs) {
  const Known known;
  for (const char* parameter : {"", "look", "look.other", "other.service", ".", "look."}) {
    const Question question = known.completed("x", parameter);
    EXPECT_THAT(question.options, IsEmpty()) << parameter;
    EXPECT_EQ(question.takes, std::nullopt) << parameter;
  }
}

}  // namespace
}  // namespace deputy::run
