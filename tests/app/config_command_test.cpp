#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "app/program.h"
#include "base/json.h"
#include "base/text.h"

namespace deputy {
namespace {

using test::Program;
using testing::HasSubstr;

mode_t mode_of(const std::filesystem::path& path) {
  struct stat seen{};
  stat(path.c_str(), &seen);
  return seen.st_mode & 07777;
}

TEST(ConfigCheck, PrintsEveryProblemWithFileLineAndFix) {
  Program deputy;
  const std::string user = deputy
                               .write_user(R"(environment: prod

timezone: Mars/Olympus
log:
  levl: debug
retention: {runs: 1h, results: 30}
rolez: {}
)")
                               .string();
  deputy.variables["DEPUTY_LOG__FORMAT"] = "xml";
  const ProcessEnd end = deputy.run({"config", "check"});
  EXPECT_EQ(end.exit_code, 1);
  const std::string at = user + ":";
  const std::vector<std::string> lines{
      at + "1: `environment`: this must be one of `development`, `staging` and `production`, not `prod`; did you mean "
           "`production`?",
      "    fix: expected: one of `development`, `staging` and `production` (Where this Deputy itself runs; "
      "checked, "
      "and used by nothing yet)",
      at + "3: `timezone`: there is no time zone `Mars/Olympus`",
      "    fix: write an IANA name such as Europe/Berlin or UTC",
      at + "5: `log.levl`: there is no setting `levl`; did you mean `level`?",
      "    fix: known here: `level` and `format`",
      at + "6: `retention.results`: `30` is not a duration",
      "    fix: write it like 30d, 1h30m, 90s or 250ms",
      at + "6: `retention.runs`: this must be at least 1d, not 1h",
      "    fix: expected: duration (`30d`, `1h30m`, `90s`) (How long finished runs and their journals are "
      "kept)",
      at + "7: `rolez`: there is no setting `rolez`; did you mean `roles`?",
      "    fix: known here: `environment`, `timezone`, `environments`, `people`, `roles`, `access`, `policy`, "
      "`questions`, `grants`, `approvals`, `channels`, `tools`, `services`, `network`, `aws`, `limits`, `models`, "
      "`log`, "
      "`retention` and `serve`",
      "environment variable DEPUTY_LOG__FORMAT: `log.format`: this must be one of `text` and `json`, not `xml`",
      "    fix: expected: one of `text` and `json` (How a line of the log is written, to standard error)",
      "7 problems\n",
  };
  EXPECT_EQ(end.output, join(lines, "\n"));
  EXPECT_EQ(end.errors, "");
}

TEST(ConfigCheck, SaysWhichFilesItReadWhenAllIsWell) {
  Program deputy;
  EXPECT_EQ(deputy.run({"config", "check"}).output, "ok: no settings file; defaults and environment variables apply\n");
  const std::string user = deputy.write_user("timezone: Europe/Berlin\n").string();
  const ProcessEnd end = deputy.run({"config", "check"});
  EXPECT_EQ(end.output, "ok: " + user + "\n");
  EXPECT_EQ(end.exit_code, 0);
}

TEST(ConfigCheck, SpeaksJson) {
  Program deputy;
  const std::string user = deputy.write_user("retention: {runs: 1h}\n").string();
  const ProcessEnd end = deputy.run({"--json", "config", "check"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(end.output,
            R"([{"source":")" + user +
                R"(","line":1,"path":"retention.runs","message":"this must be at least 1d, not 1h","fix":")"
                "expected: duration (`30d`, `1h30m`, `90s`) (How long finished runs and their journals are kept)"
                R"("}])" +
                "\n");
  deputy.write_user("");
  EXPECT_EQ(deputy.run({"config", "check", "--json"}).output, "[]\n") << "shared flags may stand anywhere";
}

TEST(ConfigCheck, RefusesAFileThatOthersCanWrite) {
  Program deputy;
  const auto user = deputy.write_user("timezone: UTC\n");
  chmod(user.c_str(), 0666);
  const ProcessEnd end = deputy.run({"config", "check"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.output, HasSubstr(user.string() + ": others can write this file"));
  EXPECT_THAT(end.output, HasSubstr("fix: make it yours alone: `chmod 600 " + user.string() + "`"));
}

TEST(ConfigCheck, TellsNamesOfEnvironmentsThatCollide) {
  Program deputy;
  deputy.write_user("environments:\n  prod: [live]\n  dev: [Live, dev]\n  live: []\n");
  const ProcessEnd end = deputy.run({"config", "check", "--json"});
  std::vector<std::string> messages;
  for (const auto& problem : parse_json(end.output)->as_array())
    messages.emplace_back(as_view(problem.at("message").as_string()));
  EXPECT_THAT(messages,
              testing::UnorderedElementsAre("`live` already means the environment `live`",
                                            "`Live` already means the environment `live`", "`dev` is listed twice"));
}

TEST(ConfigCheck, TellsWhatKeysSayOfEachOtherBesideOtherProblems) {
  Program deputy;
  deputy.write_user(R"(timezone: Mars/Olympus
people:
  ana: {terminal: root, slak: T1/U1}
roles:
  oncall:
    people: [anna]
    environments: [prd]
policy:
  rules:
    - tool: shell
      deny: ['rm (-rf']
    - tool: shell
      deny: ['rm -rf']
      examples: {match: [ls]}
channels:
  C1: {default_environment: qa}
tools:
  logs_tools: {}
)");
  const ProcessEnd end = deputy.run({"config", "check", "--json"});
  std::vector<std::string> found;
  for (const auto& problem : parse_json(end.output)->as_array()) {
    found.push_back(
        fmt::format("{}: {}", problem.at("line").to_number<int>(), as_view(problem.at("path").as_string())));
  }
  EXPECT_THAT(found, testing::ElementsAre("1: timezone", "3: people.ana.slak", "6: roles.oncall.people[0]",
                                          "7: roles.oncall.environments[0]", "11: policy.rules[0].deny[0]",
                                          "14: policy.rules[1].examples.match[0]",
                                          "16: channels.C1.default_environment", "18: tools.logs_tools"))
      << end.output;
  EXPECT_THAT(end.output, HasSubstr("there is no category `logs_tools`; did you mean `log_tools`?"));
}

TEST(ConfigCheck, ShowsWhatHidesInAKeyAndObeysNothingOfIt) {
  Program deputy;
  deputy.write_user("\"log\\e[2J\": 1\n\"rolez\\n0 problems\": {}\n");
  deputy.variables["DEPUTY_TIMEZON\x1b[2J"] = "UTC";
  const ProcessEnd end = deputy.run({"config", "check"});
  EXPECT_EQ((end.output + end.errors).find('\x1b'), std::string::npos) << end.output;
  EXPECT_EQ(std::ranges::count(end.output, '\n'), 5) << "two problems, their fixes and the count: " << end.output;
}

TEST(ConfigCheck, AMisspeltChannelIsAProblem) {
  Program deputy;
  const std::string user = deputy.write_user("channels: {termnal: {mode: deny_all}}\n").string();
  const ProcessEnd end = deputy.run({"config", "check"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(
      end.output,
      user +
          ":1: `channels.termnal`: there is no channel `termnal`; did you mean `terminal`?\n"
          "    fix: write a kind of channel, `discord`, `slack`, `telegram`, `terminal`, `web` and `webhook`, or the "
          "platform's id of one, such as C1 or 42\n"
          "1 problem\n");
}

TEST(ConfigCheck, SuggestsTheKeyThatBeginsLikeWhatWasWritten) {
  Program deputy;
  deputy.write_user("models: {budgets: {person_day: 1, run: 1}}\nretention: {inbox: 7d}\napprovals: {chan: C8}\n");
  const ProcessEnd end = deputy.run({"config", "check"});
  for (const std::string_view meant : {"person_day_usd", "inbox_keys", "channel"})
    EXPECT_THAT(end.output, HasSubstr(fmt::format("did you mean `{}`?", meant)));
  EXPECT_THAT(end.output, HasSubstr("there is no setting `run`\n")) << "`run_usd` and `run_tokens` begin alike";
}

TEST(ConfigCheck, ASlipInRolesHidesNoOtherProblem) {
  Program deputy;
  deputy.write_user(R"(roles: {oncall: {peple: [x]}}
policy:
  allowlist: [serch_logs]
  rules:
    - {tool: shel, deny: ['rm (-rf']}
channels:
  C1: {default_environment: qa}
)");
  const ProcessEnd end = deputy.run({"config", "check", "--json"});
  std::vector<std::string> found;
  for (const auto& problem : parse_json(end.output)->as_array())
    found.emplace_back(as_view(problem.at("path").as_string()));
  EXPECT_THAT(found, testing::ElementsAre("roles.oncall.peple", "policy.allowlist[0]", "policy.rules[0]",
                                          "policy.rules[0].deny[0]", "channels.C1.default_environment"))
      << end.output;
}

TEST(ConfigCheck, JudgesNoEnvironmentWhileTheirListIsNotRight) {
  Program deputy;
  deputy.write_user(
      "environments: {prod: {a: b}}\nchannels: {C1: {default_environment: qa}}\npolicy: {allowlist: [x]}\n");
  const ProcessEnd end = deputy.run({"config", "check", "--json"});
  EXPECT_THAT(end.output, HasSubstr("policy.allowlist[0]"));
  EXPECT_THAT(end.output, testing::Not(HasSubstr("channels.C1")));
}

TEST(ConfigCheck, JudgesNoNameWhileWhatItNamesIsNotRight) {
  Program deputy;
  deputy.write_user("people: {ana: {email: [a]}}\naccess: {people: [bo]}\n");
  const ProcessEnd end = deputy.run({"config", "check", "--json"});
  EXPECT_THAT(end.output, HasSubstr("people.ana.email"));
  EXPECT_THAT(end.output, testing::Not(HasSubstr("access.people")));
}

TEST(ConfigShow, PrintsWhatHoldsAndWhereItComesFrom) {
  Program deputy;
  const std::string user = deputy.write_user("timezone: Europe/Berlin\nlog: {level: warning}\n").string();
  deputy.variables["DEPUTY_LOG__FORMAT"] = "json";
  const ProcessEnd end = deputy.run({"--set", "retention.runs=90d", "config", "show"});
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_THAT(end.output, testing::ContainsRegex("\ntimezone: Europe/Berlin +# " + user + ":1\n"));
  EXPECT_THAT(end.output, testing::ContainsRegex("\n  level: warning +# " + user + ":2\n"));
  EXPECT_THAT(end.output, testing::ContainsRegex("\n  format: json +# environment variable DEPUTY_LOG__FORMAT\n"));
  EXPECT_THAT(end.output, testing::ContainsRegex("\n  runs: 90d +# flag --set\n"));
  EXPECT_THAT(end.output, testing::ContainsRegex("\n  audit: 400d +# default\n"));
}

TEST(ConfigShow, ReadsBackAsItWasShown) {
  Program deputy;
  const std::string shown = deputy.run({"config", "show"}).output;
  deputy.write_user(shown);
  EXPECT_EQ(deputy.run({"config", "check"}).exit_code, 0);
}

TEST(ConfigShow, SpeaksJson) {
  Program deputy;
  const auto rows = parse_json(deputy.run({"config", "show", "--json", "--set", "timezone=UTC"}).output);
  ASSERT_OK(rows);
  EXPECT_EQ(json::serialize(rows->as_array().at(1)), R"({"path":"timezone","value":"UTC","from":"flag --set"})");
}

TEST(ConfigShow, ShowsNothingThatDoesNotHold) {
  Program deputy;
  deputy.write_user("timezone: Mars\n");
  const ProcessEnd end = deputy.run({"config", "show"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(end.output, "");
  EXPECT_THAT(end.errors, HasSubstr("there is no time zone `Mars`"));
}

TEST(ConfigInit, WritesAFileThatLoadsAndNeverOverwrites) {
  Program deputy;
  const ProcessEnd first = deputy.run({"config", "init"});
  EXPECT_EQ(first.exit_code, 0);
  EXPECT_THAT(first.output, HasSubstr(deputy.user_file().string()));
  EXPECT_EQ(mode_of(deputy.user_file()), 0600);
  EXPECT_EQ(deputy.run({"config", "check"}).output, "ok: " + deputy.user_file().string() + "\n");

  deputy.write_user("timezone: UTC\n");
  const ProcessEnd second = deputy.run({"config", "init"});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.errors,
              HasSubstr("already exists and was not changed (edit it, or name another with --config FILE)"));
  EXPECT_EQ(test::read_file(deputy.user_file()), "timezone: UTC\n");
}

TEST(ConfigInit, SaysWhatEntriesOfPeoplesOwnMaySay) {
  Program deputy;
  deputy.run({"config", "init"});
  const std::string text = test::read_file(deputy.user_file());
  EXPECT_THAT(text, HasSubstr("# people.<name>.email: Joins the accounts of full members that have this e-mail "
                              "address\n# people.<name>.<channel>: "));
  EXPECT_THAT(text, HasSubstr("# tools.<category>.<tool>.timeout_seconds: How long one step of the tool may take"));
  EXPECT_THAT(text, HasSubstr("# Patterns over the arguments of tools\n# policy.rules[].tool: "));
}

TEST(ConfigInit, LoadsWithEveryLineSet) {
  Program deputy;
  deputy.run({"config", "init"});
  const std::string text = test::read_file(deputy.user_file());
  std::string set;
  for (const std::string_view line : split(text, "\n")) {
    const bool is_prose = line.starts_with("# ") && !line.starts_with("#  ");
    if (line.starts_with('#') && !is_prose) set += std::string(line.substr(1)) + "\n";
  }
  deputy.write_user(set);
  EXPECT_EQ(deputy.run({"config", "check"}).output, "ok: " + deputy.user_file().string() + "\n") << set;
}

TEST(ConfigInit, WritesWhereConfigSays) {
  Program deputy;
  EXPECT_EQ(deputy.run({"--config", "mine.yaml", "config", "init"}).exit_code, 0);
  EXPECT_EQ(deputy.run({"--config", "mine.yaml", "config", "check"}).output,
            "ok: " + (deputy.project() / "mine.yaml").string() + "\n");
}

TEST(ConfigTrust, LetsAProjectFileCountAsItIs) {
  Program deputy;
  const std::string file = deputy.write_project("timezone: Asia/Tokyo\n").string();
  const auto timezone = [&] {
    return deputy.run({"config", "show"}).output.find("timezone: Asia/Tokyo") != std::string::npos;
  };
  EXPECT_FALSE(timezone());
  EXPECT_EQ(deputy.run({"config", "check"}).errors,
            "notice: " + file + " is not trusted and is ignored; read it, then run `deputy config trust`\n");

  const ProcessEnd end = deputy.run({"config", "trust"});
  EXPECT_EQ(end.exit_code, 0);
  // printf 'timezone: Asia/Tokyo\n' | sha256sum
  EXPECT_EQ(end.output,
            "trusted " + file + "\nsha256 acd47637cdf9bbadf31c6fd5f9549a3aa2a717af24cbbd14b3058a3da69fceee\n");
  EXPECT_EQ(mode_of(deputy.trusted_file()), 0600);
  EXPECT_EQ(mode_of(deputy.trusted_file().parent_path()), 0700);
  EXPECT_TRUE(timezone());

  deputy.write_project("timezone: Asia/Tokyo\nlog: {level: debug}\n");
  EXPECT_FALSE(timezone());
  EXPECT_THAT(deputy.run({"config", "check"}).errors, HasSubstr("has changed since it was trusted and is ignored"));
}

TEST(ConfigTrust, TakesNoDataFolderThatOtherCommandsRefuse) {
  Program deputy;
  deputy.write_project("timezone: UTC\n");
  const std::filesystem::path shared = deputy.folder / "shared";
  std::filesystem::create_directory(shared);
  chmod(shared.c_str(), 01777);
  const std::vector<std::vector<std::string>> commands{{"config", "trust"}, {"runs", "list"}};
  for (std::vector<std::string> words : commands) {
    words.insert(words.begin(), {"--data", shared.string()});
    const ProcessEnd end = deputy.run(words);
    EXPECT_EQ(end.exit_code, 1) << words[2];
    EXPECT_THAT(end.errors, HasSubstr("others can write the data folder " + shared.string()));
    EXPECT_THAT(end.errors, HasSubstr("`--data " + (shared / "deputy").string() + "`"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(shared));
}

TEST(ConfigTrust, RefusesWhatIsNotThereOrOthersCanWrite) {
  Program deputy;
  EXPECT_EQ(deputy.run({"config", "trust"}).exit_code, 1);
  const auto file = deputy.write_project("timezone: UTC\n");
  chmod(file.c_str(), 0664);
  const ProcessEnd end = deputy.run({"config", "trust"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.errors, HasSubstr("so it cannot be trusted"));
}

TEST(ConfigTrust, SaysWhatIsMissingOrNeverCounts) {
  Program deputy;
  EXPECT_THAT(deputy.run({"config", "trust"}).errors,
              HasSubstr("there is no deputy.yaml in " + deputy.project().string()));
  deputy.folder.write("project/other.yaml", "timezone: UTC\n");
  const ProcessEnd other = deputy.run({"config", "trust", "other.yaml"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_EQ(other.output, "");
  EXPECT_THAT(other.errors, HasSubstr("other.yaml is never used as a project's settings"));
  EXPECT_FALSE(std::filesystem::exists(deputy.trusted_file()));
  deputy.folder.write("project/deputy.json", R"({"timezone": "UTC"})");
  EXPECT_THAT(deputy.run({"config", "trust"}).output, HasSubstr("deputy.json"));
}

TEST(ConfigTrust, TellsWhatIsWrongWithTheFileAtOnce) {
  Program deputy;
  const std::string file = deputy.write_project("timezone: Mars/Olympus\n").string();
  const ProcessEnd end = deputy.run({"config", "trust"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.output, HasSubstr("trusted " + file));
  EXPECT_EQ(end.errors, "the file is trusted, but the settings cannot be used with it:\n" + file +
                            ":1: `timezone`: there is no time zone `Mars/Olympus`\n"
                            "    fix: write an IANA name such as Europe/Berlin or UTC\n1 problem\n");
  const auto told = parse_json(deputy.run({"config", "trust", "--json"}).output);
  ASSERT_OK(told);
  EXPECT_EQ(told->at("problems").as_array().size(), 1U);
}

TEST(ConfigTrust, KeepsItsListInTheDataFolder) {
  Program deputy;
  deputy.write_project("timezone: UTC\n");
  EXPECT_EQ(deputy.run({"--data", "state", "config", "trust"}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(deputy.project() / "state/trusted.json"));
  deputy.variables["DEPUTY_DATA"] = (deputy.project() / "state").string();
  EXPECT_EQ(deputy.run({"config", "check"}).errors, "");
}

TEST(ProjectFile, ThatNobodyTrustedStopsNoCommand) {
  Program deputy;
  std::filesystem::create_directories(deputy.project() / "deputy.yaml");
  const ProcessEnd end = deputy.run({"config", "check"});
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_EQ(end.errors, "notice: " + (deputy.project() / "deputy.yaml").string() +
                            " cannot be read and is ignored: it is not a regular file\n");
}

TEST(Environment, AnObjectInAVariableLeavesWhatOthersSay) {
  Program deputy;
  deputy.write_user("log: {format: json}\n");
  deputy.variables = {{"ANTHROPIC_API_KEY", "k"},
                      {"DEPUTY_MODELS", R"({"default": {"provider": "anthropic"}})"},
                      {"DEPUTY_LOG", R"({"level": "info"})"}};
  const ProcessEnd end = deputy.run({"config", "show", "--set", "models.budgets.run_usd=2"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("provider: anthropic"));
  EXPECT_THAT(end.output, HasSubstr("format: json"));
  EXPECT_THAT(end.output, HasSubstr("run_usd: 2"));
}

TEST(NamedFile, IsTheOnlyOneAndMustBeThere) {
  Program deputy;
  deputy.write_user("timezone: Mars\n");
  deputy.variables["DEPUTY_CONFIG"] = deputy.folder.write("only.yaml", "timezone: UTC\n").string();
  EXPECT_EQ(deputy.run({"config", "check"}).exit_code, 0);
  const ProcessEnd end = deputy.run({"--config", "nowhere.yaml", "config", "check"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.output, HasSubstr("No such file or directory"));
}

TEST(Reference, TheCheckedInPageIsTheGeneratedOne) {
  Program deputy;
  EXPECT_EQ(deputy.run({"config", "reference"}).output, test::read_file(DEPUTY_SOURCE "/docs/settings.md"))
      << "run `deputy config reference > docs/settings.md`";
}

}  // namespace
}  // namespace deputy
