#include "gateway/inbound/answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/workers.h"
#include "gateway/inbound/settle.h"
#include "gateway/people.h"
#include "run/journal/stored_rows.h"

namespace deputy::gateway {
namespace {

using interaction::Control;
using store::InteractionState;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using testing::UnorderedElementsAre;

template <class Kind>
Kind as(const channel::Verdict& verdict) {
  const Kind* found = std::get_if<Kind>(&verdict);
  EXPECT_NE(found, nullptr) << "verdict " << verdict.index();
  return found == nullptr ? Kind{} : *found;
}

class AnswersTest : public GatewayTest {};

TEST_F(AnswersTest, AnApproverSettlesInOneTransaction) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, restart(), "k7q2mx");
  EXPECT_EQ(as<channel::AnswerTaken>(clicks(kBo, asked.token(Control::approve_once))).words, "Approved.");
  const store::InteractionRow row = row_of(asked);
  EXPECT_EQ(row.state, InteractionState::approved);
  EXPECT_EQ(row.responded_by, "bo");
  const auto mail = last_of<run::Answered>(lease.run);
  EXPECT_EQ(mail.interaction, asked.id.text());
  EXPECT_EQ(mail.call, "call-1");
  EXPECT_EQ(mail.state, interaction::State::approved);
  EXPECT_EQ(mail.by, "bo");
  EXPECT_EQ(mail.grant, std::nullopt);
  EXPECT_THAT(sent(), ElementsAre("redraw"));
  const store::AuditRow audit = must(store_->audit({})).front();
  EXPECT_EQ(audit.kind, "approved");
  EXPECT_EQ(audit.person, "bo");
  EXPECT_EQ(audit.digest, row.digest);
  clock_.advance(std::chrono::hours(1));
  EXPECT_THAT(must(store_->take_due(10)).dues, IsEmpty());
}

TEST_F(AnswersTest, AClickByWhoeverMayNotChangesNothingAndIsAudited) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  for (const Control control : {Control::approve_once, Control::approve_for_thread, Control::deny}) {
    EXPECT_THAT(as<channel::Refused>(clicks(kCy, asked.token(control))).why, HasSubstr("not an approver"));
  }
  EXPECT_EQ(row_of(asked).state, InteractionState::pending);
  EXPECT_THAT(sent(), IsEmpty());
  EXPECT_THAT(audited(), ElementsAre("requested ana", "answer_refused slack:T1/U3", "answer_refused slack:T1/U3",
                                     "answer_refused slack:T1/U3"));
}

TEST_F(AnswersTest, TheRightIsThatOfTheMomentOfTheClick) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  settings(R"("policy": {"approvers": {"service_tools": ["ana"]}})");
  as<channel::Refused>(clicks(kBo, asked.token(Control::approve_once)));
  as<channel::AnswerTaken>(clicks(kAna, asked.token(Control::approve_once)));
}

TEST_F(AnswersTest, UnderATwoPersonRuleWhoeverAskedMayNot) {
  settings(R"("policy": {"approvers": {"service_tools": ["ana", "bo"]}, "requester_may_approve": false})");
  run::InteractionBody asking = restart();
  asking.askers = {"slack:T1/U1", "slack:T1/U2"};
  const Asked asked = ask(ana_asks(), asking, "k7q2mx");
  as<channel::Refused>(clicks(kAna, asked.token(Control::approve_once)));
  as<channel::Refused>(clicks(kBo, asked.token(Control::approve_once)));
  EXPECT_EQ(row_of(asked).state, InteractionState::pending);
}

TEST_F(AnswersTest, ASecondAnswerLearnsWhoWasFirst) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, restart(), "k7q2mx");
  as<channel::AnswerTaken>(clicks(kBo, asked.token(Control::deny_with_reason), "not now"));
  const auto already = as<channel::AlreadyAnswered>(clicks(kBo, asked.token(Control::approve_once)));
  EXPECT_EQ(already.by, "Bo");
  EXPECT_EQ(already.at, clock_.now());
  EXPECT_THAT(already.words, HasSubstr("Already denied by Bo"));
  EXPECT_THAT(kinds(lease.run), ElementsAre("received", "asked", "answered"));
  EXPECT_EQ(json::serialize(last_of<run::Answered>(lease.run).response), R"({"reason":"not now"})");
}

TEST_F(AnswersTest, OfManyClicksAtOnceExactlyOneSettles) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, restart(), "k7q2mx");
  for (int i = 0; i < 10; ++i) {
    channel::InboundAnswer answer;
    answer.key = "race" + std::to_string(i);
    answer.conversation = kThread;
    answer.place = place();
    answer.sender = account(kBo);
    answer.token = asked.token(i % 2 == 0 ? Control::approve_once : Control::deny);
    spawn(loop_.get_executor(), "click", click_at_once(std::move(answer)));
  }
  test::run_until(loop_, [&] { return ended_ == 10; });
  EXPECT_EQ(settled_, 1);
  EXPECT_THAT(kinds(lease.run), ElementsAre("received", "asked", "answered"));
}

TEST_F(AnswersTest, WhatIsNoLongerWhatWasShownCanOnlyBeDenied) {
  run::InteractionBody asking = restart();
  asking.approval = given(asking.approval);
  asking.approval->chain = "another chain";
  const Asked asked = ask(ana_asks(), asking, "k7q2mx");
  EXPECT_THAT(as<channel::Refused>(clicks(kBo, asked.token(Control::approve_once))).why,
              HasSubstr("changed while this was waiting"));
  EXPECT_EQ(row_of(asked).state, InteractionState::pending);
  as<channel::AnswerTaken>(clicks(kBo, asked.token(Control::deny)));
}

TEST_F(AnswersTest, AToolThatIsGoneCanOnlyBeDenied) {
  settings(R"("policy": {"approvers": {"gone_tool": ["bo"]}})");
  run::InteractionBody asking = restart();
  asking.approval = given(asking.approval);
  asking.approval->tool = "gone_tool";
  const Asked asked = ask(ana_asks(), asking, "k7q2mx");
  as<channel::Refused>(clicks(kBo, asked.token(Control::approve_once)));
  as<channel::AnswerTaken>(clicks(kBo, asked.token(Control::deny)));
  EXPECT_EQ(row_of(asked).state, InteractionState::denied);
}

TEST_F(AnswersTest, AfterItsTimeAnApprovalIsNotTaken) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  clock_.advance(std::chrono::minutes(30));
  EXPECT_THAT(as<channel::Refused>(clicks(kBo, asked.token(Control::approve_once))).why, HasSubstr("time"));
  EXPECT_EQ(row_of(asked).state, InteractionState::pending);
}

TEST_F(AnswersTest, ApproveForThisThreadGivesAGrantWithTheAnswer) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, restart(), "k7q2mx");
  EXPECT_EQ(as<channel::AnswerTaken>(clicks(kBo, asked.token(Control::approve_for_thread))).words,
            "Approved for this thread.");
  const std::vector<store::GrantRow> grants = must(store_->grants({}));
  ASSERT_EQ(grants.size(), 1U);
  const auto grant = run::read_grant(grants[0]);
  ASSERT_OK(grant);
  EXPECT_EQ(grant->grant.holder, "ana");
  EXPECT_EQ(grant->grant.by, "bo");
  EXPECT_EQ(grant->grant.pins, (std::map<std::string, std::string>{{"environment", "prod"}, {"service", "checkout"}}));
  EXPECT_EQ(grant->giver.key(), "slack:T1/U2");
  EXPECT_EQ(last_of<run::Answered>(lease.run).grant, grants[0].id.text());
}

TEST_F(AnswersTest, WhereNoGrantMayBeGivenNothingIsSettled) {
  run::InteractionBody asking = restart();
  asking.askers = {"slack:T1/U1", "slack:T1/U3"};
  const Asked asked = ask(ana_asks(), asking, "k7q2mx");
  EXPECT_THAT(as<channel::Refused>(clicks(kBo, asked.token(Control::approve_for_thread))).why,
              HasSubstr("a grant is for one requester"));
  EXPECT_EQ(row_of(asked).state, InteractionState::pending);
  EXPECT_THAT(must(store_->grants({})), IsEmpty());
}

TEST_F(AnswersTest, ApproveAllAnswersEachOnItsOwn) {
  const store::Lease lease = ana_asks();
  const Asked one = ask(lease, restart(), "k7q2mx", true, Then::works_on);
  const Asked two = ask(lease, restart(), "aaaaaa", false, Then::parks, &one);
  const std::string all = two.token(Control::approve_all);
  as<channel::AnswerTaken>(clicks(kBo, one.token(Control::deny)));
  as<channel::Refused>(clicks(kCy, all));
  EXPECT_EQ(row_of(two).state, InteractionState::pending);
  EXPECT_THAT(as<channel::AnswerTaken>(clicks(kBo, all)).words, HasSubstr("Approved 1 of 2. Already denied by Bo"));
  EXPECT_EQ(row_of(one).state, InteractionState::denied);
  EXPECT_EQ(row_of(two).state, InteractionState::approved);
}

TEST_F(AnswersTest, WhereAllAreApprovedNoMoreIsSaid) {
  const store::Lease lease = ana_asks();
  const Asked one = ask(lease, restart(), "k7q2mx", true, Then::works_on);
  const Asked two = ask(lease, restart(), "aaaaaa", false, Then::parks, &one);
  EXPECT_EQ(as<channel::AnswerTaken>(clicks(kBo, two.token(Control::approve_all))).words, "Approved 2 of 2.");
}

TEST_F(AnswersTest, WhereOneIsApprovedAndTheStoreHasNoTimeForTheOtherThatIsTold) {
  const store::Lease lease = ana_asks();
  const Asked one = ask(lease, restart(), "k7q2mx", true, Then::works_on);
  const Asked two = ask(lease, restart(), "aaaaaa", false, Then::parks, &one);
  const std::string all = two.token(Control::approve_all);
  failing_.fail("answer", 2, test::store_is_busy());
  EXPECT_EQ(as<channel::AnswerTaken>(clicks(kBo, all)).words, "Approved 1 of 2. Database: database is locked.");
  EXPECT_EQ(row_of(two).state, InteractionState::pending);
  EXPECT_THAT(as<channel::AnswerTaken>(clicks(kBo, all)).words, HasSubstr("Approved 1 of 2. Already approved by Bo"));
  EXPECT_EQ(row_of(two).state, InteractionState::approved);
}

TEST_F(AnswersTest, AClickThatTheStoreHasNoTimeForChangesNothingAndMayComeAgain) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  channel::InboundAnswer click;
  click.key = "c1";
  click.conversation = kThread;
  click.place = place();
  click.sender = account(kBo);
  click.token = asked.token(Control::approve_once);
  for (const char* method : {"token", "answer"}) {
    failing_.fail(method, 1, test::store_is_full());
    const Result<channel::Verdict> verdict = await(dispatcher_.answer(click));
    ASSERT_FALSE(verdict) << method;
    EXPECT_EQ(verdict.error(), test::store_is_full());
    EXPECT_EQ(row_of(asked).state, InteractionState::pending);
  }
  as<channel::AnswerTaken>(must(dispatcher_.answer(click)));
  EXPECT_EQ(row_of(asked).state, InteractionState::approved);
}

TEST_F(AnswersTest, TheWritesOfOneTurnShareACardAndApproveAllIsOfferedWhileSeveralWait) {
  const store::Lease lease = ana_asks();
  const Asked one = ask(lease, restart(), "k7q2mx", true, Then::works_on);
  const Asked two = ask(lease, restart(), "aaaaaa", false, Then::parks, &one);
  StoredCards cards(parts_);
  const auto offers_all = [&] {
    const channel::Card card = given(must(cards.card(two.id)));
    EXPECT_EQ(card.interactions.size(), 2U);
    EXPECT_EQ(card.interactions.at(0).id, one.id);
    return std::ranges::any_of(card.interactions.at(1).controls, [](const channel::ShownControl& control) {
      return control.action.control == Control::approve_all;
    });
  };
  EXPECT_TRUE(offers_all());
  as<channel::AnswerTaken>(clicks(kBo, one.token(Control::approve_once)));
  EXPECT_FALSE(offers_all());
}

TEST_F(AnswersTest, TheWholeTextIsShownAndSettlesNothing) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  EXPECT_THAT(as<channel::ShowText>(clicks(kAna, asked.token(Control::show_whole))).markdown, HasSubstr("checkout"));
  EXPECT_EQ(row_of(asked).state, InteractionState::pending);
}

TEST_F(AnswersTest, ATokenThatNobodyKnowsDoesNothing) {
  as<channel::Refused>(clicks(kBo, "not a token"));
  as<channel::Refused>(clicks(kBo, "00000000000000000000"));
}

TEST_F(AnswersTest, WhatHasExpiredIsAskedAgainOnceAsARequestOfWhoeverClicked) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  as<channel::Refused>(clicks(kCy, asked.token(Control::ask_again)));
  clock_.advance(std::chrono::minutes(31));
  must(dues_.take());
  as<channel::AnswerTaken>(clicks(kCy, asked.token(Control::ask_again)));
  as<channel::AnswerTaken>(clicks(kAna, asked.token(Control::ask_again)));
  ASSERT_EQ(runs().size(), 2U);
  const run::Received received = received_by(runs()[0].run);
  EXPECT_EQ(received.requester, "slack:T1/U3");
  EXPECT_THAT(received.text, HasSubstr("restart_service"));
  EXPECT_THAT(received.text, HasSubstr("checkout"));
}

TEST_F(AnswersTest, WhatIsAskedAgainIsAcknowledgedLikeAnyRequest) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  clock_.advance(std::chrono::minutes(31));
  must(dues_.take());
  sent();
  as<channel::AnswerTaken>(clicks(kAna, asked.token(Control::ask_again)));
  EXPECT_THAT(sent(), ElementsAre("acknowledgement"));
  EXPECT_EQ(received_by(runs()[0].run).suspicion, std::nullopt);
  EXPECT_EQ(audited().back(), "asked_again ana");
}

TEST_F(AnswersTest, WhatASuspiciousRunAskedIsSuspiciousWhenItIsAskedAgainAndTheAlertChannelHears) {
  run::InteractionBody asking = restart();
  asking.suspicious = true;
  const Asked asked = ask(ana_asks(), asking, "k7q2mx");
  clock_.advance(std::chrono::minutes(31));
  must(dues_.take());
  sent();
  as<channel::AnswerTaken>(clicks(kCy, asked.token(Control::ask_again)));
  const std::string why = "the run that first asked for it was suspicious";
  EXPECT_EQ(received_by(runs()[0].run).suspicion, why);
  EXPECT_THAT(sent(), UnorderedElementsAre("acknowledgement", AllOf(StartsWith("alerts: "),
                                                                    HasSubstr("from slack:T1/U3"), HasSubstr(why))));
}

TEST_F(AnswersTest, WhileItIsPausedNothingIsAskedAgain) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  clock_.advance(std::chrono::minutes(31));
  must(dues_.take());
  must(store_->set_brake({store::Pause::all, "dee", clock_.now()}, {}));
  EXPECT_THAT(as<channel::Refused>(clicks(kAna, asked.token(Control::ask_again))).why,
              HasSubstr("I was paused by dee"));
  EXPECT_EQ(runs().size(), 1U);
  must(store_->set_brake({store::Pause::off, "dee", clock_.now()}, {}));
  EXPECT_EQ(as<channel::AnswerTaken>(clicks(kAna, asked.token(Control::ask_again))).words, "Asked again.");
  EXPECT_EQ(runs().size(), 2U);
}

TEST_F(AnswersTest, AWholeFormIsSubmittedWithItsOwnWordsRedacted) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, form(), "");
  EXPECT_THAT(as<channel::Invalid>(clicks(kAna, asked.token(Control::submit), "", {{"env", {{"mars"}, ""}}})).problems,
              ElementsAre(channel::InvalidAnswer{0, "env", "that option was not offered"}));
  EXPECT_EQ(row_of(asked).state, InteractionState::pending);
  as<channel::AnswerTaken>(
      clicks(kAna, asked.token(Control::submit), "",
             {{"env", {{"prod"}, ""}}, {"why", {{}, "ghp_0123456789abcdefghijABCDEFGHIJ0123456"}}}));
  const auto mail = last_of<run::Answered>(lease.run);
  EXPECT_THAT(json::serialize(mail.response), HasSubstr("[redacted:"));
  EXPECT_EQ(mail.by, "ana");
}

TEST_F(AnswersTest, LargeOwnWordsAreRedactedOffTheLoop) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, form(), "");
  std::string large = "token ghp_0123456789abcdefghijABCDEFGHIJ0123456\n";
  while (large.size() < 70'000) large += "checkout is slow\n";
  const std::int64_t before = large_text_workers().taken();
  (void)clicks(kAna, asked.token(Control::submit), "", {{"env", {{"prod"}, ""}}, {"why", {{}, large}}});
  EXPECT_EQ(large_text_workers().taken() - before, 1);
}

TEST_F(AnswersTest, OwnWordsThatAreNoTextAreKeptAsText) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, form(), "");
  as<channel::AnswerTaken>(
      clicks(kAna, asked.token(Control::submit), "", {{"env", {{"prod"}, ""}}, {"why", {{}, "caf\xe9"}}}));
  EXPECT_THAT(json::serialize(last_of<run::Answered>(lease.run).response), HasSubstr("caf\uFFFD"));
}

TEST_F(AnswersTest, AFormIsAnsweredQuestionByQuestion) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, form(), "");
  EXPECT_THAT(as<channel::ShowText>(clicks(kAna, asked.token("option:0:1"))).markdown, HasSubstr("Why?"));
  // A view that is behind, or a second press, moves nothing on.
  EXPECT_THAT(as<channel::ShowText>(clicks(kAna, asked.token("option:0:0"))).markdown, HasSubstr("Why?"));
  EXPECT_THAT(as<channel::ShowText>(clicks(kAna, asked.token(Control::own_words))).markdown, HasSubstr("own words"));
  as<channel::AnswerTaken>(clicks(kAna, asked.token("done:1")));
  EXPECT_EQ(json::serialize(last_of<run::Answered>(lease.run).response),
            R"({"answers":[{"question_label":"env","answer":"staging","is_custom":false}],"completed":true})");
}

TEST_F(AnswersTest, SkippingKeepsWhatWasAnswered) {
  const store::Lease lease = ana_asks();
  const Asked asked = ask(lease, form(), "");
  clicks(kAna, asked.token("option:0:1"));
  EXPECT_EQ(as<channel::AnswerTaken>(clicks(kAna, asked.token(Control::skip))).words, "Skipped.");
  EXPECT_EQ(json::serialize(last_of<run::Answered>(lease.run).response),
            R"({"answers":[{"question_label":"env","answer":"staging","is_custom":false}],)"
            R"("completed":false,"reason":"skipped by Ana"})");
}

TEST_F(AnswersTest, OnlyTheRequesterAnswersAFormUnlessSettingsSayOtherwise) {
  const Asked asked = ask(ana_asks(), form(), "");
  as<channel::Refused>(clicks(kBo, asked.token(Control::skip)));
  EXPECT_EQ(row_of(asked).state, InteractionState::pending);
  settings(R"("questions": {"anyone": true})");
  as<channel::AnswerTaken>(clicks(kBo, asked.token(Control::skip)));
}

TEST_F(AnswersTest, WhenAFormIsOverTheNextOneIsShown) {
  const store::Lease lease = ana_asks();
  const Asked first = ask(lease, form(), "", true, Then::works_on);
  const Asked second = ask(lease, form(), "", false);
  EXPECT_THAT(must(store_->views(second.id)), IsEmpty());
  as<channel::AnswerTaken>(clicks(kAna, first.token(Control::skip)));
  EXPECT_EQ(must(store_->views(second.id)).size(), 1U);
  must(show_next_form(parts_, kThread));
  EXPECT_EQ(must(store_->views(second.id)).size(), 1U);
}

TEST_F(AnswersTest, ACardShowsWhatMayBePressedAsItStands) {
  const Asked asked = ask(ana_asks(), restart(), "k7q2mx");
  StoredCards cards(parts_);
  const auto controls = [&] {
    std::vector<Control> found;
    const channel::Card card = given(must(cards.card(asked.id)));
    for (const auto& control : card.interactions.at(0).controls) found.push_back(control.action.control);
    return found;
  };
  EXPECT_THAT(controls(), ElementsAre(Control::approve_once, Control::approve_for_thread, Control::deny,
                                      Control::deny_with_reason, Control::show_whole));
  const channel::Card card = given(must(cards.card(asked.id)));
  EXPECT_THAT(card.notification, HasSubstr("Ana asks: restart_service"));
  EXPECT_EQ(card.approvers, (channel::Mentions{{account(kBo)}, {}}));
  clock_.advance(std::chrono::minutes(31));
  must(dues_.take());
  EXPECT_THAT(controls(), ElementsAre(Control::ask_again));
  EXPECT_EQ(must(cards.card(InteractionId::make(clock_.now()))).has_value(), false);
}

TEST_F(AnswersTest, ASettledFormShowsItsAnswersAndByWhom) {
  const Asked asked = ask(ana_asks(), form(), "");
  StoredCards cards(parts_);
  clicks(kAna, asked.token("option:0:1"));
  channel::Card card = given(must(cards.card(asked.id)));
  EXPECT_EQ(std::get<channel::ShownQuestions>(card.interactions.at(0).what).draft.current, 1U);
  clicks(kAna, asked.token(Control::skip));
  card = given(must(cards.card(asked.id)));
  const auto& shown = std::get<channel::ShownQuestions>(card.interactions.at(0).what);
  const interaction::FormResult settled = given(shown.settled);
  EXPECT_EQ(settled.answers.size(), 1U);
  EXPECT_EQ(settled.reason, "skipped by Ana");
  EXPECT_EQ(shown.settled_by, "Ana");
  EXPECT_THAT(card.interactions.at(0).controls, IsEmpty());
}

}  // namespace
}  // namespace deputy::gateway
