// What "Approve for this thread" lets through, and when it ends.
#include "e2e/engine.h"

namespace deputy::test {
namespace {

using interaction::Control;

class Grants : public Engine {
 protected:
  void asks_for_a_restart(std::string service = "checkout") {
    script(ModelScript()
               .calls("restart_service", {{"service", service}, {"environment", "prod"}})
               .then_says("That was it."));
    says("U1", "restart " + service);
  }
  void gives_a_grant() {
    asks_for_a_restart();
    until_asked();
    EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(clicks("U2", Control::approve_for_thread)));
    until_finished(1);
  }
  int restarts(const std::string& service = "checkout") const { return world_->restarts.at(service); }
  store::GrantRow grant() {
    const auto rows = must(store_->grants({.live_only = false}));
    EXPECT_EQ(rows.size(), 1U);
    return rows.empty() ? store::GrantRow{} : rows[0];
  }
};

TEST_F(Grants, LetTheSameCallThroughAndSayUnderWhose) {
  gives_a_grant();
  asks_for_a_restart();
  until_finished(2);
  EXPECT_EQ(restarts(), 2);
  EXPECT_EQ(grant().uses, 1);
  EXPECT_NE(transcript().find("bo's grant, 1 of 5"), std::string::npos) << transcript();
}

TEST_F(Grants, HoldForWhatWasShownOnly) {
  gives_a_grant();
  asks_for_a_restart("search");
  until_asked();
  EXPECT_EQ(restarts("search"), 0);
  EXPECT_EQ(grant().uses, 0);
}

TEST_F(Grants, HoldForTheirRequesterOnly) {
  gives_a_grant();
  script(ModelScript().calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}}).then_says("."));
  says("U3", "restart checkout");
  until_asked();
  EXPECT_EQ(restarts(), 1);
}

TEST_F(Grants, AreSpentAfterTheirUses) {
  set([](policy::Settings& settings) { settings.grants.uses = 2; });
  gives_a_grant();
  for (int run = 2; run <= 3; ++run) {
    asks_for_a_restart();
    until_finished(run);
  }
  EXPECT_EQ(restarts(), 3);
  asks_for_a_restart();
  until_asked();
  EXPECT_EQ(restarts(), 3);
  EXPECT_EQ(grant().uses, 2);
}

TEST_F(Grants, EndWithTheirTime) {
  gives_a_grant();
  pass(std::chrono::hours(9));
  asks_for_a_restart();
  until_asked();
  EXPECT_EQ(restarts(), 1);
}

TEST_F(Grants, AreRevoked) {
  gives_a_grant();
  must(store_->revoke_grant(grant().id, "bo", {}));
  asks_for_a_restart();
  until_asked();
  EXPECT_EQ(restarts(), 1);
}

TEST_F(Grants, EndWhenTheirGiverLosesTheRight) {
  gives_a_grant();
  set([](policy::Settings& settings) { settings.policy.approvers["service_tools"] = {"cy"}; });
  asks_for_a_restart();
  until_asked();
  EXPECT_EQ(restarts(), 1);
}

TEST_F(Grants, AreNotGivenUnderATwoPersonRule) {
  set([](policy::Settings& settings) { settings.policy.requester_may_approve = false; });
  asks_for_a_restart();
  until_asked();
  for (const channel::ShownControl& control : card_shown().interactions[0].controls)
    EXPECT_NE(control.action.control, Control::approve_for_thread);
}

}  // namespace
}  // namespace deputy::test
