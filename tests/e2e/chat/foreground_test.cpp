// Commands that carry one run in the foreground (`ask`, `tools call`), the real program on a terminal.
#include <unistd.h>

#include "base/json.h"
#include "e2e/chat/chat_fixture.h"
#include "support/model_peer.h"

namespace deputy {
namespace {

using namespace std::chrono_literals;
using test::ModelPeer;
using test::Scenario;
using testing::HasSubstr;
using testing::Not;

// In the background.
json::object waits_to_write() {
  return {{"command", "until [ -e go ]; do sleep 0.05; done; echo b >> written"}, {"background", true}};
}

class Foreground : public Chat {
 protected:
  // Commands of a Deputy that is root run as the folder's owner, who is to write there.
  void SetUp() override {
    constexpr int kNobody = 65534;
    if (geteuid() == 0) ASSERT_EQ(chown(workspace().c_str(), kNobody, kNobody), 0);
  }

  std::unique_ptr<Pty> deputy(std::vector<std::string> arguments) const {
    test::PtySpec spec{{DEPUTY_PROGRAM}, environment(), workspace().string()};
    spec.arguments.insert(spec.arguments.end(), arguments.begin(), arguments.end());
    return std::make_unique<Pty>(spec);
  }
  std::unique_ptr<Pty> approved(std::vector<std::string> arguments) const {
    auto pty = deputy(std::move(arguments));
    pty->expect("e(x)plain ");
    pty->type("yes\r");
    return pty;
  }
  static std::vector<std::string> shell_call(const json::object& arguments) {
    return {"tools", "call", "shell", json::serialize(arguments)};
  }
  void until_written(const std::string& file) const {
    ProcessSpec spec;
    spec.arguments = {"/bin/sh", "-c", fmt::format("until [ -s {} ]; do sleep 0.02; done", file)};
    spec.environment = {"PATH=/usr/bin:/bin"};
    spec.working_dir = workspace().string();
    const Result<ProcessEnd> end = test::run(run_process(std::move(spec)));
    ASSERT_OK(end);
    ASSERT_FALSE(end->timed_out) << file;
  }
  void let_it_write() const { folder_.write("workspace/go", "go"); }
  std::string written() const { return text_of(workspace() / "written"); }
};

struct Carried {
  std::string name;
  std::vector<std::string> arguments;
};

class Paused : public Foreground, public testing::WithParamInterface<Carried> {};

constexpr const char* kTicks = "while true; do date +%s%N >> ticks; sleep 0.1; done";

TEST_P(Paused, AWriteThatRunsIsOverWithinASecond) {
  const auto pty = approved(GetParam().arguments);
  until_written("ticks");
  command({"pause"});
  const auto paused_at = std::chrono::system_clock::now();
  EXPECT_EQ(pty->end(15s), 3) << test::without_sequences(pty->raw());
  EXPECT_EQ(processes_with(workspace().string()), 0U);
  const std::string ticks = text_of(workspace() / "ticks");
  const std::size_t last = ticks.rfind('\n', ticks.size() - 2) + 1;  // 0 when there is one line
  const std::chrono::nanoseconds at(std::stoll(ticks.substr(last)));
  EXPECT_LT(at - paused_at.time_since_epoch(), 1s);
}

INSTANTIATE_TEST_SUITE_P(Commands, Paused,
                         testing::Values(Carried{"Ask", {"ask", fmt::format("run `{}`", kTicks)}},
                                         Carried{"ToolsCall",
                                                 {"tools", "call", "shell",
                                                  json::serialize(json::object{{"command", kTicks}})}}),
                         [](const auto& row) { return row.param.name; });

TEST_F(Foreground, WaitsForWhatWorksInTheBackgroundAndSaysWhatCameOfIt) {
  const auto pty = approved(shell_call(waits_to_write()));
  pty->expect("works in the background; waiting for it to end");
  let_it_write();
  pty->expect("in the background ended (task ");
  EXPECT_EQ(pty->end(), 0) << test::without_sequences(pty->raw());
  EXPECT_EQ(written(), "b\n");
  EXPECT_THAT(command({"runs", "list"}), Not(HasSubstr("  open ")));
}

TEST_F(Foreground, AskWaitsForWhatAModelLeftInTheBackground) {
  ModelPeer peer("anthropic.js", Scenario().call("shell", waits_to_write()).then().text("It is begun."));
  variables_ = {"ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL=" + peer.url()};
  const auto pty = approved({"ask", "write it down later"});
  pty->expect("works in the background; waiting for it to end");
  let_it_write();
  pty->expect("✓ [bg] shell ");
  EXPECT_EQ(pty->end(), 0);
  EXPECT_THAT(test::without_sequences(pty->raw()), HasSubstr("It is begun."));
  EXPECT_EQ(written(), "b\n");
}

class AskAtATerminal : public Foreground {};

TEST_F(AskAtATerminal, OneKeyAnswersAnApproval) {
  const auto pty = deputy({"ask", "run `echo b >> written; echo said-$((40+2))`"});
  pty->expect(kChoices);
  pty->type("y");
  pty->expect("✓ shell");
  pty->expect("said-42");
  EXPECT_EQ(pty->end(), 0) << test::without_sequences(pty->raw());
  EXPECT_TRUE(pty->is_in_line_mode());
  EXPECT_EQ(written(), "b\n");
}

TEST_F(AskAtATerminal, WhatIsDeniedIsNotDone) {
  const auto pty = deputy({"ask", "run `echo b >> written`"});
  pty->expect(kChoices);
  deny(*pty);
  pty->expect("⊘ shell");
  EXPECT_EQ(pty->end(), 3) << test::without_sequences(pty->raw());
  EXPECT_EQ(written(), "");
}

TEST_F(AskAtATerminal, KeysTypedWhileItWorksAnswerNothing) {
  Scenario scenario;
  scenario.call("list_files").then().hold().call("shell", {{"command", "echo b >> written"}}).then().text("Not done.");
  ModelPeer peer("anthropic.js", scenario);
  variables_ = {"ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL=" + peer.url()};
  const auto pty = deputy({"ask", "write it down"});
  pty->expect("✓ list_files");
  pty->type("yes\rya");
  peer.go_on();
  pty->expect(kChoices);
  EXPECT_EQ(written(), "");
  deny(*pty);
  pty->expect("Not done.");
  pty->end();
  EXPECT_EQ(written(), "");
  EXPECT_EQ(command({"grants", "list"}), "no active grants\n");
}

TEST_F(AskAtATerminal, AFormIsAnsweredWithKeys) {
  const auto pty = deputy({"ask", "investigate the issue"});
  pty->expect("Enter sends · Esc skips all");
  pty->type("checkout\r");
  pty->expect("Enter chooses · ← back · Esc skips all");
  pty->resize(24, 30);
  pty->expect("Enter chooses · ←\nback · Esc skips all");
  pty->type("\x1b[B\r");
  pty->end();
  EXPECT_THAT(test::without_sequences(pty->raw()), HasSubstr("? Which service? checkout\n"));
}

TEST_F(AskAtATerminal, AWaitForTheModelIsShown) {
  ModelPeer peer("anthropic.js", Scenario().refuses("rate_limit").then().text("Here I am."));
  variables_ = {"ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL=" + peer.url()};
  const auto pty = deputy({"ask", "hello"});
  pty->expect("retry in ");
  pty->expect("Here I am.");
  EXPECT_EQ(pty->end(), 0);
}

TEST_F(AskAtATerminal, InterruptStopsTheRunAndKeepsItsOutput) {
  const auto pty = deputy({"ask", "run `echo before; sleep 86373`"});
  pty->expect(kChoices);
  pty->type("Y");
  pty->expect("⚙ shell");
  pty->type("too early");
  pty->expect("What is typed now is not read.");
  pty->expect("│ before");
  pty->type("\x03");
  pty->expect("Stopping.");
  pty->expect("before");
  EXPECT_EQ(pty->end(), 1) << test::without_sequences(pty->raw());
  EXPECT_EQ(processes_with("sleep 86373"), 0U);
  EXPECT_THAT(command({"runs", "list"}), HasSubstr("cancelled"));
}

TEST_F(AskAtATerminal, LeavingAnApprovalLeavesItWaiting) {
  const auto pty = deputy({"ask", "run `echo b >> written`"});
  pty->expect(kChoices);
  pty->type("n");
  pty->expect("reason, or Enter for none");
  pty->type("\x04");
  pty->expect("Not finished.");
  pty->expect("deputy runs resume ");
  const std::string run = pty->expect("\n");
  EXPECT_EQ(pty->end(), 4);
  EXPECT_EQ(written(), "");
  const auto resumed = deputy({"runs", "resume", run});
  resumed->expect("e(x)plain ");
  resumed->type("yes\r");
  EXPECT_EQ(resumed->end(), 0);
  EXPECT_EQ(written(), "b\n");
}

TEST_F(AskAtATerminal, HalfALineAtASettledApprovalDoesNotHideTheNext) {
  Scenario scenario;
  scenario.call("shell", {{"command", "echo a >> written"}}).then();
  scenario.call("shell", {{"command", "echo b >> written"}}).then().text("One of the two.");
  ModelPeer peer("anthropic.js", scenario);
  variables_ = {"ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL=" + peer.url()};
  const auto pty = deputy({"ask", "write it down"});
  pty->expect(kChoices);
  pty->type("perhaps");
  pty->expect("perhaps");
  const std::string waits = command({"interactions", "list"});
  command({"interactions", "answer", waits.substr(waits.find("01"), 10), "no"});
  pty->expect("Already settled");
  pty->expect("$ echo b >> written");
  pty->expect(kChoices);
  pty->type("y");
  pty->expect("One of the two.");
  EXPECT_EQ(pty->end(), 0);
  EXPECT_EQ(written(), "b\n");
}

TEST_F(AskAtATerminal, WhoMayNotApproveIsAskedAgainAndCanLeaveItToOthers) {
  const auto pty = deputy({"ask", "run `echo b >> written`", "--set", "people.bo.slack=T1/U2", "--set",
                           "policy.approvers.workspace_tools=[\"bo\"]"});
  pty->expect("│ asks because");
  pty->expect("e(x)plain");
  pty->type("y");
  pty->expect("│ asks because");
  pty->expect("e(x)plain");
  pty->type("\x04");
  EXPECT_EQ(pty->end(), 4) << test::without_sequences(pty->raw());
  EXPECT_EQ(written(), "");
}

TEST_F(AskAtATerminal, InterruptStopsWhatIsLeftInTheBackground) {
  ModelPeer peer("anthropic.js", Scenario().call("shell", waits_to_write()).then().text("It is begun."));
  variables_ = {"ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL=" + peer.url()};
  const auto pty = approved({"ask", "write it down later"});
  pty->expect("works in the background; waiting for it to end");
  pty->type("\x03");
  pty->expect("Stopping.");
  pty->end();
  EXPECT_EQ(processes_with(workspace().string()), 0U);
  EXPECT_EQ(written(), "");
}

TEST_F(AskAtATerminal, AJobInTheBackgroundIsNotStopped) {
  Pty pty({{"/usr/bin/timeout", "30", DEPUTY_PROGRAM, "ask", "hello"}, environment(), workspace().string()});
  pty.expect("Without a model I can only look things up");
  EXPECT_EQ(pty.end(), 0);
}

TEST_F(AskAtATerminal, ItsCommandsAreNoneOfAChat) {
  const auto pty = deputy({"ask", "run `echo b >> written`"});
  pty->expect(kChoices);
  pty->type("/yolo\r");
  pty->expect("commands are for a conversation");
  pty->expect("│ asks because");
  pty->expect(kChoices);
  deny(*pty);
  EXPECT_EQ(pty->end(), 3);
}

TEST_F(Foreground, WhatWorksInTheBackgroundIsCancelledByItsId) {
  const auto pty = approved(shell_call(waits_to_write()));
  pty->expect("notice: task ");
  const std::string task = pty->expect(" works in the background");
  command({"runs", "cancel", task.substr(0, 26)});
  EXPECT_EQ(pty->end(20s), 0) << test::without_sequences(pty->raw());
  EXPECT_EQ(processes_with(workspace().string()), 0U);
  EXPECT_EQ(written(), "");
}

TEST_F(Foreground, ACallByHandHasTheTimeOfItsTool) {
  std::vector<std::string> call = shell_call({{"command", "sleep 50"}});
  call.insert(call.end(), {"--set", "tools.workspace_tools.shell.timeout_seconds=1"});
  const auto pty = approved(call);
  EXPECT_EQ(pty->end(20s), 1) << test::without_sequences(pty->raw());
}

}  // namespace
}  // namespace deputy
