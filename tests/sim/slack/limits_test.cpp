#include "sim/slack/limits.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::sim::slack {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr Timestamp kStart = Timestamp(seconds(1'700'000'000));

int calls_until_refused(Limits& limits, std::string_view method, Tier tier) {
  for (int calls = 0; calls < 10'000; ++calls) {
    if (limits.call(method, tier, kStart)) return calls;
  }
  return -1;
}

TEST(SlackLimits, EachTierTakesSlacksNumberOfCallsAMinute) {
  Limits limits;
  EXPECT_EQ(calls_until_refused(limits, "one", Tier::one), 1);
  EXPECT_EQ(calls_until_refused(limits, "two", Tier::two), 20);
  EXPECT_EQ(calls_until_refused(limits, "three", Tier::three), 50);
  EXPECT_EQ(calls_until_refused(limits, "four", Tier::four), 100);
  EXPECT_EQ(calls_until_refused(limits, "auth.test", Tier::special), 600);
}

TEST(SlackLimits, ARefusedCallSaysWhenTheMinuteEnds) {
  Limits limits;
  EXPECT_EQ(limits.call("m", Tier::one, kStart), std::nullopt);
  EXPECT_EQ(limits.call("m", Tier::one, kStart + milliseconds(500)), 60);
  EXPECT_EQ(limits.call("m", Tier::one, kStart + seconds(59)), 1);
  EXPECT_EQ(limits.call("m", Tier::one, kStart + seconds(60)), std::nullopt);
}

TEST(SlackLimits, MethodsDoNotShareALimit) {
  Limits limits;
  EXPECT_EQ(calls_until_refused(limits, "a", Tier::two), 20);
  EXPECT_EQ(calls_until_refused(limits, "b", Tier::two), 20);
}

TEST(SlackLimits, AChannelTakesABurstAndThenOnePostASecond) {
  Limits limits;
  for (int i = 0; i < 4; ++i) EXPECT_EQ(limits.post("C1", kStart), std::nullopt);
  EXPECT_EQ(limits.post("C1", kStart), 1);
  EXPECT_EQ(limits.post("C2", kStart), std::nullopt);
  EXPECT_EQ(limits.post("C1", kStart + milliseconds(1000)), std::nullopt);
  EXPECT_EQ(limits.post("C1", kStart + milliseconds(1500)), 1);
}

TEST(SlackLimits, AFloodedChannelTakesNoPostForItsTime) {
  Limits limits;
  ASSERT_OK(limits.set({{"posts", {{"per_second", 1000}, {"burst", 1000}}}}));
  limits.flood("C1", seconds(30), kStart);
  EXPECT_EQ(limits.post("C1", kStart), 30);
  EXPECT_EQ(limits.post("C1", kStart + seconds(29)), 1);
  EXPECT_EQ(limits.post("C2", kStart), std::nullopt);
  EXPECT_EQ(limits.post("C1", kStart + seconds(30)), std::nullopt);
}

TEST(SlackLimits, RaisingIsRememberedAndLoweringIsNot) {
  Limits limits;
  ASSERT_OK(limits.set({{"tiers", {{"2", 5}}}}));
  EXPECT_FALSE(limits.raised());
  EXPECT_EQ(calls_until_refused(limits, "two", Tier::two), 5);
  ASSERT_OK(limits.set({{"posts", {{"burst", 50}}}}));
  EXPECT_TRUE(limits.raised());
}

TEST(SlackLimits, UnknownAndSenselessLimitsAreRefused) {
  Limits limits;
  EXPECT_FAILS(limits.set({{"tiers", {{"5", 10}}}}), invalid_input);
  EXPECT_FAILS(limits.set({{"posts", {{"per_minute", 10}}}}), invalid_input);
  EXPECT_FAILS(limits.set({{"tiers", {{"2", 0}}}}), invalid_input);
  EXPECT_FAILS(limits.set({{"tiers", {{"2", "many"}}}}), invalid_input);
  EXPECT_FAILS(limits.set({{"tiers", 7}}), invalid_input);
}

}  // namespace
}  // namespace deputy::sim::slack
