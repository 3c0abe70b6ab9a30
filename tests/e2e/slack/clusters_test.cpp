// A deployment is restarted from Slack: the card with the preview, who may approve it, what happened meanwhile, and the
// rollout to its end. The cluster is tests/peers/kubernetes.js.
#include "e2e/slack/workspace.h"
#include "support/child.h"
#include "support/node.h"

namespace deputy::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kClusterToken = "cluster-token-0123456789";

class SlackClusters : public SlackService {
 protected:
  SlackClusters() { own_tools_ = false; }

  void SetUp() override {
    SlackService::SetUp();
    cluster_ = std::make_unique<Child>(
        node_program("kubernetes.js", {json::serialize(json::object{{"token", kClusterToken}})}));
    const std::string port = cluster_->read_line().value_or("port 0").substr(5);
    folder_.write("kubeconfig", "clusters: [{name: c, cluster: {server: 'http://127.0.0.1:" + port +
                                    "'}}]\nusers: [{name: u, user: {token: " + kClusterToken +
                                    "}}]\ncontexts: [{name: eks-prod, context: {cluster: c, user: u}}]\n");
    write_settings(
        "timezone: UTC\nserve: {health: '127.0.0.1:0', listen: '127.0.0.1:0'}\n"
        "environments: {prod: [production]}\npeople: {bo: {slack: T0SIM000001/U0BO0000001}}\n"
        "roles: {oncall: {people: [bo], approve: [cluster_tools]}}\n"
        "tools: {cluster_tools: {kubernetes: {kubeconfig: '" +
        (folder_ / "kubeconfig").string() + "', contexts: {prod: eks-prod}}}}\n");
  }
  void TearDown() override {
    SlackService::TearDown();
    if (cluster_) EXPECT_THAT(tell("count"), testing::StartsWith("count ")) << "no request broke a rule";
  }
  std::string tell(const std::string& line) {
    cluster_->write_line(line);
    return cluster_->read_line().value_or("");
  }
  static ModelScript restarts() {
    return ModelScript()
        .calls("restart_deployment", {{"environment", "prod"}, {"deployment", "checkout"}, {"namespace", "shop"}})
        .then_says("That is all.");
  }

  std::unique_ptr<Child> cluster_;
};

TEST_F(SlackClusters, AnApprovedRestartIsFollowedToTheEndOfItsRollout) {
  script(restarts());
  serve();
  const std::string ts = mention(kAna, "restart checkout in prod");
  const std::string card = until_found("approve_once", ts);
  EXPECT_THAT(thread(ts),
              AllOf(HasSubstr("restart_deployment"), HasSubstr("Restart shop/checkout in prod: 2 replicas, one after"),
                    HasSubstr("registry.example/checkout:1.4")));
  click(kAna, card, "approve_once");
  until_whispered(kAna, "not an approver");
  EXPECT_EQ(tell("patches"), "patches []");
  click(kBo, card, "approve_once");
  until_shown(ts, "That is all.");
  const std::string patches = tell("patches");
  EXPECT_THAT(patches, AllOf(HasSubstr("kubectl.kubernetes.io/restartedAt"),
                             HasSubstr("asked by slack:T0SIM000001/U0ANA000001, approved by bo")));
  EXPECT_THAT(until_shown(ts, "`get_rollout` in the background ended"), HasSubstr("is done"));
}

TEST_F(SlackClusters, ADeploymentThatChangedMeanwhileIsAConflictAndAskedAnew) {
  script(restarts()
             .calls("restart_deployment", {{"environment", "prod"}, {"deployment", "checkout"}, {"namespace", "shop"}})
             .then_says("Restarted."));
  serve();
  const std::string ts = mention(kAna, "restart checkout in prod");
  const std::string card = until_found("approve_once", ts);
  EXPECT_EQ(tell("move checkout"), "moved");
  click(kBo, card, "approve_once");
  until_shown(ts, "That is all.");
  EXPECT_EQ(tell("patches"), "patches []");
  say(kAna, "again please", ts);
  ASSERT_TRUE(until([&] { return !find("approve_once", ts).empty() && find("approve_once", ts) != card; }));
  click(kBo, find("approve_once", ts), "approve_once");
  until_shown(ts, "Restarted.");
  EXPECT_THAT(tell("patches"), HasSubstr("restartedAt"));
  stop();
  EXPECT_THAT(asked(1), HasSubstr("was changed after the preview, and nothing was done"));
}

TEST_F(SlackClusters, ADeniedRestartChangesNothing) {
  script(restarts());
  serve();
  const std::string ts = mention(kAna, "restart checkout in prod");
  click(kBo, until_found("approve_once", ts), "deny");
  until_shown(ts, "That is all.");
  EXPECT_EQ(tell("patches"), "patches []");
  EXPECT_THAT(thread(ts), Not(HasSubstr("in the background")));
}

}  // namespace
}  // namespace deputy::test
