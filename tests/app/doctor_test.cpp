// `deputy doctor`, by the real program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "base/json.h"

namespace deputy {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;

TEST(Doctor, NamesWhatIsNotSetUpAndWhatToSet) {
  const test::Program deputy;
  const ProcessEnd end = deputy.run({"doctor"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, ContainsRegex("settings +ok"));
  EXPECT_THAT(end.output, ContainsRegex("logs +not set up +tools.log_tools.files.root"));
  EXPECT_THAT(end.output, ContainsRegex("services +not set up +services.file"));
}

TEST(DataFolder, ThatOthersCanWriteIsRefusedByEveryCommand) {
  const test::Program deputy;
  const std::filesystem::path data = deputy.trusted_file().parent_path();
  ASSERT_EQ(deputy.run({"ask", "hello"}).exit_code, 0);
  std::filesystem::permissions(data, std::filesystem::perms(0777));
  const std::vector<std::vector<std::string>> commands{{"doctor"}, {"runs", "list"}, {"ask", "hello"}, {"pause"}};
  for (const std::vector<std::string>& command : commands) {
    const ProcessEnd end = deputy.run(command);
    EXPECT_EQ(end.exit_code, 1) << command.front();
    EXPECT_THAT(end.errors, HasSubstr("others can write the data folder " + data.string())) << command.front();
    EXPECT_THAT(end.errors, HasSubstr("chmod 700 " + data.string())) << command.front();
  }
}

TEST(Doctor, LooksAtWhatIsSetUpByUsingIt) {
  const test::Program deputy;
  deputy.folder.write("logs/prod/kiosk.log", "2020-01-01 10:00:00 ERROR paper\n");
  deputy.folder.write("home/.config/deputy/services.yaml", "kiosk: {}\ntill: {}\n");
  deputy.write_user(fmt::format("services: {{file: services.yaml}}\ntools: {{log_tools: {{files: {{root: {}}}}}}}\n",
                                (deputy.folder / "logs").string()));
  const ProcessEnd end = deputy.run({"doctor"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, ContainsRegex("services +ok +2 services"));
  EXPECT_THAT(end.output, ContainsRegex("logs +ok +1 file of 1 service in 1 environment"));
}

TEST(Doctor, SaysThatLogsBehindALinkAreNotRead) {
  const test::Program deputy;
  const std::filesystem::path kiosk = deputy.folder.write("logs/prod/kiosk.log", "2020-01-01 10:00:00 ERROR paper\n");
  std::filesystem::create_symlink(kiosk, deputy.folder / "logs/prod/till.log");
  deputy.write_user(fmt::format("tools: {{log_tools: {{files: {{root: {}}}}}}}\n", (deputy.folder / "logs").string()));
  EXPECT_THAT(deputy.run({"doctor"}).output,
              HasSubstr("1 file of 1 service in 1 environment; 1 symbolic link was not followed"));
  std::filesystem::remove(kiosk);
  EXPECT_THAT(deputy.run({"doctor"}).output, ContainsRegex("logs +broken .*; 1 symbolic link was not followed"));
}

TEST(Doctor, FailsWhereSomethingIsSetUpAndDoesNotWork) {
  const test::Program deputy;
  deputy.write_user("services: {file: gone.yaml}\ntools: {log_tools: {files: {root: /nonexistent/logs}}}\n");
  const ProcessEnd end = deputy.run({"doctor", "--json"});
  EXPECT_EQ(end.exit_code, 1) << end.errors;
  EXPECT_THAT(end.output, HasSubstr(R"({"name":"logs","health":"broken")"));
  EXPECT_THAT(end.output, HasSubstr(R"({"name":"services","health":"broken")"));
}

TEST(Doctor, EscapesNamesFromOutside) {
  const test::Program deputy;
  deputy.write_user("tools: {workspace_tools: {root: \"/nonexistent/\\e[31mwork\"}}\n");
  const ProcessEnd end = deputy.run({"doctor"});
  EXPECT_EQ(end.exit_code, 1) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("/nonexistent/\\u{1B}[31mwork"));
}

TEST(Doctor, CallsAWorkspaceThatIsSetAndRefusedBroken) {
  const test::Program deputy;
  const auto doctor = [&](const std::string& root) {
    deputy.write_user(fmt::format("tools: {{workspace_tools: {{root: {}}}}}\n", root));
    return deputy.run({"doctor"});
  };
  const ProcessEnd gone = doctor("/nonexistent/work");
  EXPECT_EQ(gone.exit_code, 1) << gone.errors;
  EXPECT_THAT(gone.output, ContainsRegex("workspace +broken .*`/nonexistent/work` is not a folder"));
  const ProcessEnd around = doctor((deputy.folder / "home").string());
  EXPECT_EQ(around.exit_code, 1) << around.errors;
  EXPECT_THAT(around.output, ContainsRegex("workspace +broken .*contain each other"));
}

}  // namespace
}  // namespace deputy
