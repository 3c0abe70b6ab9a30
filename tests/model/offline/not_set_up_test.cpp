// What a request wants and nobody has set up is named with the setting to set, instead of a list of other tools.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/offline/catalogue.h"

namespace deputy::model::offline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> kLogTools = {"search_logs", "get_recent_errors", "get_service_logs"};
const std::vector<std::string> kWorkspaceTools = {"read_file", "list_files", "search_files",
                                                  "edit_file", "write_file", "shell"};

struct Row {
  const char* request;
  const char* called;
};

TEST(OfflineNotSetUp, TheLogToolThatIsMeantIsCalledAndSaysWhatItLacks) {
  for (const Row& row :
       {Row{"errors in checkout prod", "get_recent_errors{}"},
        Row{"show me the errors of checkout in prod", "get_recent_errors{}"},
        Row{"what is failing in prod?", "get_recent_errors{}"},
        Row{"logs of cast-core in staging", "get_service_logs{}"},
        Row{"search the prod logs for \"deadlock\"", "search_logs{}"}, Row{"errors", "get_recent_errors{}"}}) {
    EXPECT_EQ(in_one_line(ask_deputy(row.request, kLogTools)), row.called) << row.request;
  }
}

TEST(OfflineNotSetUp, AnInvestigationNamesWhatItWouldLookAt) {
  std::vector<std::string> not_offered = kLogTools;
  not_offered.emplace_back("investigate_issue");
  EXPECT_EQ(in_one_line(ask_deputy("Investigate recent errors of the service checkout in prod.", not_offered)),
            "get_recent_errors{}");
}

TEST(OfflineNotSetUp, SoIsTheToolOfTheWorkspace) {
  for (const Row& row : {Row{"run `ls`", "shell{}"}, Row{"please run \"ls -l\"", "shell{}"},
                         Row{"execute `uptime`", "shell{}"}, Row{"which files are there?", "list_files{}"},
                         Row{"list files", "list_files{}"}, Row{"read the file limits.conf", "read_file{}"}}) {
    EXPECT_EQ(in_one_line(ask_deputy(row.request, kWorkspaceTools)), row.called) << row.request;
  }
}

TEST(OfflineNotSetUp, WhatIsQuotedBehindRunMayBeANameWhereNoToolTakesCommands) {
  intent::Intent intent;
  intent.type = intent::IntentType::act;
  intent.parameters.services = {"cast-core"};
  intent.suggested_tools = {"run_pipeline"};
  const std::vector<ToolDescription> tools = {tool("run_pipeline", "Runs a pipeline of a repository", "repo*")};
  EXPECT_EQ(in_one_line(ask("run \"nightly\" pipeline on cast-core", intent, tools)),
            R"(run_pipeline{"repo":"cast-core"})");
}

TEST(OfflineNotSetUp, TheAnswerNamesToolSettingAndHowToSetIt) {
  const Request asked = ask_deputy("errors in checkout prod", kLogTools);
  const Reply reply = answer(
      then(asked, answer(asked),
           {{"`get_recent_errors` is not set up here (tools.log_tools.files.root: the folder of the logs)", true}}));
  EXPECT_EQ(reply.stop, Stop::end_turn);
  EXPECT_THAT(text_of(reply),
              AllOf(HasSubstr("`get_recent_errors` is not set up here"), HasSubstr("tools.log_tools.files.root"),
                    HasSubstr("deputy.yaml"), HasSubstr("`deputy config init`"), Not(HasSubstr("failed"))));
}

TEST(OfflineNotSetUp, WhereItMayNotBeUsedThatIsSaid) {
  const Request asked = ask_deputy("run `ls`", kWorkspaceTools);
  const Reply reply = answer(then(
      asked, answer(asked),
      {{"Denied by a rule, not by a person: `shell` may not be used in this channel until channels.C1.categories lists "
        "workspace_tools. It did not run, and asking again will not change that.",
        true}}));
  EXPECT_EQ(reply.stop, Stop::end_turn);
  EXPECT_THAT(text_of(reply), HasSubstr("may not be used in this channel"));
}

TEST(OfflineNotSetUp, AnotherToolThatDoesItIsUsedInstead) {
  // One of the suggested is there.
  EXPECT_EQ(in_one_line(ask_deputy("timeout errors in checkout prod", {"get_recent_errors"})),
            R"(search_logs{"environment":"prod","query":"timeout","service":"checkout"})");
  // Somebody's own tool has it in its name.
  intent::Intent intent;
  intent.type = intent::IntentType::fetch;
  intent.suggested_tools = {"get_recent_errors"};
  EXPECT_EQ(in_one_line(ask("errors", intent)), "error_overview{}");
}

TEST(OfflineNotSetUp, NothingIsCalledThatDoesNotExist) {
  // Without an intent of somebody who knows the tools, names are guesses.
  EXPECT_EQ(answer(ask("run `ls`")).stop, Stop::end_turn);
  EXPECT_EQ(answer(ask("sing me a song")).stop, Stop::end_turn);
}

TEST(OfflineNotSetUp, AWordOfAnOrderStartsNoSubRun) {
  for (const char* request : {"run the water", "start the dishwasher"}) {
    EXPECT_EQ(answer(ask_deputy(request, {"run_pipeline", "stop_pipeline"})).stop, Stop::end_turn) << request;
  }
  EXPECT_THAT(in_one_line(ask_deputy("start a sub run that counts the errors")), HasSubstr("start_sub_run"));
}

}  // namespace
}  // namespace deputy::model::offline
