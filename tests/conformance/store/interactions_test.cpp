// Interactions: opened with the entry that asks, settled once, by whoever is first.
#include "conformance/store/suite.h"

namespace deputy::store {
namespace {

struct Clicks {
  int settled = 0;
  int ended = 0;
};

Task<> click(Store& store, InteractionId interaction, AnswerRow answer, EntryRow mail, Clicks& clicks) {
  const Result<AnswerStored> answered = co_await store.answer(interaction, std::move(answer), std::move(mail), {});
  EXPECT_OK(answered);
  clicks.settled += answered && answered->how == AnswerStored::How::settled ? 1 : 0;
  ++clicks.ended;
}

AnswerRow approved_by(std::string person) {
  return {InteractionState::approved, R"({"approved":true})", std::move(person), SystemClock{}.now()};
}

TEST_P(StoreTest, AnInteractionComesBackAsItWasOpened) {
  const Lease lease = working_run();
  const NewInteractionRow row = approval(lease);
  append(lease, 1, {entry("asked")}, {.interactions = {row}});
  EXPECT_EQ(must(store_->interactions({.run = lease.run})), std::vector<InteractionRow>{row.interaction});
  EXPECT_EQ(must(store_->interactions({.code = "K7Q2MX"})).size(), 1U);
  EXPECT_EQ(must(store_->interactions({.code = "OTHER1"})).size(), 0U);
  EXPECT_EQ(must(store_->conversation(kThread)).pending, std::vector<InteractionId>{row.interaction.id});
}

TEST_P(StoreTest, AnAnswerSettlesMailsTheRunAndBringsItsEffects) {
  const Lease lease = working_run();
  const NewInteractionRow row = approval(lease);
  append(lease, 1, {entry("asked")}, {.run = RunChange{RunStatus::parked}, .interactions = {row}});
  const AnswerStored answered =
      must(store_->answer(row.interaction.id, approved_by("bo"), entry("answered"),
                          {.deliveries = {delivery("settled")}, .audit = {{now(), "approved", "bo", lease.run}}}));
  EXPECT_EQ(answered.how, AnswerStored::How::settled);
  EXPECT_EQ(answered.interaction.state, InteractionState::approved);
  EXPECT_EQ(answered.interaction.responded_by, "bo");
  EXPECT_EQ(kinds(lease.run), (std::vector<std::string>{"received", "asked", "answered"}));
  EXPECT_EQ(must(store_->take_deliveries(10)).size(), 1U);
  EXPECT_EQ(must(store_->audit({})).size(), 1U);
  EXPECT_EQ(claim_only().after, Lease::After::mail);
  EXPECT_TRUE(must(store_->conversation(kThread)).pending.empty());
}

TEST_P(StoreTest, TheFirstAnswerWinsAndTheSecondLearnsWhoWasFirst) {
  const Lease lease = working_run();
  const NewInteractionRow row = approval(lease);
  append(lease, 1, {entry("asked")}, {.interactions = {row}});
  const std::unique_ptr<Store> other = another_instance();
  EXPECT_EQ(must(other->answer(row.interaction.id, approved_by("bo"), entry("answered"), {})).how,
            AnswerStored::How::settled);
  AnswerRow denial = approved_by("cy");
  denial.state = InteractionState::denied;
  const AnswerStored second =
      must(store_->answer(row.interaction.id, denial, entry("answered"), {.deliveries = {delivery("denied")}}));
  EXPECT_EQ(second.how, AnswerStored::How::already);
  EXPECT_EQ(second.interaction.state, InteractionState::approved);
  EXPECT_EQ(second.interaction.responded_by, "bo");
  EXPECT_EQ(kinds(lease.run), (std::vector<std::string>{"received", "asked", "answered"}));
  EXPECT_TRUE(must(store_->take_deliveries(10)).empty());
}

TEST_P(StoreTest, OfManyAnswersAtOnceExactlyOneSettles) {
  const Lease lease = working_run();
  const NewInteractionRow row = approval(lease);
  append(lease, 1, {entry("asked")}, {.interactions = {row}});
  const std::unique_ptr<Store> other = another_instance();
  Clicks clicks;
  for (int i = 0; i < 20; ++i) {
    spawn(loop_.get_executor(), "click",
          click(i % 2 == 0 ? *store_ : *other, row.interaction.id, approved_by("person-" + std::to_string(i)),
                entry("answered"), clicks));
  }
  test::run_until(loop_, [&] { return clicks.ended == 20; });
  EXPECT_EQ(clicks.settled, 1);
  EXPECT_EQ(kinds(lease.run), (std::vector<std::string>{"received", "asked", "answered"}));
}

TEST_P(StoreTest, AnAnswerToAFinishedRunIsKeptAndMailsNobody) {
  const Lease lease = working_run();
  const NewInteractionRow row = approval(lease);
  append(lease, 1, {entry("asked")}, {.interactions = {row}});
  append(lease, 2, {entry("finished")}, {.run = RunChange{RunStatus::finished, "failed"}});
  EXPECT_EQ(must(store_->answer(row.interaction.id, approved_by("bo"), entry("answered"), {})).how,
            AnswerStored::How::settled);
  EXPECT_EQ(kinds(lease.run), (std::vector<std::string>{"received", "asked", "finished"}));
}

TEST_P(StoreTest, ARunClosesItsOwnInteractionUnlessSomebodyWasFirst) {
  const Lease lease = working_run();
  const NewInteractionRow open = approval(lease);
  const NewInteractionRow answered = approval(lease);
  append(lease, 1, {entry("asked")}, {.interactions = {open, answered}});
  must(store_->answer(answered.interaction.id, approved_by("bo"), entry("answered"), {}));
  const AnswerRow cancelled{InteractionState::cancelled, "", "", now()};
  append(lease, 3, {entry("call_finished")},
         {.settled = {{open.interaction.id, cancelled}, {answered.interaction.id, cancelled}}});
  const std::vector<InteractionRow> rows = must(store_->interactions({.run = lease.run, .pending_only = false}));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].state, InteractionState::approved);
  EXPECT_EQ(rows[1].state, InteractionState::cancelled);
}

TEST_P(StoreTest, ADraftIsKeptTogetherWithTheMessageThatBroughtIt) {
  const Lease lease = working_run();
  const NewInteractionRow open = approval(lease);
  const NewInteractionRow over = approval(lease);
  append(lease, 1, {entry("asked")}, {.interactions = {open, over}});
  must(store_->answer(over.interaction.id, approved_by("bo"), entry("answered"), {}));
  const Effects drafts{.drafts = {{open.interaction.id, "one answer"}, {over.interaction.id, "too late"}}};
  must(store_->admit(message("m1"), ToNobody{}, drafts));
  EXPECT_EQ(must(store_->interactions({.id = open.interaction.id})).at(0).draft, "one answer");
  EXPECT_EQ(must(store_->interactions({.id = over.interaction.id, .pending_only = false})).at(0).draft, "");
}

TEST_P(StoreTest, AMessageThatAnswersIsTakenInWithItsAnswerOrNotAtAll) {
  const Lease lease = working_run();
  const NewInteractionRow row = approval(lease);
  append(lease, 1, {entry("asked")}, {.interactions = {row}});
  must(store_->answer(row.interaction.id, approved_by("bo"), entry("answered"), {.consumed = {{"m1", kThread}}}));
  must(store_->answer(row.interaction.id, approved_by("cy"), entry("answered"), {.consumed = {{"m2", kThread}}}));
  EXPECT_EQ(must(store_->admit(message("m1"), ToNobody{}, {})).how, Admitted::How::duplicate);
  EXPECT_EQ(must(store_->admit(message("m2"), ToNobody{}, {})).how, Admitted::How::routed);
}

TEST_P(StoreTest, AMessageThatWasTakenInBeforeAnswersNothing) {
  const Lease lease = working_run();
  const NewInteractionRow row = approval(lease);
  append(lease, 1, {entry("asked")}, {.interactions = {row}});
  must(store_->admit(message("m1"), ToNobody{}, {}));
  const AnswerStored answered =
      must(store_->answer(row.interaction.id, approved_by("bo"), entry("answered"), {.consumed = {{"m1", kThread}}}));
  EXPECT_EQ(answered.how, AnswerStored::How::duplicate);
  EXPECT_EQ(answered.interaction, row.interaction) << "as it is now";
  EXPECT_EQ(must(store_->interactions({.id = row.interaction.id})).size(), 1U);
  EXPECT_EQ(kinds(lease.run), (std::vector<std::string>{"received", "asked"}));
}

TEST_P(StoreTest, ATokenLeadsToItsInteraction) {
  const Lease lease = working_run();
  NewInteractionRow row = approval(lease);
  row.tokens = {{"tok-approve", "approve"}, {"tok-deny", "deny"}};
  append(lease, 1, {entry("asked")}, {.interactions = {row}});
  const TokenMeaning meaning = must(store_->token("tok-deny"));
  EXPECT_EQ(meaning.interaction, row.interaction);
  EXPECT_EQ(meaning.body, "deny");
  EXPECT_FAILS(await(store_->token("made-up")), not_found);
}

TEST_P(StoreTest, AnAnswerToNothingIsNotFound) {
  EXPECT_FAILS(await(store_->answer(InteractionId::make(now()), approved_by("bo"), entry("answered"), {})), not_found);
}

}  // namespace
}  // namespace deputy::store
