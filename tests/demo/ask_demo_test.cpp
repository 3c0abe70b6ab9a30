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
  const std::string interaction = asked.output.substr(command + 26, 10);
  const ProcessEnd answered = deputy_.run({"interactions", "answer", "--run", interaction, "prod"});
  EXPECT_EQ(answered.exit_code, 0) << answered.output << answered.errors;
  expect_counted(answered.output, {before, counted()});
}

TEST_F(AskTheDemo, ALineOfTheAnswersFileAnswersWhichEnvironment) {
  const std::string before = counted();
  const std::string answers = deputy_.folder.write("answers", "prod\n").string();
  const ProcessEnd end = deputy_.run({"ask", "show me errors in cast-core", "--answers", answers});
  EXPECT_EQ(end.exit_code, 0) << end.output << end.errors;
  expect_counted(end.output, {before, counted()});
}

struct Promised {
  const char* request;
  const char* said;
};

void PrintTo(const Promised& promised, std::ostream* out) { *out << promised.request; }

class WhatIsPromised : public AskTheDemo, public testing::WithParamInterface<Promised> {};

TEST_P(WhatIsPromised, IsAnsweredInManyWordings) {
  const ProcessEnd end = deputy_.run({"ask", GetParam().request});
  EXPECT_EQ(end.exit_code, 0) << end.output << end.errors;
  EXPECT_THAT(end.output, HasSubstr(GetParam().said));
}

INSTANTIATE_TEST_SUITE_P(
    Failing, WhatIsPromised,
    testing::Values(Promised{"what is failing in prod?", "errors · all services · prod · "},
                    Promised{"what's broken in production right now?", "errors · all services · prod · "},
                    Promised{"any errors on live today?", "errors · all services · prod · "},
                    Promised{"top errors in prod", "errors · all services · prod · "},
                    Promised{"how many errors in prod in the last 6 hours", "errors · all services · prod · "},
                    Promised{"which service has the most errors in prod?", "errors · all services · prod · "},
                    Promised{"is cast-core healthy in prod?", "errors · cast-core · prod · "}));
INSTANTIATE_TEST_SUITE_P(Services, WhatIsPromised,
                         testing::Values(Promised{"which services are there?", "10 services"},
                                         Promised{"list all services", "10 services"},
                                         Promised{"what services do we run?", "10 services"},
                                         Promised{"show me the services", "10 services"},
                                         Promised{"which services do you know?", "10 services"}));
INSTANTIATE_TEST_SUITE_P(Code, WhatIsPromised,
                         testing::Values(Promised{"where is \"timeout\" in the code?", "code · timeout"},
                                         Promised{"find timeout in the code", "code · timeout"},
                                         Promised{"search the code for timeout", "code · timeout"},
                                         Promised{"which code mentions timeout?", "code · timeout"},
                                         Promised{"grep the code for \"timeout\"", "code · timeout"}));
INSTANTIATE_TEST_SUITE_P(Files, WhatIsPromised,
                         testing::Values(Promised{"which files are there?", "limits.conf"},
                                         Promised{"list the files", "limits.conf"},
                                         Promised{"what files do we have?", "limits.conf"},
                                         Promised{"show me the files in the workspace", "limits.conf"},
                                         Promised{"what is in the runbooks folder?", "limits.conf"}));
INSTANTIATE_TEST_SUITE_P(History, WhatIsPromised,
                         testing::Values(Promised{"what was asked about timeouts before?", "history · timeouts"},
                                         Promised{"what did we ask about timeouts earlier?", "history · timeouts"},
                                         Promised{"has anyone asked about timeouts before?", "history · timeouts"},
                                         Promised{"search history for timeouts", "history · timeouts"},
                                         Promised{"have we seen timeouts before?", "history · timeouts"}));
INSTANTIATE_TEST_SUITE_P(NobodysService, WhatIsPromised,
                         testing::Values(Promised{"errors of nosuchsvc in prod", "errors · all services · prod · "},
                                         Promised{"errors of cast-core and nosuchsvc in prod",
                                                  "errors · cast-core · prod · "}));
INSTANTIATE_TEST_SUITE_P(
    Times, WhatIsPromised,
    testing::Values(Promised{"errors in cast-core prod last 2 hours", "errors · cast-core · prod · "},
                    Promised{"errors in cast-core prod since yesterday 14:00", " 14:00:00 to "},
                    Promised{"cast-core prod errors of the past 12 hours", "errors · cast-core · prod · "},
                    Promised{"errors in cast-core production yesterday", " 00:00:00 to "},
                    Promised{"compare errors of cast-core and gate-auth in prod", "errors · gate-auth · prod · "}));

TEST_F(AskTheDemo, CommandsThatOnlyReadRunInManyWordings) {
  for (const char* request : {"run `ls -l`", "please run `cat limits.conf`", "can you run `cat limits.conf`?"}) {
    const ProcessEnd end = deputy_.run({"ask", request});
    EXPECT_EQ(end.exit_code, 0) << request << end.output << end.errors;
    EXPECT_THAT(end.output, HasSubstr("exit code 0")) << request;
  }
}

TEST_F(AskTheDemo, CommandsThatMayChangeSomethingWaitForAYesInManyWordings) {
  for (const char* request :
       {"run `date -u`", "please run `make test`", "execute `date -u`", "can you run `make test`?"}) {
    const ProcessEnd end = deputy_.run({"ask", request});
    EXPECT_EQ(end.exit_code, 4) << request << end.output << end.errors;
    EXPECT_THAT(end.output, HasSubstr("Approval needed")) << request;
  }
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
