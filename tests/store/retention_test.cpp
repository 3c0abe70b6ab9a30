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

}  // namespace
}  // namespace deputy::store
