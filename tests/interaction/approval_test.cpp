#include "interaction/approval.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::interaction {
namespace {

constexpr Timestamp at(int minute) { return Timestamp{std::chrono::minutes{minute}}; }

const Pending kPending{.digest = "d1", .expires_at = at(30), .may_grant = true};
const Pending kOnceOnly{.digest = "d1", .expires_at = at(30), .may_grant = false};
const Settled kDeniedByBo{State::denied, "bo", at(5), Scope::once, "too risky"};

struct Row {
  std::string name;
  ApprovalState before;
  ApprovalEvent event;
  Decision expected;
};

Approve approves(std::string by, bool may_approve, std::string digest, Timestamp when = at(1),
                 Scope scope = Scope::once) {
  return {std::move(by), may_approve, std::move(digest), when, scope};
}

class ApprovalDecision : public testing::TestWithParam<Row> {};

TEST_P(ApprovalDecision, Is) { EXPECT_EQ(decide(GetParam().before, GetParam().event), GetParam().expected); }

INSTANTIATE_TEST_SUITE_P(
    Approval, ApprovalDecision,
    testing::Values(
        Row{"AnApproverSaysYes",
            kPending,
            approves("bo", true, "d1"),
            {Settled{State::approved, "bo", at(1), Scope::once, ""}}},
        Row{"StrangersClickChangesNothing",
            kPending,
            approves("eve", false, "d1"),
            {kPending, Refusal::not_an_approver}},
        Row{"StrangersDenialChangesNothing",
            kPending,
            Deny{"eve", false, at(1), "no"},
            {kPending, Refusal::not_an_approver}},
        Row{"ApprovalHoldsForTheseArgumentsOnly",
            kPending,
            approves("bo", true, "d2"),
            {kPending, Refusal::arguments_changed}},
        Row{"ApprovalWithoutADigestIsNone", kPending, approves("bo", true, ""), {kPending, Refusal::arguments_changed}},
        Row{"FirstAnswerWins", kDeniedByBo, approves("cy", true, "d1"), {kDeniedByBo, Refusal::already_settled}},
        Row{"ASecondAnswerByTheSamePersonChangesNothing",
            kDeniedByBo,
            approves("bo", true, "d1"),
            {kDeniedByBo, Refusal::already_settled}},
        Row{"ADenialKeepsItsReason", kPending, Deny{"bo", true, at(5), "too risky"}, {kDeniedByBo}},
        Row{"TimeDeniesWhatNobodyAnswered",
            kPending,
            Expire{at(30)},
            {Settled{State::expired, "", at(30), Scope::once, ""}}},
        Row{"AnExpiryThatWasMovedWaits", kPending, Expire{at(29)}, {kPending, Refusal::not_yet}},
        Row{"AnApprovalAfterItsTimeIsRefusedEvenBeforeTheDueIsTaken",
            kPending,
            approves("bo", true, "d1", at(30)),
            {kPending, Refusal::expired}},
        Row{"ADenialAfterItsTimeIsRefused", kPending, Deny{"bo", true, at(31), ""}, {kPending, Refusal::expired}},
        Row{"AnExpiryAfterAnAnswerChangesNothing",
            kDeniedByBo,
            Expire{at(30)},
            {kDeniedByBo, Refusal::already_settled}},
        Row{"ACancelledRunCancelsItsApproval",
            kPending,
            Cancel{"ana", at(3)},
            {Settled{State::cancelled, "ana", at(3), Scope::once, ""}}},
        Row{"ACancelAfterAnAnswerChangesNothing",
            kDeniedByBo,
            Cancel{"ana", at(9)},
            {kDeniedByBo, Refusal::already_settled}},
        Row{"AGrantForTheThreadIsGivenWhereOffered",
            kPending,
            approves("bo", true, "d1", at(1), Scope::for_thread),
            {Settled{State::approved, "bo", at(1), Scope::for_thread, ""}}},
        Row{"AGrantThatWasNotOfferedIsRefused",
            kOnceOnly,
            approves("bo", true, "d1", at(1), Scope::for_thread),
            {kOnceOnly, Refusal::no_grant_offered}}),
    [](const auto& info) { return info.param.name; });

TEST(ApprovalWords, ASecondAnswerHearsWhoWasFirstAndWhen) {
  EXPECT_EQ(words(Refusal::already_settled, kDeniedByBo, Zone{}), "Already denied by bo at 1970-01-01 00:05 UTC.");
  EXPECT_EQ(words(Refusal::already_settled, Settled{State::expired, "", at(30), Scope::once, ""}, Zone{}),
            "This expired at 1970-01-01 00:30 UTC.");
}

TEST(ApprovalWords, TimesAreInTheZoneOfTheReader) {
  EXPECT_EQ(time_in({"CET", [](Timestamp) { return std::chrono::seconds(3600); }}, at(5)), "1970-01-01 01:05 CET");
}

Approval sample() {
  Approval approval;
  approval.run = "R1";
  approval.requester = "Ana";
  approval.tool = "run_pipeline";
  approval.arguments = {{"repo", "cast-core"}, {"ref", "main"}};
  approval.preview = "a1 → b2";
  approval.chain = "c1";
  return approval;
}

TEST(ApprovalDigest, BindsToolArgumentsBackgroundChainAndPreview) {
  const std::string digest = digest_of(sample());
  // printf '%s' '{"arguments":{"ref":"main","repo":"cast-core"},"background":false,"chain":"c1","preview":"a1 →
  // b2","tool":"run_pipeline"}' | sha256sum
  EXPECT_EQ(digest, "9dfaae5f154fe74f0e7a503109fa8630bfe3bc7bcea6430e6a9aa2876e87acee");
  const std::vector<void (*)(Approval&)> changes{
      [](Approval& a) { a.tool = "stop_pipeline"; }, [](Approval& a) { a.arguments["ref"] = "dev"; },
      [](Approval& a) { a.background = true; },      [](Approval& a) { a.chain = "c2"; },
      [](Approval& a) { a.preview = "a1 → b3"; },
  };
  for (const auto change : changes) {
    Approval other = sample();
    change(other);
    EXPECT_NE(digest_of(other), digest);
  }
}

TEST(ApprovalDigest, DoesNotDependOnTheOrderOfArguments) {
  Approval other = sample();
  other.arguments = {{"ref", "main"}, {"repo", "cast-core"}};
  EXPECT_EQ(digest_of(other), digest_of(sample()));
}

TEST(ApprovalBody, ReadsBackFromItsJson) {
  Approval approval = sample();
  approval.why = {"a rule"};
  approval.approvers = {"Bo"};
  approval.may_grant = true;
  EXPECT_EQ(parse_arguments<Approval>(to_json(approval)), approval);
}

TEST(ApprovalBody, AskAgainCarriesTheSameWish) {
  const AskAgain again = ask_again("I1", sample());
  EXPECT_EQ(again, (AskAgain{"I1", "R1", "run_pipeline", sample().arguments, false}));
  EXPECT_EQ(parse_arguments<AskAgain>(to_json(again)), again);
}

}  // namespace
}  // namespace deputy::interaction
