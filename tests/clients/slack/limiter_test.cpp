#include "clients/slack/limiter.h"

#include <gtest/gtest.h>

namespace deputy::clients::slack {
namespace {

using namespace std::chrono_literals;
const Timestamp kBegin = from_millis(1'700'000'000'000);
const Method kPost{"chat.postMessage", 300, false, true};
const Method kRead{"conversations.replies", 50, true};
const Method kAppend{"chat.appendStream", 100};

TEST(SlackLimiter, NeededCallsGoOutUntilSlackRefuses) {
  Limiter limiter;
  for (int i = 0; i < 500; ++i) ASSERT_EQ(limiter.take(kRead, "", Use::needed, kBegin), std::nullopt) << i;
}

TEST(SlackLimiter, ARefusalBlocksForItsTimeAndThenThePromiseIsKept) {
  Limiter limiter;
  limiter.refused(kRead, "", 7s, kBegin);
  EXPECT_EQ(limiter.take(kRead, "", Use::needed, kBegin + 2s), 5s);
  for (int i = 0; i < 50; ++i) ASSERT_EQ(limiter.take(kRead, "", Use::needed, kBegin + 8s), std::nullopt) << i;
  EXPECT_EQ(limiter.take(kRead, "", Use::needed, kBegin + 8s), 60s);
  EXPECT_EQ(limiter.take(kRead, "", Use::needed, kBegin + 68s), std::nullopt) << "a minute later";
  EXPECT_EQ(limiter.take(kAppend, "", Use::needed, kBegin + 8s), std::nullopt) << "another method";
}

TEST(SlackLimiter, ProgressLeavesHalfOfThePromiseToTheRest) {
  Limiter limiter;
  for (int i = 0; i < 50; ++i) ASSERT_EQ(limiter.take(kAppend, "", Use::nice_to_have, kBegin), std::nullopt) << i;
  EXPECT_EQ(limiter.take(kAppend, "", Use::nice_to_have, kBegin + 1s), 59s);
  EXPECT_EQ(limiter.take(kAppend, "", Use::needed, kBegin + 1s), std::nullopt);
}

TEST(SlackLimiter, ARefusedPostConcernsItsChannelOnly) {
  Limiter limiter;
  limiter.refused(kPost, "C1", 1s, kBegin);
  EXPECT_EQ(limiter.take(kPost, "C1", Use::needed, kBegin), 1s);
  EXPECT_EQ(limiter.take(kPost, "C2", Use::needed, kBegin), std::nullopt);
  // From then on about one a second.
  int posted = 0;
  for (auto at = kBegin + 1s; at < kBegin + 31s; at += 100ms)
    if (!limiter.take(kPost, "C1", Use::needed, at)) ++posted;
  EXPECT_EQ(posted, 30);
}

TEST(SlackLimiter, AClockThatWasSetBackBlocksNothing) {
  Limiter limiter;
  limiter.refused(kRead, "", 1s, kBegin);
  for (int i = 0; i < 50; ++i) (void)limiter.take(kRead, "", Use::needed, kBegin + 2s);
  EXPECT_EQ(limiter.take(kRead, "", Use::needed, kBegin + 1500ms), std::nullopt);
}

}  // namespace
}  // namespace deputy::clients::slack
