// Cards on their way to people: shown, redrawn wherever they stand, and written out where they are refused.
#include <gmock/gmock.h>

#include "gateway/delivery_bench.h"

namespace deputy::gateway {
namespace {

using store::DeliveryState;
using test::Step;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class CardsTest : public DeliveryBench {
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
  store::DeliveryRow redraw() {
    store::DeliveryRow row = owe(run::RedrawDelivery{id_.text()});
    row.interaction = id_;
    return row;
  }
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

TEST_F(CardsTest, ARedrawThatALaterOneOvertakesIsNotSent) {
  const RunId run = run_that_owes({card()});
  deliver();
  Error limited{ErrorKind::rate_limit, "slow down", "", true};
  limited.retry_after = std::chrono::seconds(5);
  channel_->fails(Step::redraw, limited);
  later(run, {redraw()});
  deliver();
  settle();
  later(run, {redraw(), redraw(), notice("next")});
  deliver_after(std::chrono::seconds(5));
  EXPECT_THAT(seen(), StartsWith("[1] deputy: **Denied** by **Bo**"));
  EXPECT_THAT(seen(), HasSubstr("deputy: next\n"));
  EXPECT_EQ(channel_->calls(Step::redraw), 2) << "the one that was limited, and the last";
  EXPECT_EQ(deliveries_->counts().overtaken, 2);
}

const Error kCutOff{ErrorKind::network, "cut off"};

TEST_F(CardsTest, ACardSettledWhileInDoubtIsFoundAndRedrawn) {
  channel_->fails(Step::show, kCutOff, test::Posted::yes);
  const RunId run = run_that_owes({card("scripted:C2:1"), notice("Waiting.")});
  deliver();
  settle();
  later(run, {redraw()});
  deliver();
  EXPECT_THAT(seen("scripted:C2:1"), HasSubstr("[deny]")) << "nobody knows yet that it stands there";
  deliver_after(std::chrono::seconds(15));
  EXPECT_THAT(seen("scripted:C2:1"), StartsWith("[1] deputy: **Denied** by **Bo**"));
  EXPECT_THAT(seen("scripted:C2:1"), testing::Not(HasSubstr("[deny]")));
  EXPECT_EQ(refs_of(must(store_->views(id_)).at(0).ref), std::vector<std::string>{"1"});
}

TEST_F(CardsTest, ACardSettledWhileInDoubtThatNeverArrivedIsNotShown) {
  channel_->fails(Step::show, kCutOff, test::Posted::no);
  const RunId run = run_that_owes({card()});
  deliver();
  settle();
  deliver_after(std::chrono::seconds(15));
  deliver_after(std::chrono::seconds(5));
  EXPECT_EQ(seen(), "");
  EXPECT_EQ(channel_->calls(Step::show), 1);
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent));
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
  EXPECT_THAT(seen(kAlerts), HasSubstr("I could not post a question for run"));
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::dead));
}

TEST_F(CardsTest, WithoutButtonsAndEditingALineSaysOnceHowItWasSettled) {
  channel_->can = {};
  const RunId run = run_that_owes({card()});
  deliver();
  settle();
  later(run, {redraw()});
  deliver();
  deliver_after(std::chrono::minutes(1));
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

}  // namespace
}  // namespace deputy::gateway
