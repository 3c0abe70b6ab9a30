// A workspace on Enterprise Grid: clicks name the organisation where messages name the workspace. A person is one
// account all the same.
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

constexpr const char* kOrganisation = "E0SIM000001";
constexpr const char* kHome = "T0SIM000001";

class SlackGrid : public SlackService {
 protected:
  void SetUp() override {
    SlackService::SetUp();
    control("app", {{"enterprise_id", kOrganisation}});
    for (const char* person : {kAna, kBo}) belongs_to(person, {kHome, "T0OTHER0001"});
    script(ModelScript()
               .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
               .then_says("That is all."));
  }
  void belongs_to(const std::string& person, json::array workspaces) {
    control("person", {{"id", person}, {"team_id", kOrganisation}, {"workspaces", std::move(workspaces)}});
  }
};

TEST_F(SlackGrid, AnApproverApproves) {
  serve();
  const std::string ts = mention(kAna, "restart checkout");
  click(kBo, until_found("approve_once", ts), "approve_once");
  until_shown(ts, "That is all.");
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 1);
}

TEST_F(SlackGrid, UnderATwoPersonRuleTheRequesterIsKnownAgain) {
  write_settings(
      "timezone: UTC\nserve: {health: '127.0.0.1:0'}\n"
      "policy: {requester_may_approve: false, approvers: {service_tools: [S0ONCALL001]}}\n");
  serve();
  const std::string ts = mention(kBo, "restart checkout");
  const std::string ref = until_found("approve_once", ts);
  click(kBo, ref, "approve_once");
  until_whispered(kBo, "two");
  click(kAna, ref, "approve_once");
  until_shown(ts, "That is all.");
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 1);
}

TEST_F(SlackGrid, SomebodyOfAnotherWorkspaceOfTheOrganisationIsRefused) {
  belongs_to(kAna, {"T0OTHER0001"});
  serve();
  mention(kAna, "restart checkout");
  until_whispered(kAna, "eople from other teams");
  stop();
  EXPECT_EQ(model_->requests().size(), 0U);
}

}  // namespace
}  // namespace deputy::test
