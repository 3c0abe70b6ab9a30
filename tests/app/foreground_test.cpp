// What a command says of what waits for people, and how it ends.
#include "app/foreground.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "app/commands/named.h"

namespace deputy::app {
namespace {

TEST(Foreground, TheCommandHasTheFlagsOfThisInvocationQuotedForAShell) {
  std::stringstream out;
  Outside outside{{}, "/", out, out};
  Context context{outside};
  context.places.data = "/tmp/my data";
  context.places.config = "it's.yaml";
  context.settings = {"timezone=UTC"};
  EXPECT_EQ(answering_command(context, "01KABCDEFG"),
            "deputy --config 'it'\\''s.yaml' --data '/tmp/my data' --set timezone=UTC "
            "interactions answer --run 01KABCDEFG");
}

TEST(Foreground, AShortIdIsLongEnoughToTellItFromOthersOfItsMillisecond) {
  const auto id = [](std::string_view text) { return InteractionId::parse(text).value_or(InteractionId()); };
  const auto card = [](const std::vector<InteractionId>& ids) {
    channel::Card card;
    for (const InteractionId& one : ids) card.interactions.push_back({one, channel::ShownApproval{}, {}});
    return card;
  };
  const InteractionId one = id("01M7F7M2T84A07M63ZHG8NJ2JA");
  const InteractionId other = id("01M7F7M2T84A08M63ZHG8NJ2JA");
  const InteractionId later = id("01M7F7M2T94A08M63ZHG8NJ2JA");
  EXPECT_EQ(short_id_among(one, {card({one}), card({later})}), "01M7F7M2T8");
  EXPECT_EQ(short_id_among(one, {card({one, other}), card({later})}), "01M7F7M2T84A07");
}

TEST(Foreground, HowToAnswerIsAnExample) {
  channel::ShownQuestions asked;
  asked.form = interaction::Form{
      {{.label = "env", .question = "Which?", .options = {{.label = "prod"}, {.value = "stage", .label = "staging"}}}}};
  EXPECT_EQ(how_to_answer({{}, asked, {}}, "deputy answer"), "To answer, for example:\n  deputy answer prod\n");
  EXPECT_THAT(how_to_answer({{}, channel::ShownApproval{}, {}}, "deputy answer"),
              testing::HasSubstr("\n  deputy answer yes\n  deputy answer no "));
}

struct Row {
  std::string name;
  gateway::Ended ended;
  ExitCode code;
};

class ExitCodes : public testing::TestWithParam<Row> {};

TEST_P(ExitCodes, SayWhatWasDone) { EXPECT_EQ(exit_code_of(GetParam().ended), GetParam().code); }

INSTANTIATE_TEST_SUITE_P(
    Ends, ExitCodes,
    testing::Values(
        Row{"NoAnswer", {"failed", "", {}}, ExitCode::failed}, Row{"AnswerAlone", {"answered", "", {}}, ExitCode::done},
        Row{"SomethingWasDone",
            {"answered",
             "",
             {{"1", "shell", run::CallStatus::denied, true}, {"2", "shell", run::CallStatus::success, false}}},
            ExitCode::done},
        Row{"OnlyDenied", {"answered", "", {{"1", "shell", run::CallStatus::denied, true}}}, ExitCode::refused},
        Row{"ToAskIsNothingDone",
            {"answered",
             "",
             {{"1", "ask_user", run::CallStatus::success, false}, {"2", "shell", run::CallStatus::denied, true}}},
            ExitCode::refused},
        Row{"EveryCallFailed", {"answered", "", {{"1", "shell", run::CallStatus::error, false}}}, ExitCode::failed},
        Row{"OneOfTwoFailed",
            {"answered",
             "",
             {{"1", "shell", run::CallStatus::error, false}, {"2", "shell", run::CallStatus::success, false}}},
            ExitCode::done},
        Row{"DeniedByAPerson",
            {"answered", "", {{"1", "shell", run::CallStatus::denied, true}}, true},
            ExitCode::refused},
        Row{"TheOneCallFailed",
            {"answered", "", {{"1", "shell", run::CallStatus::error, false}}, true},
            ExitCode::failed}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace deputy::app
