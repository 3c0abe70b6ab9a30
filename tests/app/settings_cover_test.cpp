// For each setting one test sees behaviour change. This list says which; a setting without a row, or a row without a
// setting, fails. To add a setting: write that test, then its row here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "app/settings.h"

namespace deputy::app {
namespace {

struct Cover {
  std::string path;
  std::string test;  // Suite.Name of the test that sees it work, or which part's tests will
};

const std::vector<Cover> kSeenToWork{
    {"log.level", "LogSettingsAtWork.LevelDecidesWhatIsLogged"},
    {"log.format", "LogSettingsAtWork.FormatDecidesHowALineIsWritten"},
    {"retention.results", "RetentionAtWork.ResultsDecidesHowLongResultsAreKept"},
    {"retention.runs", "RetentionAtWork.RunsDecidesHowLongFinishedRunsAreKept"},
    {"retention.audit", "RetentionAtWork.AuditDecidesHowLongTheTrailIsKept"},
    {"retention.inbox_keys", "RetentionAtWork.InboxKeysDecidesHowLongASecondDeliveryIsNoticed"},
};

// Settings that load and are checked, whose behaviour belongs to a part that does not read them yet. Whoever makes it
// read them moves the row up.
const std::vector<Cover> kWaitingForTheirPart{
    {"environment", "app: shown at start and sent with alerts"},
    {"timezone", "intent and channel: how times are read and shown"},
    {"environments.<name>", "intent: which environment a request means"},
};

TEST(SettingsCover, EverySettingHasItsTest) {
  std::vector<std::string> declared;
  for (const FieldDoc& doc : describe_fields<Settings>()) declared.push_back(doc.path);
  std::vector<std::string> covered;
  for (const auto* list : {&kSeenToWork, &kWaitingForTheirPart}) {
    for (const Cover& cover : *list) covered.push_back(cover.path);
  }
  EXPECT_THAT(covered, testing::UnorderedElementsAreArray(declared));
  std::string waiting;
  for (const Cover& cover : kWaitingForTheirPart) waiting += " " + cover.path;
  std::cout << "settings that no test sees at work yet:" << waiting << "\n";
}

// They may be in any test program, so they are looked for where they are written.
TEST(SettingsCover, TheseTestsExist) {
  std::string sources;
  for (const auto& file : std::filesystem::recursive_directory_iterator(DEPUTY_SOURCE "/tests")) {
    if (file.path().string().ends_with("_test.cpp")) sources += test::read_file(file.path());
  }
  for (const Cover& cover : kSeenToWork) {
    const std::size_t dot = cover.test.find('.');
    const std::string arguments = "(" + cover.test.substr(0, dot) + ", " + cover.test.substr(dot + 1) + ") {";
    EXPECT_TRUE(sources.contains("TEST" + arguments) || sources.contains("TEST_F" + arguments)) << cover.test;
  }
}

TEST(LogSettingsAtWork, LevelDecidesWhatIsLogged) {
  const test::Program deputy;
  EXPECT_EQ(deputy.run({"config", "check"}).errors, "");
  EXPECT_THAT(deputy.run({"config", "check", "--set", "log.level=debug"}).errors,
              testing::HasSubstr(" debug   settings loaded files=0 problems=0\n"));
}

TEST(LogSettingsAtWork, FormatDecidesHowALineIsWritten) {
  const test::Program deputy;
  const auto line =
      parse_json(deputy.run({"config", "check", "--set", "log.level=debug", "--set", "log.format=json"}).errors);
  ASSERT_OK(line);
  EXPECT_EQ(line->at("event").as_string(), "settings loaded");
}

}  // namespace
}  // namespace deputy::app
