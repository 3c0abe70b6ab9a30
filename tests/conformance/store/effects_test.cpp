// Effects appear together with their write, or not at all.
#include <set>

#include "conformance/store/suite.h"

namespace deputy::store {
namespace {

using namespace std::chrono_literals;

GrantRow grant(std::optional<std::int64_t> max_uses, Timestamp ends_at) {
  GrantRow row;
  row.id = GrantId::make(SystemClock{}.now());
  row.conversation = "slack:T1:C1:1.0";
  row.tool = "run_pipeline";
  row.holder = "ana";
  row.by = "bo";
  row.body = R"({"repo":"cast-core"})";
  row.created_at = SystemClock{}.now();
  row.ends_at = ends_at;
  row.max_uses = max_uses;
  return row;
}

TEST_P(StoreTest, AGrantIsSpentUseByUse) {
  const Lease lease = working_run();
  const GrantRow given = grant(2, now() + 8h);
  append(lease, 1, {entry("answered")}, {.grants = {given}});
  EXPECT_EQ(must(store_->grants({.holder = "ana"})), std::vector<GrantRow>{given});
  append(lease, 2, {entry("ruled")}, {.grants_used = {given.id}});
  EXPECT_EQ(must(store_->grants({})).at(0).uses, 1);
  append(lease, 3, {entry("ruled")}, {.grants_used = {given.id}});
  EXPECT_TRUE(must(store_->grants({})).empty()) << "spent";
  EXPECT_FAILS(await(store_->append(lease, 4, If::unchanged, {entry("ruled")}, {.grants_used = {given.id}})), conflict);
  EXPECT_EQ(must(store_->journal(lease.run, 1)).size(), 4U);
}

TEST_P(StoreTest, AGrantThatHasEndedOrWasRevokedIsOfNoUse) {
  const Lease lease = working_run();
  const GrantRow ended = grant(5, now() - 1s);
  const GrantRow revoked = grant(std::nullopt, now() + 8h);
  append(lease, 1, {entry("answered")}, {.grants = {ended, revoked}});
  must(store_->revoke_grant(revoked.id, "cy", {.audit = {{now(), "grant_revoked", "cy"}}}));
  EXPECT_FAILS(await(store_->append(lease, 2, If::unchanged, {entry("ruled")}, {.grants_used = {ended.id}})), conflict);
  EXPECT_FAILS(await(store_->append(lease, 2, If::unchanged, {entry("ruled")}, {.grants_used = {revoked.id}})),
               conflict);
  EXPECT_TRUE(must(store_->grants({})).empty());
  EXPECT_EQ(must(store_->grants({.live_only = false})).size(), 2U);
  EXPECT_EQ(must(store_->audit({})).at(0).kind, "grant_revoked");
  EXPECT_FAILS(await(store_->revoke_grant(revoked.id, "cy", {})), not_found);
}

TEST_P(StoreTest, AGrantWithoutACountIsUsedUntilItEnds) {
  const Lease lease = working_run();
  const GrantRow given = grant(std::nullopt, now() + 8h);
  append(lease, 1, {entry("answered")}, {.grants = {given}});
  for (Seq seen = 2; seen < 12; ++seen) append(lease, seen, {entry("ruled")}, {.grants_used = {given.id}});
  EXPECT_EQ(must(store_->grants({})).at(0).uses, 10);
}

TEST_P(StoreTest, MoneySpentAddsUpByScopeAndDay) {
  const Lease lease = working_run();
  append(lease, 1, {entry("model_replied")},
         {.spent = {{"person:ana", "2026-11-15", 1200}, {"all", "2026-11-15", 1200}}});
  append(lease, 2, {entry("model_replied")},
         {.spent = {{"person:ana", "2026-11-15", 300}, {"person:ana", "2026-11-16", 7}}});
  EXPECT_EQ(must(store_->spent("2026-11-15", "2026-11-15")),
            (std::vector<SpendRow>{{"all", "2026-11-15", 1200}, {"person:ana", "2026-11-15", 1500}}));
  EXPECT_EQ(must(store_->spent_on("2026-11-15", {"person:ana", "person:bo"})),
            (std::vector<SpendRow>{{"person:ana", "2026-11-15", 1500}}));
}

TEST_P(StoreTest, AuditIsNumberedAndFiltered) {
  const Lease lease = working_run();
  const AuditRow asked{now(), "asked", "ana", lease.run, "d1", "{}"};
  const AuditRow refused{now(), "refused", "eve"};
  append(lease, 1, {entry("ruled")}, {.audit = {asked, refused}});
  const std::vector<AuditRow> all = must(store_->audit({}));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_GT(all[0].number, all[1].number) << "newest first";
  AuditRow expected = asked;
  expected.number = all[1].number;
  EXPECT_EQ(all[1], expected);
  EXPECT_EQ(must(store_->audit({.run = lease.run})).size(), 1U);
  EXPECT_EQ(must(store_->audit({.person = "eve"})).size(), 1U);
  EXPECT_EQ(must(store_->audit({.most = 1})).at(0).kind, "refused");
  EXPECT_EQ(must(store_->audit({.before = all[0].number})), std::vector<AuditRow>{expected});
  EXPECT_EQ(must(store_->audit({.run = lease.run, .before = all[1].number})).size(), 0U);
}

TEST_P(StoreTest, ResultsAndTextsAreKeptBesideTheJournal) {
  const Lease lease = working_run();
  const std::string whole(900'000, 'r');
  append(lease, 1, {entry("step_done")},
         {.results = {{lease.run, "call-1", whole}}, .texts = {{"abc", "prompt"}, {"abc", "prompt"}}});
  EXPECT_EQ(must(store_->result(lease.run, "call-1")), whole);
  EXPECT_EQ(must(store_->text("abc")), "prompt");
  EXPECT_FAILS(await(store_->result(lease.run, "call-2")), not_found);
  EXPECT_FAILS(await(store_->text("def")), not_found);
}

TEST_P(StoreTest, SearchFindsRunsByTheirWords) {
  const Lease first = working_run(kThread);
  append(first, 1, {entry("finished")},
         {.run = RunChange{RunStatus::finished, "answered"},
          .search = {{first.run, "timeouts to the payment gateway in cast-core"}}});
  const Lease second = working_run("slack:T1:C1:2.0");
  append(
      second, 1, {entry("finished")},
      {.run = RunChange{RunStatus::finished, "answered"}, .search = {{second.run, "pool exhausted after the deploy"}}});
  const std::vector<SearchHit> found = must(store_->search("payment timeout", {}, 10));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].run, first.run);
  EXPECT_NE(found[0].snippet.find("gateway"), std::string::npos);
  EXPECT_TRUE(must(store_->search("nothing-like-it", {}, 10)).empty());
}

TEST_P(StoreTest, SearchTakesTheBestOfItsScopeWhateverIsFoundElsewhere) {
  const auto said = [&](const std::string& conversation, std::string text) {
    const NewRunRow run = new_run(conversation);
    must(store_->admit(message(run.run.text(), conversation), run, {.search = {{run.run, std::move(text)}}}));
    return run.run;
  };
  const RunId here = said(kThread, "a needle in a long text about hay, barns, carts, horses and the weather");
  const RunId mine = said("terminal:ana:1", "a needle among much else that was said on that day");
  for (int i = 0; i < 12; ++i) said("slack:T1:C2:" + std::to_string(i), "needle needle");
  said("terminal:ann:1", "needle needle");
  const auto found = [&](SearchScope scope) {
    std::set<RunId> runs;
    for (const SearchHit& one : must(store_->search("needle", std::move(scope), 5))) runs.insert(one.run);
    return runs;
  };
  EXPECT_EQ(found({.conversation = kThread}), std::set<RunId>{here});
  EXPECT_EQ(found({.beginning = "terminal:ana:"}), std::set<RunId>{mine});
  EXPECT_EQ(found({.conversation = kThread, .beginning = "terminal:ana:"}), (std::set<RunId>{here, mine}));
  EXPECT_EQ(found({.conversation = "slack:T1:C2"}), std::set<RunId>{}) << "a key, not a beginning";
  EXPECT_EQ(found({.beginning = "terminal:%"}), std::set<RunId>{});
  EXPECT_EQ(found({}).size(), 5U);
}

TEST_P(StoreTest, WhatIsTypedIntoSearchIsNeverSyntax) {
  for (const char* typed : {"", "\"", "a AND", "NEAR(", "*", "col:x", "(((", "a\" OR \"b", "-", "ä*"}) {
    EXPECT_OK(await(store_->search(typed, {}, 10))) << typed;
  }
}

TEST_P(StoreTest, AChildRunAndItsParentsMailAreOneWrite) {
  const Lease parent = working_run();
  NewRunRow row = new_run();
  row.parent = parent.run;
  append(parent, 1, {entry("delegated")}, {.run = RunChange{RunStatus::parked}, .children = {row}});
  const Lease child = claim_only();
  EXPECT_EQ(child.run, row.run);
  append(child, 1, {entry("finished")},
         {.run = RunChange{RunStatus::finished, "answered"}, .mail = {{parent.run, entry("child_finished")}}});
  EXPECT_EQ(kinds(parent.run), (std::vector<std::string>{"received", "delegated", "child_finished"}));
  EXPECT_EQ(claim_only().run, parent.run);
  EXPECT_EQ(must(store_->runs({.parent = parent.run})).size(), 1U);
}

TEST_P(StoreTest, MailToAFinishedParentIsDroppedAndTheChildStillFinishes) {
  const Lease parent = working_run();
  NewRunRow row = new_run();
  row.parent = parent.run;
  append(parent, 1, {entry("delegated")}, {.children = {row}});
  append(parent, 2, {entry("finished")}, {.run = RunChange{RunStatus::finished, "cancelled"}});
  const Lease child = claim_only();
  EXPECT_EQ(
      append(child, 1, {entry("finished")},
             {.run = RunChange{RunStatus::finished, "cancelled"}, .mail = {{parent.run, entry("child_finished")}}})
          .how,
      Appended::How::stored);
}

}  // namespace
}  // namespace deputy::store
