// What operations people ask, answered by the real program on generated data: offline in two wordings on two seeds, and
// by a model that says what a scenario holds. What is expected comes from the files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/program.h"
#include "demo/asked.h"
#include "demo/facts.h"
#include "support/model_peer.h"

namespace deputy {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr int kSeeds[] = {42, 7};

class AskOperations : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    for (const int seed : kSeeds) {
      folders_[seed] = std::make_unique<test::TemporaryFolder>();
      test::DemoFacts::generate(folders_[seed]->path(), seed);
    }
  }
  static void TearDownTestSuite() { folders_.clear(); }

  void use(int seed) {
    facts_ = test::DemoFacts(folders_.at(seed)->path());
    deputy_.variables["DEPUTY_CONFIG"] = facts_.settings().string();
  }
  /// `answers`: a line for each question that the request leaves open.
  std::string ask(const std::string& request, const std::string& answers = "") {
    std::vector<std::string> arguments{"ask", request};
    if (!answers.empty()) {
      arguments.emplace_back("--answers");
      arguments.push_back(deputy_.folder.write("answers", answers).string());
    }
    const ProcessEnd end = deputy_.run(std::move(arguments));
    EXPECT_EQ(end.exit_code, 0) << request << "\n" << end.output << end.errors;
    return end.output;
  }

  inline static std::map<int, std::unique_ptr<test::TemporaryFolder>> folders_;
  test::DemoFacts facts_{{}};
  test::Program deputy_;
};

class Offline : public AskOperations, public testing::WithParamInterface<int> {
 protected:
  void SetUp() override { use(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Seeds, Offline, testing::ValuesIn(kSeeds));

TEST_P(Offline, WhatIsOnFire) {
  const std::vector<std::string> firing = facts_.firing();
  ASSERT_EQ(firing.size(), 2U);
  for (const char* request : {"what is on fire?", "Any alerts firing right now?"}) {
    EXPECT_THAT(ask(request), AllOf(StartsWith("alarms"), HasSubstr("\n2 alarms firing: "), HasSubstr(firing[0]),
                                    HasSubstr(firing[1]), HasSubstr("service=cast-core")))
        << request;
  }
}

TEST_P(Offline, WhoIsOnCall) {
  for (const char* request : {"who is on call for payments", "Who's on duty for Payments right now?"}) {
    EXPECT_THAT(ask(request), AllOf(StartsWith("on call\nOn call: " + facts_.on_call("Payments") + "\n"),
                                    HasSubstr("level 1 of Payments"), Not(HasSubstr("of Platform"))))
        << request;
  }
}

TEST_P(Offline, WhereCodeDoesSomething) {
  for (const char* request :
       {"where do we retry the payment gateway", "Where in the code is the payment gateway retried?"})
    EXPECT_THAT(ask(request), HasSubstr("cast-core/src/n/c/PaymentClient.java")) << request;
}

TEST_P(Offline, OpenTickets) {
  const std::vector<std::string> keys = facts_.open_tickets_about_timeouts();
  ASSERT_EQ(keys.size(), 2U);
  for (const char* request : {"open tickets about timeouts", "show me all open tickets mentioning timeouts"}) {
    EXPECT_THAT(ask(request), AllOf(HasSubstr("\n2 open tickets for 'timeouts'\n"), HasSubstr("- " + keys[0]),
                                    HasSubstr("- " + keys[1]), Not(HasSubstr("[Done"))))
        << request;
  }
}

TEST_P(Offline, CpuOfAContainer) {
  const std::string highest = facts_.highest_cpu("checkout", "prod", std::chrono::hours(6));
  for (const char* request :
       {"cpu of checkout in prod, last 6 hours", "show me the CPU for checkout in production for the past 6h"}) {
    EXPECT_THAT(ask(request), AllOf(HasSubstr(", highest " + highest + " at "), HasSubstr("cpu_usage_cores"),
                                    HasSubstr(R"(environment="prod")"), Not(HasSubstr("memory"))))
        << request;
  }
  const ProcessEnd unknown = deputy_.run({"ask", "latency of checkout in prod"});
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.output, HasSubstr("no series has latency"));
}

TEST_P(Offline, ErrorsOfTwentyMinutesYesterday) {
  const std::string day = test::DemoFacts::yesterday();
  const std::string count = facts_.logged("gate-auth", "time=" + day + "T0[23].*could not be rotated");
  EXPECT_GT(std::stoi(count), 5);
  for (const char* request :
       {"errors between 02:50 and 03:10 yesterday", "what failed yesterday from 02:50 to 03:10?"}) {
    EXPECT_THAT(ask(request, "prod\n"),
                AllOf(StartsWith("errors · all services · prod · " + day + " 02:50–03:10 UTC\n"),
                      HasSubstr("\n" + count + " × keys could not be rotated")))
        << request;
  }
}

TEST_P(Offline, PodsThatRestart) {
  const std::map<std::string, int> pods = facts_.restarts("cast-core");
  const auto most = std::ranges::max_element(pods, {}, &std::pair<const std::string, int>::second);
  ASSERT_EQ(pods.size(), 3U);
  for (const char* request : {"which pods of cast-core restart", "are any pods of castcore restarting?"}) {
    EXPECT_THAT(
        ask(request, "prod\n"),
        HasSubstr(fmt::format("\n3 pods of cast-core in prod, all namespaces, 1 not well, 2 have restarted, most "
                              "often northlight/{} ({} restarts)\n",
                              most->first, most->second)))
        << request;
  }
}

TEST_P(Offline, FailedPipelines) {
  const std::string count = facts_.failed_pipelines("cast-core");
  EXPECT_NE(count, "0");
  for (const char* request : {"failed pipelines of cast-core", "Which builds of castcore failed?"})
    EXPECT_THAT(ask(request), HasSubstr(" pipeline runs: " + count + " failed, ")) << request;
}

// It draws no conclusions: it shows what was deployed.
TEST_P(Offline, WhyItFailedAfterADeployShowsTheDeploys) {
  EXPECT_THAT(ask("why did cast-core fail after the last deploy"),
              AllOf(StartsWith("pipelines · cast-core"), HasSubstr("deploy on v3.12.0")));
}

/// All texts of the results in a request to the model.
std::string results_in(const json::object& request) {
  std::string all;
  const json::value body = json::parse(text_at(request, "body"));
  for (const json::value& message : items_in(body, "/messages")) {
    for (const json::value& block : items_in(message, "/content")) {
      if (text_in(block, "/type") != "tool_result") continue;
      all += text_in(block, "/content");
      for (const json::value& part : items_in(block, "/content")) all += text_in(part, "/text") + "\n";
    }
  }
  return all;
}

TEST_F(AskOperations, AModelIsToldWhatIsTrueAndItsAnswerIsPrinted) {
  use(kSeeds[1]);
  for (const test::Asked& asked : test::asked_of(facts_)) {
    test::Scenario scenario;
    for (const test::AskedCall& call : asked.calls) scenario.call(call.tool, call.arguments);
    scenario.then().text(asked.answer);
    test::ModelPeer peer("anthropic.js", scenario);
    deputy_.variables["DEPUTY_MODELS__DEFAULT__PROVIDER"] = "anthropic";
    deputy_.variables["DEPUTY_MODELS__DEFAULT__BASE_URL"] = peer.url();
    deputy_.variables["DEPUTY_MODELS__DEFAULT__API_KEY"] = "sk-ant-test-0123456789";
    EXPECT_THAT(ask(asked.request), StartsWith(asked.answer));
    ASSERT_EQ(peer.count(), 2) << asked.request;
    const std::string told = results_in(peer.requests().back());
    for (const std::string& fact : asked.told) EXPECT_THAT(told, HasSubstr(fact)) << asked.request;
  }
}

}  // namespace
}  // namespace deputy
