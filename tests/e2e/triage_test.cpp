// Alerts that bots post, through the whole engine.
#include <gmock/gmock.h>

#include "e2e/engine.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;
using testing::SizeIs;
using namespace std::chrono_literals;

class Triage : public Engine {
 protected:
  Triage() {
    channel_->knows("scripted:B1", {.standing = policy::AccountKind::member, .bot = true});
    channel_->knows("scripted:B2", {.standing = policy::AccountKind::member, .bot = true});
    set([](policy::Settings& settings) {
      settings.access.bots = {"B1"};
      settings.channels["C1"].triage = true;
    });
    auto rules = std::make_shared<run::Rules>(*rules_);
    rules->services = {{"checkout", "Checkout", {}}, {"payments", "Payments", {}}};
    rules_ = rules;
  }
  void posts(std::string text, std::string conversation, std::string bot = "B1") {
    channel::InboundMessage alert;
    alert.sender = {"scripted", std::move(bot)};
    alert.conversation = std::move(conversation);
    alert.text = std::move(text);
    alert.spoken = channel::AddressedTo::to_nobody;
    alert.begins_thread = true;
    must(channel_->says(alert));
  }
  void until_runs(std::size_t count) {
    until([&] { return runs().size() == count; });
  }
};

TEST_F(Triage, AListedBotsPostIsInvestigatedWithoutAMentionAndWithReadToolsOnly) {
  const auto model = script(ModelScript()
                                .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
                                .then_says("Out of memory."));
  posts("[FIRING:1] HighErrorRate checkout", "scripted:C1:1");
  until_finished();
  EXPECT_THAT(state().request().text, HasSubstr("HighErrorRate checkout"));
  EXPECT_EQ(state().request().requester, "scripted:B1");
  EXPECT_EQ(status_of("call_1"), "error");
  EXPECT_EQ(card(), nullptr) << "nobody is even asked";
  for (const model::ToolDescription& tool : model->requests().front().tools) EXPECT_NE(tool.name, "restart_service");
  EXPECT_THAT(audited("alert_investigated"), SizeIs(1));
}

TEST_F(Triage, OtherBotsAndOtherPlacesStartNothing) {
  posts("[FIRING:1] HighErrorRate checkout", "scripted:C1:1", "B2");
  posts("[FIRING:1] HighErrorRate checkout", "scripted:C2:1");
  EXPECT_TRUE(runs().empty());
}

TEST_F(Triage, AMutedChannelHasNoTriage) {
  channel::InboundMessage mute;
  mute.sender = {"scripted", "U1"};
  mute.conversation = "scripted:C1:9";
  mute.text = "mute 2h";
  mute.begins_thread = true;
  must(channel_->says(mute));
  posts("[FIRING:1] HighErrorRate checkout", "scripted:C1:1");
  EXPECT_TRUE(runs().empty());
}

TEST_F(Triage, AlertsOfOneServiceWithinSecondsAreOneRequest) {
  script(ModelScript().hangs().hangs());
  posts("HighErrorRate checkout", "scripted:C1:1");
  posts("HighLatency checkout", "scripted:C1:2");
  posts("HighLatency payments", "scripted:C1:3");
  until_runs(2);
  EXPECT_EQ(runs()[0].conversation, "scripted:C1:1");
  EXPECT_EQ(runs()[1].conversation, "scripted:C1:3") << "another service has its own";
  EXPECT_THAT(audited("noted"), SizeIs(1));
}

TEST_F(Triage, TheSameAlertAgainIsCountedInItsThreadAlsoAfterARestart) {
  script(ModelScript().says("Out of memory."));
  posts("[FIRING:1] HighErrorRate checkout", "scripted:C1:1");
  until_finished();
  restart();
  posts("[FIRING:2] HighErrorRate checkout", "scripted:C1:2");
  until([&] { return channel_->transcript("scripted:C1:1").contains("1 more alert of checkout, not investigated."); });
  EXPECT_EQ(runs().size(), 1U);
}

TEST_F(Triage, ResolvedIsANoteToTheInvestigation) {
  script(ModelScript().hangs());
  posts("[FIRING:1] HighErrorRate checkout", "scripted:C1:1");
  until_runs(1);
  clock_.advance(1min);
  posts("[RESOLVED] HighErrorRate checkout", "scripted:C1:2");
  EXPECT_THAT(audited("noted"), SizeIs(1));
  EXPECT_EQ(runs().size(), 1U);
}

}  // namespace
}  // namespace deputy::test
