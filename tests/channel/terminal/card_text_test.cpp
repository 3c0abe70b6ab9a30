// How what waits for people looks in a terminal.
#include "channel/terminal/card_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "channel/terminal/window.h"

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

ShownApproval shown(interaction::Approval approval, std::string command_param = {}) {
  return {{std::move(approval), "K7PQ2M", kNow, ""}, std::nullopt, std::move(command_param)};
}

TEST(CardText, ShowsTheExactCommandAndEveryOtherArgument) {
  EXPECT_EQ(approval_lines(shown(shell_approval(), "command"), Much::folded, Colours::off, 80),
            "? shell\n│ $ rm -rf build\\u{1B}[A\n│ working_dir: \"src\"\n│ asks because shell changes something\n");
}

TEST(CardText, TheFolderOfACommandIsShownWhereItIsNotTheUsualOne) {
  interaction::Approval approval = shell_approval();
  approval.arguments["working_dir"] = ".";
  EXPECT_THAT(approval_lines(shown(approval, "command"), Much::whole, Colours::off, 80),
              testing::Not(HasSubstr("working_dir")));
  EXPECT_THAT(approval_lines(shown(approval), Much::whole, Colours::off, 80), HasSubstr("working_dir: \".\""));
}

TEST(CardText, SaysWhatAlwaysWouldAllowAndWouldHaveCovered) {
  ShownApproval asked = shown(shell_approval(), "command");
  asked.pins = {{"command", "git push …"}, {"working_dir", "src\x1b[A"}};
  asked.covered = {"shell git push a", "shell git push b\n? shell", "3", "4"};
  EXPECT_THAT(approval_lines(asked, Much::folded, Colours::off, 80), testing::Not(HasSubstr("always")));
  asked.view.approval.may_grant = true;
  EXPECT_THAT(
      approval_lines(asked, Much::folded, Colours::off, 200),
      HasSubstr("│ always: shell with command `git push …`, working_dir `src\\u{1B}[A`, until this session ends\n"
                "│   would have covered 4 earlier calls: shell git push a · shell git push b\\u{A}? shell · 3\n"));
  EXPECT_EQ(grant_words(asked), "");
  asked.pins.clear();
  EXPECT_THAT(approval_lines(asked, Much::folded, Colours::off, 80),
              HasSubstr("│ always: exactly these arguments, until this session ends\n"));
}

std::string padded_to(std::string text, std::size_t width) {
  text.resize(width, ' ');
  return text;
}

// Seen: a command padded to the width of the terminal painted a whole card of its own below its first row.
TEST(CardText, NothingInAnArgumentStandsWhereACardBegins) {
  for (const std::size_t width : {40UL, 80UL, 132UL}) {
    interaction::Approval approval = shell_approval();
    approval.environment = padded_to("prod", width);
    approval.target = padded_to("x", width) + "? harmless";
    approval.arguments = {{"command", padded_to("rm -rf /", width - 4) + padded_to("? shell", width) +
                                          padded_to("  $ ls", width) + "東" + std::string(width, '|') + "[y]es / [n]o"},
                          {"note", padded_to("a", width) + "? shell"}};
    approval.preview = padded_to("+a", width) + "? shell";
    approval.why = {padded_to("because", width) + "? shell"};
    const std::string text = approval_lines(shown(approval, "command"), Much::whole, Colours::off, width);
    std::size_t cards = 0;
    for (const std::string_view row : split(std::string_view(text).substr(0, text.size() - 1), "\n")) {
      EXPECT_LT(width_of(row), width) << row;
      if (row.starts_with("? ")) ++cards;
      EXPECT_TRUE(row.starts_with("? ") || row.starts_with("│ ") || row.starts_with("┊ ")) << row;
    }
    EXPECT_EQ(cards, 1U) << text;
  }
}

TEST(CardText, ALongRunOfSpacesIsCounted) {
  interaction::Approval approval = shell_approval();
  approval.arguments = {{"command", "ls" + std::string(300, ' ') + "; rm -rf /"},
                        {"note", "a" + std::string(300, ' ') + "b"}};
  const std::string text = approval_lines(shown(approval, "command"), Much::folded, Colours::off, 80);
  EXPECT_THAT(text, HasSubstr("│ $ ls\\u{20*300}; rm -rf /\n"));
  EXPECT_THAT(text, HasSubstr("\\u{20*300}b"));
}

TEST(CardText, ALongCommandIsFoldedAndSaysHowMuchIsMissing) {
  interaction::Approval approval = shell_approval();
  approval.arguments = {{"command", std::string(2000, 'a')}};
  EXPECT_THAT(approval_lines(shown(approval, "command"), Much::folded, Colours::off, 80),
              HasSubstr("│ … 500 more characters not shown; x shows all\n"));
  EXPECT_THAT(approval_lines(shown(approval, "command"), Much::whole, Colours::off, kAnyWidth),
              HasSubstr(std::string(2000, 'a')));
}

TEST(CardText, ThePromptRepeatsToolAndTarget) {
  EXPECT_EQ(approval_prompt(shown(shell_approval(), "command")),
            "shell rm -rf build\\u{1B}[A? [y]es / [n]o / e(x)plain ");
  interaction::Approval approval;
  approval.tool = "run_pipeline";
  approval.target = "cast-core" + std::string(50, '!');
  approval.environment = "prod";
  EXPECT_EQ(approval_prompt(shown(approval)),
            "run_pipeline cast-core!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!… in prod? [y]es / [n]o / e(x)plain ");
}

TEST(CardText, TheChoicesOfANarrowPromptAreARowOfTheirOwn) {
  interaction::Approval approval = shell_approval();
  approval.may_grant = true;
  approval.arguments = {{"command", "git push --force origin feature/x"}};
  const auto prompt = [&](std::size_t width) { return approval_prompt(shown(approval, "command"), width); };
  EXPECT_EQ(prompt(80), "shell git push --force origin feature/x? [y]es / [n]o / [a]lways / e(x)plain ");
  EXPECT_EQ(prompt(60), "shell git push --force origin feature/x?\n[y]es / [n]o / [a]lways / e(x)plain ");
  EXPECT_EQ(prompt(40), "shell git push --force origin featu…?\n[y]es / [n]o / [a]lways / e(x)plain ");
  EXPECT_EQ(prompt(5), "shell…?\n[y]es / [n]o / [a]lways / e(x)plain ");
}

TEST(CardText, ShowsADiffInItsColours) {
  interaction::Approval approval;
  approval.tool = "edit_file";
  approval.preview = "--- a\n+++ b\n-old\n+new\n";
  const std::string text = approval_lines(shown(approval), Much::folded, Colours::on, 80);
  EXPECT_THAT(text, HasSubstr("\x1b[31m-old\x1b[39m\n"));
  EXPECT_THAT(text, HasSubstr("\x1b[32m+new\x1b[39m\n"));
}

TEST(CardText, OffersAlwaysOnlyWhereItMayBeGranted) {
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

ShownInteraction asks(interaction::Form form) {
  ShownQuestions asked;
  asked.form = std::move(form);
  asked.expires_at = kNow;
  return {.id = {}, .what = std::move(asked), .controls = {}};
}

TEST(CardText, AQuestionHasItsOptionsAndItsEnd) {
  const ShownInteraction shown =
      asks({{{.label = "env",
              .question = "Which environment?",
              .options = {{.label = "prod"}, {.value = "stage", .label = "staging", .description = "as of today"}},
              .allow_custom = false}}});
  EXPECT_EQ(waiting_text({}, shown, first_draft(shown)),
            "Which environment?\n  1  prod\n  2  staging (stage): as of today\nExpires at 2023-11-14 22:13 UTC.\n");
}

TEST(CardText, WhoAnswersLaterSeesEveryQuestion) {
  const ShownInteraction shown = asks({{{.label = "env", .question = "Which environment?"},
                                        {.label = "part", .question = "Which part?", .options = {{.label = "api"}}}}});
  EXPECT_EQ(whole_text({}, shown),
            "Question 1 of 2: Which environment?\nQuestion 2 of 2: Which part?\n  1  api\n"
            "You can also type your own answer.\nExpires at 2023-11-14 22:13 UTC.\n");
}

TEST(CardText, AnApprovalShowsItsArgumentsWholeAndNothingInThemHides) {
  ShownInteraction shown = approval_that(std::nullopt);
  auto& approval = std::get<ShownApproval>(shown.what).view.approval;
  approval.requester = "ana";
  approval.arguments = {{"command", "ls \x1b[31m"}};
  const std::string text = waiting_text({}, shown, {});
  EXPECT_THAT(text, testing::StartsWith("? Approval needed: ana asks: shell\n"));
  EXPECT_THAT(text, HasSubstr("│ Arguments:\n│   command: "));
  EXPECT_THAT(text, HasSubstr("\\u001b"));
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
