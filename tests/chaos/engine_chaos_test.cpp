// The engine under violence: killed at every failpoint of runner and gateway, and from outside at random.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <iostream>
#include <random>

#include "base/sqlite.h"
#include "chaos/people.h"
#include "support/results.h"
#include "support/source_failpoints.h"
#include "support/temporary_folder.h"

namespace deputy::chaos {
namespace {

using testing::IsEmpty;

constexpr int kKilled = 128 + SIGKILL;

class Place {
 public:
  std::vector<std::string> host() const { return {HOST, (folder_ / "data").string(), (folder_ / "effects").string()}; }
  std::vector<std::string> effects() const {
    std::vector<std::string> lines;
    std::ifstream file(folder_ / "effects");
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }
  /// Rows of a query of one text column, read past the store.
  std::vector<std::string> rows(const std::string& sql) const {
    auto database = sqlite::Connection::open(folder_ / "data" / "deputy.db", sqlite::Connection::Mode::read_only);
    EXPECT_OK(database);
    std::vector<std::string> found;
    if (!database) return found;
    sqlite::Statement statement = database->prepare(sql);
    for (auto has_row = statement.step(); has_row && *has_row; has_row = statement.step())
      found.emplace_back(statement.text(0));
    return found;
  }
  /// What the journals say against the promises.
  std::vector<std::string> broken_journals() const {
    std::vector<std::string> wrong =
        rows("SELECT 'run ' || r.id || ' is not finished' FROM runs r WHERE state <> 'finished'");
    const std::vector<std::string> doubled = rows(
        "SELECT 'call ' || json_extract(body, '$.call') || ' of run ' || run || ' has ' || count(*) || ' results' "
        "FROM entries WHERE kind = 'call_finished' GROUP BY run, json_extract(body, '$.call') HAVING count(*) <> 1");
    const std::vector<std::string> without = rows(
        "SELECT 'call ' || json_extract(c.value, '$.id') || ' of run ' || e.run || ' has no result' "
        "FROM entries e, json_each(e.body, '$.calls') c WHERE e.kind = 'model_replied' AND NOT EXISTS (SELECT 1 FROM "
        "entries f WHERE f.run = e.run AND f.kind = 'call_finished' AND json_extract(f.body, '$.call') = "
        "json_extract(c.value, '$.id'))");
    wrong.insert(wrong.end(), doubled.begin(), doubled.end());
    wrong.insert(wrong.end(), without.begin(), without.end());
    return wrong;
  }

 private:
  test::TemporaryFolder folder_;
};

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
  if (people.talk(host)) return false;
  return host.wait() == kKilled;
}

void goes_on_to_the_end(const Place& place, People& people) {
  test::Child host(place.host());
  people.greet(host);
  EXPECT_TRUE(people.talk(host)) << "it ended by itself";
  host.kill();
  people.read_rest(host);
}

TEST(EngineChaos, KilledAtEveryFailpointNothingIsLostOrDoneTwice) {
  std::vector<std::string> points = test::failpoints_in_source("run");
  const std::vector<std::string> more = test::failpoints_in_source("gateway");
  points.insert(points.end(), more.begin(), more.end());
  EXPECT_GE(points.size(), 20U);
  int number = 1;
  for (const std::string& point : points) {
    SCOPED_TRACE(point);
    const Place place;
    People people;
    const Way way = way_to(point);
    people.ask(way.request, number++);
    if (!way.first_die_at.empty()) EXPECT_TRUE(dies_at(place, people, way.first_die_at));
    EXPECT_TRUE(dies_at(place, people, point)) << "it was never reached";
    goes_on_to_the_end(place, people);
    EXPECT_THAT(people.judge(place.effects()), IsEmpty());
    EXPECT_THAT(place.broken_journals(), IsEmpty());
    std::cout << "killed at " << point << "\n";
  }
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
      const Place place;
      People people;
      people.ask("everything", number++);
      if (!dies_at(place, people, name)) break;  // it is not reached that often
      goes_on_to_the_end(place, people);
      EXPECT_THAT(people.judge(place.effects()), IsEmpty());
      EXPECT_THAT(place.broken_journals(), IsEmpty());
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
  for (int round = 0; round < kKills / kARound; ++round) {
    const Place place;
    People people;
    for (const char* what : {"everything", "everything", "limit", "everything"}) people.ask(what, number++);
    for (int kill = 0; kill < kARound; ++kill) {
      test::Child host(place.host());
      people.greet(host);
      people.talk_for(host, std::chrono::milliseconds(std::uniform_int_distribution(50, 900)(random)));
      host.kill();
      people.read_rest(host);
    }
    goes_on_to_the_end(place, people);
    EXPECT_THAT(people.judge(place.effects()), IsEmpty()) << "round " << round;
    EXPECT_THAT(place.broken_journals(), IsEmpty()) << "round " << round;
  }
  std::cout << kKills << " kills at random\n";
}

}  // namespace
}  // namespace deputy::chaos
