// How approvers answer in Slack: many writes at once, and codes where no buttons are.
#include "e2e/slack/workspace.h"
#include "support/results.h"

namespace deputy::test {
namespace {

class SlackApprovers : public SlackService {
 protected:
  /// The text of the newest message in the direct message of Deputy with this person that contains the words.
  std::string said_to(const std::string& user, const std::string& words) {
    std::string text;
    for (const auto& [id, channel] : simulator_->world().workspace.channels) {
      if (!id.starts_with("D") || !channel.members.contains(user)) continue;
      for (const auto& message : channel.messages) {
        const std::string said = text_at(message.body, "text");
        if (said.contains(words)) text = said;
      }
    }
    return text;
  }
  static int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

TEST_F(SlackApprovers, EachOfManyWritesHasItsButtons) {
  constexpr int kWrites = 7;
  const ScriptedCall one{"restart_service", {{"service", "checkout"}, {"environment", "prod"}}};
  const ScriptedCall other{"restart_service", {{"service", "search"}, {"environment", "prod"}}};
  script(ModelScript().calls({one, other, one, other, one, other, one}).then_says("That is all."));
  serve();
  const std::string ts = mention(kAna, "restart everything");
  const auto buttons = [&] { return count(json::serialize(messages(ts)), "\"action_id\":\"approve_once\""); };
  EXPECT_TRUE(until([&] { return buttons() == kWrites; })) << buttons() << "\n" << thread(ts);
}

TEST_F(SlackApprovers, AnApproverOutsideTypesTheCodeWhereTheyWereReached) {
  control("leave", {{"user", kBo}, {"channel", kIncidentRoom}});
  script(ModelScript()
             .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
             .then_says("That is all."));
  serve();
  const std::string ts = mention(kAna, "restart checkout", kIncidentRoom);
  ASSERT_TRUE(until([&] { return !said_to(kBo, "restart_service").empty(); })) << thread(ts, kIncidentRoom);
  control("say", {{"user", kBo}, {"channel", "im"}, {"text", "approvals"}});
  constexpr std::string_view kApprove = "approve ";
  constexpr std::size_t kCode = 6;
  ASSERT_TRUE(until([&] { return !said_to(kBo, std::string(kApprove)).empty(); }));
  const std::string listed = said_to(kBo, std::string(kApprove));
  const std::string code = listed.substr(listed.find(kApprove) + kApprove.size(), kCode);
  control("say", {{"user", kBo}, {"channel", "im"}, {"text", "approve " + code}});
  until_shown(ts, "That is all.", kIncidentRoom);
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 1);
}

}  // namespace
}  // namespace deputy::test
