// What is judged is what is done: rules on paths, folders, URLs and command lines, by the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/program.h"
#include "base/json.h"
#include "base/process.h"
#include "support/http_peer.h"
#include "support/loop.h"

namespace deputy {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

constexpr int kDone = 0;
constexpr int kDenied = 3;
constexpr int kAsks = 4;

class JudgedAtWork : public testing::Test {
 protected:
  /// `policy` is the text below that key.
  void rules(const std::string& policy, const std::string& workspace = {}) const {
    deputy_.write_user(fmt::format("policy: {{{}}}\ntools: {{workspace_tools: {{root: '{}'{}}}}}\n", policy,
                                   work().string(), workspace));
  }
  ProcessEnd call(const std::string& tool, const json::object& arguments) const {
    return deputy_.run({"tools", "call", tool, json::serialize(arguments)});
  }
  fs::path work() const { return deputy_.folder / "work"; }
  /// Commands never run as root, and what tests write is its owner's alone.
  void give_to_another() const {
    if (geteuid() != 0) return;
    EXPECT_EQ(lchown(work().c_str(), 54321, 54321), 0);
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(work()))
      EXPECT_EQ(lchown(entry.path().c_str(), 54321, 54321), 0);
  }

  test::Program deputy_;
};

TEST_F(JudgedAtWork, ADeniedFileIsReadUnderNoSpellingAndThroughNoLink) {
  rules(R"(hard_deny: [{tool: read_file, deny: ['^\.env$', '^secrets/']}])");
  deputy_.folder.write("work/.env", "blue heron\n");
  deputy_.folder.write("work/secrets/prod.txt", "blue heron\n");
  deputy_.folder.write("work/notes.txt", "grey heron\n");
  fs::create_symlink(".env", work() / "link");
  fs::create_symlink("secrets", work() / "folder");
  for (const char* path :
       {".env", "./.env", ".env/", ".env/.", ".//.env", "./secrets/prod.txt", "link", "folder/prod.txt"}) {
    const ProcessEnd end = call("read_file", {{"path", path}});
    EXPECT_EQ(end.exit_code, kDenied) << path << end.output << end.errors;
    EXPECT_THAT(end.output, Not(HasSubstr("blue"))) << path;
  }
  EXPECT_EQ(call("read_file", {{"path", "./notes.txt"}}).output, "grey heron\n");
}

TEST_F(JudgedAtWork, AnotherNameOfAFileAsksWhereSomethingIsDenied) {
  rules(R"(mode: allow_all, hard_deny: [{tool: read_file, deny: ['^\.env$']}])");
  deputy_.folder.write("work/.env", "blue heron\n");
  fs::create_hard_link(work() / ".env", work() / "copy");
  const ProcessEnd end = call("read_file", {{"path", "copy"}});
  EXPECT_EQ(end.exit_code, kAsks) << end.output << end.errors;
  EXPECT_THAT(end.output, HasSubstr("hard links"));
}

TEST_F(JudgedAtWork, ListsAndSearchesObeyTheRulesOfReadFile) {
  rules(R"(rules: [{tool: read_file, deny: ['^\.env$', '^secrets/']}])");
  deputy_.folder.write("work/.env", "blue heron\n");
  deputy_.folder.write("work/secrets/prod.txt", "blue heron\n");
  const ProcessEnd searched = call("search_files", {{"pattern", "her.n"}});
  EXPECT_THAT(searched.output, Not(HasSubstr("blue")));
  EXPECT_THAT(searched.output, HasSubstr("left out by the rules of read_file: 2 files"));
  EXPECT_THAT(call("list_files", {{"path", "secrets"}}).output, Not(HasSubstr("prod.txt")));
  EXPECT_EQ(call("list_files", {{"path", "./secrets/deep"}}).exit_code, kDenied);
}

TEST_F(JudgedAtWork, AFileThatMayNotBeReadIsShownOnNoCard) {
  rules(R"(mode: allow_all, rules: [{tool: read_file, deny: ['^\.env$']}])");
  deputy_.folder.write("work/.env", "blue heron\n");
  const json::array edits{{{"old_string", "heron"}, {"new_string", "whale"}}};
  const ProcessEnd edited = call("edit_file", {{"path", "./.env"}, {"edits", edits}});
  EXPECT_EQ(edited.exit_code, kDenied) << edited.output << edited.errors;
  EXPECT_THAT(edited.output + edited.errors, Not(HasSubstr("blue")));
  const ProcessEnd written = call("write_file", {{"path", ".env"}, {"content", "x"}});
  EXPECT_EQ(written.exit_code, kDenied) << written.output << written.errors;
  EXPECT_THAT(written.output + written.errors, Not(HasSubstr("blue")));
  EXPECT_EQ(call("write_file", {{"path", "notes.txt"}, {"content", "x"}}).exit_code, kDone);
}

TEST_F(JudgedAtWork, APatternTellsNothingAboutASecret) {
  rules("mode: ask");
  deputy_.folder.write("work/app.conf", "user=bo\npassword=hunter2horse9\nhost=db-1\n");
  for (const char* pattern : {"hunter2", "h.nter.h", "^p.{21}$", "^pass.*9$"}) {
    EXPECT_EQ(call("search_files", {{"pattern", pattern}}).output, "no line matches in 1 file\n") << pattern;
  }
  // Right and wrong guesses look alike.
  const auto guess = [&](const char* pattern) {
    const std::string output = call("search_files", {{"pattern", pattern}}).output;
    return output.substr(0, output.find('#'));
  };
  EXPECT_EQ(guess("hunter2|red.cted"), "app.conf:2: password=[redacted:named");
  EXPECT_EQ(guess("rabbit7|red.cted"), "app.conf:2: password=[redacted:named");
  EXPECT_EQ(call("search_files", {{"pattern", "host=db"}}).output, "app.conf:3: host=db-1\n");
}

TEST_F(JudgedAtWork, ASearchOfTheCodeTellsNothingAboutASecret) {
  deputy_.folder.write("work/app.conf", "user=bo\npassword=hunter2horse9\nhost=db-1\n");
  deputy_.folder.write("work/other.conf", "host=db-2\n");
  const ProcessEnd made = test::run(run_process({.arguments = {"/bin/sh", "-c",
                                                               "chmod 755 .. . && git init -q . && git add . && git -c "
                                                               "user.name=x -c user.email=x@example.com commit -qm x"},
                                                 .environment = {"PATH=/usr/bin:/bin", "HOME=/nonexistent"},
                                                 .working_dir = work()}))
                              .value_or(ProcessEnd{});
  ASSERT_EQ(made.exit_code, 0) << made.errors;
  deputy_.write_user(fmt::format("tools: {{code_tools: {{repositories: {{shop: '{}'}}}}}}\n", work().string()));
  const auto search = [&](const char* query) { return call("search_code", {{"query", query}}).output; };
  EXPECT_EQ(search("hunter2horse9"), "nothing in the code matches\n");
  // Right and wrong guesses look alike: no order of the hits tells.
  const std::string both = search("host");
  EXPECT_THAT(both, HasSubstr("2 places\n"));
  EXPECT_THAT(both, HasSubstr("password=[redacted:named"));
  EXPECT_EQ(search("host hunter2horse9"), search("host rabbit7mouse3"));
}

TEST_F(JudgedAtWork, AnAllowedWriteGoesThroughNoLink) {
  rules(R"(rules: [{tool: write_file, allow: ['notes/[\w./-]+'], deny: ['^\.git/']}])");
  deputy_.folder.write("work/.git/hooks/sample", "");
  deputy_.folder.write("work/notes/a", "");
  fs::create_symlink("../.git/hooks", work() / "notes/hooks");
  const ProcessEnd linked = call("write_file", {{"path", "notes/hooks/pre-commit"}, {"content", "rm"}});
  EXPECT_EQ(linked.exit_code, kDenied) << linked.output << linked.errors;
  EXPECT_FALSE(fs::exists(work() / ".git/hooks/pre-commit"));
  EXPECT_EQ(call("write_file", {{"path", "./.git/config"}, {"content", "x"}}).exit_code, kDenied);
  EXPECT_FALSE(fs::exists(work() / ".git/config"));
  EXPECT_EQ(call("write_file", {{"path", "./notes/b"}, {"content", "x"}}).exit_code, kDone);
  EXPECT_TRUE(fs::exists(work() / "notes/b"));
}

TEST_F(JudgedAtWork, AnAllowedCommandRunsInTheRootAndInFoldersThatARuleNames) {
  rules(R"(rules: [{tool: shell, allow: ['/bin/pwd']}, {tool: shell, param: working_dir, allow: ['docs']}])");
  deputy_.folder.write("work/docs/a", "");
  deputy_.folder.write("work/evil/a", "");
  fs::create_symlink("../evil", work() / "docs/link");
  EXPECT_THAT(call("shell", {{"command", "/bin/pwd"}}).output, HasSubstr("/workspace\n"));
  EXPECT_THAT(call("shell", {{"command", "/bin/pwd"}, {"working_dir", "./docs/"}}).output,
              HasSubstr("/workspace/docs\n"));
  EXPECT_EQ(call("shell", {{"command", "/bin/pwd"}, {"working_dir", "evil"}}).exit_code, kAsks);
  rules(R"(rules: [{tool: shell, allow: ['/bin/pwd']}])");
  EXPECT_EQ(call("shell", {{"command", "/bin/pwd"}, {"working_dir", "docs"}}).exit_code, kAsks);
}

TEST_F(JudgedAtWork, ACommandThatOnlyReadsRunsAtOnceWithoutWhatReadFileMayNotRead) {
  rules(R"(rules: [{tool: read_file, deny: ['^\.env$', '^secrets/']}])");
  deputy_.folder.write("work/.env", "blue heron\n");
  deputy_.folder.write("work/secrets/prod.txt", "blue heron\n");
  deputy_.folder.write("work/notes.txt", "grey heron\n");
  give_to_another();
  EXPECT_EQ(call("shell", {{"command", "cat notes.txt"}}).output, "grey heron\n[exit code 0]\n");
  EXPECT_EQ(call("shell", {{"command", "cat n*.txt | wc -l"}}).output, "1\n[exit code 0]\n");
  const ProcessEnd read = call("shell", {{"command", "grep -rs heron ."}});
  EXPECT_EQ(read.exit_code, kDone) << read.errors;
  EXPECT_THAT(read.output, Not(HasSubstr("blue")));
  EXPECT_THAT(call("shell", {{"command", "cat .env"}}).output, HasSubstr("Permission denied"));
  // What git keeps of a file is not hidden.
  for (const char* command : {"git show HEAD:.env", "git diff", "git log -p"}) {
    const ProcessEnd asked = call("shell", {{"command", command}});
    EXPECT_EQ(asked.exit_code, kAsks) << command << asked.output;
    EXPECT_THAT(asked.output, HasSubstr("it may show what the rules of read_file forbid"));
  }
  rules("mode: ask");
  EXPECT_EQ(call("shell", {{"command", "git diff --stat"}}).exit_code, kDone);
}

TEST_F(JudgedAtWork, ReadCommandsSayWhatElseOnlyReads) {
  rules("mode: ask");
  fs::create_directories(work());
  const ProcessEnd asked = call("shell", {{"command", "date -u"}});
  EXPECT_EQ(asked.exit_code, kAsks);
  EXPECT_THAT(asked.output, HasSubstr("`date` is not a command that is known to only read"));
  rules("mode: ask", ", read_commands: {date: [-u]}");
  EXPECT_THAT(call("shell", {{"command", "date -u"}}).output, HasSubstr("UTC"));
  EXPECT_EQ(call("shell", {{"command", "date -s x"}}).exit_code, kAsks);
  rules("mode: ask", ", read_commands: {sudo: []}");
  EXPECT_THAT(deputy_.run({"config", "check"}).output, HasSubstr("`sudo` runs other commands"));
}

TEST_F(JudgedAtWork, ADeniedCommandIsDeniedThoughItOnlyReads) {
  rules(R"(rules: [{tool: shell, deny: ['^cat .*key']}])");
  deputy_.folder.write("work/a.key", "x\n");
  EXPECT_EQ(call("shell", {{"command", "cat a.key"}}).exit_code, kDenied);
  EXPECT_EQ(call("shell", {{"command", "cat a.k*"}}).exit_code, kAsks);  // the pattern hides what it reads
  EXPECT_EQ(call("shell", {{"command", "ls a.key"}}).exit_code, kDone);
}

TEST_F(JudgedAtWork, ARuleOnAParameterThatIsNoneIsAnError) {
  rules(R"(rules: [{tool: shell, param: folder, allow: ['docs']}])");
  const ProcessEnd end = deputy_.run({"config", "check"});
  EXPECT_EQ(end.exit_code, 1) << end.output;
  EXPECT_THAT(end.output + end.errors, HasSubstr("there is no parameter `folder`"));
}

TEST_F(JudgedAtWork, ACommandThatHidesWhatItRunsAsksUnderAllowAll) {
  rules(R"(mode: allow_all, rules: [{tool: shell, deny: ['^shred']}])");
  fs::create_directories(work());
  for (const char* command : {"sh -c 'echo x'", "eval echo x", "echo x | xargs echo", "find . -exec echo {} +",
                              "env echo x", "git -c alias.x='!echo x' x", "echo *"}) {
    EXPECT_EQ(call("shell", {{"command", command}}).exit_code, kAsks) << command;
  }
  EXPECT_EQ(call("shell", {{"command", "echo x"}}).exit_code, kDone);
}

TEST_F(JudgedAtWork, AUrlIsJudgedNormalisedAndAtEveryHop) {
  const test::HttpPeer peer("plain");
  const std::string hosts = fmt::format(", fetch_private: true, fetch_hosts: ['127.0.0.1:{}']", peer.port());
  fs::create_directories(work());
  rules(R"(rules: [{tool: fetch_url, deny: ['://localhost', ':[0-9]+/hello']}])", hosts);
  const auto fetch = [&](const std::string& url) { return call("fetch_url", {{"url", url}}); };
  EXPECT_EQ(fetch(peer.url("/x", "http", "LocalHost")).exit_code, kDenied);
  EXPECT_EQ(fetch(peer.url("/%68ello")).exit_code, kDenied);
  EXPECT_EQ(fetch(peer.url("/x/%2e%2e/hello")).exit_code, kDenied);
  EXPECT_EQ(fetch(peer.url("//hello")).exit_code, kDenied);
  const ProcessEnd hop = fetch(peer.url("/redirect?to=/hello"));
  EXPECT_THAT(hop.output, HasSubstr("The redirect was not followed")) << hop.errors;
  rules("mode: ask", hosts);
  EXPECT_THAT(fetch(peer.url("/redirect?to=/hello")).output, HasSubstr("hello"));
}

}  // namespace
}  // namespace deputy
