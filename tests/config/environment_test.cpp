#include "config/environment.h"

#include <gtest/gtest.h>

#include "config/sample_settings.h"
#include "config/yaml.h"

namespace deputy::config {
namespace {

using test::lines_of;

Layer read(const Environment& environment, const std::string& files = "") {
  const Document document =
      parse_yaml(files, std::make_shared<const Source>(SourceKind::file, "file", "/", false)).document;
  return from_environment(environment, document, describe_fields<test::SampleSettings>(), "/srv");
}

struct Row {
  std::string name;
  std::string files;
  std::string variable;
  std::string document;
};

class EnvironmentNames : public testing::TestWithParam<Row> {};

TEST_P(EnvironmentNames, MeanPaths) {
  const Layer layer = read({{GetParam().variable, "v"}}, GetParam().files);
  EXPECT_EQ(canonical_json(layer.document.root), GetParam().document);
  EXPECT_EQ(lines_of(layer.problems), std::vector<std::string>{});
  EXPECT_EQ(layer.notices, std::vector<std::string>{});
}

INSTANTIATE_TEST_SUITE_P(
    Variables, EnvironmentNames,
    testing::Values(Row{"TopLevel", "", "DEPUTY_COUNT", R"({"count":"v"})"},
                    Row{"Nested", "", "DEPUTY_LOG__LEVEL", R"({"log":{"level":"v"}})"},
                    Row{"AnyCase", "", "DEPUTY_log__Level", R"({"log":{"level":"v"}})"},
                    Row{"UnderscoreInAKey", "", "DEPUTY_CHANNELS__SLACK__BOT_TOKEN",
                        R"({"channels":{"slack":{"bot_token":"v"}}})"},
                    Row{"OpenKeyIsLowerCase", "", "DEPUTY_CHANNELS__C1__MODE", R"({"channels":{"c1":{"mode":"v"}}})"},
                    Row{"OpenKeyAsTheFileSpellsIt", "channels: {C1: {mode: x}}", "DEPUTY_CHANNELS__C1__MODE",
                        R"({"channels":{"C1":{"mode":"v"}}})"},
                    Row{"UnknownNestedGoesInToBeReported", "", "DEPUTY_LOG__LEVL", R"({"log":{"levl":"v"}})"},
                    Row{"ReservedConfig", "", "DEPUTY_CONFIG", "{}"}, Row{"ReservedData", "", "DEPUTY_DATA", "{}"},
                    Row{"ReservedAutoConfirm", "", "DEPUTY_AUTO_CONFIRM", "{}"},
                    Row{"ReservedFailpoint", "", "DEPUTY_FAILPOINT", "{}"},
                    Row{"SomebodyElses", "", "DEPUTY_SHERIFF_BADGE", "{}"},
                    Row{"OtherPrefix", "", "DEPUTYX_COUNT", "{}"}),
    [](const auto& row) { return row.param.name; });

TEST(EnvironmentProblems, APlainNameNearASettingIsANotice) {
  const Layer layer = read({{"DEPUTY_COUNTT", "1"}});
  EXPECT_EQ(layer.notices,
            std::vector<std::string>{"DEPUTY_COUNTT is not a setting and is ignored;  did you mean `count`?"});
  EXPECT_TRUE(layer.document.root.empty());
}

struct SlipRow {
  std::string name;
  std::string variable;
  std::string meant;
};

class SingleUnderscores : public testing::TestWithParam<SlipRow> {};

TEST_P(SingleUnderscores, AreNoticed) {
  const Layer layer = read({{GetParam().variable, "v"}});
  EXPECT_EQ(layer.notices, std::vector<std::string>{fmt::format("{} is not a setting and is ignored;  did you mean {}?",
                                                                GetParam().variable, GetParam().meant)});
  EXPECT_TRUE(layer.document.root.empty());
}

INSTANTIATE_TEST_SUITE_P(
    Variables, SingleUnderscores,
    testing::Values(SlipRow{"BetweenTwoKeys", "DEPUTY_LOG_LEVEL", "DEPUTY_LOG__LEVEL"},
                    SlipRow{"BesideOneInAKey", "DEPUTY_CHANNELS_SLACK_BOT_TOKEN", "DEPUTY_CHANNELS__SLACK__BOT_TOKEN"},
                    SlipRow{"AroundAnOpenKey", "DEPUTY_CHANNELS_C_1_MODE", "DEPUTY_CHANNELS__C_1__MODE"}),
    [](const auto& row) { return row.param.name; });

TEST(EnvironmentProblems, AnEmptyVariableCountsAsNotSet) {
  const Layer layer = read({{"DEPUTY_COUNT", ""}, {"DEPUTY_LOG__", ""}, {"DEPUTY_COUNTT", ""}});
  EXPECT_TRUE(layer.document.root.empty());
  EXPECT_EQ(lines_of(layer.problems), std::vector<std::string>{});
  EXPECT_EQ(layer.notices, std::vector<std::string>{});
}

TEST(EnvironmentProblems, ANameThatIsNotTextIsPrintedAsText) {
  EXPECT_EQ(lines_of(read({{"DEPUTY_\xFF", "1"}}).problems),
            std::vector<std::string>{"environment variable DEPUTY_\uFFFD: this is not UTF-8 text"});
}

TEST(EnvironmentProblems, TwoSpellingsOfOneSettingAreReported) {
  const Layer layer = read({{"DEPUTY_LOG__LEVEL", "debug"}, {"DEPUTY_log__level", "info"}});
  EXPECT_EQ(lines_of(layer.problems),
            std::vector<std::string>{
                "environment variable DEPUTY_log__level: another variable sets the same setting or a parent of it"});
  EXPECT_EQ(canonical_json(layer.document.root), R"({"log":{"level":"debug"}})");
}

TEST(EnvironmentProblems, NamesThatCannotBePathsAreReported) {
  EXPECT_EQ(lines_of(read({{"DEPUTY_LOG__", "1"}}).problems),
            std::vector<std::string>{"environment variable DEPUTY_LOG__: this does not name a setting"});
  EXPECT_EQ(lines_of(read({{"DEPUTY_", "1"}}).problems),
            std::vector<std::string>{"environment variable DEPUTY_: this does not name a setting"});
  EXPECT_EQ(lines_of(read({{"DEPUTY_COUNT", "\xFF"}}).problems),
            std::vector<std::string>{"environment variable DEPUTY_COUNT: this is not UTF-8 text"});
}

TEST(EnvironmentProblems, TwoVariablesForOneSettingAreReported) {
  EXPECT_EQ(lines_of(read({{"DEPUTY_LOG", "{}"}, {"DEPUTY_LOG__LEVEL", "debug"}}).problems),
            std::vector<std::string>{
                "environment variable DEPUTY_LOG__LEVEL: another variable sets the same setting or a parent of it"});
}

TEST(VendorVariables, AreTakenWhereAFieldSaysSo) {
  const auto docs = describe_fields<test::SampleSettings>();
  const Layer layer =
      from_vendor_variables({{"SLACK_BOT_TOKEN", "xoxb"}, {"SLACK_API_URL", ""}, {"OTHER", "x"}}, docs, "/srv");
  EXPECT_EQ(canonical_json(layer.document.root), R"({"channels":{"slack":{"bot_token":"xoxb"}}})");
  EXPECT_EQ(layer.document.origins.of("channels.slack.bot_token").where(), "environment variable SLACK_BOT_TOKEN");
}

TEST(VendorVariables, DoNotReachIntoOpenKeysOrLists) {
  FieldDoc open;
  open.path = "models.<name>.api_key";
  open.variable = "ANTHROPIC_API_KEY";
  FieldDoc item = open;
  item.path = "accounts[].api_key";
  EXPECT_TRUE(from_vendor_variables({{"ANTHROPIC_API_KEY", "k"}}, std::vector{open, item}, "/").document.root.empty());
}

TEST(Flags, AreDottedPaths) {
  const std::vector<Flag> flags{{"--set", "log.level", "debug"},
                                {"--set", "channels.C1.mode", "a=b"},
                                {"--set", "count", "1"},
                                {"--set", "count", "2"}};
  const Layer layer = from_flags(flags, "/");
  EXPECT_EQ(canonical_json(layer.document.root),
            R"({"channels":{"C1":{"mode":"a=b"}},"count":"2","log":{"level":"debug"}})");
  EXPECT_EQ(layer.document.origins.of("log.level").where(), "flag --set");
  EXPECT_EQ(from_flags(std::vector<Flag>{{"--set", "log..level", "x"}}, "/").problems.size(), 1);
  EXPECT_EQ(from_flags(std::vector<Flag>{{"--set", "", "x"}}, "/").problems.size(), 1);
}

}  // namespace
}  // namespace deputy::config
