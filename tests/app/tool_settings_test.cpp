// What settings say of tools, seen in calls made by hand through the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"

namespace deputy {
namespace {

using testing::HasSubstr;
using testing::Not;

class ToolSettingsAtWork : public testing::Test {
 protected:
  ToolSettingsAtWork() { deputy_.variables["DEPUTY_AUTO_CONFIRM"] = "1"; }

  /// What the call printed, under these settings.
  std::string call(const std::string& settings, const std::string& tool, const std::string& arguments) const {
    deputy_.write_user(settings);
    const ProcessEnd end = deputy_.run({"tools", "call", tool, arguments});
    return end.output + end.errors;
  }
  /// A folder that commands of the workspace may read whoever they run as.
  std::string workspace() const {
    const std::filesystem::path root = deputy_.folder / "workspace";
    std::filesystem::create_directories(root);
    for (const std::filesystem::path& folder : {root, deputy_.folder.path()}) {
      std::filesystem::permissions(folder, std::filesystem::perms(0755));
    }
    return root.string();
  }
  std::string shell(const std::string& sandbox, const std::string& command) const {
    const std::string settings =
        fmt::format("tools: {{workspace_tools: {{root: {}, sandbox: {{{}}}}}}}\n", workspace(), sandbox);
    return call(settings, "shell", fmt::format(R"({{"command": "{}"}})", command));
  }

  test::Program deputy_;
};

TEST_F(ToolSettingsAtWork, ServicesFileSaysWhichServicesThereAre) {
  deputy_.folder.write("home/.config/deputy/services.yaml", "kiosk: {aliases: [till], description: Sells tickets}\n");
  EXPECT_THAT(call("services: {file: services.yaml}\n", "list_services", "{}"), HasSubstr("kiosk"));
  EXPECT_THAT(call("{}\n", "list_services", "{}"), HasSubstr("services.file"));
}

TEST_F(ToolSettingsAtWork, BackendIsRefusedWhereThereIsNoneToChoose) {
  const auto check = [&](const std::string& tools) {
    deputy_.write_user("tools: {" + tools + "}\n");
    return deputy_.run({"config", "check"});
  };
  for (const char* category : {"workspace_tools", "service_tools"}) {
    const ProcessEnd end = check(fmt::format("{}: {{backend: bedrock_kb}}", category));
    EXPECT_EQ(end.exit_code, 1) << end.output;
    EXPECT_THAT(end.output, HasSubstr(fmt::format("tools.{}.backend", category)));
    EXPECT_THAT(end.output, HasSubstr("has no backends to choose from"));
  }
  EXPECT_EQ(check("log_tools: {backend: files}").exit_code, 0);
  EXPECT_EQ(check("log_tools: {backend: bedrock_kb}").exit_code, 1);
}

TEST_F(ToolSettingsAtWork, LogFilesSayWhereLogsAreAndWhose) {
  deputy_.folder.write("logs/live/kiosk.txt", "2020-01-01 10:00:00 ERROR the printer is out of paper\n");
  const std::string root = (deputy_.folder / "logs").string();
  const auto logs = [&](const std::string& files) {
    return call(
        fmt::format("tools: {{log_tools: {{files: {{{}}}}}}}\n", files), "get_service_logs",
        R"({"service": "kiosk", "environment": "prod", "from": "2020-01-01T09:30:00Z", "to": "2020-01-01T10:30:00Z"})");
  };
  const std::string paths = fmt::format("root: {}, paths: [{{path: 'live/{{service}}.txt', environment: prod}}]", root);
  EXPECT_THAT(logs(paths), HasSubstr("out of paper"));
  EXPECT_THAT(logs(paths + ", utc_offset_minutes: 60"), Not(HasSubstr("out of paper")));
  EXPECT_THAT(logs(fmt::format("root: {}, paths: [{{path: 'live/*.txt', environment: prod, service: kiosk}}]", root)),
              HasSubstr("out of paper"));
  EXPECT_THAT(logs(fmt::format("root: {}, paths: [{{path: 'live/*.txt', environment: dev, service: kiosk}}]", root)),
              Not(HasSubstr("out of paper")));
  EXPECT_THAT(logs("utc_offset_minutes: 0"), HasSubstr("tools.log_tools.files.root"));
}

// The line that counts messages of one shape takes their numbers out: a secret must be gone by then.
TEST_F(ToolSettingsAtWork, ASecretInALogIsInNoReportAndNotKept) {
  const std::vector<std::string> secrets{"wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzAMPLEKEY",
                                         "xoxb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx"};
  deputy_.folder.write("logs/prod/kiosk.log", fmt::format("2020-01-01 10:00:00 ERROR aws_secret_access_key = {}\n"
                                                          "2020-01-01 10:00:01 ERROR refused {}{}\n",
                                                          secrets[0], secrets[1], std::string(2500, 'x')));
  const std::string report = call(
      fmt::format("tools: {{log_tools: {{files: {{root: {}}}}}}}\n", (deputy_.folder / "logs").string()),
      "get_recent_errors", R"({"environment": "prod", "from": "2020-01-01T09:30:00Z", "to": "2020-01-01T10:30:00Z"})");
  EXPECT_THAT(report, HasSubstr("1 × aws_secret_access_key = [redacted:"));
  EXPECT_THAT(report, HasSubstr("1 × refused [redacted:"));
  for (const char* part : {"wJalr", "MDENG", "AbCdEf"}) EXPECT_THAT(report, Not(HasSubstr(part)));
}

TEST_F(ToolSettingsAtWork, RepositoriesSayWhichCodeIsSearched) {
  const std::string repository = (deputy_.folder / "code").string();
  deputy_.folder.write("code/printer.py", "def feed_paper():\n    pass\n");
  const ProcessEnd made = test::run(run_process({.arguments = {"/bin/sh", "-c",
                                                               "git init -q . && git add . && git -c user.name=x -c "
                                                               "user.email=x@example.com commit -q -m x"},
                                                 .environment = {"PATH=/usr/bin:/bin", "HOME=/nonexistent"},
                                                 .working_dir = repository}))
                              .value_or(ProcessEnd{});
  ASSERT_EQ(made.exit_code, 0) << made.errors;
  workspace();  // opens the folder around it to whoever git runs as
  EXPECT_THAT(call(fmt::format("tools: {{code_tools: {{repositories: {{kiosk: {}}}}}}}\n", repository), "search_code",
                   R"({"query": "feed paper"})"),
              HasSubstr("kiosk/printer.py:1"));
  EXPECT_THAT(call("{}\n", "search_code", R"({"query": "feed paper"})"), HasSubstr("tools.code_tools.repositories"));
}

TEST_F(ToolSettingsAtWork, RootSaysWhichFolderTheWorkspaceIs) {
  deputy_.folder.write("workspace/note.txt", "paper comes on Mondays\n");
  const std::string note = R"({"path": "note.txt"})";
  EXPECT_THAT(call(fmt::format("tools: {{workspace_tools: {{root: {}}}}}\n", workspace()), "read_file", note),
              HasSubstr("Mondays"));
  EXPECT_THAT(call("{}\n", "read_file", note), HasSubstr("tools.workspace_tools.root"));
}

TEST_F(ToolSettingsAtWork, RootMayNotHoldTheSettings) {
  EXPECT_THAT(call("tools: {workspace_tools: {root: .}}\n", "read_file", R"({"path": "deputy.yaml"})"),
              HasSubstr("contain each other"));
}

TEST_F(ToolSettingsAtWork, SandboxSaysWhatACommandMayUse) {
  const std::string hundred_megabytes = "perl -e '$t = q(x) x 100_000_000; print qq(had it\\n)'";
  EXPECT_THAT(shell("memory_mb: 300", hundred_megabytes), HasSubstr("had it"));
  EXPECT_THAT(shell("memory_mb: 64", hundred_megabytes), Not(HasSubstr("had it")));
  EXPECT_THAT(shell("file_mb: 33", "ulimit -f"), HasSubstr(std::to_string(33 * 2048)));
  EXPECT_THAT(shell("tmp_mb: 7", "df -k --output=size /tmp"), HasSubstr(std::to_string(7 * 1024)));
  EXPECT_THAT(shell("least_free_mb: 1048576", "date"), HasSubstr("nearly full"));
  EXPECT_THAT(shell("processes: 99", "grep processes /proc/self/limits"), HasSubstr(" 99 "));
}

TEST_F(ToolSettingsAtWork, NetworkSaysWhetherACommandSharesThatOfTheMachine) {
  const std::string here = std::filesystem::read_symlink("/proc/self/ns/net").string();
  EXPECT_THAT(shell("network: true", "/bin/readlink /proc/self/ns/net"), HasSubstr(here));
  EXPECT_THAT(shell("network: false", "/bin/readlink /proc/self/ns/net"), Not(HasSubstr(here)));
}

}  // namespace
}  // namespace deputy
