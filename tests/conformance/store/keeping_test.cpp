// Lists, retention and forgetting.
#include "conformance/store/suite.h"

namespace deputy::store {
namespace {

TEST_P(StoreTest, TheBrakeIsOffUntilItIsSetAndHoldsForWhoeverOpensTheStore) {
  EXPECT_EQ(must(store_->brake()), BrakeRow{});
  const BrakeRow all{Brake::all, "ana", now()};
  must(store_->set_brake(all, {.audit = {{now(), "paused", "ana"}}}));
  EXPECT_EQ(must(store_->brake()), all);
  EXPECT_EQ(must(store_->audit({})).at(0).kind, "paused");
  const BrakeRow writes{Brake::writes, "bo", now()};
  must(store_->set_brake(writes, {}));
  EXPECT_EQ(must(store_->brake()), writes);
  must(store_->set_brake({Brake::off, "bo", now()}, {}));
  EXPECT_EQ(must(store_->brake()).brake, Brake::off);
}

using namespace std::chrono_literals;

TEST_P(StoreTest, RunsAreListedNewestFirstByFilterAndPage) {
  const RunId first = start_run("a", "ana");
  const RunId second = start_run("b", "bo");
  const RunId third = start_run("a", "ana");
  const auto listed = [&](RunFilter filter) {
    std::vector<RunId> ids;
    for (const RunRow& row : must(store_->runs(std::move(filter)))) ids.push_back(row.run);
    return ids;
  };
  EXPECT_EQ(listed({}), (std::vector<RunId>{third, second, first}));
  EXPECT_EQ(listed({.conversation = "a"}), (std::vector<RunId>{third, first}));
  EXPECT_EQ(listed({.requester = "bo"}), std::vector<RunId>{second});
  EXPECT_EQ(listed({.state = RunStatus::finished}), std::vector<RunId>{});
  EXPECT_EQ(listed({.before = third, .most = 1}), std::vector<RunId>{second});
}

Effects finishing_with_text(const Lease& lease) {
  Effects effects;
  effects.run = RunChange{RunStatus::finished, "answered", "a headline"};
  effects.results = {{lease.run, "call-1", "the result"}};
  effects.search = {{lease.run, "needle"}};
  effects.audit = {{SystemClock{}.now(), "answered", "ana", lease.run, "d1", "said needle"}};
  return effects;
}

TEST_P(StoreTest, WhatIsTooOldGoesAndTheRestStays) {
  const Lease old = working_run();
  append(old, 1, {entry("finished")}, finishing_with_text(old));
  start_run("slack:T1:C1:2.0");
  const Retention nothing_is_old{24h, 24h, 24h, 24h};
  EXPECT_EQ(must(store_->remove_old(nothing_is_old, 100)), Removed{});
  const Retention all_is_old{-1h, -1h, -1h, -1h};
  EXPECT_EQ(must(store_->remove_old(all_is_old, 100)), (Removed{1, 1, 1, 2}));
  EXPECT_EQ(must(store_->runs({})).size(), 1U) << "an unfinished run is never too old";
  EXPECT_FAILS(await(store_->journal(old.run, 1)), not_found);
  EXPECT_TRUE(must(store_->search("needle", 10)).empty());
}

TEST_P(StoreTest, RemovingGoesInSmallBatches) {
  for (int i = 0; i < 5; ++i) {
    const Lease lease = working_run("thread-" + std::to_string(i));
    append(lease, 1, {entry("finished")}, finishing_with_text(lease));
  }
  const Retention all_is_old{-1h, -1h, -1h, -1h};
  EXPECT_EQ(must(store_->remove_old(all_is_old, 2)).runs, 2);
  EXPECT_EQ(must(store_->remove_old(all_is_old, 10)).runs, 3);
}

TEST_P(StoreTest, ForgettingARunRemovesTextAndKeepsWhoAndWhen) {
  const Lease lease = working_run();
  const NewInteractionRow asked = approval(lease);
  append(lease, 1, {entry("asked", "secret words")}, {.interactions = {asked}});
  must(store_->answer(asked.interaction.id, {InteractionState::approved, "secret answer", "bo", now()},
                      entry("answered", "secret"), {}));
  append(lease, 3, {entry("finished", "secret end")}, finishing_with_text(lease));
  EXPECT_EQ(must(store_->forget({.run = lease.run}, {})), (Forgotten{1, 0}));
  const std::vector<EntryRow> journal = must(store_->journal(lease.run, 1));
  ASSERT_EQ(journal.size(), 4U);
  for (const EntryRow& row : journal) EXPECT_EQ(row.body, "");
  EXPECT_EQ(journal[1].kind, "asked");
  const InteractionRow kept = must(store_->interactions({.run = lease.run, .pending_only = false})).at(0);
  EXPECT_EQ(kept.body + kept.response + kept.draft, "");
  EXPECT_EQ(kept.digest, "d1");
  EXPECT_EQ(kept.responded_by, "bo");
  EXPECT_FAILS(await(store_->result(lease.run, "call-1")), not_found);
  EXPECT_TRUE(must(store_->search("needle", 10)).empty());
  const AuditRow audit = must(store_->audit({.run = lease.run})).at(0);
  EXPECT_EQ(audit.body, "");
  EXPECT_EQ(audit.digest, "d1");
  const RunRow run = must(store_->runs({})).at(0);
  EXPECT_TRUE(run.forgotten);
  EXPECT_EQ(run.headline, "");
}

TEST_P(StoreTest, ForgettingAPersonOrConversationLeavesWhatIsUnfinishedAndSaysSo) {
  const Lease lease = working_run("a", "ana");
  append(lease, 1, {entry("finished", "words")}, finishing_with_text(lease));
  start_run("a", "ana");
  const Lease other = [&] {
    const RunId run = start_run("b", "bo");
    Claimed claimed = must(store_->claim(10, {}));
    for (const Lease& taken : claimed.leases) {
      if (taken.run == run) return taken;
    }
    return Lease{};
  }();
  append(other, 1, {entry("finished", "words")}, finishing_with_text(other));
  EXPECT_EQ(must(store_->forget({.person = "ana"}, {})), (Forgotten{1, 1}));
  EXPECT_EQ(must(store_->journal(other.run, 2)).at(0).body, "words");
  EXPECT_EQ(must(store_->forget({.conversation = "b"}, {.audit = {{now(), "forgotten", "cy"}}})), (Forgotten{1, 0}));
  EXPECT_EQ(must(store_->journal(other.run, 2)).at(0).body, "");
  EXPECT_EQ(must(store_->audit({.person = "cy"})).size(), 1U);
}

TEST_P(StoreTest, ARunThatStillOwesSomethingIsNotForgottenYet) {
  const Lease lease = working_run();
  Effects effects = finishing_with_text(lease);
  DeliveryRow answer = delivery("the answer");
  answer.run = lease.run;
  effects.deliveries = {answer};
  append(lease, 1, {entry("finished", "words")}, effects);
  EXPECT_EQ(must(store_->forget({.run = lease.run}, {})), (Forgotten{0, 1}));
  const DeliveryRow taken = must(store_->take_deliveries(10)).at(0);
  EXPECT_EQ(taken.body, "the answer");
  must(store_->change_delivery({taken.id, DeliveryState::sent, "ts", {}}));
  EXPECT_EQ(must(store_->forget({.run = lease.run}, {})), (Forgotten{1, 0}));
}

TEST_P(StoreTest, ForgettingWantsExactlyOneScope) {
  EXPECT_FAILS(await(store_->forget({}, {})), invalid_input);
  EXPECT_FAILS(await(store_->forget({.conversation = "a", .person = "b"}, {})), invalid_input);
}

}  // namespace
}  // namespace deputy::store
