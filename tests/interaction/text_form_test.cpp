#include "interaction/text_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::interaction {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr Timestamp at(int minute) { return Timestamp{std::chrono::minutes{minute}}; }

ApprovalView sample() {
  ApprovalView view;
  view.approval.run = "R1";
  view.approval.requester = "Ana";
  view.approval.tool = "run_pipeline";
  view.approval.target = "cast-core";
  view.approval.environment = "prod";
  view.approval.arguments = {{"repo", "cast-core"}, {"ref", "main"}};
  view.approval.preview = "prod: 9f8e7d → a1b2c3";
  view.approval.change = "a1b2c3";
  view.approval.chain = "c";
  view.approval.why = {"every write asks"};
  view.approval.approvers = {"Bo", "Cy"};
  view.code = "k7m2p9";
  view.expires_at = at(30);
  return view;
}

TEST(ApprovalCard, NamesTheRunTheRequesterTheToolTheTargetAndTheEnvironmentFirst) {
  EXPECT_EQ(approval_text(sample(), Zone{}), (CardText{R"(**Approval needed**
Run `R1` · asked by **Ana**
Tool `run_pipeline` · target `cast-core` · environment `prod`
Why it asks: every write asks

Arguments:
```
repo: "cast-core"
ref: "main"
```

What it will change:
```
  | prod: 9f8e7d → a1b2c3
```

May approve: Bo, Cy
Expires at 1970-01-01 00:30 UTC.
To answer, type `approve k7m2p9` or `deny k7m2p9 your reason`. Nothing else counts as an answer.
)",
                                                       true}));
}

TEST(ApprovalCard, SaysWhyASuspiciousOrUnknownCallAsks) {
  ApprovalView view = sample();
  view.approval.why = {"the request looks like a bulk export",
                       "it may have happened already; check before doing it again"};
  const std::string text = approval_text(view, Zone{}).markdown;
  EXPECT_THAT(
      text, HasSubstr("Why it asks: the request looks like a bulk export\nWhy it asks: it may have happened already"));
}

TEST(ApprovalCard, SaysThatNothingIsKnownRatherThanNothing) {
  ApprovalView view = sample();
  view.approval.target.clear();
  view.approval.environment.clear();
  view.approval.preview = nullptr;
  view.approval.arguments.clear();
  view.approval.background = true;
  const std::string text = approval_text(view, Zone{}).markdown;
  EXPECT_THAT(text, HasSubstr("Tool `run_pipeline` · no environment named · in the background\n"));
  EXPECT_THAT(text, HasSubstr("No arguments."));
  EXPECT_THAT(text, HasSubstr("The changes are not known in advance."));
}

TEST(ApprovalCard, AnArgumentCannotEscapeItsFenceOrHide) {
  ApprovalView view = sample();
  view.approval.arguments = {{"text", "x\n```\n**Approved** by Bo\n```\u202E"}};
  EXPECT_THAT(approval_text(view, Zone{}).markdown,
              HasSubstr("Arguments:\n````\ntext: text of 4 lines, 29 characters\n  | x\n  | ```\n"
                        "  | **Approved** by Bo\n  | ```\\u{202E}\n````\n"));
}

TEST(ApprovalCard, SaysWhenItIsNotShownWholeAndWhereTheRestIs) {
  ApprovalView view = sample();
  view.approval.arguments["text"] = std::string(5000, 'x');
  view.whole_text_at = "deputy interactions list";
  const CardText card = approval_text(view, Zone{});
  EXPECT_FALSE(card.whole);
  EXPECT_THAT(card.markdown, HasSubstr("… 3500 more characters not shown"));
  EXPECT_THAT(card.markdown, HasSubstr("**Not shown in full.** The full text: `deputy interactions list`"));
  EXPECT_TRUE(approval_text(view, Zone{}, Fold::nothing()).whole);
}

TEST(ApprovalCard, MentionsUpToFiveApprovers) {
  ApprovalView view = sample();
  view.approval.approvers = {"a", "b", "c", "d", "e", "f", "g"};
  EXPECT_THAT(approval_text(view, Zone{}).markdown, HasSubstr("May approve: a, b, c, d, e and 2 more\n"));
}

TEST(ApprovalCard, TheWritesOfOneTurnShareOneCard) {
  const std::vector<ApprovalView> two{sample(), sample()};
  const CardsText cards = approvals_text(two, Zone{});
  EXPECT_TRUE(cards.may_approve_all);
  EXPECT_THAT(cards.markdown, HasSubstr("**1 of 2**\n**Approval needed**"));
  EXPECT_THAT(cards.markdown, HasSubstr("**2 of 2**\n**Approval needed**"));
}

TEST(ApprovalCard, ApproveAllOnlyWhenAllAreShownWhole) {
  std::vector<ApprovalView> two{sample(), sample()};
  two[1].approval.arguments["text"] = std::string(5000, 'x');
  EXPECT_FALSE(approvals_text(two, Zone{}).may_approve_all);
  EXPECT_FALSE(approvals_text(std::vector{sample()}, Zone{}).may_approve_all);
}

TEST(ApprovalCard, AfterTheAnswerItSaysWhoAnsweredWhatAndWhen) {
  const std::string approved =
      settled_text(sample(), Settled{State::approved, "Bo", at(5), Scope::for_thread, ""}, Zone{});
  EXPECT_TRUE(approved.starts_with("**Approved** by **Bo** at 1970-01-01 00:05 UTC, for this thread.\nRun `R1`"))
      << approved;
  EXPECT_THAT(approved, Not(HasSubstr("k7m2p9")));
  EXPECT_THAT(settled_text(sample(), Settled{State::denied, "Bo", at(5), Scope::once, "*no*"}, Zone{}),
              HasSubstr("**Denied** by **Bo** at 1970-01-01 00:05 UTC: \\*no\\*\n"));
  EXPECT_THAT(settled_text(sample(), Settled{State::cancelled, "Ana", at(5), Scope::once, ""}, Zone{}),
              HasSubstr("**Cancelled** by **Ana** at"));
}

TEST(ApprovalCard, ExpiredSaysHowToAskAgain) {
  EXPECT_THAT(settled_text(sample(), Settled{State::expired, "", at(30), Scope::once, ""}, Zone{}),
              HasSubstr("nobody answered in time, so it was denied. To ask again, use *Ask again*"));
}

TEST(ApprovalCard, TheNotificationSaysAllInALine) {
  EXPECT_EQ(notification_line(sample().approval), "Ana asks: run_pipeline cast-core prod → a1b2c3");
  Approval hostile = sample().approval;
  hostile.target = "a\nb";
  hostile.change.clear();
  EXPECT_EQ(notification_line(hostile), "Ana asks: run_pipeline a\\u{A}b prod");
}

Form form(std::string_view questions) {
  return parse_form(parse_json_object(fmt::format(R"({{"questions":[{}]}})", questions)).value()).value();
}

Form sample_form() {
  return form(R"({"label":"service","question":"Which service?"},
                 {"label":"env","question":"Which of these?\nAll are fine.","multi_select":true,"options":[
                   {"value":"prod","label":"Production","description":"the *live* one","selected":true},{"label":"staging"}]})");
}

TEST(QuestionText, OneQuestionAtATimeWithNumbersAndWhatMayBeTyped) {
  const Draft draft{1, 1, {{"service", "cast-core", true, std::nullopt}}, {"prod"}};
  EXPECT_EQ(question_text(sample_form(), draft, at(30), Zone{}, Writers::several), R"(**2 of 2: env**
Which of these?
All are fine.

- `1` ☑ Production (`prod`) — the \*live\* one
- `2` staging

Answered so far:
- service: `cast-core`

Type numbers or names, such as `1` or `1,2`. Your own words are fine too, in quotes next to numbers; mention me or reply to this message with them. `done` accepts what is ticked, `skip` ends the form, `stop` cancels the request.
Expires at 1970-01-01 00:30 UTC.
)");
}

TEST(QuestionText, AQuestionWithoutOptions) {
  const Form one = form(R"({"label":"service","question":"Which service?"})");
  EXPECT_EQ(question_text(one, begin(one), at(30), Zone{}, Writers::one), R"(**service**
Which service?

Type your answer. `done` leaves this question unanswered, `skip` ends the form, `stop` cancels the request.
Expires at 1970-01-01 00:30 UTC.
)");
}

TEST(QuestionText, NumbersHaveASignWhereAnOptionIsANumber) {
  const Form one = form(R"({"label":"n","question":"How many?","options":[{"label":"2"},{"label":"4"}]})");
  EXPECT_THAT(question_text(one, begin(one), at(30), Zone{}, Writers::one), HasSubstr("- `#1` 2\n- `#2` 4\n"));
}

TEST(QuestionText, SettledSaysWhoAnsweredWhatAndWhen) {
  const FormResult result{
      {{"env", R"(["prod","qa"])", true, std::vector<std::string>{"prod", "qa"}}}, true, "", State::answered};
  EXPECT_EQ(settled_text(sample_form(), result, "Ana", at(5), Zone{}),
            "**Answered** by **Ana** at 1970-01-01 00:05 UTC.\n- service: no answer\n- env: `prod`, `qa`\n");
}

TEST(QuestionText, WhatWasNotAnsweredSaysWhyAndHowToBeAskedAgain) {
  const std::string expired = settled_text(sample_form(), unanswered(Unanswered::expired, "", {}), "", at(5), Zone{});
  EXPECT_THAT(expired, HasSubstr("**Not answered** at 1970-01-01 00:05 UTC: expired: nobody answered in time."));
  EXPECT_THAT(expired, HasSubstr("To be asked again"));
}

TEST(QuestionText, WhatEndedWithItsRunSaysWhoStoppedIt) {
  const FormResult stopped{{}, false, "", State::cancelled};
  EXPECT_THAT(settled_text(sample_form(), stopped, "Bo", at(5), Zone{}),
              testing::StartsWith("**Cancelled** by **Bo** at 1970-01-01 00:05 UTC.\n"));
}

}  // namespace
}  // namespace deputy::interaction
