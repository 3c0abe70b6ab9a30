// The main job, by the real program on generated data: errors of a service, counted as grep counts them, in the words
// people use; and a question when the request leaves something open.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "app/program.h"
#include "base/clock.h"
#include "tools/logs/log_folder.h"

namespace deputy {
namespace {

using testing::HasSubstr;

class AskTheDemo : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    data_ = new test::TemporaryFolder;
    const std::string command = fmt::format("{} '{}' --seed 42 2>&1", DEMO_GENERATE, data_->path().string());
    ASSERT_EQ(tools::said_by(command), "");
  }
  static void TearDownTestSuite() { delete data_; }

  AskTheDemo() { deputy_.variables["DEPUTY_CONFIG"] = (*data_ / "settings/deputy.yaml").string(); }

  /// How often grep finds the timeout in the log of the last four hours.
  static std::string counted() {
    const std::string since = format_timestamp(SystemClock().now() - std::chrono::hours(4));
    const std::string from = since.substr(0, 10) + " " + since.substr(11, 8);  // as this log writes it
    return std::to_string(tools::number_said_by(
        fmt::format("awk '$0 >= \"{}\"' '{}' | grep -c 'ERROR.*Connection timeout to payment gateway'", from,
                    (*data_ / "logs/prod/cast-core.log").string())));
  }
  void expect_counted(const std::string& answer, const std::set<std::string>& counts) const {
    bool found = false;
    for (const std::string& count : counts) {
      found = found || answer.contains("\n" + count + " × Connection timeout to payment gateway");
    }
    EXPECT_TRUE(found) << answer;
  }

  inline static test::TemporaryFolder* data_ = nullptr;
  test::Program deputy_;
};

class InTheWordsOfPeople : public AskTheDemo, public testing::WithParamInterface<const char*> {};

TEST_P(InTheWordsOfPeople, SaysTheTopErrorsWithTheRightCounts) {
  const std::string before = counted();
  EXPECT_NE(before, "0");
  const ProcessEnd end = deputy_.run({"ask", GetParam()});
  EXPECT_EQ(end.exit_code, 0) << end.output << end.errors;
  expect_counted(end.output, {before, counted()});
}

INSTANTIATE_TEST_SUITE_P(
    Wordings, InTheWordsOfPeople,
    testing::Values("show me errors in cast-core prod", "What is failing in castcore in production?",
                    "any errors for the casting api on live in the last 4 hours?", "prod errors cast core",
                    "Please check the production logs of Cast Core for errors", "why does cast-core fail in prod"));

TEST_F(AskTheDemo, WithoutAnEnvironmentItAsksWhichAndTheAnswerLeadsToTheResult) {
  const std::string before = counted();
  const ProcessEnd asked = deputy_.run({"ask", "show me errors in cast-core"});
  EXPECT_EQ(asked.exit_code, 4) << asked.output << asked.errors;
  EXPECT_THAT(asked.output, HasSubstr("nvironment"));
  const std::size_t command = asked.output.find("interactions answer --run ");
  ASSERT_NE(command, std::string::npos) << asked.output;
  const std::string interaction = asked.output.substr(command + 26, 26);
  const ProcessEnd answered = deputy_.run({"interactions", "answer", "--run", interaction, "prod"});
  EXPECT_EQ(answered.exit_code, 0) << answered.output << answered.errors;
  expect_counted(answered.output, {before, counted()});
}

TEST_F(AskTheDemo, ALineOfStandardInputAnswersWhichEnvironment) {
  const std::string before = counted();
  const ProcessEnd end = deputy_.run({"ask", "show me errors in cast-core"}, "prod\n");
  EXPECT_EQ(end.exit_code, 0) << end.output << end.errors;
  expect_counted(end.output, {before, counted()});
}

TEST_F(AskTheDemo, FindsCodeAndRunbooksToo) {
  EXPECT_THAT(deputy_.run({"tools", "call", "search_files", R"({"pattern": "gateway_timeout"})"}).output,
              HasSubstr("limits.conf"));
  EXPECT_THAT(deputy_.run({"tools", "call", "search_code", R"({"query": "payment gateway"})"}).output,
              HasSubstr("cast-core/"));
  const ProcessEnd doctor = deputy_.run({"doctor"});
  EXPECT_EQ(doctor.exit_code, 0) << doctor.output << doctor.errors;
}

}  // namespace
}  // namespace deputy
