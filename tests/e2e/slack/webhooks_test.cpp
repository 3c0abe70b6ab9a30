// Alerts that come by an incoming webhook: a bot without a user.
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

TEST_F(SlackService, AnAlertOfAWebhookIsInvestigated) {
  control("person", {{"id", "U0HOOK00001"}, {"name", "pager"}, {"bot_id", "B0HOOK00001"}, {"webhook", true}});
  control("channel", {{"id", kOps}, {"members", {kAna, kBo, "U0HOOK00001", "U0DEPUTY001"}}});
  write_settings(settings_ + "access: {bots: [T0SIM000001/B0HOOK00001]}\nchannels: {C0OPS000001: {triage: true}}\n");
  script(ModelScript().says("A deployment at noon broke it."));
  serve();
  const std::string alert = say("U0HOOK00001", "[FIRING:1] HighErrorRate checkout", "");
  until_shown(alert, "A deployment at noon broke it.");
}

}  // namespace
}  // namespace deputy::test
