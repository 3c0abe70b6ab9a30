// Lists, retention and forgetting.
#include "conformance/store/suite.h"

namespace deputy::store {
namespace {

TEST_P(StoreTest, TheBrakeIsOffUntilItIsSetAndHoldsForWhoeverOpensTheStore) {
  EXPECT_EQ(must(store_->brake()), BrakeRow{});
  const BrakeRow all{Pause::all, "ana", now()};
  must(store_->set_brake(all, {.audit = {{now(), "paused", "ana"}}}));
  EXPECT_EQ(must(store_->brake()), all);
  EXPECT_EQ(must(store_->audit({})).at(0).kind, "paused");
  const BrakeRow writes{Pause::writes, "bo", now()};
  must(store_->set_brake(writes, {}));
  EXPECT_EQ(must(store_->brake()), writes);
  must(store_->set_brake({Pause::off, "bo", now()}, {}));
  EXPECT_EQ(must(store_->brake()).brake, Pause::off);
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
  EXPECT_EQ(listed({.run = first}), std::vector<RunId>{first});
  EXPECT_EQ(listed({.run = first, .conversation = "b"}), std::vector<RunId>{});
  EXPECT_EQ(listed({.run = RunId::make(now())}), std::vector<RunId>{});
  EXPECT_EQ(listed({.before = third, .most = 1}), std::vector<RunId>{second});
}

constexpr Retention kNothingIsOld{24h, 24h, 24h, 24h};
constexpr Retention kAllIsOld{-1h, -1h, -1h, -1h};
constexpr int kMany = 100;

Effects finishing_with_text(const Lease& lease) {
  Effects effects;
  effects.run = RunChange{RunStatus::finished, "answered"};
  effects.results = {{lease.run, "call-1", "the result"}};
  effects.search = {{lease.run, "needle"}};
  effects.audit = {{SystemClock{}.now(), "answered", "ana", lease.run, "d1", "said needle"}};
  return effects;
}

TEST_P(StoreTest, WhatIsTooOldGoesAndTheRestStays) {
  const Lease old = working_run();
  append(old, 1, {entry("finished")}, finishing_with_text(old));
  start_run("slack:T1:C1:2.0");
  EXPECT_EQ(must(store_->remove_old(kNothingIsOld, 100)), Removed{});
  EXPECT_EQ(must(store_->remove_old(kAllIsOld, 100)), (Removed{1, 1, 1, 2}));
  EXPECT_EQ(must(store_->runs({})).size(), 1U) << "an unfinished run is never too old";
  EXPECT_FAILS(await(store_->journal(old.run, 1)), not_found);
  EXPECT_TRUE(must(store_->search("needle", {}, 10)).empty());
}

TEST_P(StoreTest, RemovingGoesInSmallBatches) {
  for (int i = 0; i < 5; ++i) {
    const Lease lease = working_run("thread-" + std::to_string(i));
    append(lease, 1, {entry("finished")}, finishing_with_text(lease));
  }
  const Removed first = must(store_->remove_old(kAllIsOld, 2));
  EXPECT_EQ(first.runs, 2);
  EXPECT_TRUE(first.more);
  const Removed rest = must(store_->remove_old(kAllIsOld, 10));
  EXPECT_EQ(rest.runs, 3);
  EXPECT_FALSE(rest.more);
}

TEST_P(StoreTest, ABatchIsSmallInBytesTooAndSaysThatThereIsMore) {
  const Lease lease = working_run();
  Effects effects = finishing_with_text(lease);
  effects.results.clear();
  for (int i = 0; i < 10; ++i) effects.results.push_back({lease.run, std::to_string(i), std::string(200'000, 'r')});
  append(lease, 1, {entry("finished")}, effects);
  std::int64_t removed = 0;
  std::int64_t most = 0;
  int batches = 0;
  for (bool more = true; more; ++batches) {
    const Removed batch = must(store_->remove_old({-1h, 24h, 24h, 24h}, 100));
    removed += batch.results;
    most = std::max(most, batch.results);
    more = batch.more;
  }
  EXPECT_EQ(removed, 10);
  EXPECT_LE(most, 3);
  EXPECT_GE(batches, 4);
}

TEST_P(StoreTest, WhatBelongsToNoRunGrowsOldAsWell) {
  const DeliveryRow help = delivery("help");
  must(store_->admit(message("m1"), ToNobody{}, {.deliveries = {help}}));
  must(store_->take_deliveries(1));
  must(store_->change_delivery({help.id, DeliveryState::sent, "ts", {}}));
  GrantRow with_its_session;
  with_its_session.id = GrantId::make(now());
  with_its_session.holder = "ana";
  with_its_session.created_at = now();
  with_its_session.ends_at = now() + std::chrono::hours(24 * 365 * 1000);
  GrantRow over = with_its_session;
  over.id = GrantId::make(now());
  start_run(kThread, "ana",
            {.grants = {with_its_session, over}, .spent = {{"all", "2020-01-01", 1}, {"all", "2999-01-01", 1}}});
  must(store_->revoke_grant(over.id, "ana", {}));
  EXPECT_EQ(must(store_->remove_old({24h, 24h, 24h, 24h}, 100)), (Removed{.spent = 1}));
  EXPECT_EQ(must(store_->remove_old({24h, -1h, 24h, 24h}, 100)), (Removed{.deliveries = 1, .grants = 1}));
  EXPECT_EQ(must(store_->grants({.live_only = false})).at(0).id, with_its_session.id);
  EXPECT_EQ(must(store_->spent("2000-01-01", "2999-12-31")).size(), 1U);
}

TEST_P(StoreTest, ForgettingARunRemovesTextAndKeepsWhoAndWhen) {
  const Lease lease = working_run();
  const NewInteractionRow asked = approval(lease);
  append(lease, 1, {entry("asked", "secret words")}, {.interactions = {asked}});
  must(store_->answer(asked.interaction.id, {InteractionState::approved, "secret answer", "bo", now()},
                      entry("answered", "secret"), {}));
  append(lease, 3, {entry("finished", "secret end")}, finishing_with_text(lease));
  EXPECT_EQ(must(store_->forget({.run = lease.run}, {}, kMany)), (Forgotten{1, 0}));
  const std::vector<EntryRow> journal = must(store_->journal(lease.run, 1));
  ASSERT_EQ(journal.size(), 4U);
  for (const EntryRow& row : journal) EXPECT_EQ(row.body, "");
  EXPECT_EQ(journal[1].kind, "asked");
  const InteractionRow kept = must(store_->interactions({.run = lease.run, .pending_only = false})).at(0);
  EXPECT_EQ(kept.body + kept.response + kept.draft, "");
  EXPECT_EQ(kept.digest, "d1");
  EXPECT_EQ(kept.responded_by, "bo");
  EXPECT_FAILS(await(store_->result(lease.run, "call-1")), not_found);
  EXPECT_TRUE(must(store_->search("needle", {}, 10)).empty());
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
  EXPECT_EQ(must(store_->forget({.person = "ana"}, {}, kMany)), (Forgotten{1, 1}));
  EXPECT_EQ(must(store_->journal(other.run, 2)).at(0).body, "words");
  EXPECT_EQ(must(store_->forget({.conversation = "b"}, {.audit = {{now(), "forgotten", "cy"}}}, kMany)),
            (Forgotten{1, 0}));
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
  EXPECT_EQ(must(store_->forget({.run = lease.run}, {}, kMany)), (Forgotten{0, 1}));
  const DeliveryRow taken = must(store_->take_deliveries(10)).at(0);
  EXPECT_EQ(taken.body, "the answer");
  must(store_->change_delivery({taken.id, DeliveryState::sent, "ts", {}}));
  EXPECT_EQ(must(store_->forget({.run = lease.run}, {}, kMany)), (Forgotten{1, 0}));
}

TEST_P(StoreTest, ForgettingARunForgetsItsChildRuns) {
  const Lease parent = working_run();
  NewRunRow born = new_run();
  born.parent = parent.run;
  append(parent, 1, {entry("delegated")}, {.children = {born}});
  const Lease child = claim_only();
  append(child, 1, {entry("finished", "words of the child")}, finishing_with_text(child));
  append(parent, 2, {entry("finished", "words")}, finishing_with_text(parent));
  const Lease other = working_run();
  append(other, 1, {entry("finished", "other words")}, finishing_with_text(other));
  EXPECT_EQ(must(store_->forget({.run = parent.run}, {}, kMany)), (Forgotten{2, 0}));
  EXPECT_EQ(must(store_->journal(child.run, 2)).at(0).body, "");
  EXPECT_FAILS(await(store_->result(child.run, "call-1")), not_found);
  EXPECT_EQ(must(store_->journal(other.run, 2)).at(0).body, "other words");
}

TEST_P(StoreTest, ARunThatIsNotThereCannotBeForgotten) {
  const Effects effects{.audit = {{now(), "forgotten", "cy"}}};
  EXPECT_FAILS(await(store_->forget({.run = RunId::make(now())}, effects, kMany)), not_found);
  EXPECT_TRUE(must(store_->audit({})).empty());
  EXPECT_EQ(must(store_->forget({.conversation = "unknown"}, effects, kMany)), Forgotten{});
  EXPECT_EQ(must(store_->audit({})).size(), 1U);
}

TEST_P(StoreTest, ForgettingGoesInBatchesFromWhereTheLastOneEnded) {
  std::vector<RunId> runs;
  for (int i = 0; i < 5; ++i) {
    const Lease lease = working_run("thread-" + std::to_string(i));
    if (i != 1) append(lease, 1, {entry("finished", "words")}, finishing_with_text(lease));
    runs.push_back(lease.run);
  }
  ForgetScope scope{.person = "ana"};
  const auto batch = [&] {
    const Forgotten forgotten = must(store_->forget(scope, {}, 2));
    scope.after = forgotten.last.value_or(0);
    return std::tuple(forgotten.runs, forgotten.unfinished, forgotten.last.has_value());
  };
  EXPECT_EQ(batch(), std::tuple(1, 1, true));
  EXPECT_EQ(must(store_->journal(runs[2], 2)).at(0).body, "words");
  EXPECT_EQ(batch(), std::tuple(2, 0, true));
  EXPECT_EQ(batch(), std::tuple(1, 0, false));
  EXPECT_EQ(must(store_->forget(scope, {}, kMany)), (Forgotten{0, 1})) << "what is forgotten is not forgotten again";
}

TEST_P(StoreTest, ARunWithLargeResultsIsForgottenInSeveralBatches) {
  const Lease lease = working_run();
  Effects effects = finishing_with_text(lease);
  for (int i = 0; i < 10; ++i) effects.results.push_back({lease.run, std::to_string(i), std::string(200'000, 'r')});
  append(lease, 1, {entry("finished", std::string(300'000, 'e')), entry("end", "words")}, effects);
  ForgetScope scope{.run = lease.run};
  int batches = 0;
  for (bool more = true; more; ++batches) {
    const Forgotten forgotten = must(store_->forget(scope, {}, kMany));
    more = forgotten.last.has_value();
    scope.after = forgotten.last.value_or(0);
    EXPECT_EQ(forgotten.runs, more ? 0 : 1);
    EXPECT_EQ(must(store_->runs({})).at(0).forgotten, !more) << "it is marked when all of it is gone";
  }
  EXPECT_GE(batches, 5);
  for (const EntryRow& row : must(store_->journal(lease.run, 1))) EXPECT_EQ(row.body, "");
  for (const ResultRow& kept : effects.results) EXPECT_FAILS(await(store_->result(lease.run, kept.call)), not_found);
}

struct GrantsOf {
  const char* what;
  ForgetScope scope;
};

TEST_P(StoreTest, ForgettingAConversationOrAPersonEndsTheGrantsAndBlanksThem) {
  for (const GrantsOf& of : {GrantsOf{"conversation", {.conversation = "a"}}, GrantsOf{"person", {.person = "ana"}}}) {
    SCOPED_TRACE(of.what);
    GrantRow grant;
    grant.id = GrantId::make(now());
    grant.conversation = "a";
    grant.tool = "shell";
    grant.holder = "ana";
    grant.by = "bo";
    grant.body = "secret arguments";
    grant.created_at = now();
    grant.ends_at = now() + 8h;
    GrantRow others = grant;
    others.id = GrantId::make(now());
    others.conversation = "b";
    others.holder = "cy";
    must(store_->admit(message(grant.id.text()), ToNobody{}, {.grants = {grant, others}}));
    EXPECT_EQ(must(store_->forget(of.scope, {}, kMany)), Forgotten{});
    std::optional<GrantRow> kept;
    for (const GrantRow& row : must(store_->grants({.live_only = false}))) {
      if (row.id == grant.id) kept = row;
      if (row.id == others.id) EXPECT_EQ(row, others);
    }
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->body, "");
    EXPECT_EQ(kept->by, "bo");
    EXPECT_TRUE(kept->revoked_at) << "without its arguments it holds for nothing";
    EXPECT_EQ(must(store_->grants({.conversation = "a"})).size(), 0U);
    must(store_->revoke_grant(others.id, "cy", {}));
  }
}

TEST_P(StoreTest, WhatIsSaidOutsideOfRunsIsForgottenWithItsConversation) {
  for (const char* thread : {"a", "b"}) {
    const DeliveryRow help = delivery("words", thread);
    must(store_->admit(message(thread, thread), ToNobody{}, {.deliveries = {help}}));
    must(store_->take_deliveries(1));
    must(store_->change_delivery({help.id, DeliveryState::sent, "ts", {}}));
  }
  EXPECT_EQ(must(store_->forget({.conversation = "a"}, {}, 1)).last.has_value(), true);
  EXPECT_EQ(must(store_->forget({.conversation = "a"}, {}, kMany)), Forgotten{});
}

TEST_P(StoreTest, WipingComesToAnEndAndTheRestCanStillBeFound) {
  for (int i = 0; i < 30; ++i) {
    const Lease lease = working_run("thread-" + std::to_string(i), i % 3 == 0 ? "ana" : "bo");
    append(lease, 1, {entry("finished")}, finishing_with_text(lease));
  }
  EXPECT_EQ(must(store_->wipe()).left, Traces::Left::none) << "nothing was removed";
  must(store_->forget({.person = "ana"}, {}, kMany));
  int steps = 0;
  while (must(store_->wipe()).left == Traces::Left::more && steps < 1000) ++steps;
  EXPECT_EQ(must(store_->wipe()), Traces{});
  EXPECT_EQ(must(store_->search("needle", {}, kMany)).size(), 20U);
}

TEST_P(StoreTest, ForgettingWantsExactlyOneScope) {
  EXPECT_FAILS(await(store_->forget({}, {}, kMany)), invalid_input);
  EXPECT_FAILS(await(store_->forget({.conversation = "a", .person = "b"}, {}, kMany)), invalid_input);
}

}  // namespace
}  // namespace deputy::store
