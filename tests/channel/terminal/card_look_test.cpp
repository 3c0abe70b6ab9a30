// How what waits for people looks in a terminal.
#include "channel/terminal/card_look.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace deputy::channel {
namespace {

using testing::HasSubstr;

const Timestamp kNow = from_millis(1'700'000'000'000);

interaction::Approval shell_approval() {
  interaction::Approval approval;
  approval.tool = "shell";
  approval.arguments = {{"command", "rm -rf build\x1b[A"}, {"working_dir", "src"}};
  approval.why = {"shell changes something"};
  return approval;
}

TEST(CardLook, ShowsTheExactCommandAndEveryOtherArgument) {
  EXPECT_EQ(approval_lines(shell_approval(), {.command_param = "command"}, Much::folded, Colours::off),
            "? shell\n  $ rm -rf build\\u{1B}[A\n  working_dir: \"src\"\n  asks because shell changes something\n");
}

TEST(CardLook, ShowsADiffInItsColours) {
  interaction::Approval approval;
  approval.tool = "edit_file";
  approval.preview = "--- a\n+++ b\n-old\n+new\n";
  const std::string text = approval_lines(approval, {}, Much::folded, Colours::on);
  EXPECT_THAT(text, HasSubstr("\x1b[31m-old\x1b[39m\n"));
  EXPECT_THAT(text, HasSubstr("\x1b[32m+new\x1b[39m\n"));
}

TEST(CardLook, OffersAlwaysOnlyWhereItMayBeGranted) {
  interaction::Approval approval = shell_approval();
  EXPECT_EQ(approval_choices(approval), "[y]es / [n]o / e(x)plain ");
  approval.may_grant = true;
  EXPECT_EQ(approval_choices(approval), "[y]es / [n]o / [a]lways / e(x)plain ");
}

ShownInteraction approval_that(std::optional<interaction::Settled> settled) {
  return {.id = {}, .what = ShownApproval{{shell_approval(), "K7PQ2M", kNow, ""}, std::move(settled)}, .controls = {}};
}
ShownInteraction form_that(std::optional<interaction::FormResult> settled) {
  ShownQuestions asked;
  asked.form = {{{.label = "env", .question = "Which?"}}};
  asked.settled = std::move(settled);
  asked.settled_by = "Bo";
  asked.settled_at = kNow;
  return {.id = {}, .what = std::move(asked), .controls = {}};
}

struct SettledRow {
  std::string name;
  ShownInteraction shown;
  std::string line;
};

class SettledLines : public testing::TestWithParam<SettledRow> {};

TEST_P(SettledLines, SayHowItEndedInOneLine) {
  Card card;
  card.interactions = {GetParam().shown};
  EXPECT_EQ(settled_line(card, GetParam().shown.id), GetParam().line);
  EXPECT_EQ(settled_line(card, InteractionId::make(kNow)), "") << "another one";
}

using interaction::Scope;
using interaction::State;

INSTANTIATE_TEST_SUITE_P(
    Cards, SettledLines,
    testing::Values(SettledRow{"PendingApproval", approval_that(std::nullopt), ""},
                    SettledRow{"PendingForm", form_that(std::nullopt), ""},
                    SettledRow{"Denied", approval_that({{State::denied, "Bo", kNow, Scope::once, "not today"}}),
                               "Denied by Bo at 2023-11-14 22:13 UTC: not today"},
                    // Escaped as Markdown, and its backslash once more as a line.
                    SettledRow{"ObeyedByNobody", approval_that({{State::denied, "Bo\x1b[2J", kNow, Scope::once, ""}}),
                               "Denied by Bo\\u{5C}u{1B}[2J at 2023-11-14 22:13 UTC."},
                    SettledRow{"Cancelled", approval_that({{State::cancelled, "Bo", kNow, Scope::once, ""}}),
                               "Cancelled by Bo at 2023-11-14 22:13 UTC."},
                    SettledRow{"Answered",
                               form_that({{{{"env", "prod", false, std::nullopt}}, true, "", State::answered}}),
                               "Answered by Bo at 2023-11-14 22:13 UTC."},
                    SettledRow{"Skipped", form_that({{{}, false, "Bo skipped it", State::answered}}),
                               "Not answered at 2023-11-14 22:13 UTC: Bo skipped it."}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace deputy::channel
