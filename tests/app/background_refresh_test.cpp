#include "app/background_refresh.h"

#include <gtest/gtest.h>

#include "support/loop.h"
#include "support/manual_clock.h"

namespace deputy::app {
namespace {

constexpr std::chrono::minutes kTtl{5};

/// Something whose readings end at once, or when they are told to.
struct Source {
  BackgroundRefresh make(std::chrono::milliseconds max_wait = kMaxWait) {
    return {"outside", {max_wait, kTtl}, clock, loop.get_executor(), [this] { return read(*this); }};
  }
  static Task<> read(Source& outside) {
    ++outside.begun;
    if (outside.hangs) co_await sleep_for(std::chrono::hours(1));
    ++outside.ended;
  }
  /// Lets what goes on behind go as far as it can.
  void poll() {
    loop.restart();
    loop.poll();
  }

  test::ManualClock clock;
  asio::io_context loop;
  bool hangs = false;
  int begun = 0;
  int ended = 0;
};

TEST(BackgroundRefresh, WhoNeedsItFirstWaitsForTheFirstReading) {
  Source outside;
  BackgroundRefresh behind = outside.make();
  test::run_on(outside.loop, behind.first());
  EXPECT_EQ(outside.ended, 1);
}

TEST(BackgroundRefresh, TheFirstIsBegunOnceHoweverManyWait) {
  Source outside;
  BackgroundRefresh behind = outside.make();
  behind.begin();
  behind.look();
  test::run_on(outside.loop, behind.first());
  test::run_on(outside.loop, behind.first());
  EXPECT_EQ(outside.begun, 1);
}

TEST(BackgroundRefresh, AFirstThatEndedBeforeAnybodyWaitedKeepsNobodyWaiting) {
  Source outside;
  BackgroundRefresh behind = outside.make();
  behind.begin();
  outside.poll();
  ASSERT_EQ(outside.ended, 1);
  spawn(outside.loop.get_executor(), "waits", behind.first());
  outside.poll();
  EXPECT_TRUE(outside.loop.stopped()) << "somebody still waits";
}

TEST(BackgroundRefresh, NobodyWaitsLongerThanIsSaid) {
  Source outside;
  outside.hangs = true;
  BackgroundRefresh behind = outside.make(std::chrono::milliseconds(1));
  test::run_on(outside.loop, behind.first());
  EXPECT_EQ(outside.begun, 1);
  EXPECT_EQ(outside.ended, 0);
}

TEST(BackgroundRefresh, IsReadAnewOnceItIsOldAndSomebodyLooks) {
  Source outside;
  BackgroundRefresh behind = outside.make();
  behind.look();
  outside.poll();
  outside.clock.advance(kTtl - std::chrono::milliseconds(1));
  behind.look();
  outside.poll();
  EXPECT_EQ(outside.begun, 1);
  outside.clock.advance(std::chrono::milliseconds(1));
  EXPECT_EQ(outside.begun, 1) << "nobody has looked";
  behind.look();
  outside.poll();
  EXPECT_EQ(outside.ended, 2);
}

TEST(BackgroundRefresh, OneReadingAtATime) {
  Source outside;
  outside.hangs = true;
  BackgroundRefresh behind = outside.make();
  for (int i = 0; i < 3; ++i) {
    behind.look();
    outside.poll();
    outside.clock.advance(kTtl);
  }
  EXPECT_EQ(outside.begun, 1);
}

TEST(BackgroundRefresh, MayGoWhileAReadingIsUnderWay) {
  Source outside;
  outside.hangs = true;
  {
    BackgroundRefresh behind = outside.make();
    behind.begin();
    outside.poll();
  }
  outside.poll();
  EXPECT_EQ(outside.begun, 1);
}

TEST(BackgroundRefresh, NobodyWaitsWhereThereIsNothingToRead) {
  Source outside;
  BackgroundRefresh behind("nothing", {kMaxWait, kTtl}, outside.clock, outside.loop.get_executor(), {});
  behind.look();
  test::run_on(outside.loop, behind.first());
}

}  // namespace
}  // namespace deputy::app
