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
    give_to_another();
    tool = shell_tool(setup);
  }

  /// Commands never run as root, and what tests write is its owner's alone.
  void give_to_another() const {
    if (geteuid() != 0) return;
    ASSERT_EQ(chown(work.c_str(), 54321, 54321), 0);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(work))
      ASSERT_EQ(lchown(entry.path().c_str(), 54321, 54321), 0);
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
  const toolkit::Executed executed = execute("date", 60s);
  const auto* failure = std::get_if<toolkit::Failure>(&executed.outcome);
  ASSERT_NE(failure, nullptr);
  EXPECT_EQ(failure->status, toolkit::Status::error);
}

TEST_F(ShellTest, IsJudgedAsACommandLineThatWritesUnlessItOnlyReads) {
  EXPECT_EQ(tool->spec().primary_param, "command");
  EXPECT_TRUE(tool->spec().primary_is_command_line);
  EXPECT_EQ(toolkit::effect_of(tool->spec(), {{"command", "make"}}), toolkit::Effect::write);
  EXPECT_EQ(toolkit::effect_of(tool->spec(), {{"command", "ls > a"}}), toolkit::Effect::write);
  EXPECT_EQ(toolkit::effect_of(tool->spec(), {}), toolkit::Effect::write);
  EXPECT_EQ(toolkit::effect_of(tool->spec(), {{"command", "ls -l"}}), toolkit::Effect::read);
  EXPECT_EQ(toolkit::words_of(tool->spec(), {{"command", "make"}}).why_write,
            "`make` is not a command that is known to only read");
  EXPECT_EQ(toolkit::words_of(tool->spec(), {{"command", "ls -l"}}).why_write, "");
}

TEST_F(ShellTest, AGrantIsBoundToCommandSubcommandAndOptions) {
  const auto pins = [&](const char* line) {
    const auto bound = toolkit::pins_of(tool->spec(), {{"command", line}});
    return bound.contains("command") ? bound.at("command") : std::string("exactly");
  };
  EXPECT_EQ(pins("make"), "make");
  EXPECT_EQ(pins("make test"), "make test");
  EXPECT_EQ(pins("git push origin main"), "git push origin main");
  EXPECT_EQ(pins("git push --force origin feature/x"), "git push --force …");
  EXPECT_EQ(pins("aws s3 rm s3://x"), "aws s3 rm …");
  EXPECT_EQ(pins("kubectl get pods -n shop"), "kubectl get pods -n …");
  EXPECT_EQ(pins("touch a.txt b"), "exactly");  // `b` could be a subcommand behind an argument
  EXPECT_EQ(pins("touch a.txt"), "touch …");
  EXPECT_EQ(pins("pytest -x tests/"), "pytest -x …");
  EXPECT_EQ(pins("cp -- -a x.txt"), "cp -- …");
  EXPECT_EQ(pins("x --m='a --force'"), "x '--m=a --force'");  // not the same as two options
  EXPECT_EQ(pins("x --m=a --force"), "x --m=a --force");
  EXPECT_EQ(pins("mkdir -p a/b && make test"), "mkdir -p …; make test");
  // What options belong to, or what is run, cannot be read.
  for (const char* line : {"kubectl -n shop get pods", "rm -rf build", "sh -c x", "sudo make", "python3 a.py",
                           "X=1 make", "make > a", "touch *", "touch $X", "make; sh a", "git -C a push", "ssh host ls"})
    EXPECT_EQ(pins(line), "exactly") << line;
  EXPECT_NE(toolkit::pins_of(tool->spec(), {{"command", "make"}}),
            toolkit::pins_of(tool->spec(), {{"command", "make"}, {"working_dir", "sub"}}));
  EXPECT_EQ(toolkit::pins_of(tool->spec(), {{"command", "make"}}),
            toolkit::pins_of(tool->spec(), {{"command", "make"}, {"working_dir", "."}}));
}

// Programs that settings list wrongly, so that the sandbox is what refuses.
TEST_F(ShellTest, ACommandThatOnlyReadsCannotWriteAndHasNoNetwork) {
  setup.network = Network::shared;
  setup.read_commands = std::make_shared<ReadCommands>(ReadCommandSettings{{"touch", {}}, {"getent hosts", {}}});
  tool = shell_tool(setup);
  EXPECT_TRUE(text_of(tool, {{"command", "touch made"}}).contains("Read-only file system"));
  EXPECT_FALSE(fs::exists(work / "made"));
  EXPECT_EQ(text_of(tool, {{"command", "cat /proc/net/route | wc -l"}}), "1\n[exit code 0]");
  EXPECT_EQ(text_of(tool, {{"command", "cat README.md"}}), "# Work\n[exit code 0]");
}

TEST_F(ShellTest, ACommandThatOnlyReadsSeesNoFileThatRulesForbid) {
  folder.write("work/.env", "blue heron\n");
  folder.write("work/secrets/deep/prod.txt", "blue heron\n");
  folder.write("work/one/.git/config", "blue heron\n");
  folder.write("work/notes.txt", "grey heron\n");
  fs::create_hard_link(work / ".env", work / "copy");
  fs::create_symlink(".env", work / "link");
  fs::create_symlink("secrets", work / "folder");
  fs::create_symlink(folder / "work/.env", work / "absolute");
  fs::create_symlink("/etc/shadow", work / "out");
  give_to_another();
  may_read = [](std::string_view path, bool several_names) {
    return !several_names && !path.contains(".env") && !path.starts_with("secrets/") && !path.contains(".git/config");
  };
  for (const char* command :
       {"cat .env", "cat copy", "cat link", "cat absolute", "cat folder/deep/prod.txt", "cat secrets/deep/prod.txt",
        "grep -r heron . --include=.env", "cat ./secrets/../.env", "cat /workspace/.env", "cat /proc/self/cwd/.env",
        "cat /proc/self/root/workspace/.env", "head -c 100 .e*", "cat one/.git/config", "find . -name prod.txt",
        "ls secrets/deep", "cat out", "cat /usr/local/etc/passwords", "cat /etc/shadow"}) {
    const std::string said = text_of(tool, {{"command", command}});
    EXPECT_FALSE(said.contains("blue") || said.contains("root:")) << command << ": " << said;
    EXPECT_TRUE(said.contains("ermission denied") || said.contains("No such file") || said.contains("[exit code 0]"))
        << command << ": " << said;
  }
  EXPECT_EQ(text_of(tool, {{"command", "grep -rhs heron ."}}), "grey heron\n[exit code 2]");
  // What a person approves sees all of it.
  EXPECT_TRUE(text_of(tool, {{"command", "cat .env 2>/dev/null"}}).contains("blue heron"));
}

TEST_F(ShellTest, WhatCannotBeHiddenIsNotRun) {
  for (int i = 0; i < 20; ++i) folder.write("work/f" + std::to_string(i), "x");
  give_to_another();
  setup.max_walked = 10;
  tool = shell_tool(setup);
  EXPECT_EQ(text_of(tool, {{"command", "cat f1"}}), "x\n[exit code 0]");
  may_read = [](std::string_view, bool several_names) { return !several_names; };
  EXPECT_FAILS(call(tool, {{"command", "cat f1"}}), permission);
}

TEST_F(ShellTest, ASettingOfTheRepositoryMakesGitRunNothing) {
  EXPECT_TRUE(text_of(tool, {{"command",
                              "git init -q . && printf '#!/bin/sh\necho obeyed >&2\n' > x && chmod +x x && git "
                              "config core.fsmonitor ./x && git config core.pager ./x && git add x && git -c "
                              "user.name=x -c user.email=x@example.com commit -qm first"}})
                  .contains("obeyed"));  // it does where a person approves
  for (const char* command : {"git status --short", "git log -1 --format=%s", "git diff", "git log -1 --format=%G?"})
    EXPECT_FALSE(text_of(tool, {{"command", command}}).contains("obeyed")) << command;
  EXPECT_EQ(text_of(tool, {{"command", "git log -1 --format=%s"}}), "first\n[exit code 0]");
}

TEST_F(ShellTest, ACommandThatOnlyReadsMakesGitFetchNothing) {
  ASSERT_EQ(
      text_of(tool, {{"command",
                      "git init -q . && printf '#!/bin/sh\necho obeyed >&2\n' > x && chmod +x x && git add x && git "
                      "-c user.name=x -c user.email=x@example.com commit -qm first && git config "
                      "core.repositoryformatversion 1 && git config extensions.partialClone origin && git config "
                      "remote.origin.promisor true && git config remote.origin.url ext::/workspace/x && git "
                      "config protocol.ext.allow always && git rev-parse HEAD:x | sed 's|^..|.git/objects/&/|' | "
                      "xargs rm -f"}}),
      "[exit code 0]");
  EXPECT_TRUE(text_of(tool, {{"command", "git log --stat > /dev/null"}}).contains("obeyed"));  // a person approved it
  EXPECT_FALSE(text_of(tool, {{"command", "git log --stat"}}).contains("obeyed"));
}

// What git keeps of a file is as forbidden as the file; what prints it asks (read_commands_test.cpp).
TEST_F(ShellTest, WhatGitKeepsIsSeenByGitAlone) {
  folder.write("work/.env", "blue heron\n");
  give_to_another();
  ASSERT_EQ(text_of(tool, {{"command",
                            "git init -q . && git add -f .env && git -c user.name=x -c user.email=x@example.com commit "
                            "-qm first && cp .env .git/kept"}}),
            "[exit code 0]");
  EXPECT_TRUE(text_of(tool, {{"command", "cat .git/kept"}}).contains("blue"));  // there is no rule
  may_read = [](std::string_view path, bool several_names) { return !several_names && path != ".env"; };
  for (const char* command : {"cat .git/kept", "od -c .git/kept", "grep -r heron .git"})
    EXPECT_TRUE(text_of(tool, {{"command", command}}).contains("ermission denied")) << command;
  EXPECT_EQ(text_of(tool, {{"command", "git log -1 --format=%s"}}), "first\n[exit code 0]");
}

TEST_F(ShellTest, WithoutBubblewrapSaysWhatToInstall) {
  setup.programs.bwrap.clear();
  const Tool off = shell_tool(setup);
  EXPECT_TRUE(off->spec().missing.starts_with("install bubblewrap"));
  EXPECT_FAILS(call(off, {{"command", "ls"}}), not_configured);
}

}  // namespace
}  // namespace deputy::tools
