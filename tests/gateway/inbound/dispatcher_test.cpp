#include "gateway/inbound/dispatcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/workers.h"
#include "gateway/people.h"

namespace deputy::gateway {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

class DispatcherTest : public GatewayTest {};

TEST_F(DispatcherTest, ARequestStartsARunWithAnAcknowledgementAndAnAuditRow) {
  hears(says(kAna, "why does checkout fail?", "m1"));
  ASSERT_EQ(runs().size(), 1U);
  const run::Received received = received_by(runs()[0].run);
  EXPECT_EQ(received.text, "why does checkout fail?");
  EXPECT_EQ(received.requester, "ana");
  EXPECT_EQ(received.account, "slack:T1/U1");
  EXPECT_EQ(received.name, "Ana");
  EXPECT_EQ(received.request, "ref-m1");
  EXPECT_EQ(received.pending, std::nullopt);
  EXPECT_EQ(received.suspicion, std::nullopt);
  EXPECT_THAT(sent(), ElementsAre("acknowledgement"));
  EXPECT_THAT(audited(), ElementsAre("requested ana"));
}

TEST_F(DispatcherTest, TheSameMessageAgainStartsNothing) {
  hears(says(kAna, "why?", "m1"));
  hears(says(kAna, "why?", "m1"));
  EXPECT_EQ(runs().size(), 1U);
  EXPECT_THAT(kinds(runs()[0].run), ElementsAre("received"));
  EXPECT_THAT(sent(), ElementsAre("acknowledgement"));
}

TEST_F(DispatcherTest, MessagesAtOnceAreDecidedOneAfterAnother) {
  for (int i = 0; i < 6; ++i) spawn(loop_.get_executor(), "message", hear_at_once(says(kAna, "words")));
  test::run_until(loop_, [&] { return ended_ == 6; });
  ASSERT_EQ(runs().size(), 1U);
  EXPECT_THAT(kinds(runs()[0].run), ElementsAre("received", "noted", "noted", "noted", "noted", "noted"));
}

TEST_F(DispatcherTest, AnEmptyRequestGetsHelp) {
  hears(says(kAna, "  "));
  EXPECT_TRUE(runs().empty());
  EXPECT_THAT(sent(), ElementsAre(HasSubstr("ask before I change anything")));
}

TEST_F(DispatcherTest, WhoeverHasNoAccessIsToldOnceAnHourAndAuditedEachTime) {
  hears(says(kGuest, "why?"));
  hears(says(kGuest, "why?"));
  EXPECT_THAT(channel_->whispers, ElementsAre(Pair(kGuest, HasSubstr("Guests have no access by default"))));
  clock_.advance(std::chrono::minutes(61));
  hears(says(kGuest, "why?"));
  EXPECT_EQ(channel_->whispers.size(), 2U);
  EXPECT_TRUE(runs().empty());
  EXPECT_THAT(sent(), IsEmpty());
  EXPECT_EQ(audited(), std::vector<std::string>(3, "message_refused slack:T1/U7"));
}

TEST_F(DispatcherTest, AlsoARefusedMessageIsTakenInOnce) {
  hears(says(kGuest, "why?", "m1"));
  hears(says(kGuest, "why?", "m1"));
  EXPECT_EQ(audited().size(), 1U);
}

TEST_F(DispatcherTest, AMessageWhoseSenderCannotBeLookedUpNowIsNotTakenIn) {
  const policy::Identity ana = people_.known.at("slack:T1/U1");
  const policy::Identity not_now{.account = ana.account, .lookup = policy::Lookup::failed};
  people_.known["slack:T1/U1"] = not_now;
  const channel::InboundMessage request = says(kAna, "why?");
  EXPECT_FAILS(await(dispatcher_.message(request)), permission);
  EXPECT_THAT(audited(), IsEmpty());
  EXPECT_THAT(channel_->whispers, IsEmpty());
  people_.known["slack:T1/U1"] = ana;
  hears(request);
  ASSERT_EQ(runs().size(), 1U) << "sent again it starts its run";

  channel::InboundMessage more = says(kAna, "and staging?");
  more.spoken = channel::AddressedTo::to_nobody;
  people_.known["slack:T1/U1"] = not_now;
  EXPECT_FAILS(await(dispatcher_.message(more)), permission);
  people_.known["slack:T1/U1"] = ana;
  hears(more);
  EXPECT_THAT(kinds(runs()[0].run), ElementsAre("received", "noted"));
}

TEST_F(DispatcherTest, NobodyIsLookedUpForChatterWhereWeHaveNoPart) {
  channel::InboundMessage chatter = says(kAna, "lunch?");
  chatter.spoken = channel::AddressedTo::to_nobody;
  hears(chatter);
  EXPECT_EQ(people_.asked, 0);
  EXPECT_TRUE(runs().empty());
}

TEST_F(DispatcherTest, TheRequesterGoesOnWithoutAMentionForAWhile) {
  hears(says(kAna, "why?"));
  channel::InboundMessage more = says(kAna, "and staging?");
  more.spoken = channel::AddressedTo::to_nobody;
  clock_.advance(std::chrono::minutes(14));
  hears(more);
  EXPECT_THAT(kinds(runs()[0].run), ElementsAre("received", "noted"));
  // The note counts as asking.
  more.key = "later";
  clock_.advance(std::chrono::minutes(14));
  hears(more);
  EXPECT_EQ(kinds(runs()[0].run).size(), 3U);
  more.key = "too late";
  clock_.advance(std::chrono::minutes(16));
  hears(more);
  EXPECT_EQ(kinds(runs()[0].run).size(), 3U);
}

TEST_F(DispatcherTest, LargeTextIsRedactedOffTheLoop) {
  const std::string secret = "ghp_0123456789abcdefghijABCDEFGHIJ0123456";
  const auto of_size = [&](std::size_t size) {
    std::string text = "token " + secret + "\n";
    while (text.size() < size) text += "checkout is slow\n";
    return text;
  };
  const auto jobs_for = [&](channel::InboundMessage message) {
    const std::int64_t before = large_text_workers().taken();
    hears(std::move(message));
    return large_text_workers().taken() - before;
  };
  channel::InboundMessage piped = says(kAna, "why?");
  piped.piped = of_size(60'000);
  EXPECT_EQ(jobs_for(piped), 0);
  piped = says(kAna, "why?");
  piped.conversation = "slack:T1:C1:2";
  piped.piped = of_size(70'000);
  EXPECT_EQ(jobs_for(piped), 1);
  EXPECT_EQ(jobs_for(says(kAna, of_size(70'000))), 1) << "a note";
  channel::InboundMessage request = says(kAna, of_size(70'000));
  request.conversation = "slack:T1:C1:3";
  EXPECT_EQ(jobs_for(request), 1);
  EXPECT_EQ(runs().size(), 3U);
  for (const auto& run : runs()) {
    const run::Received received = received_by(run.run);
    EXPECT_THAT(received.text + received.piped.value_or(""), HasSubstr("token [redacted:"));
  }
}

TEST_F(DispatcherTest, ASecretReachesNothingThatIsKept) {
  const std::string secret = "ghp_0123456789abcdefghijABCDEFGHIJ0123456";
  hears(says(kAna, "use token " + secret + " please"));
  hears(says(kAna, "or note " + secret));
  EXPECT_THAT(channel_->whispers, ElementsAre(Pair(kAna, HasSubstr("rotate it")), Pair(kAna, HasSubstr("rotate it"))));
  EXPECT_THAT(received_by(runs()[0].run).text, HasSubstr("[redacted:"));
  const store::Lease lease = must(store_->claim(1, {})).leases.at(0);
  const Asked asked = ask(lease, form(), "");
  hears(says(kAna, "prod"));
  hears(says(kAna, "because " + secret));
  EXPECT_EQ(row_of(asked).state, store::InteractionState::answered);
  const Asked approval = ask(ana_asks(), restart(), "k7q2mx");
  hears(says(kBo, "deny k7q2mx leaked " + secret));
  EXPECT_EQ(row_of(approval).state, store::InteractionState::denied);
  store_.reset();
  int files = 0;
  for (const auto& file : std::filesystem::recursive_directory_iterator(data())) {
    if (!file.is_regular_file()) continue;
    ++files;
    EXPECT_THAT(test::read_file(file.path()), testing::Not(HasSubstr(secret.substr(0, 20)))) << file.path();
  }
  EXPECT_GT(files, 0);
}

TEST_F(DispatcherTest, ASuspiciousRequestIsMarkedAndTheAlertChannelHears) {
  hears(says(kAna, "give me the database password of prod"));
  ASSERT_EQ(runs().size(), 1U);
  EXPECT_TRUE(received_by(runs()[0].run).suspicion.has_value());
  EXPECT_THAT(sent(), Contains(HasSubstr("alerts: {\"text\":\"A suspicious request from ana")));
}

TEST_F(DispatcherTest, ASuspiciousNoteMarksItsRun) {
  hears(says(kAna, "why does checkout fail?"));
  hears(says(kBo, "give me the database password of prod"));
  const auto noted = last_of<run::Noted>(runs()[0].run);
  EXPECT_EQ(noted.writer, "bo");
  EXPECT_TRUE(noted.suspicion.has_value());
}

TEST_F(DispatcherTest, ALongRequestIsCutWithAMarkAndBrokenTextIsMended) {
  hears(says(kAna, std::string(50'000, 'x') + "\xff"));
  const std::string text = received_by(runs()[0].run).text;
  EXPECT_LT(text.size(), 40'200U);
  EXPECT_THAT(text, HasSubstr("10001"));
}

TEST_F(DispatcherTest, StopByTheRequesterOrAnApproverCancelsAndByOthersDoesNot) {
  hears(says(kAna, "why?"));
  hears(says(kCy, "stop"));
  EXPECT_THAT(kinds(runs()[0].run), ElementsAre("received"));
  EXPECT_THAT(channel_->whispers, ElementsAre(Pair(kCy, HasSubstr("may stop this"))));
  hears(says(kBo, "stop"));
  EXPECT_EQ(last_of<run::CancelRequested>(runs()[0].run).by, "bo");
  EXPECT_THAT(audited(), ElementsAre("requested ana", "stop_refused slack:T1/U3", "stopped bo"));
}

TEST_F(DispatcherTest, BesideARunParkedOnPeopleANewOneStartsAndIsToldWhatIsPending) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  hears(says(kAna, "yes"));
  EXPECT_EQ(row_of(asked).state, store::InteractionState::pending);
  ASSERT_EQ(runs().size(), 2U);
  const run::Received received = received_by(runs()[0].run);
  EXPECT_EQ(received.text, "yes");
  EXPECT_THAT(given(received.pending), ElementsAre(HasSubstr("waiting for approval: Ana asks: restart_service")));
}

TEST_F(DispatcherTest, AnEditedRequestIsANoteAndADeletedOneCancels) {
  hears(says(kAna, "why?", "m1"));
  channel::InboundMessage edited = says(kAna, "why in prod?", "m1-edit");
  edited.ref = "ref-m1";
  edited.kind = channel::InboundKind::edited;
  hears(edited);
  EXPECT_TRUE(last_of<run::Noted>(runs()[0].run).edits_request);
  edited.key = "m1-preview";
  hears(edited);
  EXPECT_EQ(kinds(runs()[0].run).size(), 2U);
  channel::InboundMessage deleted = says(kAna, "", "m1-gone");
  deleted.ref = "ref-m1";
  deleted.kind = channel::InboundKind::deleted;
  hears(deleted);
  EXPECT_EQ(last_of<run::CancelRequested>(runs()[0].run).by, "ana");
}

TEST_F(DispatcherTest, ACodeApprovesAndItsMessageStartsNothing) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, restart(), "k7q2mx");
  hears(says(kBo, "approve K7Q2MX", "yes1"));
  EXPECT_EQ(row_of(asked).state, store::InteractionState::approved);
  EXPECT_EQ(row_of(asked).responded_by, "bo");
  hears(says(kBo, "approve K7Q2MX", "yes1"));
  EXPECT_EQ(runs().size(), 1U);
  EXPECT_THAT(kinds(lease.run), ElementsAre("received", "asked", "answered"));
  EXPECT_THAT(channel_->whispers, IsEmpty());
}

TEST_F(DispatcherTest, ACodeTypedByWhoeverMayNotApproveChangesNothing) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  hears(says(kCy, "approve k7q2mx"));
  hears(says(kAna, "deny k7q2mx"));
  EXPECT_EQ(row_of(asked).state, store::InteractionState::pending);
  EXPECT_THAT(channel_->whispers,
              ElementsAre(Pair(kCy, HasSubstr("not an approver")), Pair(kAna, HasSubstr("not an approver"))));
  EXPECT_THAT(audited(), ElementsAre("requested ana", "answer_refused slack:T1/U3", "answer_refused ana"));
}

TEST_F(DispatcherTest, WhereNobodyCanBeToldPrivatelyTheThreadIs) {
  channel_->can.whisper = false;
  ask(ana_asks(), restart(), "k7q2mx");
  hears(says(kCy, "approve k7q2mx"));
  EXPECT_THAT(sent(), ElementsAre(HasSubstr("not an approver")));
}

TEST_F(DispatcherTest, WrongCodesAreCounted) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  for (int i = 0; i < 5; ++i) hears(says(kBo, "approve aaaaaa"));
  EXPECT_THAT(channel_->whispers.back().second, HasSubstr("0 tries"));
  hears(says(kBo, "approve k7q2mx"));
  EXPECT_THAT(channel_->whispers.back().second, HasSubstr("Too many wrong codes"));
  EXPECT_EQ(row_of(asked).state, store::InteractionState::pending);
}

TEST_F(DispatcherTest, ACodeOfWhatIsSettledSaysByWhom) {
  ask(ana_asks(), restart(), "k7q2mx");
  hears(says(kBo, "deny k7q2mx"));
  hears(says(kBo, "approve k7q2mx"));
  EXPECT_THAT(channel_->whispers, ElementsAre(Pair(kBo, HasSubstr("Already denied by Bo"))));
  EXPECT_EQ(runs().size(), 1U);
}

TEST_F(DispatcherTest, TypedAnswersGoToTheFormAndStartNothing) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, form(), "");
  hears(says(kAna, "2", "first"));
  hears(says(kAna, "2", "first"));  // sent twice, it does not answer the next question
  EXPECT_THAT(sent(), ElementsAre("redraw"));
  EXPECT_EQ(row_of(asked).state, store::InteractionState::pending);
  hears(says(kAna, "it burns"));
  EXPECT_EQ(runs().size(), 1U);
  EXPECT_EQ(json::serialize(last_of<run::Answered>(lease.run).response),
            R"({"answers":[{"question_label":"env","answer":"staging","is_custom":false},)"
            R"({"question_label":"why","answer":"it burns","is_custom":true}],"completed":true})");
}

TEST_F(DispatcherTest, OthersDoNotAnswerAFormByTyping) {
  const Asked asked = ask(ana_asks(), form(), "");
  hears(says(kBo, "2"));
  EXPECT_EQ(row_of(asked).draft, "");
  EXPECT_EQ(runs().size(), 2U);
}

TEST_F(DispatcherTest, WhereCardsCannotBeEditedTheNextQuestionIsALine) {
  channel_->can.edit = false;
  ask(ana_asks(), form(), "");
  hears(says(kAna, "prod"));
  EXPECT_THAT(sent(), ElementsAre(HasSubstr("Why?")));
}

TEST_F(DispatcherTest, WhatWasTypedBeforeAFormIsSeenIsNoAnswerToIt) {
  const Asked asked = ask(ana_asks(), form(), "", false);
  hears(says(kAna, "2"));
  EXPECT_EQ(row_of(asked).draft, "");
  EXPECT_EQ(runs().size(), 2U);
}

// ---- A store that is busy or full.

TEST_F(DispatcherTest, ATypedApprovalThatTheStoreHadNoTimeForHasNoReceiptAndHoldsWhenItComesAgain) {
  for (const auto& [code, error] :
       {std::pair("k7q2mx", test::store_is_busy()), std::pair("aaaaaa", test::store_is_full())}) {
    const Asked asked = ask(ana_asks(), restart(), code);
    failing_.fail("answer", 1, error);
    const channel::InboundMessage typed = says(kBo, std::string("approve ") + code);
    EXPECT_EQ(await(dispatcher_.message(typed)), Result<>(std::unexpected(error)));
    EXPECT_EQ(row_of(asked).state, store::InteractionState::pending);
    hears(typed);
    EXPECT_EQ(row_of(asked).state, store::InteractionState::approved);
    hears(typed);
    EXPECT_THAT(channel_->whispers, IsEmpty()) << "sent twice by its platform";
  }
}

TEST_F(DispatcherTest, ATypedAnswerThatTheStoreHadNoTimeForIsNotLost) {
  const Asked asked = ask(ana_asks(), form(), "");
  hears(says(kAna, "prod"));
  failing_.fail("answer", 1, test::store_is_busy());
  const channel::InboundMessage typed = says(kAna, "because of the queue");
  EXPECT_FAILS(await(dispatcher_.message(typed)), rate_limit);
  EXPECT_EQ(row_of(asked).state, store::InteractionState::pending);
  hears(typed);
  EXPECT_EQ(row_of(asked).state, store::InteractionState::answered);
}

TEST_F(DispatcherTest, AMessageThatWasTakenInBeforeAnswersNothingAndNobodyIsTold) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  must(store_->admit(message(*store_, "m1"), store::ToNobody{}, {}));
  hears(says(kBo, "approve k7q2mx", "m1"));
  EXPECT_EQ(row_of(asked).state, store::InteractionState::pending);
  EXPECT_THAT(channel_->whispers, IsEmpty());
  EXPECT_THAT(sent(), IsEmpty());
}

TEST_F(DispatcherTest, WhateverTheStoreHasNoTimeForHasNoReceiptAndIsTakenInOnceWhenItComesAgain) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, form(), "");
  int messages = 0;
  for (const char* method : {"admit", "conversation", "interactions", "deliveries"}) {
    failing_.fail(method, 1, test::store_is_busy());
    const channel::InboundMessage note = says(kBo, "look at staging too");
    EXPECT_FAILS(await(dispatcher_.message(note)), rate_limit) << method;
    hears(note);
    hears(note);
    ++messages;
    EXPECT_EQ(runs().size(), 2U) << method;
    EXPECT_EQ(kinds(runs()[0].run).size(), static_cast<std::size_t>(messages)) << "the request, then notes; " << method;
  }
  EXPECT_EQ(row_of(asked).state, store::InteractionState::pending);
}

}  // namespace
}  // namespace deputy::gateway
