// The shell tool; what its sandbox keeps out is in sandbox_test.cpp.
#include <unistd.h>

#include "support/manual_clock.h"
#include "toolkit/executor.h"
#include "tools/workspace/workspace_fixture.h"

namespace deputy::tools {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class ShellTest : public WorkspaceTest {
 protected:
  void SetUp() override {
    ASSERT_EQ(setup.programs.missing(), "");
    if (geteuid() == 0) {
      ASSERT_EQ(chown(work.c_str(), 54321, 54321), 0);
    }
    tool = shell_tool(setup);
  }

  /// As a run does.
  toolkit::Executed execute(const char* command, std::chrono::milliseconds limit) {
    const test::ManualClock clock;
    toolkit::Executor executor(clock);
    const json::object arguments = *tool->complete_arguments({{"command", command}});
    Result<toolkit::Pipeline> chain = tool->compose(arguments);
    EXPECT_OK(chain);
    Result<toolkit::Link> link = std::move(*chain).take("run");
    EXPECT_OK(link);
    toolkit::Executed executed =
        test::run_on(loop, executor.execute({.tool = "shell",
                                             .link = *std::move(link),
                                             .context = {.call_id = "c1", .arguments = arguments},
                                             .timeout = limit}));
    EXPECT_EQ(executor.left_behind(), 0);
    return executed;
  }

  Tool tool;
};

TEST_F(ShellTest, ShowsWhatACommandSaidAndItsExitCode) {
  EXPECT_EQ(text_of(tool, {{"command", "echo out; echo err >&2; exit 4"}}), "out\nerr\n[exit code 4]");
  EXPECT_EQ(text_of(tool, {{"command", "true"}}), "[exit code 0]");
  EXPECT_EQ(text_of(tool, {{"command", "printf no-end"}}), "no-end\n[exit code 0]");
  EXPECT_TRUE(streamed.contains("out\n")) << streamed;
}

TEST_F(ShellTest, RunsInTheFolderItIsGiven) {
  fs::create_directories(work / "sub");
  EXPECT_EQ(text_of(tool, {{"command", "pwd"}, {"working_dir", "sub"}}), "/workspace/sub\n[exit code 0]");
  EXPECT_FAILS(call(tool, {{"command", "pwd"}, {"working_dir", "../x"}}), permission);
  EXPECT_FAILS(call(tool, {{"command", "pwd"}, {"working_dir", "/etc"}}), permission);
  EXPECT_FAILS(call(tool, {{"command", "pwd"}, {"working_dir", "none"}}), not_configured);
}

TEST_F(ShellTest, WritesWhatOtherToolsRead) {
  EXPECT_EQ(text_of(tool, {{"command", "echo new > made.txt"}}), "[exit code 0]");
  EXPECT_EQ(text_of(read_file_tool(setup), {{"path", "made.txt"}}), "new\n");
}

TEST_F(ShellTest, BoundsWhatIsSaidAndMarksIt) {
  const std::string text = text_of(tool, {{"command", "head -c 100000000 /dev/zero | tr '\\0' x; echo; echo last"}});
  EXPECT_LT(text.size(), 50'200U);
  EXPECT_TRUE(text.contains("… 99950006 bytes of output are not shown …")) << text.substr(29'990, 100);
  EXPECT_TRUE(text.ends_with("last\n[exit code 0]"));
  EXPECT_LT(streamed.size(), 100'000U);
}

TEST_F(ShellTest, ACommandThatTakesTooLongIsEnded) {
  timeout = 1500ms;
  const auto ended = call(tool, {{"command", "echo begun; sleep 300"}});
  ASSERT_FAILS(ended, timeout);
  EXPECT_TRUE(ended.error().message.contains("begun"));
}

// A write that was under way has an unknown outcome.
TEST_F(ShellTest, IsUnknownWhenItIsCutOff) {
  const toolkit::Executed executed = execute("sleep 300", 1s);
  const auto* failure = std::get_if<toolkit::Failure>(&executed.outcome);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->status, toolkit::Status::unknown);
}

TEST_F(ShellTest, IsUnknownWhenItFillsTheDisk) {
  setup.limits.least_free_bytes = fs::space(work).available - (30UL << 20);
  tool = shell_tool(setup);
  const toolkit::Executed executed =
      execute("echo begun; for i in 1 2 3 4 5 6 7 8 9; do head -c 20000000 /dev/zero > big$i; done; sleep 300", 60s);
  const auto* failure = std::get_if<toolkit::Failure>(&executed.outcome);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->status, toolkit::Status::unknown);
  EXPECT_TRUE(failure->error.message.contains("nearly full and the command was stopped; its output so far: begun"))
      << failure->error.message;
}

TEST_F(ShellTest, IsAnErrorWhenNothingWasStarted) {
  setup.limits.least_free_bytes = std::numeric_limits<std::uint64_t>::max();
  tool = shell_tool(setup);
  const toolkit::Executed executed = execute("true", 60s);
  const auto* failure = std::get_if<toolkit::Failure>(&executed.outcome);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->status, toolkit::Status::error);
}

TEST_F(ShellTest, IsJudgedAsACommandLineThatWrites) {
  EXPECT_EQ(tool->spec().primary_param, "command");
  EXPECT_TRUE(tool->spec().primary_is_command_line);
  EXPECT_EQ(toolkit::effect_of(tool->spec(), {{"command", "ls"}}), toolkit::Effect::write);
}

TEST_F(ShellTest, WithoutBubblewrapSaysWhatToInstall) {
  setup.programs.bwrap.clear();
  const Tool off = shell_tool(setup);
  EXPECT_TRUE(off->spec().missing.starts_with("install bubblewrap"));
  EXPECT_FAILS(call(off, {{"command", "ls"}}), not_configured);
}

}  // namespace
}  // namespace deputy::tools
