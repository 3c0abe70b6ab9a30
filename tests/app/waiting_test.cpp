// How a command shows what waits for people.
#include "app/waiting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace deputy::app {
namespace {

class Waiting : public testing::Test {
 protected:
  Waiting() { row_.expires_at = from_millis(1'700'000'000'000); }

  std::stringstream out_;
  Outside outside_{{}, "/", out_, out_};
  Context context_{outside_};
  store::InteractionRow row_;
};

TEST_F(Waiting, TheCommandHasTheFlagsOfThisInvocationQuotedForAShell) {
  context_.places.data = "/tmp/my data";
  context_.places.config = "it's.yaml";
  context_.settings = {"timezone=UTC"};
  EXPECT_EQ(answering_command(context_, row_),
            "deputy --config 'it'\\''s.yaml' --data '/tmp/my data' --set timezone=UTC "
            "interactions answer --run 00000000000000000000000000");
}

TEST_F(Waiting, AQuestionHasItsOptionsAndAnExample) {
  run::InteractionBody asking;
  asking.questions = interaction::Form{
      {{.label = "env",
        .question = "Which environment?",
        .options = {{.label = "prod"}, {.value = "stage", .label = "staging", .description = "as of today"}},
        .allow_custom = false}}};
  EXPECT_EQ(waiting_text(row_, asking, {}, interaction::begin(*asking.questions)),
            "Which environment?\n  1  prod\n  2  staging (stage): as of today\nExpires at 2023-11-14 22:13 UTC.\n");
  EXPECT_EQ(how_to_answer(asking, "deputy answer"), "To answer, for example:\n  deputy answer prod\n");
}

TEST_F(Waiting, WhoAnswersLaterSeesEveryQuestion) {
  run::InteractionBody asking;
  asking.questions = interaction::Form{{{.label = "env", .question = "Which environment?"},
                                        {.label = "part", .question = "Which part?", .options = {{.label = "api"}}}}};
  EXPECT_EQ(whole_text(row_, asking, {}),
            "Question 1 of 2: Which environment?\nQuestion 2 of 2: Which part?\n  1  api\nYour own words do too.\n"
            "Expires at 2023-11-14 22:13 UTC.\n");
}

TEST_F(Waiting, AnApprovalShowsItsArgumentsWholeAndNothingInThemHides) {
  run::InteractionBody asking;
  asking.approval = interaction::Approval{};
  asking.approval->requester = "ana";
  asking.approval->tool = "shell";
  asking.approval->arguments = {{"command", "ls \x1b[31m"}};
  const std::string text = waiting_text(row_, asking, {}, {});
  EXPECT_THAT(text, testing::StartsWith("Approval needed: ana asks: shell\nArguments:\n  command: "));
  EXPECT_THAT(text, testing::HasSubstr("\\u001b"));
  EXPECT_THAT(how_to_answer(asking, "deputy answer"), testing::HasSubstr("\n  deputy answer yes\n  deputy answer no "));
}

}  // namespace
}  // namespace deputy::app
