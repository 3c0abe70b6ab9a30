// Several instances on one store, each working for its own conversations; and the time in which there was none.
#include "conformance/store/suite.h"

namespace deputy::store {
namespace {

using namespace std::chrono_literals;

TEST_P(StoreTest, OnlyRunsOfItsConversationsAreClaimed) {
  const std::unique_ptr<Store> terminal = another_instance({"terminal:ana:"});
  const RunId other = start_run("slack:T1:C1:1.0");
  const RunId own = start_run("terminal:ana:1");
  EXPECT_EQ(claim_only(*terminal).run, own);
  EXPECT_EQ(claim_only().run, other);
}

TEST_P(StoreTest, OnlyDeliveriesOfItsConversationsAreTaken) {
  const std::unique_ptr<Store> several = another_instance({"terminal:ana:", "web:"});
  start_run(kThread, "ana",
            {.deliveries = {delivery("a", "slack:T1:C1:1.0"), delivery("b", "terminal:ana:1"),
                            delivery("c", "terminal:bo:1"), delivery("d", "web:1")}});
  std::vector<std::string> taken;
  for (const DeliveryRow& row : must(several->take_deliveries(10))) taken.push_back(row.body);
  EXPECT_EQ(taken, (std::vector<std::string>{"b", "d"}));
  EXPECT_EQ(must(store_->take_deliveries(10)).size(), 2U) << "who reaches all takes the rest";
}

TEST_P(StoreTest, AChildRunLivesWhereItsParentDoes) {
  const std::unique_ptr<Store> other = another_instance();
  NewRunRow run = new_run("terminal:ana:1");
  run.home = store_->instance();
  must(store_->admit(message("m1", run.conversation), run, {}));
  const Lease lease = claim_only();
  NewRunRow child = new_run("terminal:ana:1");
  child.parent = run.run;
  append(lease, 1, {entry("delegated")}, {.children = {child}});
  EXPECT_TRUE(must(other->claim(10, {})).leases.empty());
  EXPECT_EQ(claim_only().run, child.run);
}

class Downtime : public StoreTest {
 protected:
  /// A pending interaction, a due that stops while nobody is up and one that does not, half an hour ahead.
  void wait_for_half_an_hour() {
    const Lease lease = working_run();
    asked_ = approval(lease);
    const Timestamp at = now() + 30min;
    append(lease, 1, {entry("asked")},
           {.run = RunChange{RunStatus::parked},
            .interactions = {asked_},
            .dues = {{"expiry", "stops", at, std::nullopt, true}, {"reminder", "goes on", at, std::nullopt, false}}});
  }
  /// Nobody is up for so long, then this test's instance again.
  void down_for(std::chrono::milliseconds time) {
    kill(std::move(store_));
    factory_->was_down_for(time);
    store_ = another_instance();
  }
  /// By how much the interaction's end was moved, but for the moment that opening takes.
  std::chrono::hours moved() {
    const InteractionRow now = must(store_->interactions({.id = asked_.interaction.id, .pending_only = false})).at(0);
    return std::chrono::floor<std::chrono::hours>(now.expires_at - asked_.interaction.expires_at);
  }

  NewInteractionRow asked_;
};

INSTANTIATE_TEST_SUITE_P(Every, Downtime, testing::ValuesIn(implementations()), name_of);

TEST_P(Downtime, MovesWhatStopsWhileNobodyIsUp) {
  wait_for_half_an_hour();
  down_for(2h);
  EXPECT_EQ(moved(), 2h);
}

TEST_P(Downtime, IsNotAddedWhenAnotherInstanceWasAlive) {
  const std::unique_ptr<Store> alive = another_instance();
  wait_for_half_an_hour();
  down_for(2h);
  EXPECT_EQ(moved(), 0h);
}

TEST_P(Downtime, IsAddedOnceByTheFirstOfSeveralThatStart) {
  wait_for_half_an_hour();
  down_for(2h);
  const std::unique_ptr<Store> second = another_instance();
  EXPECT_EQ(moved(), 2h);
}

TEST_P(Downtime, LeavesASettledInteractionAsItWas) {
  wait_for_half_an_hour();
  must(store_->answer(asked_.interaction.id, {InteractionState::approved, "{}", "bo", now()}, entry("answered"), {}));
  down_for(2h);
  EXPECT_EQ(moved(), 0h);
}

TEST_P(Downtime, MovesADueByTheSameTimeAndNoOther) {
  start_run(kThread, "ana",
            {.dues = {{"expiry", "stops", now() - 30min, std::nullopt, true},
                      {"reminder", "goes on", now() - 30min, std::nullopt, false}}});
  down_for(2h);
  const std::vector<DueRow> taken = must(store_->take_due(10)).dues;
  ASSERT_EQ(taken.size(), 1U);
  EXPECT_EQ(taken[0].id, "goes on");
}

}  // namespace
}  // namespace deputy::store
