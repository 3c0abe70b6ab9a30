// Approvals in Slack: cards, who may press what, restarts, expiry, second views.
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

class SlackApprovals : public SlackService {
 protected:
  ModelScript restarts_checkout() {
    return ModelScript()
        .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
        .then_says("That is all.");
  }
  std::string card(const std::string& thread, const std::string& channel = kOps) {
    return until_found("approve_once", thread, channel);
  }
  /// The blocks of a card as people see it now.
  json::value seen_of(const std::string& ref) {
    auto& workspace = simulator_->world().workspace;
    return workspace.message(workspace.channels.at(kOps), ref)->body.at("blocks");
  }
};

TEST_F(SlackApprovals, TheRightPersonApprovesAndEverybodyElseIsTold) {
  script(restarts_checkout());
  serve();
  const std::string ts = mention(kAna, "restart checkout");
  const std::string ref = card(ts);
  EXPECT_THAT(thread(ts), HasSubstr("restart_service"));
  click(kAna, ref, "approve_once");
  until([&] { return !whispered_to(kAna).empty(); });
  EXPECT_THAT(whispered_to(kAna), HasSubstr("not an approver"));
  EXPECT_THAT(thread(ts), Not(HasSubstr("Approved")));
  click(kBo, ref, "approve_once");
  until_shown(ts, "That is all.");
  EXPECT_THAT(until_shown(ts, "Approved"), Not(HasSubstr("Approve once")));
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 1);
}

TEST_F(SlackApprovals, ADenialHasItsReasonAndNothingRuns) {
  script(restarts_checkout());
  serve();
  const std::string ts = mention(kAna, "restart checkout");
  click(kBo, card(ts), "deny_with_reason");
  ASSERT_TRUE(until([&] { return !newest_view().empty(); }));
  control("submit", {{"user", kBo},
                     {"view_id", text_at(newest_view(), "id")},
                     {"values", {{"reason", {{"reason", "not on a Friday"}}}}}});
  until_shown(ts, "That is all.");
  EXPECT_THAT(until_shown(ts, "Denied"), HasSubstr("not on a Friday"));
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 0);
  EXPECT_THAT(asked(1), HasSubstr("not on a Friday")) << "the model is told";
}

TEST_F(SlackApprovals, ACardOutlivesARestartAndASecondClickChangesNothing) {
  script(restarts_checkout());
  serve();
  const std::string ts = mention(kAna, "restart checkout");
  const std::string ref = card(ts);
  const json::value seen = seen_of(ref);
  stop();
  serve();
  click(kBo, ref, "approve_once");
  until_shown(ts, "That is all.");
  click(kBo, ref, "approve_once", kOps, {{"blocks", seen}});
  until_whispered(kBo, "lready approved");
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 1);
}

TEST_F(SlackApprovals, NobodyInTimeIsADenialThatCanBeAskedAgain) {
  adjust_ = [](app::Settings& settings) { settings.approvals.expiry = 1s; };
  script(restarts_checkout()
             .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
             .then_says("Later."));
  serve();
  const std::string ts = mention(kAna, "restart checkout");
  const std::string ref = card(ts);
  until_shown(ts, "Expired");
  until_shown(ts, "That is all.");
  click(kAna, ref, "ask_again");
  EXPECT_TRUE(until([&] { return card(ts) != ref; })) << "a new card";
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 0);
}

TEST_F(SlackApprovals, ApproveOnACardThatWasOpenBeforeItExpiredChangesNothing) {
  adjust_ = [](app::Settings& settings) { settings.approvals.expiry = 1s; };
  script(restarts_checkout());
  serve();
  const std::string ts = mention(kAna, "restart checkout");
  const std::string ref = card(ts);
  const json::value seen = seen_of(ref);
  until_shown(ts, "Expired");
  until_shown(ts, "That is all.");
  click(kBo, ref, "approve_once", kOps, {{"blocks", seen}});
  until_whispered(kBo, "xpired");
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 0);
  EXPECT_EQ(model_->requests().size(), 2U) << "the run does not go on again";
}

TEST_F(SlackApprovals, UnderATwoPersonRuleTheRequesterMayNotApprove) {
  write_settings(
      "timezone: UTC\nserve: {health: '127.0.0.1:0'}\n"
      "policy: {requester_may_approve: false, approvers: {service_tools: [T0SIM000001/U0BO0000001, "
      "T0SIM000001/U0ANA000001]}}\n");
  script(restarts_checkout());
  serve();
  const std::string ts = mention(kBo, "restart checkout");
  const std::string ref = card(ts);
  click(kBo, ref, "approve_once");
  until([&] { return !whispered_to(kBo).empty(); });
  EXPECT_THAT(thread(ts), Not(HasSubstr("Approved")));
  click(kAna, ref, "approve_once");
  until_shown(ts, "That is all.");
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 1);
}

TEST_F(SlackApprovals, ApprovedForTheThreadItDoesNotAskAgain) {
  script(restarts_checkout()
             .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
             .then_says("Again."));
  serve();
  const std::string ts = mention(kAna, "restart checkout");
  click(kBo, card(ts), "approve_for_thread");
  until_shown(ts, "That is all.");
  say(kAna, "and once more", ts);
  until_shown(ts, "Again.");
  EXPECT_THAT(thread(ts), HasSubstr("grant"));
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 2);
}

TEST_F(SlackApprovals, ApproversOutsideAPrivateChannelGetTheCardThemselves) {
  control("leave", {{"user", kBo}, {"channel", kIncidentRoom}});
  script(restarts_checkout());
  serve();
  const std::string ts = mention(kAna, "restart checkout", kIncidentRoom);
  card(ts, kIncidentRoom);
  std::string direct;
  ASSERT_TRUE(until([&] {
    for (const auto& [id, channel] : simulator_->world().workspace.channels) {
      if (id.starts_with("D") && channel.members.contains(kBo) && !find("approve_once", "", id).empty()) direct = id;
    }
    return !direct.empty();
  }));
  click(kBo, find("approve_once", "", direct), "approve_once", direct);
  until_shown(ts, "That is all.", kIncidentRoom);
  EXPECT_TRUE(until([&] { return find("approve_once", "", direct).empty(); })) << "both views are settled";
  EXPECT_TRUE(find("approve_once", ts, kIncidentRoom).empty());
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 1);
}

}  // namespace
}  // namespace deputy::test
