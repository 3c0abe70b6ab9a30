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

TEST_F(ChatOverAPipe, AnApprovalIsAskedAndAnsweredWithLines) {
  const std::vector<std::string> command{"chat", "--set", "policy.mode=allowlist"};
  const ProcessEnd yes = deputy_.run(command, "/call list_sub_runs\ny\n");
  EXPECT_THAT(yes.output, HasSubstr("[y]es / [n]o / [a]lways / e(x)plain"));
  EXPECT_THAT(yes.output, HasSubstr("✓ list_sub_runs"));
  const ProcessEnd no = deputy_.run(command, "/call list_sub_runs\nmaybe\nno because\n");
  EXPECT_THAT(no.output, HasSubstr("neither yes nor no"));
  EXPECT_THAT(no.output, HasSubstr("⊘ list_sub_runs"));
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

TEST_F(ChatOverAPipe, TheEndOfTheInputIsHeardWhereAReasonIsAsked) {
  const ProcessEnd end = deputy_.run({"chat", "--set", "policy.mode=allowlist"}, "/call list_sub_runs\nno\n");
  EXPECT_THAT(end.output, HasSubstr("reason, or an empty line for none:"));
  EXPECT_EQ(end.errors, "");
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
