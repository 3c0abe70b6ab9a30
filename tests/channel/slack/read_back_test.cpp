// What is read back, from answers of Slack that leave things out.
#include "channel/slack/read_back.h"

#include <gmock/gmock.h>

#include "channel/slack/thread.h"
#include "support/keeping_receiver.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/results.h"
#include "support/scripted_http.h"

namespace deputy::channel::slack {
namespace {

using namespace std::chrono_literals;

class SlackReadBack : public testing::Test, public test::OnLoop {
 protected:
  SlackReadBack() {
    directory_.set_self({.team = "T1", .user = "UBOT"});
    receiver_.seen = slack::ts_of(clock_.now() - 30min);
  }
  void slack_answers(json::object reply) {
    reply["ok"] = true;
    http_.answers({.pieces = {json::serialize(reply)}});
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
  ReadBack read_back_{api_, inbox_, clock_};
  test::KeepingReceiver receiver_;
};

TEST_F(SlackReadBack, AThreadWhoseFirstMessageDoesNotSayWhenTheLastReplyCameIsRead) {
  const std::string root = slack::ts_of(clock_.now() - 2h);
  const std::string reply = slack::ts_of(clock_.now() - 10min);
  const json::object first{{"user", "U1"}, {"team", "T1"}, {"ts", root}, {"thread_ts", root}, {"reply_count", 1}};
  const json::object missed{{"user", "U1"}, {"team", "T1"}, {"ts", reply}, {"thread_ts", root}, {"text", "hello?"}};
  slack_answers({{"channels", {{{"id", "C1"}}}}});
  slack_answers({{"messages", {first}}});
  slack_answers({{"messages", {first, missed}}});
  slack_answers({{"channel", {{"id", "C1"}}}});
  ASSERT_OK(await(read_back_.run(receiver_)));
  ASSERT_EQ(receiver_.messages.size(), 1U);
  EXPECT_EQ(receiver_.messages.front().ref, reply);
  EXPECT_EQ(receiver_.messages.front().conversation, (Thread{"T1", "C1", root}.key()));
}

}  // namespace
}  // namespace deputy::channel::slack
