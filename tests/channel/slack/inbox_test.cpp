// What people do in Slack as the gateway gets it, from payloads that leave things out.
#include "channel/slack/inbox.h"

#include <gmock/gmock.h>

#include "support/keeping_receiver.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/results.h"
#include "support/scripted_http.h"

namespace deputy::channel::slack {
namespace {

class SlackInbox : public testing::Test, public test::OnLoop {
 protected:
  SlackInbox() {
    directory_.set_self({.team = "T1", .user = "UBOT"});
    http_.answers({.pieces = {R"({"ok": true, "channel": {"id": "C1"}})"}});
  }
  /// The key of what the gateway gets.
  std::string key_of_command(json::object more) {
    json::object payload{{"command", "/deputy"}, {"text", "status"}, {"user_id", "U1"}, {"team_id", "T1"}};
    payload["channel_id"] = "C1";
    for (const auto& [name, value] : more) payload[name] = value;
    EXPECT_OK(await(inbox_.receive(receiver_, "slash_commands", std::move(payload))));
    return receiver_.messages.empty() ? "" : receiver_.messages.back().key;
  }
  static clients::slack::Settings settings() {
    clients::slack::Settings settings;
    settings.bot_token = Secret("xoxb-fake-bot-token");
    return settings;
  }

  test::ManualClock clock_;
  test::ScriptedHttp http_;
  clients::slack::Api api_{settings(), http_, clock_};
  Directory directory_{api_, clock_, [] { return std::set<std::string>(); }};
  Inbox inbox_{api_, directory_, clock_,
               [](ConversationKey, policy::Account, Message) -> Task<Result<>> { co_return Result<>{}; }};
  test::KeepingReceiver receiver_;
};

TEST_F(SlackInbox, ACommandWithoutATriggerIsToldFromTheNextOne) {
  const std::string first = key_of_command({{"response_url", "https://hooks.slack.com/commands/1"}});
  const std::string second = key_of_command({{"response_url", "https://hooks.slack.com/commands/2"}});
  EXPECT_NE(first, second);
  EXPECT_EQ(key_of_command({{"response_url", "https://hooks.slack.com/commands/1"}}), first) << "sent again";
  EXPECT_THAT(first, testing::Not(testing::HasSubstr("hooks.slack.com"))) << "whoever has it could answer";
  const std::string third = key_of_command({});
  clock_.advance(std::chrono::seconds(1));
  EXPECT_NE(key_of_command({}), third);
}

}  // namespace
}  // namespace deputy::channel::slack
