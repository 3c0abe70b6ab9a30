// Claims: one owner a run, the dead are replaced at once, a parked run costs nothing until it has mail.
#include <set>

#include "conformance/store/suite.h"

namespace deputy::store {
namespace {

TEST_P(StoreTest, AFreshRunIsClaimedOnce) {
  const RunId run = start_run();
  const std::unique_ptr<Store> other = another_instance();
  const Lease lease = claim_only();
  EXPECT_EQ(lease.run, run);
  EXPECT_EQ(lease.instance, store_->instance());
  EXPECT_EQ(lease.after, Lease::After::fresh);
  EXPECT_TRUE(must(other->claim(10, {})).leases.empty());
  EXPECT_TRUE(must(store_->claim(10, {})).leases.empty());
}

TEST_P(StoreTest, NoMoreThanAskedForIsClaimedOldestFirst) {
  const RunId first = start_run();
  const RunId second = start_run("slack:T1:C1:2.0");
  start_run("slack:T1:C1:3.0");
  const Claimed claimed = must(store_->claim(2, {}));
  ASSERT_EQ(claimed.leases.size(), 2U);
  EXPECT_EQ(claimed.leases[0].run, first);
  EXPECT_EQ(claimed.leases[1].run, second);
}

TEST_P(StoreTest, AParkedRunIsClaimedOnlyWhenItHasMail) {
  const Lease lease = working_run();
  append(lease, 1, {entry("asked")}, {.run = RunChange{RunStatus::parked}});
  EXPECT_TRUE(must(store_->claim(10, {})).leases.empty());
  must(store_->mail({lease.run, entry("noted")}, {}));
  const Lease again = claim_only();
  EXPECT_EQ(again.run, lease.run);
  EXPECT_EQ(again.after, Lease::After::mail);
}

TEST_P(StoreTest, AReleasedRunIsClaimedByAnyone) {
  const Lease lease = working_run();
  must(store_->release(lease));
  const std::unique_ptr<Store> other = another_instance();
  const Lease taken = claim_only(*other);
  EXPECT_EQ(taken.run, lease.run);
  EXPECT_EQ(taken.after, Lease::After::release);
}

TEST_P(StoreTest, ReleasingWhatIsNoLongerOursDoesNothing) {
  const Lease old = working_run();
  must(store_->release(old));
  claim_only();
  must(store_->release(old));
  EXPECT_TRUE(must(store_->claim(10, {})).leases.empty());
}

TEST_P(StoreTest, TheRunsOfADeadInstanceAreTakenUp) {
  std::unique_ptr<Store> other = another_instance();
  const RunId run = start_run();
  const Lease lost = claim_only(*other);
  EXPECT_TRUE(must(store_->claim(10, {})).leases.empty());
  kill(std::move(other));
  const Lease taken = claim_only();
  EXPECT_EQ(taken.run, run);
  EXPECT_EQ(taken.after, Lease::After::crash);
  EXPECT_GT(taken.fence, lost.fence);
  EXPECT_EQ(append(lost, 1, {entry("ghost")}).how, Appended::How::lost);
}

TEST_P(StoreTest, MailForARunWeHoldIsTold) {
  const Lease lease = working_run();
  append(lease, 1, {entry("taken_up")});
  EXPECT_TRUE(must(store_->claim(10, {})).has_mail.empty());
  const std::unique_ptr<Store> other = another_instance();
  must(other->mail({lease.run, entry("noted")}, {}));
  EXPECT_EQ(must(store_->claim(10, {})).has_mail, std::vector<RunId>{lease.run});
  append(lease, 3, {entry("model_called")});
  EXPECT_TRUE(must(store_->claim(10, {})).has_mail.empty());
}

TEST_P(StoreTest, ARunThatIsExceptedIsLeftToOthers) {
  const RunId run = start_run();
  EXPECT_TRUE(must(store_->claim(10, {.except = {run}})).leases.empty());
  const std::unique_ptr<Store> other = another_instance();
  EXPECT_EQ(claim_only(*other).run, run);
}

TEST_P(StoreTest, OfAPersonNoMoreRunsAreClaimedThanTheyMayHaveAtWork) {
  for (int i = 0; i < 5; ++i) start_run("thread-" + std::to_string(i));
  const Claimed all = must(store_->claim(10, {}));  // whoever is new has entries that nobody has read
  for (const Lease& lease : all.leases) must(store_->release(lease, {.is_read = true}));
  const RunId other = start_run("thread-bo", "bo");
  const Claimed claimed = must(store_->claim(10, {.max_a_person = 3, .at_work = {{"ana", 1}}}));
  std::vector<RunId> runs;
  for (const Lease& lease : claimed.leases) {
    EXPECT_TRUE(lease.in_turn);
    runs.push_back(lease.run);
  }
  EXPECT_EQ(runs, (std::vector<RunId>{all.leases.at(0).run, all.leases.at(1).run, other})) << "the oldest";
  EXPECT_TRUE(must(store_->claim(10, {.max_a_person = 3, .at_work = {{"ana", 3}}})).leases.empty());
  EXPECT_EQ(must(store_->claim(10, {.max_a_person = 3, .at_work = {{"ana", 2}}})).leases.at(0).run,
            all.leases.at(2).run);
}

TEST_P(StoreTest, WhatNobodyHasReadIsClaimedOutOfTurnAndLeavesRoomForOthers) {
  const ClaimFilter filter{.max_a_person = 1, .at_work = {{"ana", 1}}};
  const RunId waiting = start_run();
  const RunId other = start_run("thread-bo", "bo");
  EXPECT_EQ(must(store_->claim(1, filter)).leases.at(0).run, other);
  const Lease fresh = must(store_->claim(1, filter)).leases.at(0);
  EXPECT_EQ(fresh.run, waiting);
  EXPECT_FALSE(fresh.in_turn);
  must(store_->release(fresh, {.is_read = true}));
  EXPECT_TRUE(must(store_->claim(1, filter)).leases.empty());
  must(store_->mail({waiting, entry("noted")}, {}));
  EXPECT_FALSE(must(store_->claim(1, filter)).leases.at(0).in_turn);
}

TEST_P(StoreTest, WhatItsHolderMayNotHaveReadIsClaimedOutOfTurnAgain) {
  const ClaimFilter filter{.max_a_person = 1, .at_work = {{"ana", 1}}};
  start_run();
  std::unique_ptr<Store> other = another_instance();
  ASSERT_EQ(must(other->claim(1, filter)).leases.size(), 1U);
  kill(std::move(other));
  const Lease after_a_crash = must(store_->claim(1, filter)).leases.at(0);
  EXPECT_FALSE(after_a_crash.in_turn);
  must(store_->release(after_a_crash));
  EXPECT_EQ(must(store_->claim(1, filter)).leases.size(), 1U);
}

TEST_P(StoreTest, WhoeverGivesARunBackSaysWhatItsNextHolderHears) {
  Lease lease = working_run();
  for (const Lease::After after :
       {Lease::After::crash, Lease::After::fresh, Lease::After::mail, Lease::After::release}) {
    must(store_->release(lease, {.as = after}));
    lease = claim_only();
    EXPECT_EQ(lease.after, after);
    EXPECT_EQ(lease.person, "ana");
  }
}

TEST_P(StoreTest, OnlySoManyAreClaimedOutOfTurnAtOnce) {
  for (int i = 0; i <= kMaxOutOfTurn; ++i) start_run("thread-" + std::to_string(i));
  const Claimed claimed = must(store_->claim(1000, {.max_a_person = 1, .at_work = {{"ana", 1}}}));
  EXPECT_EQ(claimed.leases.size(), static_cast<std::size_t>(kMaxOutOfTurn));
}

TEST_P(StoreTest, ChildRunsCountForNobodyAndWaitForNoTurn) {
  const Lease parent = working_run();
  NewRunRow child = new_run();
  child.parent = parent.run;
  append(parent, 1, {entry("delegated")}, {.children = {child}});
  const RunId own = start_run("thread-2");
  const Claimed claimed = must(store_->claim(10, {.max_a_person = 2, .at_work = {{"ana", 1}}}));
  ASSERT_EQ(claimed.leases.size(), 2U);
  EXPECT_EQ(claimed.leases[0].run, child.run);
  EXPECT_EQ(claimed.leases[0].person, "");
  EXPECT_EQ(claimed.leases[1].run, own);
  EXPECT_TRUE(claimed.leases[1].in_turn);
  for (const Lease& lease : claimed.leases) must(store_->release(lease));
  EXPECT_EQ(must(store_->claim(10, {.max_a_person = 2, .at_work = {{"ana", 2}}})).leases.at(0).run, child.run);
}

TEST_P(StoreTest, ATerminalsRunBelongsToItsTerminalWhileThatLives) {
  std::unique_ptr<Store> terminal = another_instance();
  NewRunRow run = new_run();
  run.home = terminal->instance();
  must(terminal->admit(message("m1"), run, {}));
  EXPECT_TRUE(must(store_->claim(10, {})).leases.empty());
  const Lease at_home = claim_only(*terminal);
  kill(std::move(terminal));
  EXPECT_EQ(claim_only().run, at_home.run);
}

TEST_P(StoreTest, ANamedLeaseHasOneHolderAndOutlivesNobody) {
  std::unique_ptr<Store> other = another_instance();
  EXPECT_TRUE(must(other->hold("telegram")));
  EXPECT_TRUE(must(other->hold("telegram")));
  EXPECT_FALSE(must(store_->hold("telegram")));
  EXPECT_TRUE(must(store_->hold("discord:0")));
  kill(std::move(other));
  EXPECT_TRUE(must(store_->hold("telegram")));
}

TEST_P(StoreTest, ANamedLeaseThatIsLetGoIsFree) {
  const std::unique_ptr<Store> other = another_instance();
  must(store_->hold("backfill"));
  must(other->let_go("backfill"));
  EXPECT_FALSE(must(other->hold("backfill"))) << "only its holder lets go";
  must(store_->let_go("backfill"));
  EXPECT_TRUE(must(other->hold("backfill")));
}

TEST_P(StoreTest, AnInstanceHearsOfWorkThatAnotherOneMade) {
  const std::unique_ptr<Store> other = another_instance();
  int heard = 0;
  store_->on_change([&] { ++heard; });
  // Whatever was heard so far was about something else.
  for (int i = 0; i < 2; ++i) {
    const int before = heard;
    must(other->admit(message("m" + std::to_string(i)), new_run("thread-" + std::to_string(i)), {}));
    must(store_->claim(0, {}));
    test::run_until(loop_, [&] { return heard > before; });
  }
  EXPECT_EQ(must(store_->claim(10, {})).leases.size(), 2U);
}

Task<> take_some(Store& store, std::multiset<RunId>& claimed) {
  for (int i = 0; i < 10; ++i) {
    const Result<Claimed> some = co_await store.claim(3, {});
    EXPECT_OK(some);
    if (!some) co_return;
    for (const Lease& lease : some->leases) claimed.insert(lease.run);
  }
}

TEST_P(StoreTest, TwoInstancesNeverClaimTheSameRun) {
  const std::unique_ptr<Store> other = another_instance();
  std::set<RunId> runs;
  for (int i = 0; i < 40; ++i) runs.insert(start_run("thread-" + std::to_string(i)));
  std::multiset<RunId> claimed;
  bool done = false;
  asio::co_spawn(loop_, take_some(*other, claimed), [&](const std::exception_ptr&) { done = true; });
  await(take_some(*store_, claimed));
  test::run_until(loop_, [&] { return done; });
  EXPECT_EQ(claimed.size(), runs.size());
  EXPECT_EQ(std::set<RunId>(claimed.begin(), claimed.end()), runs);
}

}  // namespace
}  // namespace deputy::store
