// Time in which no instance was up does not count against people: by how much, to the millisecond. That it does not is
// in the conformance suite.
#include "store/sqlite_fixture.h"
#include "support/fault_vfs.h"

namespace deputy::store {
namespace {

using namespace std::chrono_literals;

class Downtime : public SqliteTest {
 protected:
  /// A pending interaction, a due that stops while nobody is up and one that does not, half an hour ahead.
  void wait_for_half_an_hour(Store& store) {
    const NewRunRow run = new_run();
    asked_ = question(run.run);
    const Timestamp at = clock_.now() + 30min;
    start(store, run,
          {.interactions = {asked_},
           .dues = {{"expiry", "stops", at, std::nullopt, true}, {"reminder", "goes on", at, std::nullopt, false}}});
  }
  Timestamp expiry(Store& store) { return must(store.interactions({})).at(0).expires_at; }
  std::vector<std::string> due(Store& store) {
    std::vector<std::string> ids;
    for (const DueRow& row : must(store.take_due(10)).dues) ids.push_back(row.id);
    return ids;
  }

  NewInteractionRow asked_;
};

TEST_F(Downtime, MovesWhatStopsWhileNobodyIsUp) {
  wait_for_half_an_hour(*open());
  clock_.advance(2h);
  const auto store = open();
  EXPECT_EQ(expiry(*store), asked_.interaction.expires_at + 2h);
  EXPECT_EQ(due(*store), std::vector<std::string>{"goes on"});
  clock_.advance(30min - 1ms);
  EXPECT_EQ(due(*store), std::vector<std::string>{"goes on"}) << "it was not ended, so it comes again";
  clock_.advance(1ms);
  EXPECT_EQ(due(*store), std::vector<std::string>{"stops"});
}

TEST_F(Downtime, CountsFromTheLastHeartbeat) {
  {
    const auto store = open();
    wait_for_half_an_hour(*store);
    clock_.advance(20min);
    EXPECT_TRUE(due(*store).empty());
  }
  clock_.advance(1h);
  const auto store = open();
  EXPECT_EQ(expiry(*store), asked_.interaction.expires_at + 1h);
}

// A laptop that slept, a process that was stopped, a clock that jumped.
TEST_F(Downtime, AGapBetweenTwoBeatsCountsAsTimeNobodyWasUp) {
  const auto store = open({.folder = data()});
  wait_for_half_an_hour(*store);
  EXPECT_TRUE(due(*store).empty());
  clock_.advance(2h);
  EXPECT_EQ(due(*store), std::vector<std::string>{"goes on"});
  EXPECT_EQ(expiry(*store), asked_.interaction.expires_at + 2h);
  clock_.advance(15s);
  EXPECT_TRUE(due(*store).empty());
  EXPECT_EQ(expiry(*store), asked_.interaction.expires_at + 2h) << "a busy process is not away";
}

TEST_F(Downtime, AGapOfOneProcessIsNoneWhileAnotherIsUp) {
  const auto sleeper = open({.folder = data()});
  const auto other = open({.folder = data()});
  wait_for_half_an_hour(*other);
  for (int beats = 0; beats < 10; ++beats) {
    clock_.advance(10s);
    EXPECT_TRUE(due(*other).empty());
  }
  EXPECT_TRUE(due(*sleeper).empty());
  EXPECT_EQ(expiry(*other), asked_.interaction.expires_at);
}

TEST_F(Downtime, IsNotAddedForAGapUnderTheHeartbeat) {
  wait_for_half_an_hour(*open());
  clock_.advance(10s);
  const auto store = open();
  EXPECT_EQ(expiry(*store), asked_.interaction.expires_at);
}

TEST_F(Downtime, AClockThatWasSetBackMovesNothingAndTheHeartbeatFollowsIt) {
  {
    const auto store = open();
    wait_for_half_an_hour(*store);
    clock_.advance(-3h);
    EXPECT_TRUE(due(*store).empty());
  }
  clock_.advance(1h);
  const auto store = open();
  EXPECT_EQ(expiry(*store), asked_.interaction.expires_at + 1h);
}

TEST_F(Downtime, IsAddedOnceWhateverFailsMeanwhile) {
  wait_for_half_an_hour(*open());
  Timestamp expected = asked_.interaction.expires_at;
  SqliteOptions faulty = options();
  faulty.vfs = test::kFaultVfs;
  bool reached_the_end = false;
  int failed = 0;
  for (int nth = 1; !reached_the_end; ++nth) {
    clock_.advance(1h);
    expected += 1h;
    test::install_fault_vfs(test::Fault::write, nth);
    if (!try_open(faulty)) ++failed;
    reached_the_end = test::fault_calls() < nth;
    test::install_fault_vfs(test::Fault::write, 0);
    const auto store = open();
    ASSERT_EQ(expiry(*store), expected) << "after a failure of write " << nth;
  }
  EXPECT_GT(failed, 0);
}

}  // namespace
}  // namespace deputy::store
