#include <gtest/gtest.h>

#include "support/manual_clock.h"
#include "support/results.h"
#include "toolkit/executor.h"

namespace deputy::toolkit {
namespace {

using namespace std::chrono_literals;

TEST(RateLimiter, LetsABurstThroughThenOneAtATime) {
  test::ManualClock clock;
  RateLimiter limiter;
  const RateLimits limits{30, 3};
  for (int i = 0; i < 3; ++i) EXPECT_OK(limiter.take("search_logs", limits, clock.now()));
  const Result<> refused = limiter.take("search_logs", limits, clock.now());
  ASSERT_FAILS(refused, rate_limit);
  EXPECT_EQ(refused.error().retry_after, 2000ms);
  EXPECT_TRUE(refused.error().retryable);
  EXPECT_EQ(refused.error().hint, "try again in 2s");
  clock.advance(1999ms);
  EXPECT_EQ(limiter.take("search_logs", limits, clock.now()).error().retry_after, 1ms);
  clock.advance(1ms);
  EXPECT_OK(limiter.take("search_logs", limits, clock.now()));
  EXPECT_FAILS(limiter.take("search_logs", limits, clock.now()), rate_limit);
}

TEST(RateLimiter, WaitingAsLongAsItSaysIsLongEnough) {
  for (const int per_minute : {1, 7, 11, 59, 61, 997, 6000}) {
    test::ManualClock clock;
    RateLimiter limiter;
    const RateLimits limits{per_minute, 1};
    EXPECT_OK(limiter.take("t", limits, clock.now()));
    for (int i = 0; i < 50; ++i) {
      const Result<> refused = limiter.take("t", limits, clock.now());
      ASSERT_FAILS(refused, rate_limit);
      clock.advance(refused.error().retry_after.value_or(0ms));
      ASSERT_OK(limiter.take("t", limits, clock.now()));
    }
  }
}

TEST(RateLimiter, NeverSavesUpMoreThanABurst) {
  test::ManualClock clock;
  RateLimiter limiter;
  const RateLimits limits{60, 2};
  EXPECT_OK(limiter.take("t", limits, clock.now()));
  clock.advance(24h);
  EXPECT_OK(limiter.take("t", limits, clock.now()));
  EXPECT_OK(limiter.take("t", limits, clock.now()));
  EXPECT_FAILS(limiter.take("t", limits, clock.now()), rate_limit);
}

TEST(RateLimiter, ToolsDoNotShareABucket) {
  test::ManualClock clock;
  RateLimiter limiter;
  const RateLimits limits{1, 1};
  EXPECT_OK(limiter.take("a", limits, clock.now()));
  EXPECT_OK(limiter.take("b", limits, clock.now()));
  EXPECT_FAILS(limiter.take("a", limits, clock.now()), rate_limit);
}

TEST(RateLimiter, NewLimitsHoldAtOnce) {
  test::ManualClock clock;
  RateLimiter limiter;
  for (int i = 0; i < 5; ++i) EXPECT_OK(limiter.take("t", {60, 10}, clock.now()));
  EXPECT_OK(limiter.take("t", {60, 1}, clock.now()));
  EXPECT_FAILS(limiter.take("t", {60, 1}, clock.now()), rate_limit);
}

TEST(RateLimiter, AClockThatIsSetBackGivesNothing) {
  test::ManualClock clock;
  RateLimiter limiter;
  EXPECT_OK(limiter.take("t", {60, 1}, clock.now()));
  clock.advance(-1h);
  EXPECT_FAILS(limiter.take("t", {60, 1}, clock.now()), rate_limit);
  clock.advance(1s);
  EXPECT_OK(limiter.take("t", {60, 1}, clock.now()));
}

}  // namespace
}  // namespace deputy::toolkit
