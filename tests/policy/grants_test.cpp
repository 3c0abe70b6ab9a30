#include "policy/grants.h"

#include <gtest/gtest.h>

#include "policy/world.h"
#include "support/results.h"

namespace deputy::policy {
namespace {

const std::string kThread = "slack:T1:C1:1";
const Timestamp kNow = from_millis(1'000'000);

GrantTerms terms(GrantDuration lasting = GrantDuration::thread) {
  return {GrantId::make(kNow), kThread, test::bo(), kNow, lasting};
}

ApprovalRequest approval(Call call) { return {std::move(call), {test::ana()}}; }

Settings settings(std::string_view rest = "") { return test::settings(test::with_people(rest)); }

TEST(Grants, FixTheToolItsPinsTheConversationTheRequesterTheGiverAnEndAndUses) {
  const GrantTerms given = terms();
  const auto grant = grant_from(approval(test::run_pipeline()), given, settings());
  ASSERT_OK(grant);
  EXPECT_EQ(*grant, (Grant{given.id, "run_pipeline", "", test::run_pipeline().pins, "prod", kThread, "ana", "bo",
                           kNow + std::chrono::hours(8), 5, 0, false}));
}

TEST(Grants, FixExactlyTheseArgumentsWhereTheToolPinsNone) {
  Call call = test::run_pipeline();
  call.pins.clear();
  const auto grant = grant_from(approval(call), terms(), settings());
  ASSERT_OK(grant);
  EXPECT_EQ(grant->digest, call.digest);
  EXPECT_TRUE(grant->pins.empty());
}

TEST(Grants, WithPinsOfASessionAreGivenForASessionOnly) {
  Call call = test::shell("git push");
  call.pins = {{"command", "git push …"}};
  call.session_pins = true;
  EXPECT_FAILS(grant_from(approval(call), terms(), settings()), permission);
  const auto grant = grant_from(approval(call), terms(GrantDuration::session), settings());
  ASSERT_OK(grant);
  EXPECT_EQ(grant->pins, call.pins);
  EXPECT_EQ(grant->digest, "");
}

TEST(Grants, HaveTheEndAndUsesOfSettings) {
  const auto grant =
      grant_from(approval(test::run_pipeline()), terms(), settings(R"("grants": {"expiry": "1h", "uses": 2})"));
  ASSERT_OK(grant);
  EXPECT_EQ(grant->ends_at, kNow + std::chrono::hours(1));
  EXPECT_EQ(grant->max_uses, 2);
}

TEST(Grants, OfTheTerminalLastTheSessionAndAreNotCounted) {
  const auto grant = grant_from(approval(test::shell("make")), terms(GrantDuration::session), settings());
  ASSERT_OK(grant);
  EXPECT_EQ(grant->max_uses, std::nullopt);
  EXPECT_EQ(grant->digest, test::shell("make").digest);
  EXPECT_TRUE(covers(*grant, test::shell("make"), kThread, "ana", kNow + std::chrono::days(300)));
  EXPECT_FALSE(covers(*grant, test::shell("make x"), kThread, "ana", kNow));
}

struct Row {
  std::string name;
  ApprovalRequest approval;
  std::string settings;
  GrantDuration lasting = GrantDuration::thread;
};

ApprovalRequest changed(Call call, void (*change)(ApprovalRequest&)) {
  ApprovalRequest made = approval(std::move(call));
  change(made);
  return made;
}

class NoGrant : public testing::TestWithParam<Row> {};

TEST_P(NoGrant, IsBornFrom) {
  const Row& row = GetParam();
  EXPECT_FAILS(grant_from(row.approval, terms(row.lasting), settings(row.settings)), permission);
}

INSTANTIATE_TEST_SUITE_P(
    Grants, NoGrant,
    testing::Values(
        Row{"ACallThatAlwaysAsks",
            changed(test::run_pipeline(), [](ApprovalRequest& one) { one.call.always_ask = true; }), ""},
        Row{"ACallThatAlwaysAsksInTheTerminal",
            changed(test::run_pipeline(), [](ApprovalRequest& one) { one.call.always_ask = true; }), "",
            GrantDuration::session},
        Row{"ATwoPersonRule", approval(test::run_pipeline()), R"("policy": {"requester_may_approve": false})"},
        Row{"ASuspiciousRun", changed(test::run_pipeline(), [](ApprovalRequest& one) { one.suspicious = true; }), ""},
        Row{"FreeTextWithoutPins", approval(test::shell("make")), ""},
        Row{"AService", changed(test::run_pipeline(), [](ApprovalRequest& one) { one.askers = {test::service()}; }),
            ""},
        Row{"ABot", changed(test::run_pipeline(), [](ApprovalRequest& one) { one.askers = {test::bot()}; }), ""},
        Row{"ACallThatSeveralAskedFor",
            changed(test::run_pipeline(), [](ApprovalRequest& one) { one.askers.push_back(test::cy()); }), ""},
        Row{"ACallNobodyAskedFor", changed(test::run_pipeline(), [](ApprovalRequest& one) { one.askers.clear(); }), ""},
        Row{"NothingToHoldItTo",
            changed(test::run_pipeline(),
                    [](ApprovalRequest& one) {
                      one.call.pins.clear();
                      one.call.digest.clear();
                    }),
            ""}),
    test::name_of<Row>);

TEST(Grants, WithPinsTakeFreeTextElsewhere) {
  Call call = test::run_pipeline();
  call.free_text = true;
  EXPECT_OK(grant_from(approval(call), terms(), settings()));
}

TEST(Grants, WithPinsCoverOtherArguments) {
  const auto grant = grant_from(approval(test::run_pipeline()), terms(), settings());
  ASSERT_OK(grant);
  Call other = test::run_pipeline();
  other.digest = "other variables";
  EXPECT_TRUE(covers(*grant, other, kThread, "ana", kNow));
}

}  // namespace
}  // namespace deputy::policy
