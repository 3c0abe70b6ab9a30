#include "gateway/inbound/words.h"

#include <gtest/gtest.h>

namespace deputy::gateway {
namespace {

using namespace std::chrono_literals;
using Kind = Command::Kind;

TEST(Words, AWordIsAWholeMessage) {
  EXPECT_EQ(read_command("status"), Command{Kind::status});
  EXPECT_EQ(read_command("  Status? "), Command{Kind::status});
  EXPECT_EQ(read_command("help"), Command{Kind::help});
  EXPECT_EQ(read_command("Approvals"), Command{Kind::approvals});
  EXPECT_EQ(read_command("cost"), Command{Kind::cost});
  EXPECT_EQ(read_command("grants"), Command{Kind::grants});
  EXPECT_EQ(read_command("tasks"), Command{Kind::tasks});
  EXPECT_EQ(read_command("delete"), Command{Kind::remove});
  EXPECT_EQ(read_command("unmute"), Command{Kind::unmute});
  EXPECT_EQ(read_command("pause"), Command{Kind::pause});
  EXPECT_EQ(read_command("pause writes"), Command{Kind::pause_writes});
  EXPECT_EQ(read_command("resume"), Command{Kind::resume});
  EXPECT_EQ(read_command("Run it now!"), Command{Kind::run_now});
  EXPECT_EQ(read_command("stop listening"), Command{Kind::stop_listening});
}

TEST(Words, ShowTakesTheIdOfARun) {
  const std::string id = "01M7F7M2T84A07M63ZHG8NJ2JA";
  const Command show{.kind = Kind::show, .run = id};
  EXPECT_EQ(read_command("show " + id), show);
  EXPECT_EQ(read_command("Show `" + id + "`."), show);
  EXPECT_EQ(read_command("show me the errors of checkout"), std::nullopt);
  EXPECT_EQ(read_command("show"), std::nullopt);
  EXPECT_EQ(read_command("show " + id + " again"), std::nullopt);
}

TEST(Words, ASentenceThatBeginsWithAWordIsARequest) {
  for (const char* text :
       {"", "status of checkout", "help me with checkout", "delete the old pods", "pause the rollout",
        "mute the checkout alerts", "resume the deploy", "feedback on the release", "feedback", "mute 2 sheep",
        "mute -2h", "approvals of yesterday", "muted", "feedback wrongly given"}) {
    EXPECT_EQ(read_command(text), std::nullopt) << text;
  }
}

TEST(Words, AButtonKeepsWhatItSaysUnderItsToken) {
  const store::MarkRow like{.kind = "missed", .key = "k1", .conversation = "scripted:C1:1", .person = "ana"};
  const Button button = make_button("Run it now", {"run it now", "k1"}, like);
  EXPECT_EQ(button.control.label, "Run it now");
  EXPECT_EQ(button.mark.kind, "control");
  EXPECT_EQ(button.mark.key, button.control.token);
  EXPECT_EQ(button.mark.conversation, "scripted:C1:1");
  const auto read = read_button(button.mark);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->words, "run it now");
  EXPECT_EQ(read->about, "k1");
}

TEST(Words, AMuteHasATimeOfAtMostAWeek) {
  EXPECT_EQ(read_command("mute"), (Command{Kind::mute, 1h}));
  EXPECT_EQ(read_command("mute 2h"), (Command{Kind::mute, 2h}));
  EXPECT_EQ(read_command("Mute 30m."), (Command{Kind::mute, 30min}));
  EXPECT_EQ(read_command("mute 365d"), (Command{Kind::mute, 168h}));
}

TEST(Words, FeedbackMaySayWhy) {
  EXPECT_EQ(read_command("feedback helpful"), Command{Kind::helpful});
  EXPECT_EQ(read_command("feedback wrong"), Command{Kind::wrong});
  EXPECT_EQ(read_command("Feedback wrong: it was Staging."), (Command{Kind::wrong, {}, "it was Staging."}));
  EXPECT_EQ(read_command("feedback helpful thanks"), (Command{Kind::helpful, {}, "thanks"}));
}

}  // namespace
}  // namespace deputy::gateway
