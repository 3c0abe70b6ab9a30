// `deputy chat` over a pipe.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"

namespace deputy {
namespace {

using test::Program;
using testing::HasSubstr;
using testing::Not;

class ChatOverAPipe : public testing::Test {
 protected:
  Program deputy_;
};

TEST_F(ChatOverAPipe, ReadsALineWhenTheOneBeforeHasBeenAnswered) {
  const ProcessEnd end = deputy_.run({"chat"}, "hello\n/runs\n/quit\n");
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("Without a model I can"));
  EXPECT_THAT(end.output, HasSubstr("answered   hello"));
  EXPECT_THAT(end.output, Not(HasSubstr("\x1b")));
}

TEST_F(ChatOverAPipe, AFormIsAnsweredWithLines) {
  const ProcessEnd end = deputy_.run({"chat"}, "investigate the issue\ncheckout\nprod\n");
  EXPECT_EQ(end.exit_code, 0) << end.output << end.errors;
  EXPECT_THAT(end.output, HasSubstr("Question 2 of 2: Which environment?"));
  EXPECT_THAT(end.output, HasSubstr("✓ investigate_issue"));
}

TEST_F(ChatOverAPipe, WhatNobodyAnswersWaitsAndIsAskedAgain) {
  const ProcessEnd waiting = deputy_.run({"chat"}, "investigate the issue\n");
  EXPECT_EQ(waiting.exit_code, 4) << waiting.output;
  EXPECT_THAT(waiting.output, HasSubstr("deputy chat --resume"));
  const ProcessEnd end = deputy_.run({"chat", "--resume"}, "checkout\nprod\n");
  EXPECT_EQ(end.exit_code, 0) << end.output << end.errors;
  EXPECT_THAT(end.output, HasSubstr("The last request was:\n> investigate the issue"));
  EXPECT_THAT(end.output, HasSubstr("✓ investigate_issue"));
}

TEST_F(ChatOverAPipe, TakesNoApprovals) {
  const ProcessEnd end =
      deputy_.run({"chat", "--set", "policy.mode=allowlist"}, "/call list_sub_runs\ny\nyes\nalways\napprove 000000\n");
  EXPECT_EQ(end.exit_code, 4) << end.output;
  EXPECT_THAT(end.output, HasSubstr("A chat over a pipe takes no approvals.\nTo answer:\n  deputy"));
  EXPECT_THAT(end.output, Not(HasSubstr("✓ list_sub_runs")));
  EXPECT_THAT(deputy_.run({"interactions", "list"}).output, HasSubstr("approval"));
}

TEST_F(ChatOverAPipe, ApprovalsAreListedWithTheirArguments) {
  const ProcessEnd end = deputy_.run({"chat", "--set", "policy.mode=allowlist"},
                                     "/call search_history {\"query\": \"zebra\"}\n/approvals\n/quit\n");
  const std::size_t first = end.output.find("│ query: \"zebra\"");
  ASSERT_NE(first, std::string::npos) << end.output;
  EXPECT_NE(end.output.find("│ query: \"zebra\"", first + 1), std::string::npos) << end.output;
}

// The limits of a person are for network channels; seen: the 21st request blocked the operator's own terminal.
TEST_F(ChatOverAPipe, TheTerminalHasNoLimitOfAPerson) {
  const ProcessEnd end = deputy_.run({"chat", "--set", "limits.requests_a_person=1"}, "hello\nhello\nhello\n/runs\n");
  EXPECT_EQ(end.exit_code, 0) << end.output;
  EXPECT_THAT(end.output, Not(HasSubstr("waits until")));
}

TEST_F(ChatOverAPipe, AFormTakesCommandsInBetweenAndStopStopsTheRun) {
  const ProcessEnd end = deputy_.run({"chat"}, "investigate the issue\n/model\nstop\n/runs\n/quit\n");
  EXPECT_EQ(end.exit_code, 0) << end.output << end.errors;
  EXPECT_THAT(end.output, HasSubstr("the offline planner (no model key is set)\nQuestion"));
  EXPECT_THAT(end.output, HasSubstr("Stopped by"));
  EXPECT_THAT(end.output, HasSubstr("cancelled  investigate"));
}

TEST_F(ChatOverAPipe, StopAtAnApprovalStopsTheRun) {
  const ProcessEnd end =
      deputy_.run({"chat", "--set", "policy.mode=allowlist"}, "/call list_sub_runs\nstop\n/runs\n/quit\n");
  EXPECT_EQ(end.exit_code, 0) << end.output << end.errors;
  EXPECT_THAT(end.output, HasSubstr("Stopped by"));
  EXPECT_THAT(end.output, Not(HasSubstr("neither yes nor no")));
}

TEST_F(ChatOverAPipe, WhatIsLeftElsewhereIsSaidWithTheCommandThatGoesOnWithIt) {
  deputy_.run({"chat"}, "investigate the issue\n");
  const ProcessEnd next = deputy_.run({"chat"}, "/quit\n");
  EXPECT_EQ(next.exit_code, 0) << next.errors;
  EXPECT_THAT(next.output, HasSubstr("Waiting for your answer: investigate the issue. `deputy chat "
                                     "--resume 01"));
  const ProcessEnd same = deputy_.run({"chat", "--resume"}, "/quit\n");
  EXPECT_THAT(same.output, Not(HasSubstr("Waiting for your answer")));
}

TEST_F(ChatOverAPipe, ResumeTakesUpAChatAndNoSingleRequest) {
  deputy_.run({"chat"}, "hello\n/quit\n");
  deputy_.run({"ask", "which services are there?"});
  const ProcessEnd end = deputy_.run({"chat", "--resume"}, "/quit\n");
  EXPECT_THAT(end.output, HasSubstr("The last request was:\n> hello\n"));
}

TEST_F(ChatOverAPipe, EndsWhereEverythingIsPaused) {
  deputy_.run({"chat"}, "investigate the issue\n");
  EXPECT_EQ(deputy_.run({"pause"}).exit_code, 0);
  const ProcessEnd end = deputy_.run({"chat", "--resume"}, "checkout\nprod\nhello\n");
  EXPECT_EQ(end.exit_code, 3) << end.output << end.errors;
  EXPECT_THAT(end.output, HasSubstr("paused by"));
}

TEST_F(ChatOverAPipe, NothingToResumeSaysWhatToType) {
  const ProcessEnd end = deputy_.run({"chat", "--resume"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.errors, HasSubstr("`deputy chat` starts one"));
}

}  // namespace
}  // namespace deputy
