#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/context.h"
#include "app/program.h"
#include "base/text.h"

namespace deputy {
namespace {

using test::Program;
using testing::HasSubstr;

TEST(CommandLine, VersionIsOneLine) {
  const Program deputy;
  EXPECT_EQ(deputy.run({"version"}).output, "deputy 0.1.0\n");
  EXPECT_EQ(deputy.run({"version", "--json"}).output, "{\"version\":\"0.1.0\"}\n");
}

TEST(CommandLine, HelpTeachesByExample) {
  const Program deputy;
  const ProcessEnd end = deputy.run({"--help"});
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_THAT(end.output, HasSubstr("Examples:\n  deputy chat "));
}

TEST(CommandLine, EveryCommandHasExamplesOfItsOwn) {
  const Program deputy;
  const std::string program = deputy.run({"--help"}).output;
  const std::string of_program = program.substr(program.find("Examples:"));
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{"chat"},
                                                                                       {"ask"},
                                                                                       {"runs"},
                                                                                       {"interactions"},
                                                                                       {"grants"},
                                                                                       {"tools"},
                                                                                       {"usage"},
                                                                                       {"audit"},
                                                                                       {"forget"},
                                                                                       {"pause"},
                                                                                       {"resume"},
                                                                                       {"doctor"},
                                                                                       {"version"},
                                                                                       {"config"},
                                                                                       {"config", "check"},
                                                                                       {"config", "show"},
                                                                                       {"config", "init"},
                                                                                       {"config", "trust"},
                                                                                       {"config", "reference"}}) {
    std::vector<std::string> arguments = command;
    arguments.emplace_back("--help");
    const std::string help = deputy.run(arguments).output;
    EXPECT_THAT(help, HasSubstr("Examples:\n  deputy " + join(command, " "))) << help;
    EXPECT_THAT(help, testing::Not(HasSubstr(of_program)));
  }
}

TEST(CommandLine, AWordThatIsNoCommandIsNamedWithTheNearest) {
  const Program deputy;
  const ProcessEnd end = deputy.run({"rusn", "list"});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.errors, HasSubstr("there is no command `deputy rusn`; did you mean `deputy runs`?"));
  EXPECT_THAT(deputy.run({"--json", "nonsense"}).errors,
              HasSubstr("there is no command `deputy nonsense`\nThere are: chat, "));
  EXPECT_THAT(deputy.run({"runs", "lst"}).errors,
              HasSubstr("there is no command `deputy runs lst`; did you mean `deputy runs list`?"));
  EXPECT_THAT(deputy.run({"config", "chekc"}).errors, HasSubstr("did you mean `deputy config check`?"));
}

struct Row {
  std::string name;
  std::vector<std::string> arguments;
};

class WrongUsage : public testing::TestWithParam<Row> {};

TEST_P(WrongUsage, EndsWithTwoAndSaysSoOnStandardError) {
  const Program deputy;
  const ProcessEnd end = deputy.run(GetParam().arguments);
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_EQ(end.output, "");
  EXPECT_NE(end.errors, "");
}

INSTANTIATE_TEST_SUITE_P(Arguments, WrongUsage,
                         testing::Values(Row{"Nothing", {}}, Row{"UnknownCommand", {"dance"}},
                                         Row{"UnknownFlag", {"version", "--loud"}}, Row{"NoSubcommand", {"config"}},
                                         Row{"FlagWithoutValue", {"config", "check", "--config"}},
                                         Row{"SetWithoutValue", {"--set", "timezone", "config", "check"}},
                                         Row{"SetWithoutKey", {"--set", "=x", "config", "check"}},
                                         Row{"SetWithoutValueOfAnyCommand", {"runs", "list", "--set", "timezone"}},
                                         Row{"ArgumentsThatAreNoJson", {"tools", "call", "list_sub_runs", "none"}},
                                         Row{"ForgettingNothingInParticular", {"forget"}}),
                         [](const auto& row) { return row.param.name; });

class NotThere : public testing::TestWithParam<Row> {};

TEST_P(NotThere, EndsWithOneAndSaysSoOnStandardError) {
  const Program deputy;
  const ProcessEnd end = deputy.run(GetParam().arguments);
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(end.output, "");
  EXPECT_NE(end.errors, "");
}

constexpr const char* kNobodysId = "01M7F7M2T84A07M63ZHG8NJ2JA";

INSTANTIATE_TEST_SUITE_P(Named, NotThere,
                         testing::Values(Row{"ARunToShow", {"runs", "show", kNobodysId}},
                                         Row{"ARunToReplay", {"runs", "replay", kNobodysId}},
                                         Row{"ARunToCancel", {"runs", "cancel", kNobodysId}},
                                         Row{"AWordThatIsNoRun", {"runs", "show", "x"}},
                                         Row{"ARunToForget", {"forget", "--run", kNobodysId}},
                                         Row{"AConversationToForget", {"forget", "--conversation", "slack:T1:C1:1"}},
                                         Row{"AWordThatIsNoRunToForget", {"forget", "--run", "x"}},
                                         Row{"AToolToShow", {"tools", "show", "x"}},
                                         Row{"AToolToCall", {"tools", "call", "x"}},
                                         Row{"AGrant", {"grants", "revoke", kNobodysId}},
                                         Row{"AnInteraction", {"interactions", "answer", kNobodysId, "yes"}},
                                         Row{"SomethingToStop", {"ask", "stop"}}),
                         [](const auto& row) { return row.param.name; });

TEST(ExitCodes, HaveOneMeaningForEveryCommand) {
  using app::ExitCode;
  using app::Stage;
  const auto code = [](ErrorKind kind, Stage stage) { return app::exit_code_of(Error{kind, "", ""}, stage); };
  for (const Stage stage : {Stage::opening, Stage::working}) {
    EXPECT_EQ(code(ErrorKind::invalid_input, stage), ExitCode::usage);
    EXPECT_EQ(code(ErrorKind::not_found, stage), ExitCode::failed);
    EXPECT_EQ(code(ErrorKind::conflict, stage), ExitCode::failed);
    EXPECT_EQ(code(ErrorKind::not_configured, stage), ExitCode::failed);
  }
  EXPECT_EQ(code(ErrorKind::permission, Stage::working), ExitCode::refused);
  EXPECT_EQ(code(ErrorKind::permission, Stage::opening), ExitCode::failed) << "a file's mode is no policy";
}

TEST(CommandLine, SetMayBeRepeatedAndBeforeOrAfterTheCommand) {
  const Program deputy;
  const std::string shown =
      deputy.run({"--set", "log.format=json", "config", "show", "--set", "timezone=Asia/Tokyo"}).output;
  EXPECT_THAT(shown, HasSubstr("timezone: Asia/Tokyo"));
  EXPECT_THAT(shown, HasSubstr("format: json"));
}

}  // namespace
}  // namespace deputy
