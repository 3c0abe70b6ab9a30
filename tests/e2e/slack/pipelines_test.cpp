// A pipeline, from the mention to the card with its commits, the approval, the run and its end; over GitHub's stand-in.
#include "e2e/slack/workspace.h"
#include "support/child.h"
#include "support/node.h"

namespace deputy::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kToken = "pipelines-token-0123456789";

class SlackPipelines : public SlackService {
 protected:
  SlackPipelines() {
    own_tools_ = false;
    const std::string token = folder_.write("token", kToken).string();
    std::filesystem::permissions(token, std::filesystem::perms::owner_read);
    const std::string url = "http://127.0.0.1:" + peer_.read_line().value_or("port 0").substr(5);
    settings_ =
        "timezone: UTC\nserve: {health: '127.0.0.1:0'}\n"
        "policy: {approvers: {pipeline_tools: [T0SIM000001/U0BO0000001]}}\n"
        "tools: {pipeline_tools: {github: {url: '" +
        url + "', token: 'file:" + token + "'}}}\n";
  }
  void TearDown() override {
    SlackService::TearDown();
    EXPECT_THAT(tell("count"), StartsWith("count "));  // what broke a rule was said before
  }
  std::string tell(const std::string& line) {
    peer_.write_line(line);
    return peer_.read_line().value_or("");
  }
  static ModelScript deploys(ModelScript script = {}) {
    return script.calls(
        "run_pipeline",
        {{"repo", "acme/shop"}, {"ref", "main"}, {"pipeline", "deploy"}, {"variables", {{"environment", "prod"}}}});
  }
  std::string card(const std::string& ts) { return until_found("approve_once", ts); }

  Child peer_{node_program("github.js", {"{\"token\": \"" + std::string(kToken) + "\"}"})};
};

TEST_F(SlackPipelines, ADeployIsShownWithItsCommitsApprovedByTheRightPersonAndFollowedToItsEnd) {
  script(deploys().then_says("It is on its way."));
  serve();
  const std::string ts = mention(kAna, "deploy main to prod");
  const std::string ref = card(ts);
  EXPECT_THAT(json::serialize(messages(ts)),
              AllOf(HasSubstr("run_pipeline"), HasSubstr("deploy of acme/shop on main"), HasSubstr("Environment: prod"),
                    HasSubstr("a1a1a1a1 → c3c3c3c3"), HasSubstr("Fix rounding, ana"), HasSubstr("Bound the pool, bo")));
  click(kAna, ref, "approve_once");
  until([&] { return !whispered_to(kAna).empty(); });
  EXPECT_THAT(whispered_to(kAna), HasSubstr("not an approver"));
  EXPECT_EQ(tell("writes"), "writes []");
  click(kBo, ref, "approve_once");
  until_shown(ts, "It is on its way.");
  EXPECT_THAT(tell("writes"), HasSubstr(R"("inputs":{"environment":"prod"}},"run":4800})"));
  EXPECT_THAT(thread(ts), Not(HasSubstr("ended (task")));
  EXPECT_EQ(tell("finish 4800 success"), "finished");
  until_shown(ts, "acme/shop: succeeded 4800 Deploy on main");
  stop();
  EXPECT_THAT(asked(1), AllOf(HasSubstr("4800 Deploy on main at c3c3c3c3"), HasSubstr("followed in the background")));
}

TEST_F(SlackPipelines, ABranchThatMovesBeforeTheApprovalIsAConflictAndAskedAgainItsNewCommitsAreShown) {
  script(deploys(deploys()).then_says("It is on its way."));
  serve();
  const std::string ts = mention(kAna, "deploy main to prod");
  const std::string first = card(ts);
  EXPECT_EQ(tell("move"), "moved");
  click(kBo, first, "approve_once");
  ASSERT_TRUE(until([&] { return card(ts) != first; })) << "a new card";
  EXPECT_THAT(json::serialize(messages(ts)), HasSubstr("a1a1a1a1 → d4d4d4d4"));
  EXPECT_EQ(tell("writes"), "writes []");
  click(kBo, card(ts), "approve_once");
  until_shown(ts, "It is on its way.");
  EXPECT_THAT(tell("writes"), HasSubstr("\"run\":4800"));
  EXPECT_EQ(tell("finish 4800 success"), "finished");
  stop();
  EXPECT_THAT(asked(1), HasSubstr("main has moved from c3c3c3c3 to d4d4d4d4"));
}

TEST_F(SlackPipelines, WhatIsDeniedIsNotStarted) {
  script(deploys().then_says("Then not."));
  serve();
  const std::string ts = mention(kAna, "deploy main to prod");
  click(kBo, card(ts), "deny");
  until_shown(ts, "Then not.");
  EXPECT_EQ(tell("writes"), "writes []");
}

}  // namespace
}  // namespace deputy::test
