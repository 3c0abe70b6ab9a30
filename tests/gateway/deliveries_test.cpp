#include "gateway/deliveries.h"

#include <gmock/gmock.h>

#include <boost/asio/bind_cancellation_slot.hpp>

#include "gateway/delivery_bench.h"

namespace deputy::gateway {
namespace {

using namespace std::chrono_literals;
using store::DeliveryState;
using test::Posted;
using test::Step;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const Error kCutOff{ErrorKind::network, "cut off"};
const Error kRefused{ErrorKind::permission, "not in this channel"};
const Error kBusy{ErrorKind::upstream, "busy", "", true};

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
  const RunId run = run_that_owes({}, R"({"text":"see\nhttps://asked.example/x"})");
  later(run, {answer("https://asked.example/1 https://docs.example/2 https://evil.example/3 @here")});
  deliver();
  EXPECT_EQ(
      seen(),
      "[1] deputy: @U1 https://asked.example/1 https://docs.example/2 `https://evil.example/3` `@here` (1 tool)\n");
}

TEST_F(DeliveriesTest, AVeryLongAnswerIsABeginningAndAFile) {
  channel_->can.longest_message = 400;
  std::string text;
  for (int i = 0; i < 200; ++i) text += "line " + std::to_string(i) + "\n";
  run_that_owes({answer(text)});
  deliver();
  ASSERT_EQ(channel_->shown().size(), 2U);
  EXPECT_THAT(channel_->shown()[0].text, HasSubstr("only the beginning"));
  EXPECT_EQ(channel_->shown()[1].file, "answer.md");
  EXPECT_THAT(channel_->shown()[1].text, HasSubstr("line 199"));
}

// ---- Parts and crashes.

class PartsTest : public DeliveriesTest {
 protected:
  PartsTest() {
    channel_->can.longest_message = 320;
    for (const char letter : {'a', 'b', 'c'}) text_ += std::string(250, letter) + "\n\n";
  }
  std::string first_letters() const {
    std::string letters;
    for (const auto& shown : channel_->shown_in(kHere)) letters += shown.text.substr(0, 1);
    return letters;
  }
  /// So many parts; the next is refused for now, and its time has come again.
  void deliver_only(int parts) {
    if (parts == 0) return;
    channel_->before = [this, parts](Step step) mutable {
      if (step == Step::post && --parts < 0) channel_->fails(Step::post, kBusy);
    };
    deliver();
    channel_->before = nullptr;
    clock_.advance(2min);
  }
  /// The process dies while it sends the part, before or after the platform has it.
  void crash_while_sending(Posted posted) {
    const std::vector<store::DeliveryRow> taken = must(store_->take_deliveries(10));
    ASSERT_EQ(taken.size(), 1U);
    const std::size_t part = refs_of(taken[0].ref).size();
    const std::string key = taken[0].id.text() + (part == 0 ? "" : "/" + std::to_string(part + 1));
    const std::string letter(1, "abc"[part]);
    if (posted == Posted::yes) must(channel_->post(kHere, {letter, std::nullopt, "", key}));
    restart();
  }
  std::string text_;
};

TEST_F(PartsTest, PartsGoOutInOrder) {
  const RunId run = run_that_owes({answer(text_)});
  deliver();
  EXPECT_EQ(first_letters(), "abc");
  EXPECT_EQ(channel_->shown()[0].mention, "U1");
  EXPECT_EQ(channel_->shown()[1].mention, "");
  EXPECT_EQ(channel_->shown()[2].footer, "1 tool");
  EXPECT_EQ(refs_of(must(store_->deliveries({.run = run})).at(0).ref), (std::vector<std::string>{"1", "2", "3"}));
}

TEST_F(PartsTest, ACrashBetweenPartsRepeatsNone) {
  for (const Posted posted : {Posted::no, Posted::yes}) {
    for (int before = 0; before < 3; ++before) {
      SCOPED_TRACE(fmt::format("crash at part {}, posted: {}", before, posted == Posted::yes));
      const std::size_t seen_before = channel_->shown().size();
      run_that_owes({answer(text_), notice("d, the next")});
      deliver_only(before);
      crash_while_sending(posted);
      deliver();
      const std::string so_far = std::string("abc").substr(0, before + (posted == Posted::yes ? 1 : 0));
      EXPECT_EQ(first_letters().substr(seen_before), so_far) << "nothing goes out while it is in doubt";
      deliver_after(15s);
      deliver_after(5s);
      EXPECT_EQ(first_letters().substr(seen_before), "abcd");
      clock_.advance(5min);
    }
  }
}

// ---- Doubt.

TEST_F(DeliveriesTest, WhatArrivedInDoubtIsFoundAndNotRepeated) {
  channel_->fails(Step::post, kCutOff, Posted::yes);
  run_that_owes({answer("Once."), notice("Then.")});
  deliver();
  deliver_after(14s);
  EXPECT_EQ(channel_->shown().size(), 1U);
  EXPECT_EQ(channel_->calls(Step::find), 0) << "too early to look";
  deliver_after(1s);
  EXPECT_EQ(seen(), "[1] deputy: @U1 Once. (1 tool)\n[2] deputy: Then.\n");
}

TEST_F(DeliveriesTest, WhatDidNotArriveIsLookedForTwiceAndSentAgain) {
  channel_->fails(Step::post, kCutOff, Posted::no);
  run_that_owes({answer("Once.")});
  deliver();
  deliver_after(15s);
  EXPECT_EQ(seen(), "");
  EXPECT_EQ(channel_->calls(Step::find), 1);
  deliver_after(5s);
  EXPECT_EQ(channel_->calls(Step::find), 2);
  EXPECT_EQ(seen(), "[1] deputy: @U1 Once. (1 tool)\n");
}

TEST_F(DeliveriesTest, WithAnIdempotentKeyItIsSentAgain) {
  channel_->can.find = false;
  channel_->can.key_is_idempotent = true;
  channel_->fails(Step::post, kCutOff, Posted::yes);
  run_that_owes({answer("Once.")});
  deliver();
  deliver_after(1s);
  EXPECT_EQ(channel_->calls(Step::post), 2);
  EXPECT_EQ(seen(), "[1] deputy: @U1 Once. (1 tool)\n");
}

TEST_F(DeliveriesTest, OtherwiseAFirstLineMayStandTwiceButAnAnswerNever) {
  channel_->can.find = false;
  channel_->fails(Step::post, kCutOff, Posted::yes);
  run_that_owes({answer("The beginning.\n\nThe rest.")});
  deliver();
  channel_->fails(Step::edit, kCutOff, Posted::yes);
  deliver_after(1s);
  deliver_after(5s);
  EXPECT_EQ(seen(), "[1] deputy: @U1 The beginning. …\n[2] deputy: @U1 The beginning.\n\nThe rest. (1 tool)\n");
}

TEST_F(DeliveriesTest, WithoutEditingItIsSentAgain) {
  channel_->can = {};
  channel_->fails(Step::post, kCutOff, Posted::yes);
  run_that_owes({notice("Maybe twice.")});
  deliver();
  deliver_after(1s);
  EXPECT_EQ(seen(), "[1] deputy: Maybe twice.\n[2] deputy: Maybe twice.\n");
}

TEST_F(DeliveriesTest, AChannelThatThrowsLeavesDoubt) {
  channel_->before = [](Step step) {
    if (step == Step::post) throw std::runtime_error("a bug");
  };
  run_that_owes({notice("Once.")});
  deliver();
  channel_->before = nullptr;
  EXPECT_EQ(deliveries_->counts().in_doubt, 1);
  deliver_after(15s);
  deliver_after(5s);
  EXPECT_EQ(seen(), "[1] deputy: Once.\n");
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

TEST_F(DeliveriesTest, AnAnswerThatIsRefusedIsToldToWhoAsked) {
  channel_->fails(Step::post, kRefused);
  const RunId run = run_that_owes({answer("All is well."), notice("next")});
  deliver();
  EXPECT_EQ(seen(), fmt::format("[1] deputy to U1: I could not post my answer of run `{}`: not in this channel\n"
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
  EXPECT_THAT(seen(kAlerts), HasSubstr("the channel of elsewhere:1 is not on here"));
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

// ---- Cards.

class CardsTest : public DeliveriesTest {
 protected:
  CardsTest() {
    channel::ShownApproval approval;
    approval.view.approval.run = "R1";
    approval.view.approval.requester = "Ana";
    approval.view.approval.tool = "restart";
    approval.view.code = "K7PQ2M";
    approval.view.expires_at = clock_.now();
    cards_.cards[id_].interactions = {
        {id_, approval, {{{interaction::Control::deny, {}, {}, {}}, "tokenofdeny000000001"}}}};
  }
  store::DeliveryRow card(std::string conversation = kHere) {
    store::DeliveryRow row = owe(run::CardDelivery{}, std::move(conversation));
    row.interaction = id_;
    return row;
  }
  store::DeliveryRow redraw() { return owe(run::RedrawDelivery{id_.text()}); }
  void settle() {
    channel::ShownInteraction& shown = cards_.cards[id_].interactions[0];
    std::get<channel::ShownApproval>(shown.what).settled =
        interaction::Settled{interaction::State::denied, "Bo", clock_.now(), interaction::Scope::once, ""};
    shown.controls.clear();
  }
  InteractionId id_ = InteractionId::make(from_millis(1'700'000'000'000));
};

TEST_F(CardsTest, ACardIsShownAndRedrawnWhereverItStands) {
  const RunId run = run_that_owes({card(), card("scripted:C2:1")});
  deliver();
  EXPECT_THAT(seen(), StartsWith("[1] deputy: **Approval needed**"));
  EXPECT_THAT(seen(), HasSubstr("[deny]"));
  settle();
  later(run, {redraw()});
  deliver();
  EXPECT_THAT(seen(), StartsWith("[1] deputy: **Denied** by **Bo**"));
  EXPECT_THAT(seen("scripted:C2:1"), StartsWith("[2] deputy: **Denied** by **Bo**"));
  EXPECT_EQ(channel_->shown().size(), 2U);
}

TEST_F(CardsTest, ARefusedCardIsTriedAsText) {
  channel_->fails(Step::show, {ErrorKind::invalid_input, "invalid_blocks"});
  const RunId run = run_that_owes({card()});
  deliver();
  EXPECT_THAT(seen(), HasSubstr("approve K7PQ2M"));
  EXPECT_EQ(must(store_->views(id_)).at(0).ref, "1");
  EXPECT_EQ(deliveries_->counts().cards_as_text, 1);
  settle();
  later(run, {redraw()});
  channel_->fails(Step::redraw, {ErrorKind::invalid_input, "invalid_blocks"});
  deliver();
  EXPECT_THAT(seen(), StartsWith("[1] deputy: **Denied** by **Bo**"));
}

TEST_F(CardsTest, WhenTheTextIsRefusedTooOperatorsHear) {
  channel_->fails(Step::show, {ErrorKind::invalid_input, "invalid_blocks"});
  channel_->fails(Step::post, kRefused);
  const RunId run = run_that_owes({card()});
  deliver();
  EXPECT_THAT(seen(kAlerts), HasSubstr("I could not post a question to people of run"));
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::dead));
}

TEST_F(CardsTest, WithoutButtonsAndEditingALineSaysOnceHowItWasSettled) {
  channel_->can = {};
  const RunId run = run_that_owes({card()});
  deliver();
  settle();
  later(run, {redraw()});
  deliver();
  deliver_after(1min);
  ASSERT_EQ(channel_->shown().size(), 2U);
  EXPECT_THAT(channel_->shown()[0].text, HasSubstr("approve K7PQ2M"));
  EXPECT_THAT(channel_->shown()[1].text, StartsWith("**Denied** by **Bo**"));
}

TEST_F(CardsTest, WhatIsSettledAlreadyIsNotShown) {
  settle();
  const RunId run = run_that_owes({card()});
  deliver();
  EXPECT_EQ(seen(), "");
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent));
}

TEST_F(CardsTest, AViewThatIsGoneDoesNotHoldUpTheOthers) {
  const RunId run = run_that_owes({card(), card("scripted:C2:1")});
  deliver();
  settle();
  later(run, {redraw(), notice("next")});
  channel_->fails(Step::redraw, {ErrorKind::not_found, "message_not_found"});
  channel_->fails(Step::edit, {ErrorKind::not_found, "message_not_found"});
  deliver();
  EXPECT_THAT(seen("scripted:C2:1"), HasSubstr("**Denied**"));
  EXPECT_THAT(seen(), HasSubstr("deputy: next\n"));
}

TEST_F(CardsTest, ACardOfATimeNobodyWasUpSaysSo) {
  store::DeliveryRow row = owe(run::CardDelivery{.was_away = true});
  row.interaction = id_;
  run_that_owes({row});
  deliver();
  EXPECT_THAT(seen(), StartsWith("[1] deputy: I was away; if you clicked, click again."));
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
  deliveries_->poke();
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

}  // namespace
}  // namespace deputy::gateway
