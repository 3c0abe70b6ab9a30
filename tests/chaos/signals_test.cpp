// A `serve` that is told to end: it lets what must not be interrupted end, within 30 s, and loses nothing.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <iostream>

#include "base/text.h"
#include "chaos/place.h"

namespace deputy::chaos {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

constexpr auto kLongestStop = 30s;
// Under sanitizers, on a machine that does other things too.
constexpr auto kAtOnce = 5s;

class Signals : public testing::Test {
 protected:
  Signals() : people_(place_.platform()) {}

  void wait_for(const char* word) {
    while (const std::optional<std::string> line = host_.read_line()) {
      if (line->contains(word)) return;
    }
    FAIL() << "it never said " << word;
  }
  /// Returns while the write that must not be interrupted works.
  void begin_a_slow_write() {
    people_.ask("slow", 1);
    people_.greet(host_);
    const auto last = Steady::now() + 60s;
    while (!contains(place_.effects(), "begun: slow 1") && Steady::now() < last) people_.talk_for(20ms);
    ASSERT_TRUE(contains(place_.effects(), "begun: slow 1"));
  }
  /// The first signal. It has stopped receiving when this returns.
  void tell_to_end() {
    told_ = Steady::now();
    host_.signal(SIGTERM);
    wait_for("left");
  }
  /// Its exit code, or 128 and the signal that ended it.
  int end() {
    people_.leave(host_);
    const int code = host_.wait();
    took_ = Steady::now() - told_;
    return code;
  }
  void expect_the_next_one_goes_on(int writes) {
    goes_on_to_the_end(place_, people_);
    expect_promises_kept(place_, people_);
    EXPECT_EQ(std::ranges::count(place_.effects(), "slow 1"), writes);
    EXPECT_EQ(std::ranges::count(place_.effects(), "begun: slow 1"), 1);
  }
  double seconds() const { return std::chrono::duration<double>(took_).count(); }

  const Place place_{Place::Form::streams};
  People people_;
  test::Child host_{place_.host()};
  Steady::time_point told_ = Steady::now();
  Steady::duration took_{};
};

TEST_F(Signals, AnIdleServiceEndsAtOnce) {
  wait_for("ready");
  tell_to_end();
  EXPECT_EQ(end(), 0);
  EXPECT_LT(took_, kAtOnce);
  std::cout << "an idle service ended after " << seconds() << " s\n";
}

TEST_F(Signals, AWriteThatMustNotBeInterruptedEndsFirst) {
  begin_a_slow_write();
  tell_to_end();
  place_.let_go();
  EXPECT_EQ(end(), 0);
  EXPECT_LT(took_, kLongestStop);
  EXPECT_TRUE(contains(place_.effects(), "slow 1")) << "it was waited for";
  expect_the_next_one_goes_on(1);
}

TEST_F(Signals, AWriteThatDoesNotEndIsWaitedForLessThan30Seconds) {
  begin_a_slow_write();
  tell_to_end();
  EXPECT_EQ(end(), 0);
  EXPECT_LT(took_, kLongestStop);
  std::cout << "with a write that does not end, a service ended after " << seconds() << " s\n";
  expect_the_next_one_goes_on(0);
}

TEST_F(Signals, ASecondSignalEndsItAtOnce) {
  begin_a_slow_write();
  tell_to_end();
  told_ = Steady::now();
  host_.signal(SIGTERM);
  EXPECT_EQ(end(), 128 + SIGTERM);
  EXPECT_LT(took_, kAtOnce);
  expect_the_next_one_goes_on(0);
}

}  // namespace
}  // namespace deputy::chaos
