// Alerts that bots post, through the whole engine.
#include <gmock/gmock.h>

#include "e2e/engine.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;
using testing::Not;
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
  /// Somebody writes in a thread, to nobody in particular.
  void writes(std::string account, std::string text, std::string conversation = kThread) {
    channel::InboundMessage message;
    message.sender = {"scripted", std::move(account)};
    message.conversation = std::move(conversation);
    message.text = std::move(text);
    message.spoken = channel::AddressedTo::to_nobody;
    must(channel_->says(message));
  }
  void investigated() {
    posts("[FIRING:1] HighErrorRate checkout", kThread);
    until_finished();
  }
  /// The token of the button under the first message of the thread.
  std::string stop_listening() {
    const auto controls = channel_->shown_in(kThread).front().controls;
    return controls.size() == 1 && controls[0].label == "Stop listening" ? controls[0].token : "";
  }
  void until_told(std::string_view words) {
    until([&] { return transcript().contains(words); });
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

TEST_F(Triage, EveryoneIsHeardInTheThreadOfAnAlertUntilSomebodyPressesStopListening) {
  script(ModelScript().says("Out of memory.").says("Since noon."));
  investigated();
  restart();
  writes("U2", "since when?");
  until_finished(2);
  EXPECT_EQ(state(1).request().requester, "bo");
  EXPECT_EQ(answer(1), "Since noon.");
  writes("U9", "and why?");
  EXPECT_EQ(runs().size(), 2U) << "without access nobody is heard";
  EXPECT_TRUE(std::holds_alternative<channel::Refused>(must(channel_->sends_token("U9", kThread, stop_listening()))));

  const auto stopped = must(channel_->sends_token("U4", kThread, stop_listening()));
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(stopped));
  until_told("I no longer listen to everyone in this thread.");
  EXPECT_THAT(audited("listening_stopped"), SizeIs(1));
  clock_.advance(16min);
  writes("U1", "it is fine now");
  EXPECT_EQ(runs().size(), 2U);
  EXPECT_TRUE(
      std::holds_alternative<channel::AnswerTaken>(must(channel_->sends_token("U4", kThread, stop_listening()))));
  EXPECT_THAT(audited("listening_stopped"), SizeIs(1)) << "pressed again it changes nothing";
}

TEST_F(Triage, WithoutButtonsTheFirstLineSaysWhatToWrite) {
  channel_->can.buttons = false;
  script(ModelScript().says("Out of memory."));
  investigated();
  EXPECT_THAT(channel_->shown_in(kThread).front().text, HasSubstr("*stop listening*"));
  EXPECT_THAT(channel_->shown_in(kThread).front().controls, SizeIs(0));
  writes("U1", "stop listening");
  until_told("I no longer listen to everyone in this thread.");
  writes("U1", "it is fine now");
  EXPECT_EQ(runs().size(), 1U);
}

TEST_F(Triage, ACardThatWaitsInTheThreadSaysThatTheAlertWasResolvedAndStillNeedsAnAnswer) {
  script(ModelScript()
             .says("Out of memory.")
             .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
             .then_says("Restarted."));
  investigated();
  writes("U1", "restart it");
  until_asked();
  EXPECT_EQ(card_shown().note, "");
  posts("[RESOLVED] HighErrorRate checkout", "scripted:C1:2");
  until([&] { return !card_shown().note.empty(); });
  EXPECT_EQ(card_shown().note, "The alert was resolved at 2023-11-14 22:13 UTC. This still needs an answer.");
  EXPECT_THAT(transcript(), HasSubstr("The alert was resolved at 2023-11-14 22:13 UTC."));
  EXPECT_EQ(world_->restarts["checkout"], 0);

  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(clicks("U2", interaction::Control::approve_once)));
  until_finished(2);
  EXPECT_EQ(world_->restarts["checkout"], 1);
  until([&] { return card() == nullptr; });
  EXPECT_THAT(transcript(), Not(HasSubstr("This still needs an answer."))) << "it was answered";
}

TEST_F(Triage, AnAlertThatIsBackIsNoLongerResolvedOnTheCard) {
  const auto model = script(ModelScript()
                                .says("Out of memory.")
                                .hangs()
                                .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}}));
  investigated();
  clock_.advance(16s);
  posts("[FIRING:1] HighLatency checkout", "scripted:C1:2");
  until([&] { return model->waiting() == 1; });
  writes("U1", "restart it");
  until_asked();
  posts("[RESOLVED] HighErrorRate checkout", "scripted:C1:3");
  until([&] { return !card_shown().note.empty(); });
  posts("[FIRING:1] HighErrorRate checkout", "scripted:C1:4");
  until([&] { return card_shown().note.empty(); });
  EXPECT_NE(card(), nullptr);
}

}  // namespace
}  // namespace deputy::test
