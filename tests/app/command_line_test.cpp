#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"

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
                                         Row{"SetWithoutKey", {"--set", "=x", "config", "check"}}),
                         [](const auto& row) { return row.param.name; });

TEST(CommandLine, SetMayBeRepeatedAndBeforeOrAfterTheCommand) {
  const Program deputy;
  const std::string shown =
      deputy.run({"--set", "log.format=json", "config", "show", "--set", "timezone=Asia/Tokyo"}).output;
  EXPECT_THAT(shown, HasSubstr("timezone: Asia/Tokyo"));
  EXPECT_THAT(shown, HasSubstr("format: json"));
}

}  // namespace
}  // namespace deputy
