// Admission: a message is stored with its route, once, and only over the conversation its route was decided on.
#include "conformance/store/suite.h"

namespace deputy::store {
namespace {

TEST_P(StoreTest, AMessageStartsARunWithItsFirstEntry) {
  const NewRunRow run = new_run();
  EXPECT_EQ(must(store_->admit(message("m1"), run, {})), (Admitted{Admitted::How::routed, 1}));
  std::vector<EntryRow> expected{run.first};
  expected[0].seq = 1;
  EXPECT_EQ(must(store_->journal(run.run, 1)), expected);
}

TEST_P(StoreTest, TheSameMessageAgainChangesNothing) {
  const RunId first = start_run();
  InboundRow again = message(first.text());
  const NewRunRow second = new_run();
  EXPECT_EQ(must(store_->admit(again, second, {.deliveries = {delivery("hello")}})).how, Admitted::How::duplicate);
  EXPECT_EQ(must(store_->runs({})).size(), 1U);
  EXPECT_TRUE(must(store_->take_deliveries(10)).empty());
}

TEST_P(StoreTest, ADuplicateIsOneAlsoWhenTheConversationHasMoved) {
  const RunId first = start_run();
  InboundRow again = message(first.text());
  again.conversation_version = 0;
  EXPECT_EQ(must(store_->admit(again, new_run(), {})).how, Admitted::How::duplicate);
}

TEST_P(StoreTest, ARouteDecidedOnAnOlderConversationIsRefusedAndMayBeDecidedAgain) {
  const InboundRow late = message("late");
  start_run();
  EXPECT_EQ(must(store_->admit(late, new_run(), {})).how, Admitted::How::moved);
  EXPECT_EQ(must(store_->runs({})).size(), 1U);
  EXPECT_EQ(must(store_->admit(message("late"), new_run(), {})).how, Admitted::How::routed);
}

TEST_P(StoreTest, ANoteGoesToTheJournalOfItsRun) {
  const RunId run = start_run();
  const Admitted noted =
      must(store_->admit(message("m2"), MailRow{run, entry("noted", R"({"text":"and staging"})")}, {}));
  EXPECT_EQ(noted, (Admitted{Admitted::How::routed, 2}));
  EXPECT_EQ(kinds(run), (std::vector<std::string>{"received", "noted"}));
}

TEST_P(StoreTest, AMessageForNobodyIsKeptAsSeen) {
  EXPECT_EQ(must(store_->admit(message("m1"), ToNobody{}, {.deliveries = {delivery("help")}})).how,
            Admitted::How::routed);
  EXPECT_EQ(must(store_->admit(message("m1"), ToNobody{}, {})).how, Admitted::How::duplicate);
  EXPECT_EQ(must(store_->take_deliveries(10)).size(), 1U);
}

TEST_P(StoreTest, ANoteToAFinishedRunIsRefusedWhole) {
  const Lease lease = working_run();
  append(lease, 1, {entry("finished")}, {.run = RunChange{RunStatus::finished, "answered"}});
  const InboundRow note = message("m2");
  EXPECT_FAILS(await(store_->admit(note, MailRow{lease.run, entry("noted")}, {})), conflict);
  EXPECT_EQ(must(store_->admit(note, new_run(), {})).how, Admitted::How::routed);
}

TEST_P(StoreTest, AConversationNeverSeenHasVersionZeroAndNoRun) {
  EXPECT_EQ(must(store_->conversation("slack:T1:C9:9.9")), ConversationRow{});
}

TEST_P(StoreTest, AConversationTellsItsNewestRunAndItsState) {
  const Lease lease = working_run();
  ConversationRow conversation = must(store_->conversation(kThread));
  EXPECT_EQ(conversation.newest_run, lease.run);
  EXPECT_EQ(conversation.newest_state, RunStatus::open);
  append(lease, 1, {entry("asked")}, {.run = RunChange{RunStatus::parked}});
  EXPECT_EQ(must(store_->conversation(kThread)).newest_state, RunStatus::parked);
  const RunId second = start_run();
  EXPECT_EQ(must(store_->conversation(kThread)).newest_run, second);
}

TEST_P(StoreTest, AChildRunIsNotTheNewestRunOfItsConversation) {
  const Lease lease = working_run();
  NewRunRow child = new_run();
  child.parent = lease.run;
  append(lease, 1, {entry("delegated")}, {.children = {child}});
  EXPECT_EQ(must(store_->conversation(kThread)).newest_run, lease.run);
}

TEST_P(StoreTest, EveryChangeTheDispatcherDecidesOnMovesTheConversation) {
  std::int64_t before = must(store_->conversation(kThread)).version;
  const auto moved = [&] {
    const std::int64_t version = must(store_->conversation(kThread)).version;
    return std::exchange(before, version) < version;
  };
  const Lease lease = working_run();
  EXPECT_TRUE(moved()) << "a run started";
  const NewInteractionRow asked = approval(lease);
  append(lease, 1, {entry("asked")}, {.interactions = {asked}});
  EXPECT_TRUE(moved()) << "an interaction was opened";
  append(lease, 2, {entry("parked")}, {.run = RunChange{RunStatus::parked}});
  EXPECT_TRUE(moved()) << "the run parked";
  must(store_->answer(asked.interaction.id, {InteractionState::approved, "{}", "bo", now()}, entry("answered"), {}));
  EXPECT_TRUE(moved()) << "it was answered";
  const Lease again = claim_only();
  append(again, 4, {entry("finished")}, {.run = RunChange{RunStatus::finished, "answered"}});
  EXPECT_TRUE(moved()) << "the run finished";
}

}  // namespace
}  // namespace deputy::store
