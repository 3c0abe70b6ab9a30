#include "gateway/outbound/deliveries.h"

#include <gmock/gmock.h>

#include <boost/asio/bind_cancellation_slot.hpp>

#include "gateway/delivery_bench.h"
#include "run/journal/entry.h"

namespace deputy::gateway {
namespace {

using namespace std::chrono_literals;
using store::DeliveryState;
using test::Posted;
using test::Step;
using testing::ElementsAre;
using testing::HasSubstr;

class DeliveriesTest : public DeliveryBench {};

// ---- Acknowledgements and answers.

TEST_F(DeliveriesTest, AnAcknowledgementIsTheNativeSign) {
  run_that_owes({acknowledgement()});
  deliver();
  EXPECT_TRUE(channel_->works_on("m1"));
  EXPECT_EQ(seen(), "");
}

TEST_F(DeliveriesTest, WithoutASignItIsALine) {
  channel_->can.working = false;
  run_that_owes({acknowledgement()});
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: Checking…\n");
}

TEST_F(DeliveriesTest, AnAnswerMentionsWhoAskedAndEndsTheSign) {
  const RunId run = run_that_owes({acknowledgement(), answer("All is well.")});
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: @U1 All is well. (1 tool)\n");
  EXPECT_FALSE(channel_->works_on("m1"));
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent, DeliveryState::sent));
}

TEST_F(DeliveriesTest, AnAnswerIsEditedIntoAYoungAcknowledgement) {
  channel_->can.working = false;
  const RunId run = run_that_owes({acknowledgement()});
  deliver();
  clock_.advance(19s);
  later(run, {answer("All is well.")}, "cancel_requested");
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: All is well. (1 tool)\n");
}

TEST_F(DeliveriesTest, AnOldAcknowledgementSaysThatTheAnswerIsBelow) {
  channel_->can.working = false;
  const RunId run = run_that_owes({acknowledgement()});
  deliver();
  clock_.advance(20s);
  later(run, {answer("All is well.")}, "cancel_requested");
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: *Answered below.*\n[2] deputy: @U1 All is well. (1 tool)\n");
}

TEST_F(DeliveriesTest, AnAcknowledgementThatIsNotLastIsNotEdited) {
  channel_->can.working = false;
  const std::string below = "[1] deputy: *Answered below.*\n";
  const RunId noted = run_that_owes({acknowledgement()});
  later(noted, {answer("After a note.")}, "noted");
  deliver();
  EXPECT_EQ(seen(), below + "[2] deputy: @U1 After a note. (1 tool)\n");
  const RunId said = run_that_owes({acknowledgement(), notice("Still looking.")});
  later(said, {answer("After a notice.")}, "cancel_requested");
  deliver();
  EXPECT_THAT(seen(), HasSubstr("[3] deputy: *Answered below.*\n[4] deputy: Still looking.\n[5] deputy: @U1 After"));
  const RunId run = run_that_owes({acknowledgement()});
  clock_.advance(1s);
  run_that_owes({});
  later(run, {answer("After another request.")}, "cancel_requested");
  deliver();
  EXPECT_THAT(seen(), HasSubstr("[6] deputy: *Answered below.*\n[7] deputy: @U1 After another request."));
}

TEST_F(DeliveriesTest, AnAcknowledgementThatIsGoneIsNoReasonToLoseTheAnswer) {
  channel_->can.working = false;
  const RunId run = run_that_owes({acknowledgement(), answer("All is well.")});
  channel_->fails(Step::edit, {ErrorKind::not_found, "message_not_found"});
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: *Answered below.*\n[2] deputy: @U1 All is well. (1 tool)\n");
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent, DeliveryState::sent));
}

TEST_F(DeliveriesTest, LinksAreToHostsThatSomebodyNamed) {
  run::AnswerDelivery body{"https://asked.example/1 https://docs.example/2 https://evil.example/3 @here", "scripted:U1",
                           "1 tool"};
  body.known_hosts = {"asked.example"};
  run_that_owes({owe(body)});
  deliver();
  EXPECT_EQ(
      seen(),
      "[1] deputy: @U1 https://asked.example/1 https://docs.example/2 `https://evil.example/3` `@here` (1 tool)\n");
}

TEST_F(DeliveriesTest, ANoticeLinksToHostsThatSomebodyNamedToo) {
  run::NoticeDelivery body{"https://asked.example/1 https://evil.example/3"};
  body.known_hosts = {"asked.example"};
  run_that_owes({owe(body)});
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: https://asked.example/1 `https://evil.example/3`\n");
}

TEST_F(DeliveriesTest, HostsOfARowOfAnOlderVersionAreReadFromTheJournal) {
  const run::Received received{
      .text = "see\nhttps://asked.example/x", .requester = "ana", .conversation = kHere, .account = "scripted:U1"};
  run_that_owes({answer("https://asked.example/1 https://evil.example/3")}, run::encode(received, clock_.now()).body);
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: @U1 https://asked.example/1 `https://evil.example/3` (1 tool)\n");
}

TEST_F(DeliveriesTest, AJournalThatCannotBeReadNamesNoHosts) {
  run_that_owes({answer("https://asked.example/1")}, R"({"text":"https://asked.example/x"})");
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: @U1 `https://asked.example/1` (1 tool)\n");
}

TEST_F(DeliveriesTest, AVeryLongAnswerIsABeginningAndAFile) {
  channel_->can.max_message = 400;
  std::string text;
  for (int i = 0; i < 200; ++i) text += "line " + std::to_string(i) + "\n";
  run_that_owes({answer(text)});
  deliver();
  ASSERT_EQ(channel_->shown().size(), 2U);
  EXPECT_THAT(channel_->shown()[0].text, HasSubstr("only the beginning"));
  EXPECT_EQ(channel_->shown()[1].file, "answer.md");
  EXPECT_THAT(channel_->shown()[1].text, HasSubstr("line 199"));
}

json::object small_plot() {
  return {{"title", "up"},
          {"from", "2026-11-18T08:00:00Z"},
          {"to", "2026-11-18T09:00:00Z"},
          {"series", {{{"name", "{}"}, {"points", {{0, 1}, {60, 2}}}}}}};
}

TEST_F(DeliveriesTest, APlotComesWithTheAnswerAsAPicture) {
  run::AnswerDelivery body{"Load doubled.", "scripted:U1", "1 tool"};
  body.plots = {{small_plot()}};
  run_that_owes({owe(body)});
  deliver();
  ASSERT_EQ(channel_->shown().size(), 2U);
  EXPECT_EQ(channel_->shown()[1].file, "plot.png");
  EXPECT_THAT(channel_->shown()[1].text, HasSubstr("PNG"));
}

TEST_F(DeliveriesTest, APlotThatCannotBeShownIsLeftOut) {
  run::AnswerDelivery body{"Load doubled.", "scripted:U1", "1 tool"};
  body.plots = {{json::object{{"title", "what?"}}, json::object{}}};
  run_that_owes({owe(body)});
  deliver();
  EXPECT_EQ(channel_->shown().size(), 1U);
}

TEST_F(DeliveriesTest, AChannelWithoutFilesGetsNoPicture) {
  channel_->can.files = false;
  run::AnswerDelivery body{"Load doubled.", "scripted:U1", "1 tool"};
  body.plots = {{small_plot()}};
  run_that_owes({owe(body)});
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: @U1 Load doubled. (1 tool)\n");
}

// ---- Failures.

TEST_F(DeliveriesTest, ABusyChannelIsTriedAgainInOrder) {
  channel_->fails(Step::post, kBusy, Posted::no, 2);
  run_that_owes({notice("one"), notice("two")});
  deliver();
  EXPECT_EQ(seen(), "");
  deliver_after(1s);
  deliver_after(2s);
  EXPECT_EQ(seen(), "[1] deputy: one\n[2] deputy: two\n");
  EXPECT_EQ(deliveries_->counts(), (DeliveryCounts{.sent = 2, .tried_again = 2}));
}

TEST_F(DeliveriesTest, ARateLimitIsWaitedForAsThePlatformSays) {
  Error limited{ErrorKind::rate_limit, "slow down", "", true};
  limited.retry_after = 7s;
  channel_->fails(Step::post, limited, Posted::no, 2);
  const RunId run = run_that_owes({notice("one")});
  deliver();
  EXPECT_EQ(must(store_->deliveries({.run = run})).at(0).next_at, clock_.now() + 7s);
  deliver_after(7s);
  EXPECT_EQ(must(store_->deliveries({.run = run})).at(0).next_at, clock_.now() + 7s) << "no longer the second time";
  deliver_after(6s);
  EXPECT_EQ(seen(), "");
  deliver_after(1s);
  EXPECT_EQ(seen(), "[1] deputy: one\n");
  EXPECT_EQ(deliveries_->counts(), (DeliveryCounts{.sent = 1, .rate_limited = 2}));
}

TEST_F(DeliveriesTest, AnAnswerThatDoesNotFitIntoAnEditIsPosted) {
  channel_->can.working = false;
  channel_->can.max_edit = 400;
  const RunId run = run_that_owes({acknowledgement()});
  deliver();
  later(run, {answer(std::string(401, 'x'))}, "cancel_requested");
  deliver();
  ASSERT_EQ(channel_->shown().size(), 2U);
  EXPECT_EQ(channel_->shown()[0].text, "*Answered below.*");
  EXPECT_EQ(channel_->shown()[1].text, std::string(401, 'x'));
}

TEST_F(DeliveriesTest, APartThatIsEditedInFitsIntoAnEdit) {
  channel_->can.find = false;
  channel_->can.max_edit = 400;
  run_that_owes({answer(std::string(300, 'x') + "\n\n" + std::string(300, 'y'))});
  deliver();
  ASSERT_EQ(channel_->shown().size(), 2U);
  EXPECT_EQ(channel_->shown()[1].text, std::string(300, 'y'));
}

TEST_F(DeliveriesTest, AnAnswerThatIsRefusedIsToldToWhoAsked) {
  channel_->fails(Step::post, kRefused);
  const RunId run = run_that_owes({answer("All is well."), notice("next")});
  deliver();
  EXPECT_EQ(seen(), fmt::format("[1] deputy to U1: I could not post my answer for run `{}`: not in this channel\n"
                                "[2] deputy: next\n",
                                run.text()));
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::dead, DeliveryState::sent));
}

TEST_F(DeliveriesTest, WhereNobodyCanBeToldOperatorsHear) {
  channel_->can.whisper = false;
  channel_->fails(Step::post, kRefused);
  run_that_owes({answer("All is well.")});
  deliver();
  EXPECT_THAT(seen(kAlerts), HasSubstr("I could not post my answer"));
  EXPECT_THAT(seen(kAlerts), HasSubstr("It was for `scripted:C1:1`."));
}

TEST_F(DeliveriesTest, AnAlertThatDiesIsOnlyCounted) {
  channel_->fails(Step::post, kRefused, Posted::no, 3);
  run_that_owes({notice("alarm", std::string(run::kAlertConversation))});
  deliver();
  EXPECT_EQ(channel_->calls(Step::post), 1);
  EXPECT_EQ(deliveries_->counts(), (DeliveryCounts{.dead = 1, .alerts_lost = 1}));
}

TEST_F(DeliveriesTest, AnAlertGoesWhereSettingsSay) {
  run_that_owes({notice("alarm", std::string(run::kAlertConversation))});
  deliver();
  EXPECT_EQ(seen(kAlerts), "[1] deputy: alarm\n");
}

TEST_F(DeliveriesTest, WithoutAnAlertConversationItCountsAsSent) {
  settings_.alert_conversation.clear();
  restart();
  const RunId run = run_that_owes({notice("alarm", std::string(run::kAlertConversation))});
  deliver();
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent));
  EXPECT_TRUE(channel_->shown().empty());
}

TEST_F(DeliveriesTest, AfterAnHourItIsDead) {
  channel_->fails(Step::post, kBusy, Posted::no, 1000);
  const RunId run = run_that_owes({notice("old")});
  deliver();
  for (int minute = 0; minute < 61; ++minute) deliver_after(1min);
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::dead));
}

TEST_F(DeliveriesTest, AChannelThatIsNotOnIsWaitedForAnHour) {
  const RunId run = run_that_owes({notice("x", "elsewhere:1")});
  deliver();
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::owed));
  deliver_after(1h);
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::dead));
  EXPECT_THAT(seen(kAlerts), HasSubstr("the channel of elsewhere:1 is not running here"));
}

TEST_F(DeliveriesTest, WhatCannotBeReadIsDeadAndBlocksNothing) {
  store::DeliveryRow odd = notice("x");
  odd.kind = "song";
  store::DeliveryRow broken = notice("x");
  broken.body = "{";
  const RunId run = run_that_owes({odd, broken, notice("next")});
  deliver();
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::dead, DeliveryState::dead, DeliveryState::sent));
}

// ---- The loop.

TEST_F(DeliveriesTest, TheLoopDeliversWhatIsOwedAndEndsWhenItIsCancelled) {
  run_that_owes({notice("one"), notice("two")});
  asio::cancellation_signal stop;
  bool ended = false;
  asio::co_spawn(loop_, deliveries_->run(),
                 asio::bind_cancellation_slot(stop.slot(), [&](const std::exception_ptr& thrown) {
                   EXPECT_FALSE(thrown);
                   ended = true;
                 }));
  test::run_until(loop_, [&] { return deliveries_->counts().sent == 2; });
  run_that_owes({notice("three")});
  deliveries_->wake();
  test::run_until(loop_, [&] { return deliveries_->counts().sent == 3; });
  stop.emit(asio::cancellation_type::terminal);
  test::run_until(loop_, [&] { return ended; });
  EXPECT_EQ(seen(), "[1] deputy: one\n[2] deputy: two\n[3] deputy: three\n");
}

TEST_F(DeliveriesTest, WhatIsBeingSentEndsBeforeTheLoopDoes) {
  const RunId run = run_that_owes({notice("one")});
  asio::cancellation_signal stop;
  bool ended = false;
  channel_->before = [&](Step) { stop.emit(asio::cancellation_type::terminal); };
  asio::co_spawn(loop_, deliveries_->run(),
                 asio::bind_cancellation_slot(stop.slot(), [&](const std::exception_ptr&) { ended = true; }));
  test::run_until(loop_, [&] { return ended; });
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent));
}

TEST_F(DeliveriesTest, ASendThatHangsIsInDoubtWhenTheLoopEndsAndSettledAtTheNextStart) {
  channel_->can.find = true;
  channel_->hangs = {Step::post};
  const RunId run = run_that_owes({notice("one")});
  asio::cancellation_signal stop;
  bool ended = false;
  asio::co_spawn(loop_, deliveries_->run(),
                 asio::bind_cancellation_slot(stop.slot(), [&](const std::exception_ptr&) { ended = true; }));
  test::run_until(loop_, [&] { return channel_->calls(Step::post) == 1; });
  const auto stopped = std::chrono::steady_clock::now();
  stop.emit(asio::cancellation_type::terminal);
  test::run_until(loop_, [&] { return ended; });
  EXPECT_LT(std::chrono::steady_clock::now() - stopped, 15s);
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::unknown));
  channel_->hangs.clear();
  restart();
  for (int i = 0; i < 4; ++i) deliver_after(30s);
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent));
  EXPECT_EQ(seen(), "[1] deputy: one\n");
}

}  // namespace
}  // namespace deputy::gateway
