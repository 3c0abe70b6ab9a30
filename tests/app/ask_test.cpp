// `deputy ask` and what goes on with its runs, by the real program over a data folder of its own.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "app/program.h"
#include "base/files.h"
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
  /// With these lines as the file of --answers.
  ProcessEnd answered(const std::string& lines, std::vector<std::string> arguments, std::string piped = {}) const {
    arguments.insert(arguments.end(), {"--answers", deputy_.folder.write("answers", lines).string()});
    return deputy_.run(std::move(arguments), std::move(piped));
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
  EXPECT_THAT(end.output,
              HasSubstr("deputy interactions answer --run " + only_interaction().substr(0, 10) + " 'your words'"));
  EXPECT_EQ(text_at(runs().at(0), "state"), "parked");
}

TEST_F(Ask, WhatItAsksIsThereAsJsonToo) {
  const json::value end = json_of({"ask", kNeedsMore});
  EXPECT_EQ(text_at(end, "outcome"), "waiting");
  EXPECT_EQ(text_at(end.at("waiting").at(0).at("questions").at(1), "label"), "environment");
}

TEST_F(Ask, LinesOfTheAnswersFileAnswerInOrder) {
  const ProcessEnd end = answered("checkout\nprod\n", {"ask", kNeedsMore});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, StartsWith("investigation · checkout · prod"));
  EXPECT_THAT(end.errors, HasSubstr("Which environment?"));
}

TEST_F(Ask, TooFewLinesLeaveTheRunParked) {
  EXPECT_EQ(answered("checkout\n", {"ask", kNeedsMore}).exit_code, 4);
  EXPECT_EQ(text_at(runs().at(0), "state"), "parked");
}

TEST_F(Ask, TheFirstLineOfTheFileThatDoesNotFitEndsItWithFour) {
  const ProcessEnd end = answered("checkout\nstop\nprod\n", {"ask", kNeedsMore});
  EXPECT_EQ(end.exit_code, 4) << end.output;
  EXPECT_THAT(end.errors, HasSubstr("`stop` is not an answer"));
  EXPECT_EQ(text_at(runs().at(0), "state"), "parked");
}

TEST_F(Ask, AnAnswersFileThatIsNotThereIsWrongUsage) {
  const ProcessEnd end = deputy_.run({"ask", "hello", "--answers", "nowhere.txt"});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.errors, HasSubstr("nowhere.txt"));
  EXPECT_THAT(runs(), IsEmpty());
}

// Seen: 2,000 lines of a log and a `yes` approved a write.
TEST_F(Ask, WhatIsPipedInIsContextAndNeverAnAnswer) {
  const ProcessEnd end = deputy_.run({"ask", kNeedsMore}, "checkout\nprod\nyes\n");
  EXPECT_EQ(end.exit_code, 4) << end.output << end.errors;
  EXPECT_THAT(end.output, HasSubstr("Question 1 of 2: Which service?"));
  const json::value shown = json_of({"runs", "show", text_at(runs().at(0), "run")});
  const json::value& received = shown.at("journal").at(0).at("body");
  EXPECT_EQ(text_at(received, "text"), kNeedsMore);
  EXPECT_EQ(text_at(received, "piped"), "checkout\nprod\nyes\n");
}

TEST_F(Ask, OfMuchPipedTextTheMiddleIsLeftOutAndThatIsSaid) {
  const ProcessEnd end = deputy_.run({"ask", "hello"}, "first\n" + std::string(2'000'000, 'x') + "\nlast\n");
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("only the first 1 MB of what was piped in is read"));
  deputy_.run_in_shell("runs show " + text_at(runs().at(0), "run") + " --json >shown.json");
  const auto shown = parse_json(test::read_file(deputy_.project() / "shown.json"));
  ASSERT_OK(shown);
  const std::string piped = text_at(shown->at("journal").at(0).at("body"), "piped");
  EXPECT_THAT(piped, StartsWith("first\nxxx"));
  EXPECT_THAT(piped, HasSubstr("[… 1000576 characters in the middle are not shown …]"));
  EXPECT_LT(piped.size(), 50'000U);
}

TEST_F(Ask, ASecretThatIsPipedInIsRedacted) {
  const std::string token = "ghp_" + std::string("16C7e42F292c6912E7710c838347Ae178B4a");
  deputy_.run({"ask", "hello"}, "using " + token + "\n");
  EXPECT_THAT(json::serialize(json_of({"runs", "show", text_at(runs().at(0), "run")})), Not(HasSubstr(token)));
}

/// A named pipe in the project's folder whose writer is there and says nothing by itself.
struct NamedPipe {
  explicit NamedPipe(const std::filesystem::path& path) {
    EXPECT_EQ(mkfifo(path.c_str(), 0600), 0);
    writer = FileDescriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  }
  FileDescriptor writer;
};

TEST_F(Ask, APipeThatSaysNothingForThreeSecondsHoldsNoContext) {
  const NamedPipe silent(deputy_.project() / "silent");
  const ProcessEnd end = deputy_.run_in_shell("ask hello <silent");
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.errors, HasSubstr("nothing was piped in within 3 seconds"));
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
  EXPECT_THAT(end.errors, HasSubstr("`deputy runs cancel " + text_at(runs().at(0), "run").substr(0, 10) + "`"));
}

TEST_F(Ask, AnAnswerAloneOnlyAnswersAndResumeGoesOn) {
  deputy_.run({"ask", kNeedsMore});
  const std::string run = text_at(runs().at(0), "run");
  const ProcessEnd answered = deputy_.run({"interactions", "answer", only_interaction(), "checkout", "prod"});
  EXPECT_EQ(answered.exit_code, 0) << answered.errors;
  EXPECT_THAT(answered.output, HasSubstr("deputy runs resume " + run.substr(0, 10) + "`"));
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
  const ProcessEnd again = deputy_.run({"runs", "cancel", text_at(runs().at(0), "run")});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.errors, HasSubstr("has ended already"));
}

TEST_F(Ask, ATooLongRequestIsRefusedWhole) {
  const ProcessEnd end = deputy_.run({"ask", std::string(40'001, 'x')});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.errors, HasSubstr("40001 characters"));
  EXPECT_TRUE(runs().empty());
}

TEST_F(Ask, EndsWithThreeWhenPolicyDeniedAllItWanted) {
  const ProcessEnd end = answered("checkout\nprod\n", {"ask", kNeedsMore, "--set", "policy.mode=deny_all"});
  EXPECT_EQ(end.exit_code, 3) << end.output << end.errors;
}

TEST_F(Ask, EarlierRequestsOfTheSamePersonAreHistory) {
  const std::string run = text_at(json_of({"ask", "hello zebra"}), "run");
  const ProcessEnd found = deputy_.run({"tools", "call", "search_history", R"({"query": "zebra"})"});
  EXPECT_THAT(found.output, HasSubstr(run));
}

TEST_F(Ask, AnAnswerOfAFileIsShownAndNeverObeyed) {
  const ProcessEnd end = answered("check\x1b[31mout\nprod\n", {"ask", kNeedsMore});
  EXPECT_THAT(end.errors, HasSubstr("> check\\u{1B}[31mout\n"));
  EXPECT_THAT(end.errors, Not(HasSubstr("\x1b")));
  const ProcessEnd wrong = deputy_.run({"runs", "show", "\x1b[31m"});
  EXPECT_THAT(wrong.errors, HasSubstr("no run `\\u{1B}[31m`"));
}

constexpr const char* kAllAsk = "policy.mode=allowlist";

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

TEST_F(ToolsCall, AYesOnStandardInputApprovesNothing) {
  const ProcessEnd end = call("allowlist", "yes\n");
  EXPECT_EQ(end.exit_code, 4) << end.output;
  EXPECT_THAT(end.output, HasSubstr("Approval needed"));
}

TEST_F(ToolsCall, AYesInTheAnswersFileApprovesNothing) {
  for (const char* line : {"yes", "y", "always", "approve", "approve 000000"}) {
    const ProcessEnd end = answered(std::string(line) + "\n", {"tools", "call", "list_sub_runs", "--set", kAllAsk});
    EXPECT_EQ(end.exit_code, 4) << line << end.output;
    EXPECT_THAT(end.errors, HasSubstr("does not answer this approval")) << line;
  }
}

TEST_F(ToolsCall, TheCodeInTheAnswersFileLetsItRun) {
  const json::value waiting = json_of({"tools", "call", "list_sub_runs", "--set", kAllAsk});
  const std::string code = text_at(waiting.at("waiting").at(0), "code");
  const ProcessEnd end =
      answered("approve " + code + "\n", {"runs", "resume", text_at(waiting, "run"), "--set", kAllAsk});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_EQ(end.output, "There are no sub-runs here.\n");
  EXPECT_THAT(end.errors, HasSubstr("Only `approve " + code + "` or"));
}

// The script reads the question before it writes its answer.
TEST_F(ToolsCall, AnAnswersPipeIsWaitedFor) {
  const NamedPipe answers(deputy_.project() / "answers");
  const std::jthread script([&](const std::stop_token& stop) {
    for (; !stop.stop_requested(); std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
      std::ostringstream text;
      text << std::ifstream(deputy_.project() / "said").rdbuf();
      const std::size_t at = text.str().find("`approve ");
      if (at == std::string::npos || text.str().size() < at + 16) continue;
      const std::string line = text.str().substr(at + 1, 14) + "\n";
      EXPECT_EQ(::write(answers.writer.number, line.data(), line.size()), static_cast<ssize_t>(line.size()));
      return;
    }
  });
  const ProcessEnd end =
      deputy_.run_in_shell(fmt::format("tools call list_sub_runs --set {} --answers answers 2>said", kAllAsk));
  EXPECT_EQ(end.exit_code, 0) << end.output;
  EXPECT_EQ(end.output, "There are no sub-runs here.\n");
}

TEST_F(ToolsCall, NoPartOfALineThatIsTooLongIsAnAnswer) {
  const ProcessEnd end = answered(std::string(64UL * 1024, 'a') + "approve\n", {"ask", kNeedsMore});
  EXPECT_EQ(end.exit_code, 4) << end.output;
  EXPECT_THAT(end.errors, HasSubstr("longer than 64 KiB"));
}

TEST_F(ToolsCall, AnApprovalThatNobodyAnswersWaits) {
  const ProcessEnd end = call("allowlist");
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_THAT(end.output, HasSubstr(only_interaction().substr(0, 10) + " yes\n"));
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
