// Commands that print what the store and the registry hold.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "base/json.h"
#include "base/sqlite.h"

namespace deputy {
namespace {

using test::Program;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

using Words = std::vector<std::string>;

json::value json_of(const Program& deputy, std::vector<std::string> arguments) {
  arguments.emplace_back("--json");
  const auto parsed = parse_json(deputy.run(std::move(arguments)).output);
  EXPECT_OK(parsed);
  return parsed.value_or(nullptr);
}

std::string asked(const Program& deputy) {
  const json::value end = json_of(deputy, {"ask", "hello"});
  return std::string(as_view(end.at("run").as_string()));
}

/// Who asked last, as `runs list` calls them.
std::string person_of(const Program& deputy) {
  return std::string(as_view(json_of(deputy, {"runs", "list"}).at(0).at("requester").as_string()));
}

/// The one in which somebody asked last.
std::string conversation_of(const Program& deputy) {
  return std::string(as_view(json_of(deputy, {"runs", "list"}).at(0).at("conversation").as_string()));
}

/// What somebody with the file at hand may do to it.
void change_store(const Program& deputy, const std::string& sql) {
  const std::string file = (deputy.folder / "home/.local/state/deputy/deputy.db").string();
  auto database = sqlite::Connection::open(file, sqlite::Connection::Mode::read_write);
  ASSERT_OK(database);
  EXPECT_OK(database->execute(sql.c_str()));
  EXPECT_EQ(database->changes(), 1);
}

TEST(ToolsList, JsonHasOneShapeForEveryTool) {
  const Program deputy;
  const json::value tools = json_of(deputy, {"tools", "list"});
  EXPECT_GE(tools.as_array().size(), 11U);
  for (const json::value& tool : tools.as_array()) {
    std::vector<std::string> keys;
    for (const auto& member : tool.as_object()) {
      if (member.key() != "missing") keys.emplace_back(member.key());
    }
    EXPECT_THAT(keys,
                UnorderedElementsAre("name", "description", "category", "effect", "params", "enabled", "configured"));
  }
}

TEST(ToolsList, SaysWhatIsOff) {
  const Program deputy;
  const ProcessEnd end = deputy.run({"tools", "list", "--set", "tools.task_tools.list_sub_runs.enabled=false"});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, testing::ContainsRegex("list_sub_runs +read +off"));
}

TEST(ToolsShow, AnUnknownNameSaysWhatWasProbablyMeant) {
  const Program deputy;
  const ProcessEnd end = deputy.run({"tools", "show", "serch_history"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.errors, HasSubstr("did you mean `search_history`?"));
}

TEST(RunsShow, HasTheRequestAndTheAnswer) {
  const Program deputy;
  const std::string run = asked(deputy);
  const ProcessEnd end = deputy.run({"runs", "show", run});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_THAT(end.output, HasSubstr("\nhello\n"));
  EXPECT_THAT(end.output, HasSubstr("answer\nWithout a model"));
  EXPECT_EQ(json_of(deputy, {"runs", "show", run}).at("journal").at(0).at("kind"), "received");
}

// A name may come from anywhere: another channel, a model, a settings file.
TEST(RunsShow, EscapesNamesFromOutside) {
  const Program deputy;
  const std::string run = asked(deputy);
  change_store(deputy, fmt::format("UPDATE runs SET requester = 'ana' || char(27) || '[2J', conversation = 'x' || "
                                   "char(27) || '[31m' WHERE id = '{}'",
                                   run));
  for (const Words& command : {Words{"runs", "show", run}, Words{"runs", "list"}}) {
    const std::string shown = deputy.run(command).output;
    EXPECT_THAT(shown, HasSubstr("ana\\u{1B}[2J"));
    EXPECT_THAT(shown, testing::Not(HasSubstr("\x1b")));
  }
}

TEST(RunsReplay, FindsNothingWrongWithASoundJournal) {
  const Program deputy;
  const ProcessEnd end = deputy.run({"runs", "replay", asked(deputy)});
  EXPECT_EQ(end.exit_code, 0) << end.output << end.errors;
  EXPECT_THAT(end.output, HasSubstr("outcome: answered"));
}

/// Nobody can read how it began any more.
void damage(const Program& deputy, const std::string& run) {
  change_store(deputy, fmt::format("UPDATE entries SET body = '{{\"text' WHERE seq = 1 "
                                   "AND run = (SELECT number FROM runs WHERE id = '{}')",
                                   run));
}

class DamagedJournal : public testing::Test {
 protected:
  void SetUp() override {
    sound_ = asked(deputy_);
    damaged_ = asked(deputy_);
    damage(deputy_, damaged_);
  }

  Program deputy_;
  std::string sound_, damaged_;
};

TEST_F(DamagedJournal, IsAFailureThatSaysWhatIsDamagedAndWhatHelps) {
  for (const char* command : {"show", "replay", "resume"}) {
    const ProcessEnd end = deputy_.run({"runs", command, damaged_});
    EXPECT_EQ(end.exit_code, 1) << command;
    EXPECT_EQ(end.output, "") << command;
    EXPECT_THAT(end.errors, HasSubstr(fmt::format("run {} cannot be read: entry 1 of the journal, `received`, is "
                                                  "damaged: ",
                                                  damaged_.substr(0, 10))))
        << command;
    EXPECT_THAT(end.errors, HasSubstr("restore it from a copy")) << command;
  }
}

TEST_F(DamagedJournal, LeavesTheOthersToBeListedAndShown) {
  std::vector<std::string> listed;
  for (const json::value& run : json_of(deputy_, {"runs", "list"}).as_array())
    listed.emplace_back(as_view(run.at("run").as_string()));
  EXPECT_THAT(listed, ElementsAre(damaged_, sound_));
  EXPECT_EQ(deputy_.run({"runs", "show", sound_}).exit_code, 0);
}

TEST_F(DamagedJournal, IsForgottenLikeAnother) {
  EXPECT_EQ(deputy_.run({"forget", "--run", damaged_}).output, "Forgot 1 run.\n");
  EXPECT_THAT(deputy_.run({"runs", "show", damaged_}).errors, HasSubstr("has been forgotten"));
}

struct Unknown {
  std::string name;
  std::vector<std::string> arguments;
  std::string listed_by;
};

class UnknownId : public testing::TestWithParam<Unknown> {};

TEST_P(UnknownId, SaysWhereIdsAreListed) {
  const Program deputy;
  const ProcessEnd end = deputy.run(GetParam().arguments);
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.errors, HasSubstr(GetParam().listed_by));
}

INSTANTIATE_TEST_SUITE_P(
    Commands, UnknownId,
    testing::Values(
        Unknown{"Show", {"runs", "show", "x"}, "deputy runs list"},
        Unknown{"Resume", {"runs", "resume", "x"}, "deputy runs list"},
        Unknown{"Answer", {"interactions", "answer", "x", "yes"}, "deputy interactions list"},
        Unknown{"Answer2", {"interactions", "answer", "01M7F7M2T84A07M63ZHG8NJ2JA", "yes"}, "deputy interactions list"},
        Unknown{"Revoke", {"grants", "revoke", "x"}, "deputy grants list"}),
    [](const auto& row) { return row.param.name; });

TEST(Audit, TellsOfOneRunWhatWasAskedAndHowItEnded) {
  const Program deputy;
  asked(deputy);
  const std::string run = asked(deputy);
  std::vector<std::string> kinds;
  for (const json::value& entry : json_of(deputy, {"audit", "--run", run}).as_array())
    kinds.emplace_back(as_view(entry.at("kind").as_string()));
  EXPECT_THAT(kinds, ElementsAre("requested", "finished"));
}

TEST(Audit, PrintsTheNewestInTheOrderInWhichTheyHappened) {
  const Program deputy;
  asked(deputy);
  const std::string run = asked(deputy);
  std::vector<std::string> kinds;
  for (const json::value& entry : json_of(deputy, {"audit", "--most", "2"}).as_array()) {
    EXPECT_EQ(as_view(entry.at("run").as_string()), run);
    kinds.emplace_back(as_view(entry.at("kind").as_string()));
  }
  EXPECT_THAT(kinds, ElementsAre("requested", "finished"));
  EXPECT_EQ(json_of(deputy, {"audit"}).as_array().size(), 4U);
}

TEST(Audit, ShowsTheArgumentsUntilTheyAreForgotten) {
  const Program deputy;
  deputy.run({"tools", "call", "search_history", R"({"query": "zebra"})"});
  const std::string run(as_view(json_of(deputy, {"runs", "list"}).at(0).at("run").as_string()));
  EXPECT_THAT(deputy.run({"audit", "--run", run}).output, HasSubstr(R"(arguments {"query":"zebra")"));
  EXPECT_THAT(json::serialize(json_of(deputy, {"audit", "--run", run})), HasSubstr(R"("arguments":{"query":"zebra")"));
  deputy.run({"forget", "--run", run});
  EXPECT_THAT(deputy.run({"audit", "--run", run}).output, testing::Not(HasSubstr("zebra")));
}

TEST(Grants, AreListedWithTheirArguments) {
  const Program deputy;
  deputy.run({"tools", "call", "list_sub_runs", "--set", "policy.mode=allowlist"});
  const json::value waiting = json_of(deputy, {"interactions", "list"});
  const std::string id(as_view(waiting.at(0).at("interaction").as_string()));
  EXPECT_EQ(deputy.run({"interactions", "answer", id, "always", "--set", "policy.mode=allowlist"}).exit_code, 0);
  EXPECT_THAT(deputy.run({"grants", "list"}).output, HasSubstr("list_sub_runs exactly {"));
}

// Seen: the command waited for ever.
TEST(RunsResume, EndsWhenTheRunCanNoLongerMove) {
  const Program deputy;
  deputy.run({"ask", "investigate the issue"});
  const std::string run(as_view(json_of(deputy, {"runs", "list"}).at(0).at("run").as_string()));
  const std::string id(as_view(json_of(deputy, {"interactions", "list"}).at(0).at("interaction").as_string()));
  EXPECT_EQ(deputy.run({"interactions", "answer", id, "checkout", "prod"}).exit_code, 0);
  change_store(deputy, fmt::format("UPDATE entries SET kind = 'of_a_newer_version' WHERE kind = 'enriched' "
                                   "AND run = (SELECT number FROM runs WHERE id = '{}')",
                                   run));
  const ProcessEnd end = deputy.run({"runs", "resume", run});
  EXPECT_EQ(end.exit_code, 1) << end.output;
  EXPECT_THAT(end.errors, HasSubstr(fmt::format("run {} cannot go on", run.substr(0, 10))));
}

TEST(Usage, OfTheOfflinePlannerIsNothing) {
  const Program deputy;
  asked(deputy);
  EXPECT_EQ(deputy.run({"usage"}).exit_code, 0);
}

TEST(Forget, RemovesWhatWasSaidAndSaysSo) {
  const Program deputy;
  const std::string run = asked(deputy);
  EXPECT_EQ(deputy.run({"forget", "--run", run}).output, "Forgot 1 run.\n");
  const ProcessEnd end = deputy.run({"runs", "show", run});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.errors, HasSubstr("has been forgotten"));
  const ProcessEnd replayed = deputy.run({"runs", "replay", run});
  EXPECT_EQ(replayed.exit_code, 1);
  EXPECT_THAT(replayed.errors, HasSubstr("has been forgotten"));
}

TEST(Forget, APersonNobodyIsCalledIsAnErrorThatNamesThoseThereAre) {
  const Program deputy;
  asked(deputy);
  deputy.folder.write("home/.local/state/deputy/chat_history", "hello\n");
  const ProcessEnd end = deputy.run({"forget", "--person", "nobody-here"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(end.output, "");
  EXPECT_THAT(end.errors, HasSubstr("nobody called `nobody-here` has asked for anything"));
  EXPECT_THAT(end.errors, HasSubstr(fmt::format("`{}`", person_of(deputy))));
  EXPECT_EQ(deputy::test::read_file(deputy.folder / "home/.local/state/deputy/chat_history"), "hello\n");
  EXPECT_EQ(deputy.run({"forget", "--person", person_of(deputy)}).output, "Forgot 1 run.\n");
}

class ForgetTyped : public testing::Test {
 protected:
  void SetUp() override { deputy_.folder.write(kFile, "hello\nsomething else\n"); }

  std::string typed() const { return test::read_file(deputy_.folder / kFile); }

  void unfinish(const std::string& run) const {
    change_store(deputy_, fmt::format("UPDATE runs SET state = 'parked' WHERE id = '{}'", run));
  }
  std::string may_be_left() const {
    return fmt::format("{} may still contain what was typed for it\n", (deputy_.folder / kFile).string());
  }

  /// As if somebody had asked it elsewhere.
  void give_to_somebody_on_slack(const std::string& run) const {
    change_store(deputy_, fmt::format("UPDATE runs SET requester = 'slack:T1/U9', conversation = 'slack:T1:C1:1' "
                                      "WHERE id = '{}'",
                                      run));
  }

  static constexpr const char* kFile = "home/.local/state/deputy/chat_history";
  Program deputy_;
};

TEST_F(ForgetTyped, WithARunGoesItsLine) {
  deputy_.run({"forget", "--run", asked(deputy_)});
  EXPECT_EQ(typed(), "something else\n");
}

TEST_F(ForgetTyped, WithWhoTypedGoesAll) {
  asked(deputy_);
  deputy_.run({"forget", "--person", person_of(deputy_)});
  EXPECT_EQ(typed(), "");
}

TEST_F(ForgetTyped, WithSomebodyElseGoesNothing) {
  give_to_somebody_on_slack(asked(deputy_));
  EXPECT_EQ(deputy_.run({"forget", "--person", "slack:T1/U9"}).output, "Forgot 1 run.\n");
  EXPECT_EQ(typed(), "hello\nsomething else\n");
}

TEST_F(ForgetTyped, WithTheAccountGoesAllAlsoWhereSettingsNameIt) {
  asked(deputy_);
  const std::string account = person_of(deputy_);
  const std::string joined = "people.bo.terminal=" + account.substr(account.find(':') + 1);
  json_of(deputy_, {"ask", "hello", "--set", joined});
  ASSERT_EQ(person_of(deputy_), "bo");
  deputy_.run({"forget", "--person", account, "--set", joined});
  EXPECT_EQ(typed(), "");
}

TEST_F(ForgetTyped, WithANameOfFormerSettingsGoesAll) {
  asked(deputy_);
  const std::string account = person_of(deputy_);
  json_of(deputy_, {"ask", "hello", "--set", "people.bo.terminal=" + account.substr(account.find(':') + 1)});
  EXPECT_EQ(deputy_.run({"forget", "--person", "bo"}).output, "Forgot 1 run.\n");
  EXPECT_EQ(typed(), "");
}

TEST_F(ForgetTyped, WithAConversationOfThisUserGoesAll) {
  asked(deputy_);
  EXPECT_EQ(deputy_.run({"forget", "--conversation", conversation_of(deputy_)}).output, "Forgot 1 run.\n");
  EXPECT_EQ(typed(), "");
}

TEST_F(ForgetTyped, WithAConversationOfAnotherUserGoesNothing) {
  const std::string run = asked(deputy_);
  change_store(deputy_, fmt::format("UPDATE runs SET conversation = 'terminal:nobody-here:01K' WHERE id = '{}'", run));
  EXPECT_EQ(deputy_.run({"forget", "--conversation", "terminal:nobody-here:01K"}).output, "Forgot 1 run.\n");
  EXPECT_EQ(typed(), "hello\nsomething else\n");
}

TEST_F(ForgetTyped, AConversationNobodyAskedInIsAnErrorAndNothingGoes) {
  asked(deputy_);
  const std::string mistyped = conversation_of(deputy_) + "x";
  const ProcessEnd end = deputy_.run({"forget", "--conversation", mistyped});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(end.output, "");
  EXPECT_THAT(end.errors, HasSubstr(fmt::format("nothing was asked in a conversation `{}`", mistyped)));
  EXPECT_THAT(end.errors, HasSubstr("deputy runs show"));
  EXPECT_EQ(typed(), "hello\nsomething else\n");
}

TEST_F(ForgetTyped, WithWhatIsNotFinishedGoesNothing) {
  const std::string run = asked(deputy_);
  unfinish(run);
  const std::vector<std::string> scopes[] = {
      {"--run", run}, {"--conversation", conversation_of(deputy_)}, {"--person", person_of(deputy_)}};
  for (const auto& scope : scopes) {
    const ProcessEnd end = deputy_.run({"forget", scope[0], scope[1]});
    EXPECT_EQ(end.exit_code, 1) << scope[0];
    EXPECT_EQ(end.output, "Forgot 0 runs.\n1 run not finished and not forgotten: cancel first.\n" + may_be_left())
        << scope[0];
    EXPECT_EQ(typed(), "hello\nsomething else\n") << scope[0];
  }
}

TEST_F(ForgetTyped, WithARunGoesItsLineAlsoWhereAChildRunIsNotFinished) {
  const std::string run = asked(deputy_);
  const std::string child = asked(deputy_);
  change_store(deputy_, fmt::format("UPDATE runs SET state = 'parked', parent = '{}' WHERE id = '{}'", run, child));
  EXPECT_EQ(deputy_.run({"forget", "--run", run}).output,
            "Forgot 1 run.\n1 run not finished and not forgotten: cancel first.\n");
  EXPECT_EQ(typed(), "something else\n");
}

TEST_F(ForgetTyped, OfADamagedRunTheLineIsLeftAndThatIsSaid) {
  const std::string run = asked(deputy_);
  damage(deputy_, run);
  const ProcessEnd end = deputy_.run({"forget", "--run", run});
  EXPECT_EQ(end.exit_code, 0) << end.errors;
  EXPECT_EQ(end.output, "Forgot 1 run.\n" + may_be_left());
  EXPECT_EQ(typed(), "hello\nsomething else\n");
}

TEST_F(ForgetTyped, OfADamagedRunOfSomebodyElseNothingIsSaid) {
  const std::string run = asked(deputy_);
  give_to_somebody_on_slack(run);
  damage(deputy_, run);
  EXPECT_EQ(deputy_.run({"forget", "--run", run}).output, "Forgot 1 run.\n");
}

TEST_F(ForgetTyped, ThatSomeMayBeLeftIsThereAsJsonToo) {
  const std::string run = asked(deputy_);
  damage(deputy_, run);
  EXPECT_EQ(json_of(deputy_, {"forget", "--run", run}).at("typed_may_be_left"), true);
}

TEST(Forget, ARunThatIsNotThereIsAnError) {
  const Program deputy;
  asked(deputy);
  const ProcessEnd end = deputy.run({"forget", "--run", "01M7F7M2T84A07M63ZHG8NJ2JA"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(end.output, "");
  EXPECT_THAT(end.errors, HasSubstr("there is no run 01M7F7M2T8 ("));
}

TEST(Forget, NamesTheCopiesItDoesNotReach) {
  const Program deputy;
  const std::string run = asked(deputy);
  const std::string copy = deputy.folder.write("home/.local/state/deputy/deputy.db.before-v2", "hello").string();
  EXPECT_EQ(
      deputy.run({"forget", "--run", run}).output,
      fmt::format("Forgot 1 run.\n{} is a backup from before an upgrade and still has all text: delete it\n", copy));
  EXPECT_EQ(json_of(deputy, {"forget", "--run", run}), json::value(json::object{{"runs", 0},
                                                                                {"unfinished", 0},
                                                                                {"log_is_read", false},
                                                                                {"typed_may_be_left", false},
                                                                                {"copies", json::array{copy}}}));
}

TEST(Forget, WithoutSayingWhatIsWrongUsage) {
  const Program deputy;
  EXPECT_EQ(deputy.run({"forget"}).exit_code, 2);
}

TEST(Settings, ThatCannotBeUsedStopACommandWithTheFirstProblem) {
  const Program deputy;
  const ProcessEnd end = deputy.run({"ask", "hello", "--set", "limits.tool_turns=0"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_THAT(end.errors, HasSubstr("tool_turns"));
  EXPECT_THAT(end.errors, HasSubstr("deputy config check"));
}

}  // namespace
}  // namespace deputy
