#include "policy/approvers.h"

#include <gmock/gmock.h>

#include "policy/world.h"
#include "support/results.h"

namespace deputy::policy {
namespace {

using test::with_people;

Identity stranger_on_telegram() { return {{"telegram", "99"}}; }

const std::string kNamed = R"("policy": {"approvers": {"pipeline_tools": ["ana", "bo"]}})";
const std::string kToolAndCategory = R"("policy": {"approvers": {"pipeline_tools": ["ana"], "run_pipeline": ["bo"]}})";
const std::string kGroup = R"("policy": {"approvers": {"pipeline_tools": ["S1"]}})";
const std::string kTwoPersons =
    R"("policy": {"requester_may_approve": false, "approvers": {"pipeline_tools": ["ana", "bo", "T1/U3", "telegram:99"]}},
       "access": {"people": ["ana", "bo", "T1/U3", "telegram:99"]})";
const std::string kRole =
    R"("roles": {"oncall": {"people": ["ana"], "groups": ["S1"], "approve": ["pipeline_tools"], "environments": ["prod"]}})";

struct Row {
  std::string name;
  std::string settings;
  Identity requester;
  Identity clicker;
  Place place;
  std::optional<ErrorKind> refused;
  bool suspicious = false;
};

class MayApprove : public testing::TestWithParam<Row> {};

TEST_P(MayApprove, ARunOfAPipeline) {
  const Row& row = GetParam();
  const auto verdict = may_approve(row.clicker, row.place, {test::run_pipeline(), {row.requester}, row.suspicious},
                                   test::settings(with_people(row.settings)));
  if (row.refused) {
    ASSERT_FALSE(verdict.has_value());
    EXPECT_EQ(verdict.error().kind, *row.refused) << describe(verdict.error());
  } else {
    EXPECT_OK(verdict);
  }
}

constexpr auto kPermission = ErrorKind::permission;
constexpr auto kMissing = ErrorKind::not_configured;
constexpr std::nullopt_t kMay = std::nullopt;

INSTANTIATE_TEST_SUITE_P(
    Approvers, MayApprove,
    testing::Values(
        Row{"WhoIsNamedForTheCategory", kNamed, test::cy(), test::ana(), test::channel(), kMay},
        Row{"NobodyElse", kNamed, test::bo(), test::cy(), test::channel(), kPermission},
        Row{"WhoIsNamedForTheTool", kToolAndCategory, test::cy(), test::bo(), test::channel(), kMay},
        Row{"TheToolsListCountsInsteadOfTheCategorys", kToolAndCategory, test::cy(), test::ana(), test::channel(),
            kPermission},
        Row{"WhoIsInANamedGroup", kGroup, test::ana(), test::in_group(test::cy()), test::channel(), kMay},
        Row{"NobodyWhoseGroupsAreNotKnown", kGroup, test::ana(), test::cy(), test::channel(), kPermission},
        Row{"WhoIsInANamedRole",
            R"("roles": {"lead": {"people": ["bo"]}}, "policy": {"approvers": {"pipeline_tools": ["lead"]}})",
            test::cy(), test::bo(), test::channel(), kMay},
        Row{"NobodyInANamedRoleWithoutMembers", R"("policy": {"approvers": {"pipeline_tools": ["admin"]}})", test::cy(),
            test::bo(), test::channel(), kPermission},
        Row{"WhoseRoleApprovesIt", kRole, test::cy(), test::ana(), test::channel(), kMay},
        Row{"WhoseRoleApprovesItThroughAGroup", kRole, test::cy(), test::in_group(test::bo()), test::channel(), kMay},
        Row{"ARoleTogetherWithAList", kToolAndCategory + ", " + kRole, test::cy(), test::ana(), test::channel(), kMay},
        Row{"ARoleThatApprovesSomethingElse",
            R"("roles": {"r": {"people": ["ana"], "approve": ["log_tools"]}}, )" + kGroup, test::cy(), test::ana(),
            test::channel(), kPermission},
        Row{"ARoleInItsOwnEnvironmentsOnly",
            R"("roles": {"r": {"people": ["ana"], "approve": ["pipeline_tools"], "environments": ["dev"]}}, )" + kGroup,
            test::cy(), test::ana(), test::channel(), kPermission},
        Row{"TheBuiltInApprover", R"("roles": {"approver": {"people": ["bo"]}})", test::cy(), test::bo(),
            test::channel(), kMay},
        Row{"TheBuiltInAdmin", R"("roles": {"admin": {"people": ["bo"]}})", test::cy(), test::bo(), test::channel(),
            kMay},
        Row{"NotAUser", R"("roles": {"user": {"people": ["bo"]}}, )" + kGroup, test::cy(), test::bo(), test::channel(),
            kPermission},
        Row{"NobodyWhenNoneIsNamed", "", test::cy(), test::ana(), test::channel(), kMissing},
        Row{"TheLocalUserInTheTerminalWhenNoneIsNamed", "", test::local_user(), test::local_user(), test::terminal(),
            kMay},
        Row{"NotTheLocalUserOnceSomeoneIsNamed", kNamed, test::local_user(), test::local_user(), test::terminal(),
            kPermission},
        Row{"NotTheLocalUserElsewhere", "", test::cy(), test::local_user(), Place{"web", "", PlaceKind::own}, kMissing},
        Row{"AGuestInAGroupNever", kGroup + R"(, "access": {"groups": ["S1"]})", test::ana(),
            test::in_group(test::guest()), test::channel(), kPermission},
        Row{"AGuestWhoIsNamed",
            R"("policy": {"approvers": {"pipeline_tools": ["T1/U7"]}}, "access": {"people": ["T1/U7"]})", test::ana(),
            test::guest(), test::channel(), kMay},
        Row{"AGuestWithoutAccessThoughNamed", R"("policy": {"approvers": {"pipeline_tools": ["T1/U7"]}})", test::ana(),
            test::guest(), test::channel(), kPermission},
        Row{"ABotNever", kGroup + R"(, "access": {"bots": ["T1/B1"]})", test::ana(), test::in_group(test::bot()),
            test::channel(), kPermission},
        Row{"ABotThatIsNamed",
            R"("policy": {"approvers": {"pipeline_tools": ["T1/B1"]}}, "access": {"bots": ["T1/B1"]})", test::ana(),
            test::bot(), test::channel(), kMay},
        Row{"AnOutsiderNever", kGroup + R"(, "access": {"external": ["T2"]})", test::ana(),
            test::in_group(test::outsider()), test::channel(), kPermission},
        Row{"AnOutsiderWhoIsNamed",
            R"("policy": {"approvers": {"pipeline_tools": ["T2/U8"]}}, "access": {"external": ["T2"]})", test::ana(),
            test::outsider(), test::channel(), kMay},
        Row{"AServiceNever", R"("roles": {"approver": {"people": ["bo"]}})", test::ana(), test::service({"approver"}),
            test::channel(), kPermission},
        Row{"NobodyWithoutAccessToThePlace", kNamed + R"(, "access": {"channels": ["C2"]})", test::cy(), test::ana(),
            test::channel("C1"), kPermission},
        Row{"NobodyDeactivated", kNamed, test::cy(), test::deactivated(test::ana()), test::channel(), kPermission},
        Row{"TheRequesterByDefault", kNamed, test::ana(), test::ana(), test::channel(), kMay},
        Row{"NotTheRequesterUnderATwoPersonRule", kTwoPersons, test::ana(), test::ana(), test::channel(), kPermission},
        Row{"NotTheRequesterFromAnotherPlatform", kTwoPersons, test::ana(), test::ana_on_telegram(), test::telegram(),
            kPermission},
        Row{"AnotherPersonUnderATwoPersonRule", kTwoPersons, test::ana(), test::bo(), test::channel(), kMay},
        Row{"AnotherKnownPersonOnAnotherPlatform", kTwoPersons, test::ana_on_telegram(), test::bo(), test::channel(),
            kMay},
        Row{"AnUnjoinedAccountOnTheSamePlatform", kTwoPersons, test::ana(), test::cy(), test::channel(), kMay},
        Row{"NotAnUnjoinedAccountOnASecondPlatform", kTwoPersons, test::ana(), stranger_on_telegram(), test::telegram(),
            kPermission},
        Row{"NotWhenTheRequesterIsUnjoinedOnASecondPlatform", kTwoPersons, stranger_on_telegram(), test::ana(),
            test::channel(), kPermission},
        Row{"ForAServiceUnderATwoPersonRule", kTwoPersons, test::service(), test::ana(), test::channel(), kMay},
        Row{"NotTheRequesterOfASuspiciousRun", kNamed, test::ana(), test::ana(), test::channel(), kPermission, true},
        Row{"AnotherPersonForASuspiciousRun", kNamed, test::ana(), test::bo(), test::channel(), kMay, true},
        Row{"NotTheLocalUserForTheirOwnSuspiciousRun", "", test::local_user(), test::local_user(), test::terminal(),
            kPermission, true}),
    test::name_of<Row>);

TEST(ApproversInWords, TheMissingSettingIsNamed) {
  const ApprovalRequest approval{test::run_pipeline(), {test::cy()}};
  const auto verdict = may_approve(test::ana(), test::channel(), approval, test::settings("{}"));
  ASSERT_FALSE(verdict.has_value());
  EXPECT_EQ(verdict.error().hint, "name people in policy.approvers.pipeline_tools of the settings");
}

TEST(ApproversInWords, WhoeverWroteANoteIsAnAskerToo) {
  const Settings settings = test::settings(with_people(kTwoPersons));
  const ApprovalRequest approval{test::run_pipeline(), {test::cy(), test::bo()}};
  EXPECT_FAILS(may_approve(test::bo(), test::channel(), approval, settings), permission);
  EXPECT_OK(may_approve(test::ana(), test::channel(), approval, settings));
}

TEST(ApproversInWords, AnApprovalNobodyAskedForIsRefused) {
  EXPECT_FAILS(
      may_approve(test::ana(), test::channel(), {test::run_pipeline(), {}}, test::settings(with_people(kNamed))),
      permission);
}

TEST(ApproversInWords, TheRightIsJudgedAtTheMomentOfTheClick) {
  const ApprovalRequest approval{test::run_pipeline(), {test::cy()}};
  EXPECT_OK(may_approve(test::ana(), test::channel(), approval, test::settings(with_people(kNamed))));
  EXPECT_FAILS(may_approve(test::ana(), test::channel(), approval, test::settings(with_people(kGroup))), permission);
}

TEST(ApproversInWords, AreMentionedByTheEntriesThatNameThem) {
  const Settings settings = test::settings(with_people(
      R"("roles": {"oncall": {"people": ["ana"], "groups": ["S1"]}, "lead": {"people": ["bo", "ana"], "approve": ["run_pipeline"]}},
         "policy": {"approvers": {"pipeline_tools": ["oncall", "T1/U3", "admin"]}})"));
  EXPECT_THAT(named_approvers(test::run_pipeline(), settings), testing::ElementsAre("ana", "S1", "T1/U3", "bo"));
}

TEST(Questions, AreAnsweredByTheRequester) {
  const Settings settings = test::settings(with_people(R"("access": {"people": ["ana", "bo"]})"));
  EXPECT_OK(may_answer_question(test::ana(), test::channel(), test::ana(), settings));
  EXPECT_OK(may_answer_question(test::ana_on_telegram(), test::telegram(), test::ana(), settings));
  EXPECT_FAILS(may_answer_question(test::bo(), test::channel(), test::ana(), settings), permission);
}

TEST(Questions, AreAnsweredByAnyoneWithAccessWhenSettingsSaySo) {
  const Settings settings = test::settings(with_people(R"("questions": {"anyone": true})"));
  EXPECT_OK(may_answer_question(test::bo(), test::channel(), test::ana(), settings));
  EXPECT_FAILS(may_answer_question(test::guest(), test::channel(), test::ana(), settings), permission);
}

TEST(Stop, IsForTheRequesterAndApprovers) {
  const Settings settings =
      test::settings(with_people(kGroup + R"(, "roles": {"lead": {"people": ["bo"], "approve": ["log_tools"]}})"));
  EXPECT_OK(may_stop(test::cy(), test::channel(), test::cy(), settings));
  EXPECT_OK(may_stop(test::bo(), test::channel(), test::cy(), settings));
  EXPECT_OK(may_stop(test::in_group(test::ana()), test::channel(), test::cy(), settings));
  EXPECT_FAILS(may_stop(test::ana(), test::channel(), test::cy(), settings), permission);
  EXPECT_FAILS(may_stop(test::in_group(test::guest()), test::channel(), test::cy(), settings), permission);
}

TEST(ApproversOnAChannel, AreTheAccountsAndGroupsThatSettingsJoin) {
  Settings settings;
  settings.people = {{"ana", {.email = "ana@example.com", .accounts = {{"slack", "T1/U1"}, {"telegram", "42"}}}},
                     {"bo", {.accounts = {{"slack", "T1/U2"}}}}};
  settings.roles["oncall"] = {.people = {"bo"}, .groups = {"S1"}};
  const std::vector<std::string> entries{"bo", "Ana@example.com", "S1", "T1/U2", "T1/U7", "telegram:99", "nobody"};
  EXPECT_EQ(addressees_on("slack", entries, settings),
            (Addressees{{{"slack", "T1/U2"}, {"slack", "T1/U1"}}, {"S1"}, {"T1/U7"}}));
  EXPECT_EQ(addressees_on("telegram", {"ana", "bo", "telegram:99"}, settings),
            (Addressees{{{"telegram", "42"}}, {}, {"99"}}));
}

TEST(Pause, IsForWhoeverMayApproveSomethingAndForTheLocalUser) {
  const Settings settings =
      test::settings(with_people(kGroup + R"(, "roles": {"lead": {"people": ["bo"], "approve": ["log_tools"]}})"));
  EXPECT_OK(may_pause(test::bo(), test::channel(), settings));
  EXPECT_OK(may_pause(test::in_group(test::ana()), test::channel(), settings));
  EXPECT_FAILS(may_pause(test::cy(), test::channel(), settings), permission);
  EXPECT_FAILS(may_pause(test::in_group(test::guest()), test::channel(), settings), permission);
  const Identity local{.account = {"terminal", "ana"}, .standing = AccountKind::local_user};
  EXPECT_OK(may_pause(local, {.channel = "terminal", .kind = PlaceKind::terminal}, settings));
}

}  // namespace
}  // namespace deputy::policy
