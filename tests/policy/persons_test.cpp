#include "policy/persons.h"

#include <gmock/gmock.h>

#include "policy/world.h"

namespace deputy::policy {
namespace {

using test::with_people;
using testing::Pair;
using testing::UnorderedElementsAre;

TEST(Persons, AccountsAreJoinedInSettings) {
  const Settings settings = test::settings(with_people(""));
  EXPECT_EQ(person_of(test::ana(), settings).id, "ana");
  EXPECT_EQ(person_of(test::ana_on_telegram(), settings).id, "ana");
  EXPECT_TRUE(person_of(test::ana(), settings).joined);
}

TEST(Persons, AnAccountJoinedToNobodyIsItsOwnPerson) {
  const Person cy = person_of(test::cy(), test::settings(with_people("")));
  EXPECT_EQ(cy.id, "slack:T1/U3");
  EXPECT_FALSE(cy.joined);
}

TEST(Persons, AnEmailJoinsFullMembersOnly) {
  const Settings settings = test::settings(with_people(""));
  Identity someone = test::cy();
  someone.email = "Ana@Example.com";
  EXPECT_EQ(person_of(someone, settings).id, "ana");
  for (const AccountKind standing : {AccountKind::guest, AccountKind::outsider, AccountKind::unknown}) {
    someone.standing = standing;
    EXPECT_EQ(person_of(someone, settings).id, "slack:T1/U3");
  }
  someone.standing = AccountKind::member;
  someone.bot = true;
  EXPECT_EQ(person_of(someone, settings).id, "slack:T1/U3");
}

TEST(Persons, AnAccountCountsBeforeAnEmail) {
  Identity bo = test::bo();
  bo.email = "ana@example.com";
  EXPECT_EQ(person_of(bo, test::settings(with_people(""))).id, "bo");
}

TEST(Persons, AMissingEmailJoinsNobody) {
  EXPECT_EQ(person_of(test::cy(), test::settings(R"({"people": {"bo": {}}})")).id, "slack:T1/U3");
}

TEST(Persons, ATokenOrSessionActsAsItsNamedOwner) {
  const Settings settings = test::settings(with_people(""));
  Identity session{{"web", "s1"}, AccountKind::signed_in};
  session.owner = "ana";
  EXPECT_EQ(person_of(session, settings).id, "ana");
  session.owner = "nobody-known";
  EXPECT_EQ(person_of(session, settings).id, "web:s1");
  session.owner = "ana";
  session.standing = AccountKind::member;  // only Deputy's own sign-in names an owner
  EXPECT_EQ(person_of(session, settings).id, "web:s1");
}

TEST(Persons, WhoeverIsInNoRoleIsAUser) {
  EXPECT_THAT(person_of(test::cy(), test::settings("{}")).roles, UnorderedElementsAre(Pair("user", Membership::group)));
}

TEST(Persons, RolesAddUp) {
  const Settings settings =
      test::settings(with_people(R"("roles": {"oncall": {"people": ["ana"]}, "sre": {"groups": ["S1"]},
                                                                    "other": {"people": ["bo"]}})"));
  EXPECT_THAT(person_of(test::member("T1/U1", {"S1"}), settings).roles,
              UnorderedElementsAre(Pair("oncall", Membership::named), Pair("sre", Membership::group)));
}

TEST(Persons, AGroupWhoseMembersAreNotKnownHasNone) {
  const Settings settings = test::settings(R"({"roles": {"sre": {"groups": ["S1"], "may": ["log_tools"]}}})");
  EXPECT_TRUE(person_of(test::member("T1/U3", {"S1"}), settings).has("sre"));
  EXPECT_FALSE(person_of(test::cy(), settings).has("sre"));
}

TEST(Persons, AGroupWithItsChannelIsThatChannelsOnly) {
  const Settings settings = test::settings(R"({"roles": {"sre": {"groups": ["telegram:7"]}}})");
  EXPECT_FALSE(person_of(test::member("T1/U3", {"7"}), settings).has("sre"));
  Identity there{{"telegram", "1"}};
  there.groups = {"7"};
  EXPECT_TRUE(person_of(there, settings).has("sre"));
}

TEST(Persons, AServiceHasItsOwnRolesAndNoPersons) {
  const Settings settings = test::settings(R"({"roles": {"watch": {"may": ["log_tools"]}}})");
  const Person nightly = person_of(test::service({"watch", "invented"}), settings);
  EXPECT_EQ(nightly.id, "service:nightly");
  EXPECT_EQ(nightly.kind, PersonKind::service);
  EXPECT_THAT(nightly.roles, UnorderedElementsAre(Pair("watch", Membership::group)));
}

TEST(Persons, OneHumanMayBeBehindTwoAccountsOnTwoPlatforms) {
  const Settings settings = test::settings(with_people(""));
  const auto person = [&](const Identity& identity) { return person_of(identity, settings); };
  const Person stranger_elsewhere = person({{"telegram", "99"}});
  EXPECT_TRUE(may_be_one_human(person(test::ana()), person(test::ana_on_telegram())));
  EXPECT_TRUE(may_be_one_human(person(test::ana()), stranger_elsewhere));
  EXPECT_TRUE(may_be_one_human(stranger_elsewhere, person(test::cy())));
  EXPECT_FALSE(may_be_one_human(person(test::ana_on_telegram()), person(test::bo()))) << "both are known";
  EXPECT_FALSE(may_be_one_human(person(test::cy()), person(test::bo()))) << "two accounts of one platform";
  EXPECT_FALSE(may_be_one_human(person(test::service()), person(test::bo())));
}

struct Row {
  std::string name;
  std::string roles;
  std::string category;
  std::optional<std::string> environment;
  bool may;
};

class Permission : public testing::TestWithParam<Row> {};

TEST_P(Permission, OfAna) {
  const auto& [name, roles, category, environment, may] = GetParam();
  const Settings settings = test::settings(with_people("\"roles\": {" + roles + "}"));
  EXPECT_EQ(may_use(person_of(test::ana(), settings), category, environment, settings), may);
}

const std::string kOncall = R"("oncall": {"people": ["ana"], "may": ["log_tools"], "environments": ["prod"]})";
const std::string kDeveloper =
    R"("developer": {"people": ["ana"], "may": ["pipeline_tools"], "environments": ["dev"]})";

INSTANTIATE_TEST_SUITE_P(
    Persons, Permission,
    testing::Values(Row{"AUserUsesEverythingEverywhere", "", "pipeline_tools", "prod", true},
                    Row{"ARoleGivesItsCategory", kOncall, "log_tools", "prod", true},
                    Row{"ARoleGivesNoOtherCategory", kOncall, "pipeline_tools", "prod", false},
                    Row{"ARoleGivesNoOtherEnvironment", kOncall, "log_tools", "dev", false},
                    Row{"ARoleSpeaksOfToolsWithoutEnvironmentToo", kOncall, "log_tools", std::nullopt, true},
                    Row{"AnEnvironmentThatIsNotKnownIsNone", kOncall, "log_tools", "", false},
                    Row{"AUserMayUseAnEnvironmentThatIsNotKnown", "", "log_tools", "", true},
                    Row{"TwoRolesGiveBoth", kOncall + ", " + kDeveloper, "pipeline_tools", "dev", true},
                    Row{"TwoRolesAreNotMixed", kOncall + ", " + kDeveloper, "pipeline_tools", "prod", false},
                    Row{"ARoleWithoutEnvironmentsGivesAll", R"("r": {"people": ["ana"], "may": ["log_tools"]})",
                        "log_tools", "dev", true},
                    Row{"ARoleWithAnEmptyListGivesNone",
                        R"("r": {"people": ["ana"], "may": ["log_tools"], "environments": []})", "log_tools", "dev",
                        false},
                    Row{"ARoleThatOnlyApprovesUsesNothing", R"("r": {"people": ["ana"], "approve": ["log_tools"]})",
                        "log_tools", "dev", false},
                    Row{"AViewerOnlySees", R"("viewer": {"people": ["ana"]})", "log_tools", "dev", false},
                    Row{"AViewerInAnotherRoleHasThatToo", R"("viewer": {"people": ["ana"]}, )" + kOncall, "log_tools",
                        "prod", true},
                    Row{"AnApproverIsAUser", R"("approver": {"people": ["ana"]})", "log_tools", "dev", true},
                    Row{"AnAdminIsAnApprover", R"("admin": {"people": ["ana"]})", "pipeline_tools", "prod", true}),
    test::name_of<Row>);

}  // namespace
}  // namespace deputy::policy
