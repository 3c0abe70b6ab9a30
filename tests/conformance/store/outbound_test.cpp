// Deliveries go out in order per conversation and are never lost or repeated in silence; dues come when their time has
// come.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "conformance/store/suite.h"

namespace deputy::store {
namespace {

using namespace std::chrono_literals;

std::vector<std::string> bodies(const std::vector<DeliveryRow>& rows) {
  std::vector<std::string> all;
  all.reserve(rows.size());
  for (const DeliveryRow& row : rows) all.push_back(row.body);
  return all;
}

TEST_P(StoreTest, ADeliveryComesBackAsItWasOwed) {
  DeliveryRow owed = delivery("hello");
  start_run(kThread, "ana", {.deliveries = {owed}});
  owed.state = DeliveryState::sending;
  owed.attempts = 1;
  EXPECT_EQ(must(store_->take_deliveries(10)), std::vector<DeliveryRow>{owed});
}

TEST_P(StoreTest, DeliveriesOfAConversationGoOneByOneInOrder) {
  start_run(kThread, "ana",
            {.deliveries = {delivery("one"), delivery("two"), delivery("elsewhere", "slack:T1:C2:1.0")}});
  const std::vector<DeliveryRow> first = must(store_->take_deliveries(10));
  EXPECT_EQ(bodies(first), (std::vector<std::string>{"one", "elsewhere"}));
  EXPECT_TRUE(must(store_->take_deliveries(10)).empty());
  must(store_->change_delivery({first[0].id, DeliveryState::sent, "ts-1", {}}));
  EXPECT_EQ(bodies(must(store_->take_deliveries(10))), std::vector<std::string>{"two"});
}

TEST_P(StoreTest, AChannelNeverTakesTheRoomOfAnother) {
  std::vector<DeliveryRow> owed;
  for (int i = 0; i < 5; ++i) owed.push_back(delivery("flood", fmt::format("wild:C{}:1", i)));
  owed.push_back(delivery("calm", "slack:T1:C1:1.0"));
  owed.push_back(delivery("without a colon", "lone"));
  start_run(kThread, "ana", {.deliveries = std::move(owed)});
  EXPECT_THAT(bodies(must(store_->take_deliveries(2, {{"wild", 1}, {"slack", 1}}))),
              testing::UnorderedElementsAre("flood", "calm", "without a colon"));
  EXPECT_EQ(bodies(must(store_->take_deliveries(2, {{"wild", 1}}))), std::vector<std::string>{"flood"});
  EXPECT_TRUE(must(store_->take_deliveries(2, {{"wild", 2}})).empty());
  EXPECT_EQ(must(store_->take_deliveries(10)).size(), 3U);
}

TEST_P(StoreTest, ADeliveryThatFailedIsTriedAgainWhenItsTimeHasCome) {
  start_run(kThread, "ana", {.deliveries = {delivery("one"), delivery("two")}});
  const DeliveryRow first = must(store_->take_deliveries(10)).at(0);
  must(store_->change_delivery({first.id, DeliveryState::owed, "", now() + 1h}));
  EXPECT_TRUE(must(store_->take_deliveries(10)).empty()) << "the second must not overtake";
  start_run("slack:T1:C1:2.0", "ana", {.deliveries = {delivery("three", "slack:T1:C1:2.0")}});
  const DeliveryRow third = must(store_->take_deliveries(10)).at(0);
  must(store_->change_delivery({third.id, DeliveryState::owed, "", now() - 1s}));
  const DeliveryRow again = must(store_->take_deliveries(10)).at(0);
  EXPECT_EQ(again.id, third.id);
  EXPECT_EQ(again.attempts, 2);
}

TEST_P(StoreTest, ADeliveryThatWasPutOffByAClockSetBackSinceDoesNotWaitForIt) {
  start_run(kThread, "ana", {.deliveries = {delivery("one"), delivery("two")}});
  const DeliveryRow first = must(store_->take_deliveries(10)).at(0);
  must(store_->change_delivery({first.id, DeliveryState::owed, "", now() + 24h}));
  EXPECT_EQ(bodies(must(store_->take_deliveries(10))), std::vector<std::string>{"one"});
}

TEST_P(StoreTest, OfManyDeliveriesThatWaitTheFirstOfEachConversationGoes) {
  Effects effects;
  for (const char* body : {"one", "two", "three"}) {
    for (int i = 0; i < 20; ++i) effects.deliveries.push_back(delivery(body, "slack:T1:C1:" + std::to_string(i)));
  }
  start_run(kThread, "ana", std::move(effects));
  std::vector<std::string> all;
  for (int round = 0; round < 12; ++round) {
    const std::vector<DeliveryRow> taken = must(store_->take_deliveries(5));
    for (const DeliveryRow& row : taken) {
      all.push_back(row.body);
      must(store_->change_delivery({row.id, DeliveryState::sent, "ts", {}}));
    }
  }
  EXPECT_EQ(all.size(), 60U);
  EXPECT_TRUE(must(store_->take_deliveries(5)).empty());
}

TEST_P(StoreTest, ADeadDeliveryMakesRoomForTheNext) {
  start_run(kThread, "ana", {.deliveries = {delivery("one"), delivery("two")}});
  const DeliveryRow first = must(store_->take_deliveries(10)).at(0);
  must(store_->change_delivery({first.id, DeliveryState::dead, "", {}}));
  EXPECT_EQ(bodies(must(store_->take_deliveries(10))), std::vector<std::string>{"two"});
}

TEST_P(StoreTest, WhatADeadInstanceWasSendingIsUnknownAndComesFirst) {
  std::unique_ptr<Store> other = another_instance();
  start_run(kThread, "ana", {.deliveries = {delivery("one"), delivery("two")}});
  EXPECT_EQ(must(other->take_deliveries(10)).size(), 1U);
  EXPECT_TRUE(must(store_->take_deliveries(10)).empty());
  kill(std::move(other));
  const std::vector<DeliveryRow> taken = must(store_->take_deliveries(10));
  ASSERT_EQ(bodies(taken), std::vector<std::string>{"one"});
  EXPECT_EQ(taken[0].state, DeliveryState::unknown);
  EXPECT_TRUE(must(store_->take_deliveries(10)).empty());
  must(store_->change_delivery({taken[0].id, DeliveryState::sent, "ts-1", {}}));
  EXPECT_EQ(bodies(must(store_->take_deliveries(10))), std::vector<std::string>{"two"});
}

TEST_P(StoreTest, OnlyItsTakerChangesADelivery) {
  const std::unique_ptr<Store> other = another_instance();
  start_run(kThread, "ana", {.deliveries = {delivery("one")}});
  const DeliveryRow taken = must(store_->take_deliveries(10)).at(0);
  EXPECT_FAILS(await(other->change_delivery({taken.id, DeliveryState::sent, "ts", {}})), conflict);
  must(store_->change_delivery({taken.id, DeliveryState::sent, "ts", {}}));
  EXPECT_FAILS(await(store_->change_delivery({taken.id, DeliveryState::owed, "", {}})), conflict);
}

TEST_P(StoreTest, TheViewsOfAnInteractionAreItsDeliveries) {
  const Lease lease = working_run();
  const NewInteractionRow row = approval(lease);
  DeliveryRow card = delivery("card");
  card.interaction = row.interaction.id;
  card.run = lease.run;
  append(lease, 1, {entry("asked")}, {.interactions = {row}, .deliveries = {card}});
  const DeliveryRow taken = must(store_->take_deliveries(10)).at(0);
  must(store_->change_delivery({taken.id, DeliveryState::sent, "ts-7", {}}));
  const std::vector<DeliveryRow> views = must(store_->views(row.interaction.id));
  ASSERT_EQ(views.size(), 1U);
  EXPECT_EQ(views[0].ref, "ts-7");
  EXPECT_EQ(views[0].state, DeliveryState::sent);
}

TEST_P(StoreTest, TheDeliveriesOfARunComeInTheirOrder) {
  const Lease lease = working_run();
  std::vector<DeliveryRow> owed{delivery("one"), delivery("two", "slack:T1:C2:1.0"), delivery("of another run")};
  owed[0].run = lease.run;
  owed[1].run = lease.run;
  append(lease, 1, {entry("asked")}, {.deliveries = owed});
  EXPECT_EQ(bodies(must(store_->deliveries({.run = lease.run}))), (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(bodies(must(store_->deliveries({.run = lease.run, .most = 1}))), std::vector<std::string>{"one"});
}

TEST_P(StoreTest, ADueComesWhenItsTimeHasComeAndNotBefore) {
  start_run(kThread, "ana", {.dues = {{"expiry", "i1", now() - 1s}, {"expiry", "i2", now() + 1h}}});
  const TakenDues taken = must(store_->take_due(10));
  ASSERT_EQ(taken.dues.size(), 1U);
  EXPECT_EQ(taken.dues[0].id, "i1");
  EXPECT_TRUE(must(store_->take_due(10)).dues.empty()) << "its taker has half a minute";
}

TEST_P(StoreTest, ADueIsEndedByTheWriteThatEndsTheWait) {
  const Lease lease = working_run();
  const NewInteractionRow row = approval(lease);
  const DueKey key{"expiry", row.interaction.id.text()};
  append(lease, 1, {entry("asked")}, {.interactions = {row}, .dues = {{key.kind, key.id, now() - 1s}}});
  must(store_->answer(row.interaction.id, {InteractionState::approved, "", "bo", now()}, entry("answered"),
                      {.dues_ended = {key}}));
  EXPECT_TRUE(must(store_->take_due(10)).dues.empty());
}

TEST_P(StoreTest, ADueThatIsPutAgainIsMoved) {
  start_run(kThread, "ana", {.dues = {{"retry", "d1", now() - 1s}}});
  start_run("slack:T1:C1:2.0", "ana", {.dues = {{"retry", "d1", now() + 1h}}});
  EXPECT_TRUE(must(store_->take_due(10)).dues.empty());
}

TEST_P(StoreTest, ADueOfARunWakesItOnce) {
  const Lease lease = working_run();
  const DueRow deadline{"deadline", lease.run.text(), now() - 1s,
                        MailRow{lease.run, entry("woken", R"({"due":"deadline"})")}};
  append(lease, 1, {entry("asked")}, {.run = RunChange{RunStatus::parked}, .dues = {deadline}});
  EXPECT_EQ(must(store_->take_due(10)).has_mail, std::vector<RunId>{lease.run});
  EXPECT_TRUE(must(store_->take_due(10)).has_mail.empty());
  EXPECT_EQ(kinds(lease.run), (std::vector<std::string>{"received", "asked", "woken"}));
  EXPECT_EQ(claim_only().run, lease.run);
}

TEST_P(StoreTest, TimeThatStopsWhileDownDoesNotRunOutOnARunThatNobodyWorksOn) {
  const Lease lease = working_run();
  DueRow deadline{"deadline", lease.run.text(), now() - 1s, MailRow{lease.run, entry("woken")}};
  deadline.stops_while_down = true;
  append(lease, 1, {entry("asked")}, {.dues = {deadline}});
  must(store_->release(lease));
  EXPECT_TRUE(must(store_->take_due(10)).has_mail.empty());
  EXPECT_EQ(kinds(lease.run), (std::vector<std::string>{"received", "asked"}));
  const Lease again = claim_only();
  append(again, 2, {entry("asked")}, {.dues = {deadline}});
  EXPECT_EQ(must(store_->take_due(10)).has_mail, std::vector<RunId>{lease.run});
}

TEST_P(StoreTest, ADueOfAFinishedRunVanishes) {
  const Lease lease = working_run();
  append(lease, 1, {entry("finished")},
         {.run = RunChange{RunStatus::finished, "answered"},
          .dues = {{"deadline", "x", now() - 1s, MailRow{lease.run, entry("woken")}}}});
  const TakenDues taken = must(store_->take_due(10));
  EXPECT_TRUE(taken.dues.empty());
  EXPECT_TRUE(taken.has_mail.empty());
  EXPECT_EQ(kinds(lease.run), (std::vector<std::string>{"received", "finished"}));
}

}  // namespace
}  // namespace deputy::store
