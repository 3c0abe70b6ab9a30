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
  EXPECT_EQ(read_command("delete"), Command{Kind::remove});
  EXPECT_EQ(read_command("unmute"), Command{Kind::unmute});
  EXPECT_EQ(read_command("pause"), Command{Kind::pause});
  EXPECT_EQ(read_command("pause writes"), Command{Kind::pause_writes});
  EXPECT_EQ(read_command("resume"), Command{Kind::resume});
  EXPECT_EQ(read_command("Run it now!"), Command{Kind::run_now});
}

TEST(Words, ASentenceThatBeginsWithAWordIsARequest) {
  for (const char* text :
       {"", "status of checkout", "help me with checkout", "delete the old pods", "pause the rollout",
        "mute the checkout alerts", "resume the deploy", "feedback on the release", "feedback", "mute 2 sheep",
        "mute -2h", "approvals of yesterday", "muted", "feedback wrongly given"}) {
    EXPECT_EQ(read_command(text), std::nullopt) << text;
  }
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
