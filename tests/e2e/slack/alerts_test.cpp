// Alert cards in Slack: asked about by a bare mention, and investigated without one where that is on.
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

TEST_F(SlackService, ABareMentionUnderAnAlertCardIsAboutTheCard) {
  script(ModelScript().says("It is out of memory."));
  serve();
  const std::string alert = text_at(control("say", alert_card("[FIRING:1] HighErrorRate")), "ts");
  say(kAna, "", alert, kOps, true);
  until_shown(alert, "It is out of memory.");
  stop();
  EXPECT_THAT(asked(0), AllOf(HasSubstr("HighErrorRate"), HasSubstr("Service: checkout"), HasSubstr("17 %")));
}

TEST_F(SlackService, ABareMentionUnderACardOfBlocksIsAboutIt) {
  script(ModelScript().says("It is out of memory."));
  serve();
  const auto text = [](std::string words) { return json::object{{"type", "mrkdwn"}, {"text", std::move(words)}}; };
  json::array fields{text("*Service*\ncheckout"), text("*Error rate*\n17 %")};
  json::array blocks{
      json::object{{"type", "header"}, {"text", {{"type", "plain_text"}, {"text", "HighErrorRate"}}}},
      json::object{{"type", "section"}, {"fields", std::move(fields)}},
      json::object{{"type", "context"}, {"elements", json::array{text("<https://alerts.example.com/7|Alert 7>")}}}};
  const std::string alert =
      text_at(control("say", {{"user", kAlerts}, {"channel", kOps}, {"text", "An alert"}, {"blocks", blocks}}), "ts");
  say(kAna, "", alert, kOps, true);
  until_shown(alert, "It is out of memory.");
  stop();
  EXPECT_THAT(asked(0), AllOf(HasSubstr("HighErrorRate"), HasSubstr("checkout"), HasSubstr("17 %"),
                              HasSubstr("https://alerts.example.com/7")));
}

TEST_F(SlackService, ABareMentionOfNothingGetsTheHelp) {
  serve();
  until_shown(mention(kAna, ""), "Tell me what you want to know");
}

class SlackAlerts : public SlackService {
 protected:
  SlackAlerts() {
    const std::string services = folder_.write("services.yaml", "checkout: {}\npayments: {}\n").string();
    settings_ +=
        "access: {bots: [T0SIM000001/U0ALERTS001]}\nchannels: {C0OPS000001: {triage: true}}\n"
        "services: {file: '" +
        services + "'}\n";
  }
  std::string posts(const std::string& title, const std::string& service = "checkout") {
    return text_at(control("say", alert_card(title, service)), "ts");
  }
  /// Waits until Slack has the receipt of this message: what Deputy does about it is stored.
  void until_received(const std::string& ts) {
    ASSERT_TRUE(until([&] {
      std::string envelope;
      for (const json::value& one : simulator_->world().record.find(0, "envelope", {})) {
        if (json::serialize(one).contains("\"ts\":\"" + ts + "\""))
          envelope = text_at(one.get_object().at("envelope").get_object(), "envelope_id");
      }
      return !envelope.empty() &&
             json::serialize(simulator_->world().record.find(0, "acknowledged", {})).contains(envelope);
    }));
  }
};

TEST_F(SlackAlerts, AnAlertIsInvestigatedAndEveryoneWithAccessGoesOnInItsThreadUntilStopListening) {
  script(ModelScript().says("It is out of memory.").says("Since noon.").says("Hello."));
  serve();
  const std::string alert = posts("[FIRING:1] HighErrorRate");
  until_shown(alert, "It is out of memory.");
  say(kBo, "since when?", alert);
  until_shown(alert, "Since noon.");
  click(kAna, until_found("Stop listening", alert), "control0");
  until_shown(alert, "I no longer listen to everyone in this thread.");
  until_received(say(kAna, "it is fine now", alert));
  until_shown(mention(kAna, "hello?"), "Hello.");
  stop();
  EXPECT_EQ(model_->requests().size(), 3U) << "nobody is heard without a mention any more";
  EXPECT_THAT(asked(0), AllOf(HasSubstr("HighErrorRate"), HasSubstr("Service: checkout"), HasSubstr("17 %")));
  EXPECT_THAT(asked(1), HasSubstr("It is out of memory."));
  EXPECT_THAT(audited("alert_investigated"), SizeIs(1));
}

TEST_F(SlackAlerts, AnInvestigationHasReadToolsOnly) {
  script(ModelScript()
             .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
             .then_says("It is out of memory."));
  serve();
  const std::string alert = posts("[FIRING:1] HighErrorRate");
  until_shown(alert, "It is out of memory.");
  EXPECT_EQ(find("approve_once", alert), "") << "nobody is even asked";
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 0);
}

TEST_F(SlackAlerts, AlertsOfOneServiceAtOnceAreOneRequest) {
  script(ModelScript().hangs());
  serve();
  const std::string first = posts("[FIRING:1] HighErrorRate");
  until_found("Stop listening", first);
  const std::string second = posts("[FIRING:1] HighLatency");
  until_received(second);
  stop();
  script(ModelScript().says("Both are out of memory."));
  serve();
  until_shown(first, "Both are out of memory.");
  EXPECT_THAT(messages(second), SizeIs(1));
  stop();
  EXPECT_EQ(model_->requests().size(), 1U);
  EXPECT_THAT(asked(0), AllOf(HasSubstr("HighErrorRate"), HasSubstr("HighLatency")));
}

TEST_F(SlackAlerts, TheSameAlertAgainIsACountedLineInItsThread) {
  script(ModelScript().says("It is out of memory."));
  serve();
  const std::string alert = posts("[FIRING:1] HighErrorRate");
  until_shown(alert, "It is out of memory.");
  const std::string again = posts("[FIRING:2] HighErrorRate");
  until_shown(alert, "1 more alert of checkout, not investigated.");
  EXPECT_THAT(messages(again), SizeIs(1)) << "nothing is said below it";
  stop();
  EXPECT_EQ(model_->requests().size(), 1U);
}

TEST_F(SlackAlerts, ACardThatWaitsSaysThatTheAlertWasResolvedAndIsStillAnswered) {
  script(ModelScript()
             .says("It is out of memory.")
             .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
             .then_says("Restarted."));
  serve();
  const std::string alert = posts("[FIRING:1] HighErrorRate");
  until_shown(alert, "It is out of memory.");
  say(kAna, "restart it", alert);
  const std::string card = until_found("approve_once", alert);
  const std::string again = posts("[FIRING:2] HighErrorRate");
  until_shown(alert, "1 more alert of checkout");
  posts("[RESOLVED] HighErrorRate");
  const std::string seen = until_shown(alert, "This still needs an answer.");
  EXPECT_THAT(seen, HasSubstr("The alert was resolved at "));
  EXPECT_EQ(find("approve_once", alert), card) << "it is the same card, with its buttons";
  click(kBo, card, "approve_once");
  until_shown(alert, "Restarted.");
  EXPECT_THAT(until_shown(alert, "Approved"), Not(HasSubstr("This still needs an answer.")));
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 1);
}

TEST_F(SlackAlerts, AWebhookIsABotWithoutAUser) {
  settings_ =
      "timezone: UTC\nserve: {health: '127.0.0.1:0', listen: '127.0.0.1:0'}\n"
      "access: {bots: [T0SIM000001/B0ALERTS001]}\nchannels: {C0OPS000001: {triage: true}}\n";
  write_settings(settings_);
  script(ModelScript().says("It is out of memory."));
  serve();
  json::object card = alert_card("[FIRING:1] HighErrorRate");
  card["webhook"] = true;
  const std::string alert = text_at(control("say", card), "ts");
  until_shown(alert, "It is out of memory.");
}

TEST_F(SlackAlerts, ABotWithAUserMayBeListedByItsBotId) {
  write_settings(
      "timezone: UTC\nserve: {health: '127.0.0.1:0', listen: '127.0.0.1:0'}\n"
      "access: {bots: [T0SIM000001/B0ALERTS001]}\nchannels: {C0OPS000001: {triage: true}}\n");
  script(ModelScript().says("It is out of memory."));
  serve();
  until_shown(posts("[FIRING:1] HighErrorRate"), "It is out of memory.");
}

TEST_F(SlackAlerts, ABotThatCannotBeLookedUpIsTakenAtItsMessage) {
  for (const char* method : {"users.info", "bots.info"})
    control("fault",
            {{"on", "api"}, {"name", method}, {"kind", "error"}, {"error", "user_not_visible"}, {"times", 1000}});
  script(ModelScript().says("It is out of memory."));
  serve();
  until_shown(posts("[FIRING:1] HighErrorRate"), "It is out of memory.");
}

TEST_F(SlackAlerts, OtherChannelsAndOtherBotsStartNothing) {
  script(ModelScript().says("Hello."));
  control("person", {{"id", "U0OTHER0001"}, {"bot_id", "B0OTHER0001"}, {"app_id", "A0OTHER0001"}});
  control("invite", {{"user", "U0OTHER0001"}, {"channel", kOps}});
  serve();
  json::object elsewhere = alert_card("[FIRING:1] HighErrorRate");
  elsewhere["channel"] = kGeneral;
  const std::string in_general = text_at(control("say", elsewhere), "ts");
  json::object by_other = alert_card("[FIRING:1] HighErrorRate");
  by_other["user"] = "U0OTHER0001";
  const std::string unlisted = text_at(control("say", by_other), "ts");
  until_received(in_general);
  until_received(unlisted);
  until_shown(mention(kAna, "hello?"), "Hello.");
  stop();
  EXPECT_EQ(model_->requests().size(), 1U);
}

}  // namespace
}  // namespace deputy::test
