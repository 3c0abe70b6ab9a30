// `deputy ask` and what goes on with its runs, by the real program over a data folder of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "base/json.h"

namespace deputy {
namespace {

using test::Program;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr const char* kNeedsMore = "investigate the issue";  // which service, which environment

std::string text_at(const json::value& value, const char* key) {
  return std::string(as_view(value.at(key).as_string()));
}

class Ask : public testing::Test {
 protected:
  json::value json_of(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const auto parsed = parse_json(deputy_.run(std::move(arguments)).output);
    EXPECT_OK(parsed);
    return parsed.value_or(nullptr);
  }
  json::array runs() const { return json_of({"runs", "list"}).as_array(); }
  std::string only_interaction() const {
    const json::value waiting = json_of({"interactions", "list"});
    EXPECT_EQ(waiting.as_array().size(), 1U);
    return text_at(waiting.at(0), "interaction");
  }

  Program deputy_;
};

TEST_F(Ask, PrintsTheAnswerAloneAndEndsWithNought) {
  const ProcessEnd end = deputy_.run({"ask", "hello"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, StartsWith("Without a model I can only look things up. Try “"));
  EXPECT_THAT(end.output, Not(HasSubstr("`")));  // plain text, no Markdown
  EXPECT_EQ(end.errors, "notice: answers come from the offline planner (no model key is set)\n");
}

TEST_F(Ask, JsonHasTheRunItsOutcomeAndItsAnswer) {
  const json::value end = json_of({"ask", "hello"});
  EXPECT_EQ(text_at(end, "outcome"), "answered");
  EXPECT_THAT(text_at(end, "answer"), HasSubstr("offline planner"));
  EXPECT_EQ(text_at(runs().at(0), "run"), text_at(end, "run"));
}

TEST_F(Ask, WithoutARequestIsWrongUsage) { EXPECT_EQ(deputy_.run({"ask", "  "}).exit_code, 2); }

TEST_F(Ask, AQuestionThatNobodyAnswersIsPrintedWithTheCommandThatAnswersItAndTheRunWaits) {
  const ProcessEnd end = deputy_.run({"ask", kNeedsMore});
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_THAT(end.output, HasSubstr("Question 1 of 2: Which service?"));
  EXPECT_THAT(end.output, HasSubstr("Question 2 of 2: Which environment?"));
  EXPECT_THAT(end.output, HasSubstr("deputy interactions answer --run " + only_interaction() + " 'your words'"));
  EXPECT_EQ(text_at(runs().at(0), "state"), "parked");
}

TEST_F(Ask, WhatItAsksIsThereAsJsonToo) {
  const json::value end = json_of({"ask", kNeedsMore});
  EXPECT_EQ(text_at(end, "outcome"), "waiting");
  EXPECT_EQ(text_at(end.at("waiting").at(0).at("questions").at(1), "label"), "environment");
}

TEST_F(Ask, LinesOfStandardInputAnswerInOrder) {
  const ProcessEnd end = deputy_.run({"ask", kNeedsMore}, "checkout\nprod\n");
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, StartsWith("investigation · checkout · prod"));
  EXPECT_THAT(end.errors, HasSubstr("Which environment?"));
}

TEST_F(Ask, TooFewLinesLeaveTheRunParked) {
  EXPECT_EQ(deputy_.run({"ask", kNeedsMore}, "checkout\n").exit_code, 4);
  EXPECT_EQ(text_at(runs().at(0), "state"), "parked");
}

TEST_F(Ask, AnAnswerWithRunFinishesInTheForeground) {
  deputy_.run({"ask", kNeedsMore});
  const ProcessEnd end = deputy_.run({"interactions", "answer", "--run", only_interaction(), "checkout", "prod"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, StartsWith("investigation · checkout"));
  EXPECT_EQ(deputy_.run({"interactions", "list"}).output, "nothing waits for an answer\n");
}

TEST_F(Ask, WhatWaitsIsListedWithItsRequest) {
  deputy_.run({"ask", kNeedsMore});
  EXPECT_THAT(deputy_.run({"interactions", "list"}).output, HasSubstr(std::string(" asked: ") + kNeedsMore + "\n"));
  EXPECT_EQ(text_at(json_of({"interactions", "list"}).at(0), "request"), kNeedsMore);
}

TEST_F(Ask, AnAnswerMayNameTheRunThatWaitsForIt) {
  deputy_.run({"ask", kNeedsMore});
  const std::string run = text_at(runs().at(0), "run");
  const ProcessEnd end = deputy_.run({"interactions", "answer", "--run", run, "checkout", "prod"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, StartsWith("investigation · checkout"));
}

TEST_F(Ask, StopIsNoAnswerAndTheHintNamesTheRunToCancel) {
  deputy_.run({"ask", kNeedsMore});
  const ProcessEnd end = deputy_.run({"interactions", "answer", only_interaction(), "stop"});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.errors, HasSubstr("`deputy runs cancel " + text_at(runs().at(0), "run") + "`"));
}

TEST_F(Ask, AnAnswerAloneOnlyAnswersAndResumeGoesOn) {
  deputy_.run({"ask", kNeedsMore});
  const std::string run = text_at(runs().at(0), "run");
  const ProcessEnd answered = deputy_.run({"interactions", "answer", only_interaction(), "checkout", "prod"});
  EXPECT_EQ(answered.exit_code, 0) << answered.errors;
  EXPECT_THAT(answered.output, HasSubstr("deputy runs resume " + run));
  EXPECT_EQ(text_at(runs().at(0), "state"), "open");
  const ProcessEnd resumed = deputy_.run({"runs", "resume", run});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.errors;
  EXPECT_THAT(resumed.output, StartsWith("investigation · checkout"));
}

TEST_F(Ask, TooFewAnswersAreWrongUsageAndChangeNothing) {
  deputy_.run({"ask", kNeedsMore});
  const ProcessEnd end = deputy_.run({"interactions", "answer", only_interaction(), "checkout"});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.errors, HasSubstr("2 questions and was given 1"));
  EXPECT_EQ(text_at(runs().at(0), "state"), "parked");
}

TEST_F(Ask, ASecondAnswerIsToldThatSomebodyWasFirst) {
  deputy_.run({"ask", kNeedsMore});
  const std::string interaction = only_interaction();
  deputy_.run({"interactions", "answer", interaction, "checkout", "prod"});
  const ProcessEnd end = deputy_.run({"interactions", "answer", interaction, "search", "dev"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.errors, HasSubstr("lready"));
}

TEST_F(Ask, AKilledRunIsResumedAndAnswersOnce) {
  deputy_.variables["DEPUTY_FAILPOINT"] = "run.model.after";
  const ProcessEnd killed = deputy_.run({"ask", "hello"});
  EXPECT_EQ(killed.exit_code, 128 + 9);
  EXPECT_EQ(killed.output, "");
  deputy_.variables.clear();
  const ProcessEnd resumed = deputy_.run({"runs", "resume", text_at(runs().at(0), "run")});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.errors;
  EXPECT_THAT(resumed.output, StartsWith("Without a model"));
  EXPECT_EQ(runs().size(), 1U);
}

TEST_F(Ask, AParkedRunIsCancelled) {
  deputy_.run({"ask", kNeedsMore});
  const ProcessEnd end = deputy_.run({"runs", "cancel", text_at(runs().at(0), "run")});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("Stopped by"));
  EXPECT_EQ(text_at(runs().at(0), "state"), "cancelled");
  EXPECT_EQ(deputy_.run({"interactions", "list"}).output, "nothing waits for an answer\n");
}

TEST_F(Ask, EndsWithThreeWhenPolicyDeniedAllItWanted) {
  const ProcessEnd end = deputy_.run({"ask", kNeedsMore, "--set", "policy.mode=deny_all"}, "checkout\nprod\n");
  EXPECT_EQ(end.exit_code, 3) << end.output << end.errors;
}

TEST_F(Ask, EarlierRequestsOfTheSamePersonAreHistory) {
  const std::string run = text_at(json_of({"ask", "hello zebra"}), "run");
  const ProcessEnd found = deputy_.run({"tools", "call", "search_history", R"({"query": "zebra"})"});
  EXPECT_THAT(found.output, HasSubstr(run));
}

TEST_F(Ask, APipedAnswerIsShownAndNeverObeyed) {
  const ProcessEnd end = deputy_.run({"ask", kNeedsMore}, "check\x1b[31mout\nprod\n");
  EXPECT_THAT(end.errors, HasSubstr("> check\\u{1B}[31mout\n"));
  EXPECT_THAT(end.errors, Not(HasSubstr("\x1b")));
  const ProcessEnd wrong = deputy_.run({"runs", "show", "\x1b[31m"});
  EXPECT_THAT(wrong.errors, HasSubstr("no run `\\u{1B}[31m`"));
}

class ToolsCall : public Ask {
 protected:
  ProcessEnd call(const char* mode, std::string input = {}) const {
    return deputy_.run({"tools", "call", "list_sub_runs", "--set", std::string("policy.mode=") + mode},
                       std::move(input));
  }
};

TEST_F(ToolsCall, PrintsTheResult) {
  const ProcessEnd end = call("ask");
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_EQ(end.output, "There are no sub-runs here.\n");
}

TEST_F(ToolsCall, PrintsAllOfALongResult) {
  std::string lines;
  for (int i = 1; i <= 2000; ++i) lines += fmt::format("line number {}\n", i);
  deputy_.folder.write("work/long.txt", lines);
  const std::string root = "tools.workspace_tools.root=" + (deputy_.folder / "work").string();
  const std::vector<std::string> command{"tools", "call", "read_file", R"({"path": "long.txt"})", "--set", root};
  const ProcessEnd end = deputy_.run(command);
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("line number 1000"));
  EXPECT_THAT(end.output, HasSubstr("line number 2000"));
  EXPECT_THAT(end.output, Not(HasSubstr("read_result")));
  std::vector<std::string> asks = command;
  asks.insert(asks.end(), {"--set", "policy.mode=allowlist"});
  EXPECT_EQ(deputy_.run(asks).exit_code, 4);
  const ProcessEnd approved =
      deputy_.run({"interactions", "answer", "--run", only_interaction(), "yes", "--set", root});
  EXPECT_THAT(approved.output, HasSubstr("line number 2000"));
}

TEST_F(ToolsCall, AMistakeInAFormIsToldWithWhatToDo) {
  const ProcessEnd end = deputy_.run({"tools", "call", "ask_user", "{}"});
  EXPECT_EQ(end.exit_code, 1) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("is required and missing (What to ask"));
}

TEST_F(ToolsCall, WhatPolicyDeniesEndsWithThree) {
  const ProcessEnd end = call("deny_all");
  EXPECT_EQ(end.exit_code, 3) << end.output << end.errors;
}

TEST_F(ToolsCall, AnApprovalIsAskedAndAYesOnStandardInputLetsItRun) {
  const ProcessEnd end = call("allowlist", "yes\n");
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_EQ(end.output, "There are no sub-runs here.\n");
  EXPECT_THAT(end.errors, HasSubstr("Approval needed"));
}

TEST_F(ToolsCall, NoPartOfALineThatIsTooLongIsAnAnswer) {
  const ProcessEnd end = call("allowlist", std::string(64UL * 1024, 'a') + "yes\n");
  EXPECT_EQ(end.exit_code, 4) << end.output;
  EXPECT_THAT(end.errors, HasSubstr("longer than 64 KiB"));
}

TEST_F(ToolsCall, TheLineAfterOneThatIsTooLongIsReadAsUsual) {
  const ProcessEnd end = call("allowlist", std::string(200UL * 1024, 'a') + "\nyes\n");
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_EQ(end.output, "There are no sub-runs here.\n");
}

TEST_F(ToolsCall, ANoLeavesItUndone) {
  const ProcessEnd end = call("allowlist", "no not today\n");
  EXPECT_EQ(end.exit_code, 1) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("not today"));
}

TEST_F(ToolsCall, AnApprovalThatNobodyAnswersWaits) {
  const ProcessEnd end = call("allowlist");
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_THAT(end.output, HasSubstr(only_interaction() + " yes\n"));
  const ProcessEnd answered =
      deputy_.run({"interactions", "answer", "--run", only_interaction(), "yes", "--set", "policy.mode=allowlist"});
  EXPECT_EQ(answered.exit_code, 0) << answered.errors;
  EXPECT_EQ(answered.output, "There are no sub-runs here.\n");
}

TEST_F(ToolsCall, ASecretInTheArgumentsIsNeverStored) {
  const std::string token = "ghp_" + std::string("16C7e42F292c6912E7710c838347Ae178B4a");
  for (const std::string& query : {token, std::string("password: sommerabend")}) {
    const ProcessEnd end = deputy_.run({"tools", "call", "search_history", R"({"query": ")" + query + "\"}"});
    EXPECT_EQ(end.exit_code, 2) << query;
    EXPECT_THAT(end.errors, HasSubstr("by reference")) << query;
    EXPECT_THAT(runs(), IsEmpty()) << query;
  }
}

}  // namespace
}  // namespace deputy
