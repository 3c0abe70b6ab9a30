// Each setting of retention decides about its own rows.
#include "store/settings.h"
#include "store/sqlite_fixture.h"

namespace deputy::store {
namespace {

using namespace std::chrono_literals;
using days = std::chrono::days;

class RetentionAtWork : public SqliteTest {
 protected:
  RetentionAtWork() : store_(open()) {
    const Lease lease = working_run(*store_, new_run());
    Effects end;
    end.run = RunChange{RunStatus::finished, "answered"};
    end.results = {{lease.run, "call-1", "a result"}};
    end.audit = {{clock_.now(), "answered", "ana", lease.run}};
    must(store_->append(lease, 1, If::unchanged, {entry("finished")}, end));
    clock_.advance(days(3));
  }
  Removed removed(const RetentionSettings& settings) { return must(store_->remove_old(retention_of(settings), 100)); }

  std::unique_ptr<SqliteStore> store_;
};

TEST_F(RetentionAtWork, NothingGoesBeforeItsTime) { EXPECT_EQ(removed({}), Removed{}); }

TEST_F(RetentionAtWork, ResultsDecidesHowLongResultsAreKept) {
  EXPECT_EQ(removed({.results = days(2)}), Removed{.results = 1});
}

TEST_F(RetentionAtWork, RunsDecidesHowLongFinishedRunsAreKept) {
  EXPECT_EQ(removed({.runs = days(2)}), Removed{.runs = 1});
  EXPECT_TRUE(must(store_->runs({})).empty());
}

TEST_F(RetentionAtWork, AuditDecidesHowLongTheTrailIsKept) {
  EXPECT_EQ(removed({.audit = days(2)}), Removed{.audit = 1});
  EXPECT_TRUE(must(store_->audit({})).empty());
}

TEST_F(RetentionAtWork, InboxKeysDecidesHowLongASecondDeliveryIsNoticed) {
  const std::string key = must(store_->runs({})).at(0).run.text();
  EXPECT_EQ(must(store_->admit(message(*store_, key), ToNobody{}, {})).how, Admitted::How::duplicate);
  EXPECT_EQ(removed({.inbox_keys = days(2)}), Removed{.inbox_keys = 1});
  EXPECT_EQ(must(store_->admit(message(*store_, key), ToNobody{}, {})).how, Admitted::How::routed);
}

TEST_F(RetentionAtWork, MailToARunThatIsGoneHoldsUpNothing) {
  const RunId gone = must(store_->runs({})).at(0).run;
  ASSERT_EQ(removed({.runs = days(2)}).runs, 1);
  const NewRunRow run = new_run();
  start(*store_, run,
        {.mail = {{gone, entry("child_finished")}},
         .dues = {{"deadline", "gone", clock_.now(), MailRow{gone, entry("woken")}}, {"reminder", "r", clock_.now()}}});
  const TakenDues taken = must(store_->take_due(10));
  EXPECT_TRUE(taken.has_mail.empty());
  ASSERT_EQ(taken.dues.size(), 1U);
  EXPECT_EQ(taken.dues[0].id, "r");
  EXPECT_FAILS(await(store_->mail({gone, entry("noted")}, {})), not_found);
}

TEST_F(RetentionAtWork, AConversationGoesWithItsLastRunAndMessageAndItsVersionNeverComesBack) {
  const std::int64_t before = must(store_->conversation(kThread)).version;
  EXPECT_EQ(removed({.inbox_keys = days(2)}), Removed{.inbox_keys = 1});
  EXPECT_EQ(must(store_->conversation(kThread)).version, before) << "a run has it";
  EXPECT_EQ(removed({.runs = days(2)}), Removed{.runs = 1});
  EXPECT_EQ(must(store_->conversation(kThread)).version, 0);
  start(*store_, new_run());
  EXPECT_GT(must(store_->conversation(kThread)).version, before);
}

TEST_F(RetentionAtWork, AConversationWithoutARunGoesWithItsLastMessage) {
  must(store_->admit(message(*store_, "m1", "help"), ToNobody{}, {}));
  clock_.advance(days(1));
  must(store_->admit(message(*store_, "m2", "help"), ToNobody{}, {}));
  clock_.advance(days(2) + 1h);
  EXPECT_EQ(removed({.inbox_keys = days(2)}).inbox_keys, 3);
  EXPECT_EQ(must(store_->conversation("help")).version, 0);
  EXPECT_NE(must(store_->conversation(kThread)).version, 0) << "a run has it";
}

TEST_F(RetentionAtWork, AConversationThatMovedJustNowIsLeftAlone) {
  must(store_->admit(message(*store_, "m1", "help"), ToNobody{}, {}));
  const std::int64_t version = must(store_->conversation("help")).version;
  EXPECT_EQ(must(store_->remove_old({days(9), days(9), days(9), -1ms}, 10)).inbox_keys, 2);
  EXPECT_EQ(must(store_->conversation("help")).version, version);
}

TEST_F(RetentionAtWork, TextsGoWithTheRunsThatMayNeedThem) {
  const auto put = [&](const char* digest) {
    const NewRunRow run = new_run("texts");
    start(*store_, run, {.texts = {{digest, "a prompt"}}});
    return run.run;
  };
  put("old");
  const Lease lease = must(store_->claim(1, {})).leases.at(0);
  must(store_->append(lease, 1, If::unchanged, {entry("finished")},
                      {.run = RunChange{RunStatus::finished, "answered"}, .texts = {{"shared", "a prompt"}}}));
  clock_.advance(days(20));
  put("shared");  // and it does not finish
  EXPECT_EQ(removed({}), Removed{.inbox_keys = 2}) << "the oldest run may need them";
  EXPECT_EQ(removed({.runs = days(2)}), (Removed{.runs = 2, .texts = 1}));
  EXPECT_FAILS(await(store_->text("old")), not_found);
  EXPECT_EQ(must(store_->text("shared")), "a prompt");
  clock_.advance(days(500));
  removed({});
  EXPECT_EQ(must(store_->text("shared")), "a prompt") << "an unfinished run is never too old, nor are its texts";
}

TEST_F(RetentionAtWork, AuditDecidesHowLongIsKeptWhatWasSpent) {
  const std::string day = format_timestamp(clock_.now()).substr(0, 10);
  start(*store_, new_run(), {.spent = {{"person:ana", day, 5}, {"all", day, 5}}});
  clock_.advance(days(400));
  EXPECT_EQ(removed({.runs = days(1000), .audit = days(400)}).spent, 0) << "today and 400 days before";
  clock_.advance(days(1));
  EXPECT_EQ(removed({.runs = days(1000), .audit = days(400)}).spent, 2);
  EXPECT_TRUE(must(store_->spent(day, day)).empty());
}

TEST_F(RetentionAtWork, ARunWithALongJournalGoesInSeveralBatchesAndNobodyReadsWhatIsLeft) {
  const Lease lease = working_run(*store_, new_run("long"));
  const std::vector<EntryRow> entries(20, entry("step_done", std::string(50'000, 'e')));
  must(store_->append(lease, 1, If::unchanged, entries, {.run = RunChange{RunStatus::finished, "answered"}}));
  clock_.advance(days(3));
  int batches = 0;
  for (bool more = true; more; ++batches) {
    more = removed({.runs = days(2)}).more;
    const std::vector<RunRow> left = must(store_->runs({.conversation = "long"}));
    EXPECT_EQ(left.empty(), !more);
    for (const RunRow& run : left) EXPECT_TRUE(run.forgotten);
  }
  EXPECT_GE(batches, 4);
}

}  // namespace
}  // namespace deputy::store
