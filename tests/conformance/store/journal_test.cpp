// Journals: only the holder of the lease appends, everyone else sends mail, and no intent goes over mail that was not
// read.
#include "conformance/store/suite.h"

namespace deputy::store {
namespace {

TEST_P(StoreTest, TheHolderAppendsInOrder) {
  const Lease lease = working_run();
  const Appended appended = append(lease, 1, {entry("taken_up"), entry("model_called")});
  EXPECT_EQ(appended, (Appended{Appended::How::stored, 3, {}}));
  EXPECT_EQ(kinds(lease.run), (std::vector<std::string>{"received", "taken_up", "model_called"}));
}

TEST_P(StoreTest, AJournalIsReadFromAnyEntryOnAndAsFarAsAsked) {
  const Lease lease = working_run();
  append(lease, 1, {entry("a"), entry("b"), entry("c")});
  const std::vector<EntryRow> rows = must(store_->journal(lease.run, 3));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].seq, 3);
  EXPECT_EQ(rows[0].kind, "b");
  const std::vector<EntryRow> first = must(store_->journal(lease.run, 1, 1));
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].kind, "received");
}

TEST_P(StoreTest, BodiesComeBackByteForByte) {
  const Lease lease = working_run();
  std::string body = R"({"text":"ä € 😀 \u0000"})";
  body += std::string(100'000, 'x');
  append(lease, 1, {entry("step_done", body)});
  EXPECT_EQ(must(store_->journal(lease.run, 2)).at(0).body, body);
}

TEST_P(StoreTest, AnIntentIsRefusedOverUnreadMail) {
  const Lease lease = working_run();
  must(store_->mail({lease.run, entry("noted")}, {}));
  const Appended refused = append(lease, 1, {entry("model_called")}, {.deliveries = {delivery("x")}});
  EXPECT_EQ(refused.how, Appended::How::mail_first);
  ASSERT_EQ(refused.mail.size(), 1U);
  EXPECT_EQ(refused.mail[0].kind, "noted");
  EXPECT_EQ(kinds(lease.run), (std::vector<std::string>{"received", "noted"}));
  EXPECT_TRUE(must(store_->take_deliveries(10)).empty());
  EXPECT_EQ(append(lease, 2, {entry("model_called")}).how, Appended::How::stored);
}

TEST_P(StoreTest, AnOutcomeIsStoredBehindTheMailThatCame) {
  const Lease lease = working_run();
  append(lease, 1, {entry("step_started")});
  must(store_->mail({lease.run, entry("noted")}, {}));
  must(store_->mail({lease.run, entry("cancel_requested")}, {}));
  const Appended appended = append(lease, 2, {entry("step_done")}, {}, If::held);
  EXPECT_EQ(appended.how, Appended::How::stored);
  EXPECT_EQ(appended.last, 5);
  ASSERT_EQ(appended.mail.size(), 2U);
  EXPECT_EQ(appended.mail[1].kind, "cancel_requested");
  EXPECT_EQ(kinds(lease.run),
            (std::vector<std::string>{"received", "step_started", "noted", "cancel_requested", "step_done"}));
}

TEST_P(StoreTest, AnAppendUnderAnOldFenceIsRefused) {
  const Lease old = working_run();
  must(store_->release(old));
  const Lease current = claim_only();
  EXPECT_GT(current.fence, old.fence);
  EXPECT_EQ(append(old, 1, {entry("stale")}).how, Appended::How::lost);
  EXPECT_EQ(append(old, 1, {entry("stale")}, {}, If::held).how, Appended::How::lost);
  EXPECT_EQ(append(current, 1, {entry("taken_up")}).how, Appended::How::stored);
}

TEST_P(StoreTest, AnAppendToAFinishedRunIsRefused) {
  const Lease lease = working_run();
  append(lease, 1, {entry("finished")}, {.run = RunChange{RunStatus::finished, "answered"}});
  EXPECT_EQ(append(lease, 2, {entry("more")}).how, Appended::How::lost);
}

TEST_P(StoreTest, MailToAFinishedRunIsRefused) {
  const Lease lease = working_run();
  append(lease, 1, {entry("finished")}, {.run = RunChange{RunStatus::finished, "answered"}});
  EXPECT_FAILS(await(store_->mail({lease.run, entry("noted")}, {.deliveries = {delivery("x")}})), conflict);
  EXPECT_TRUE(must(store_->take_deliveries(10)).empty());
}

TEST_P(StoreTest, NothingIsAppendedToARunThatIsNotThere) {
  Lease lease = working_run();
  lease.run = RunId::make(now());
  EXPECT_FAILS(await(store_->append(lease, 0, If::held, {entry("x")}, {})), not_found);
  EXPECT_FAILS(await(store_->mail({lease.run, entry("x")}, {})), not_found);
  EXPECT_FAILS(await(store_->journal(lease.run, 1)), not_found);
}

TEST_P(StoreTest, ARunParksAndFinishesOnlyOverAJournalItHasRead) {
  const Lease lease = working_run();
  EXPECT_FAILS(await(store_->append(lease, 1, If::held, {entry("x")}, {.run = RunChange{RunStatus::parked}})),
               internal);
  must(store_->mail({lease.run, entry("noted")}, {}));
  EXPECT_EQ(append(lease, 1, {entry("finished")}, {.run = RunChange{RunStatus::finished, "answered"}}).how,
            Appended::How::mail_first);
  EXPECT_EQ(must(store_->runs({})).at(0).state, RunStatus::open);
}

TEST_P(StoreTest, ARunThatNobodyHasTakenYetIsListedWithItsHeadline) {
  NewRunRow run = new_run();
  run.headline = "errors in cast-core";
  must(store_->admit(message("m1"), run, {}));
  EXPECT_EQ(must(store_->runs({})).at(0).headline, "errors in cast-core");
  const Lease lease = claim_only();
  NewRunRow child = new_run();
  child.parent = lease.run;
  child.headline = "which of them are new";
  append(lease, 1, {entry("taken_up")}, {.run = RunChange{RunStatus::open}, .children = {child}});
  const std::vector<RunRow> runs = must(store_->runs({}));
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[0].headline, "which of them are new");
  EXPECT_EQ(runs[1].headline, "errors in cast-core") << "kept when it is taken";
}

TEST_P(StoreTest, ListsTellHowARunEnded) {
  const Lease lease = working_run();
  append(lease, 1, {entry("finished")}, {.run = RunChange{RunStatus::finished, "answered"}});
  const RunRow run = must(store_->runs({})).at(0);
  EXPECT_EQ(run.state, RunStatus::finished);
  EXPECT_EQ(run.outcome, "answered");
  EXPECT_EQ(run.headline, "what it is about");
  EXPECT_TRUE(run.finished_at.has_value());
}

}  // namespace
}  // namespace deputy::store
