// Secrets that only their writer has seen: a command, a form, the title of a private thread.
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class SlackPrivateWords : public SlackService {
 protected:
  /// Everything that Deputy has sent to Slack so far.
  std::string sent() { return json::serialize(simulator_->world().record.find(0, "call", {})); }
  std::vector<std::string> titles() {
    std::vector<std::string> all;
    for (const auto& call : simulator_->world().record.find(0, "call", {{"method", "assistant.threads.setTitle"}}))
      all.push_back(text_at(call.at("arguments").get_object(), "title"));
    return all;
  }
};

TEST_F(SlackPrivateWords, ACommandIsRepeatedWithoutItsSecret) {
  script(ModelScript().says("It has expired."));
  serve();
  control("command",
          {{"user", kAna}, {"channel", kOps}, {"command", "/deputy"}, {"text", "why is password=hunter2 no good?"}});
  const std::string root = until_found(" no good?", "");
  EXPECT_THAT(until_shown(root, "It has expired."), HasSubstr("password=[redacted"));
  EXPECT_TRUE(until([&] { return whispered_to(kAna).contains("rotate it"); }));
  EXPECT_THAT(sent(), Not(HasSubstr("hunter2")));
}

TEST_F(SlackPrivateWords, AQuestionFromAFormIsRepeatedWithoutItsSecret) {
  script(ModelScript().says("It is a card about checkout."));
  serve();
  const std::string alert = say("U0ALERTS001", "checkout is failing", "");
  control("shortcut", {{"user", kAna}, {"callback_id", "ask_deputy"}, {"channel", kOps}, {"ts", alert}});
  ASSERT_TRUE(until([&] { return !newest_view().empty(); }));
  control("submit", {{"user", kAna},
                     {"view_id", text_at(newest_view(), "id")},
                     {"values", {{"question", {{"question", "is password=hunter2 wrong?"}}}}}});
  EXPECT_THAT(until_shown(alert, "It is a card about checkout."), HasSubstr("password=[redacted"));
  EXPECT_THAT(sent(), Not(HasSubstr("hunter2")));
}

TEST_F(SlackPrivateWords, APrivateThreadIsNamedAfterItsRequestWithoutTheSecret) {
  script(ModelScript().says("It has expired."));
  serve();
  const json::object said =
      control("say", {{"user", kAna}, {"channel", "im"}, {"text", "why is password=hunter2 no good?"}});
  until_shown(text_at(said, "ts"), "It has expired.", text_at(said, "channel"));
  ASSERT_TRUE(until([&] { return !titles().empty(); }));
  EXPECT_THAT(titles(),
              testing::ElementsAre(testing::AllOf(HasSubstr("why is password=[redacted"), Not(HasSubstr("hunter2")))));
}

TEST_F(SlackPrivateWords, AThreadOfSomeoneWithoutAccessGetsNoTitle) {
  serve();
  const json::object said = control("say", {{"user", kGuest}, {"channel", "im"}, {"text", "what about checkout?"}});
  ASSERT_TRUE(until([&] { return !find("no access", "", text_at(said, "channel")).empty(); }));
  stop();  // everything it had begun has ended
  EXPECT_THAT(titles(), testing::IsEmpty());
}

}  // namespace
}  // namespace deputy::test
