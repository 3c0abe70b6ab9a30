// `serve` under violence: killed at every failpoint of runner and gateway and from outside at random, ended, stopped,
// beside another on the same file, with a run that ends processes, and with clocks that jump.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <iostream>
#include <random>
#include <set>
#include <thread>

#include "chaos/place.h"
#include "support/source_failpoints.h"

namespace deputy::chaos {
namespace {

using testing::IsEmpty;

using Form = Place::Form;

constexpr int kKilled = 128 + SIGKILL;

/// Which request reaches a point, and what must have happened before.
struct Way {
  std::string request = "everything";
  std::string first_die_at = {};
};
Way way_to(const std::string& point) {
  if (point.starts_with("run.limited")) return {.request = "limit"};
  if (point.starts_with("gateway.due")) return {.request = "expire"};
  if (point.starts_with("run.look")) return {.first_die_at = "run.step_started.after"};
  if (point.starts_with("run.unknown")) return {.first_die_at = "run.step_started.after:2"};
  return {};
}

// True when the process was killed by its own failpoint.
bool dies_at(const Place& place, People& people, const std::string& point) {
  test::Child host(place.host(), {"DEPUTY_FAILPOINT=" + point});
  people.greet(host);
  if (people.talk()) {
    host.kill();
    people.leave(host);
    return false;
  }
  return host.wait() == kKilled;
}

/// Asks, is killed there, goes on, and judges. Returns how many streams were ended because of it.
std::size_t kill_at(const std::string& point, Form form, int number) {
  SCOPED_TRACE(point);
  const Way way = way_to(point);
  const Place place(form, way.request == "expire" ? 4 : 90);
  People people(place.platform());
  people.ask(way.request, number);
  if (!way.first_die_at.empty()) EXPECT_TRUE(dies_at(place, people, way.first_die_at));
  EXPECT_TRUE(dies_at(place, people, point)) << "it was never reached";
  goes_on_to_the_end(place, people);
  expect_promises_kept(place, people);
  std::cout << "killed at " << point << "\n";
  return people.streams_cut();
}

TEST(EngineChaos, KilledAtEveryFailpointNothingIsLostOrDoneTwice) {
  std::vector<std::string> points = test::failpoints_in_source("run");
  const std::vector<std::string> more = test::failpoints_in_source("gateway");
  points.insert(points.end(), more.begin(), more.end());
  EXPECT_GE(points.size(), 20U);
  int number = 1;
  std::size_t cut = 0;
  for (const std::string& point : points) {
    cut += kill_at(point, Form::streams, number++);
    // The two forms differ in their deliveries.
    if (point.starts_with("gateway.delivery")) kill_at(point, Form::posts, number++);
  }
  std::cout << cut << " open streams were killed, and ended with a word\n";
  EXPECT_GT(cut, 20U);
}

// The first time a point is reached is often a harmless one. These are reached by every handler and every outcome, the
// approved writes among them: so at each time.
TEST(EngineChaos, KilledAtEachTurnOfAHandlerNothingIsLostOrDoneTwice) {
  int number = 500;
  int killed = 0;
  for (const std::string point :
       {"run.handler.after", "run.outcome.before", "run.step_started.before", "run.step_started.after"}) {
    for (int time = 2;; ++time) {
      const std::string name = point + ":" + std::to_string(time);
      SCOPED_TRACE(name);
      const Place place(Form::posts);
      People people(place.platform());
      people.ask("everything", number++);
      if (!dies_at(place, people, name)) break;  // it is not reached that often
      goes_on_to_the_end(place, people);
      expect_promises_kept(place, people);
      ++killed;
    }
  }
  std::cout << killed << " kills at later turns\n";
  EXPECT_GT(killed, 20);
}

TEST(EngineChaos, KilledAtRandomNothingIsLostOrDoneTwice) {
  constexpr int kKills = 50;
  constexpr int kARound = 5;
  std::mt19937 random(20261115);
  int number = 1000;
  std::size_t given_up = 0;
  for (int round = 0; round < kKills / kARound; ++round) {
    SCOPED_TRACE(round);
    const Place place(round % 2 == 0 ? Form::streams : Form::posts);
    People people(place.platform());
    for (const char* what : {"everything", "noted", "limit", "stopped", "everything"}) people.ask(what, number++);
    for (int kill = 0; kill < kARound; ++kill) {
      test::Child host(place.host());
      people.greet(host);
      people.talk_for(std::chrono::milliseconds(std::uniform_int_distribution(50, 900)(random)));
      host.kill();
      people.leave(host);
    }
    goes_on_to_the_end(place, people);
    expect_promises_kept(place, people, kARound);
    given_up += people.given_up().size();
  }
  std::cout << kKills << " kills at random, with notes and stops; " << given_up
            << " runs given up after three crashes\n";
}

TEST(EngineChaos, EndedGentlyAtRandomNothingIsLostOrDoneTwice) {
  constexpr int kEnds = 6;
  std::mt19937 random(20261116);
  const Place place(Form::streams);
  People people(place.platform());
  int number = 2000;
  for (const char* what : {"everything", "noted", "stopped", "everything"}) people.ask(what, number++);
  for (int end = 0; end < kEnds; ++end) {
    test::Child host(place.host());
    people.greet(host);
    people.talk_for(std::chrono::milliseconds(std::uniform_int_distribution(300, 1500)(random)));
    host.signal(SIGTERM);
    people.leave(host);
    EXPECT_EQ(host.wait(), 0);
  }
  goes_on_to_the_end(place, people);
  expect_promises_kept(place, people);
  std::cout << kEnds << " ends by SIGTERM\n";
}

TEST(EngineChaos, TwoEnginesOnOneFileDoEverythingOnce) {
  constexpr int kKills = 6;
  std::mt19937 random(20261117);
  const Place place(Form::streams);
  People people(place.platform());
  int number = 3000;
  for (const char* what : {"everything", "noted", "everything", "stopped", "limit"}) people.ask(what, number++);
  test::Child steady(place.host());
  people.greet(steady);
  for (int kill = 0; kill < kKills; ++kill) {
    test::Child other(place.host());
    people.greet(other);
    people.talk_for(std::chrono::milliseconds(std::uniform_int_distribution(300, 1500)(random)));
    other.kill();
    people.leave(other);
  }
  EXPECT_TRUE(people.talk());
  steady.kill();
  people.leave(steady);
  expect_promises_kept(place, people, kKills);
  std::cout << "two engines on one file, one of them killed " << kKills << " times\n";
}

// One run ends every process that works on it; those beside it are answered.
TEST(EngineChaos, ARunThatEndsTheProcessTakesNoOtherWithIt) {
  const Place place(Form::posts);
  People people(place.platform());
  int number = 4000;
  for (const char* what : {"everything", "deadly", "everything", "limit", "noted"}) people.ask(what, number++);
  int processes = 0;
  for (; !people.all_done() && processes < 8; ++processes) {
    test::Child host(place.host());
    people.greet(host);
    if (!people.talk()) continue;
    host.kill();
    people.leave(host);
  }
  EXPECT_TRUE(people.all_done());
  EXPECT_EQ(people.given_up(), std::set<std::string>{"lines:C1:4001"});
  EXPECT_THAT(people.judge(place.effects()), IsEmpty());
  EXPECT_THAT(place.broken_journals(), IsEmpty());
  std::cout << "a deadly run was given up; " << processes << " processes\n";
}

// Approvals expire after 15 s here: the time in which the process could not hear them does not count.
TEST(EngineChaos, AnApprovalOutlivesAStoppedProcess) {
  const Place place(Form::posts, 15);
  People people(place.platform());
  people.ask("everything", 5000);
  test::Child host(place.host());
  people.greet(host);
  ASSERT_TRUE(people.wait_for_a_card());
  const std::vector<std::string> before = place.rows("SELECT CAST(min(expires_at) AS TEXT) FROM interactions");
  host.signal(SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds(30));
  host.signal(SIGCONT);
  const auto last = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (place.rows("SELECT CAST(min(expires_at) AS TEXT) FROM interactions") == before &&
         std::chrono::steady_clock::now() < last)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(people.talk());
  host.kill();
  people.leave(host);
  expect_promises_kept(place, people);
  EXPECT_EQ(std::ranges::count(place.effects(), "approved 5000"), 1);
  std::cout << "stopped for 30 s\n";
}

TEST(EngineChaos, AClockThatJumpsBetweenProcessesLosesNothing) {
  int number = 6000;
  for (const std::string offset : {"3600", "-7200", "86400"}) {
    SCOPED_TRACE(offset);
    const Place place(Form::posts);
    People people(place.platform());
    people.ask("everything", number++);
    {
      test::Child host(place.host());
      people.greet(host);
      ASSERT_TRUE(people.wait_for_a_card());
      host.kill();
      people.leave(host);
    }
    goes_on_to_the_end(place, people, {"DEPUTY_CLOCK_OFFSET=" + offset});
    expect_promises_kept(place, people);
    EXPECT_EQ(std::ranges::count(place.effects(), "approved " + std::to_string(number - 1)), 1);
    std::cout << "a clock that jumped by " << offset << " s\n";
  }
}

}  // namespace
}  // namespace deputy::chaos
