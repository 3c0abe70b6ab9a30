// What one person sees: details, feedback, App Home, commands, the shortcut.
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class SlackPages : public SlackService {
 protected:
  /// Ana's request in a channel, and the ts of its answer.
  std::string answered(const std::string& channel) {
    const std::string ts = mention(kAna, "what about checkout?", channel);
    until_shown(ts, "Two notes.", channel);
    return until_found("Details", ts, channel);
  }
  /// The value of a button of the message that begins so.
  std::string value_in(const std::string& ts, const std::string& begin, const std::string& channel) {
    std::string value;
    for (const auto& message : simulator_->world().workspace.channels.at(channel).messages) {
      const std::string body = json::serialize(message.body);
      const std::size_t at = body.find(begin);
      if (message.ts == ts && at != std::string::npos) value = body.substr(at, body.find('"', at) - at);
    }
    return value;
  }
  ModelScript looks_into_notes() {
    return ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says("Two notes.");
  }
};

TEST_F(SlackPages, DetailsShowWhatWasDone) {
  script(looks_into_notes());
  serve();
  click(kBo, answered(kOps), "control0");
  ASSERT_TRUE(until([&] { return !newest_view().empty(); }));
  const std::string view = json::serialize(newest_view());
  EXPECT_THAT(view, HasSubstr("search_notes"));
  EXPECT_THAT(view, HasSubstr("checkout is slow"));
}

TEST_F(SlackPages, DetailsOfManyCallsAreReadPageByPage) {
  const ScriptedCall call{"search_notes", {{"query", "checkout"}}};
  script(ModelScript().calls({call, call, call, call, call, call}).then_says("Two notes."));
  serve();
  click(kBo, answered(kOps), "control0");
  const auto view = [&] { return json::serialize(newest_view()); };
  ASSERT_TRUE(until([&] { return view().contains("Page 1 of 2"); })) << view();
  const auto turn = [&] {
    control("click", {{"user", kBo}, {"view_id", text_at(newest_view(), "id")}, {"action_id", "control0"}});
  };
  turn();
  ASSERT_TRUE(until([&] { return view().contains("Page 2 of 2"); })) << view();
  EXPECT_THAT(view(), HasSubstr("Previous"));
  turn();
  EXPECT_TRUE(until([&] { return view().contains("Page 1 of 2"); }));
}

TEST_F(SlackPages, DetailsOfAPrivateChannelAreForItsMembers) {
  control("leave", {{"user", kBo}, {"channel", kIncidentRoom}});
  script(looks_into_notes());
  serve();
  const std::string answer = answered(kIncidentRoom);
  const std::string token = value_in(answer, "run:details:", kIncidentRoom);
  ASSERT_FALSE(token.empty());
  // Bo has the run's id from somewhere.
  constexpr std::size_t kId = 26;
  const std::string run = token.substr(std::string("run:details:").size(), kId);
  const std::string asked_at = mention(kBo, "show " + run);
  ASSERT_TRUE(until([&] { return !whispered_to(kBo).empty() || messages(asked_at).size() > 1; }));
  EXPECT_THAT(whispered_to(kBo) + thread(asked_at), Not(HasSubstr("search_notes")));
}

TEST_F(SlackPages, DetailsOfAPrivateChannelAreRefusedToANonMemberWhoPressesThem) {
  control("leave", {{"user", kBo}, {"channel", kIncidentRoom}});
  script(looks_into_notes().says("Hello."));
  serve();
  const std::string answer = answered(kIncidentRoom);
  auto& workspace = simulator_->world().workspace;
  const json::value seen = workspace.message(workspace.channels.at(kIncidentRoom), answer)->body.at("blocks");
  const std::string hello = mention(kAna, "hello?");
  until_shown(hello, "Hello.");
  click(kBo, find("Hello.", hello), "control0", kOps, {{"blocks", seen}});
  const std::string told = until_whispered(kBo, "You may not see this run");
  EXPECT_THAT(told, Not(HasSubstr("search_notes")));
  EXPECT_TRUE(newest_view().empty());
}

TEST_F(SlackPages, FeedbackIsKeptAndAWrongAnswerAsksWhy) {
  write_settings(settings_ + "channels: {slack: {alert_channel: C0GENERAL01}}\n");
  script(looks_into_notes());
  serve();
  const std::string answer = answered(kOps);
  click(kAna, answer, "feedback", kOps, {{"value", value_in(answer, "wrong:", kOps)}});
  ASSERT_TRUE(until([&] { return !newest_view().empty(); }));
  control("submit", {{"user", kAna},
                     {"view_id", text_at(newest_view(), "id")},
                     {"values", {{"reason", {{"reason", "it is three"}}}}}});
  EXPECT_TRUE(until([&] { return !find("it is three", "", kGeneral).empty(); })) << "the operators hear";
  EXPECT_TRUE(until([&] { return whispered_to(kAna).contains("Thank you"); }));
}

TEST_F(SlackPages, AReactionIsFeedbackToo) {
  write_settings(settings_ + "channels: {slack: {alert_channel: C0GENERAL01}}\n");
  script(looks_into_notes());
  serve();
  control("react", {{"user", kAna}, {"channel", kOps}, {"ts", answered(kOps)}, {"name", "-1"}});
  EXPECT_TRUE(until([&] { return !find("is wrong", "", kGeneral).empty(); })) << "the operators hear";
}

TEST_F(SlackPages, TheFooterHasToolsSecondsCostAndRun) {
  script(looks_into_notes().costs(12'300));
  serve();
  const std::string answer = answered(kOps);
  const std::string run = value_in(answer, "run:details:", kOps).substr(12, 26);
  EXPECT_THAT(thread(answer), testing::ContainsRegex("search_notes · [0-9]+[.][0-9] s · [$]0[.]02 · " + run));
}

TEST_F(SlackPages, HomeShowsWhatWaitsForMe) {
  script(ModelScript().calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}}).then_says("Done."));
  serve();
  const std::string ts = mention(kAna, "restart checkout");
  until_found("approve_once", ts);
  const auto home_of = [&](const std::string& user) {
    auto& workspace = simulator_->world().workspace;
    const auto found = workspace.home_views.find(user);
    return found == workspace.home_views.end() ? "" : json::serialize(workspace.views.at(found->second).body);
  };
  control("open_home", {{"user", kBo}, {"tab", "home"}});
  control("open_home", {{"user", kAna}, {"tab", "home"}});
  ASSERT_TRUE(until([&] { return !home_of(kBo).empty() && !home_of(kAna).empty(); }));
  EXPECT_THAT(home_of(kBo), HasSubstr("restart_service"));
  EXPECT_THAT(home_of(kAna), Not(HasSubstr("restart_service"))) << "she may not approve it";
}

TEST_F(SlackPages, ACommandIsAnsweredBelowALineThatRepeatsIt) {
  script(looks_into_notes());
  serve();
  control("command", {{"user", kAna}, {"channel", kOps}, {"command", "/deputy"}, {"text", "what about checkout?"}});
  const std::string root = until_found("what about checkout?", "");
  until_shown(root, "Two notes.");
}

TEST_F(SlackPages, TheReplyToAWordIsForItsWriterAlone) {
  serve();
  control("command", {{"user", kAna}, {"channel", kOps}, {"command", "/deputy"}, {"text", "status"}});
  EXPECT_TRUE(until([&] { return whispered_to(kAna).contains("Nothing is running here."); }));
  EXPECT_TRUE(find("Nothing is running", "").empty());
}

TEST_F(SlackPages, AnyMessageCanBeAskedAbout) {
  script(ModelScript().says("It is a card about checkout."));
  serve();
  const std::string alert = say("U0ALERTS001", "checkout is failing", "");
  control("shortcut", {{"user", kAna}, {"callback_id", "ask_deputy"}, {"channel", kOps}, {"ts", alert}});
  ASSERT_TRUE(until([&] { return !newest_view().empty(); }));
  control("submit", {{"user", kAna},
                     {"view_id", text_at(newest_view(), "id")},
                     {"values", {{"question", {{"question", "what is this?"}}}}}});
  until_shown(alert, "It is a card about checkout.");
  stop();
  EXPECT_THAT(asked(0), HasSubstr("checkout is failing")) << "the message is its context";
}

}  // namespace
}  // namespace deputy::test
