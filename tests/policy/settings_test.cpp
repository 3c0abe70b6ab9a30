#include "policy/settings.h"

#include <gmock/gmock.h>

#include "policy/persons.h"
#include "policy/world.h"

namespace deputy::policy {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

TEST(PolicySettings, TheSampleOfTheDesignIsAccepted) {
  EXPECT_THAT(test::problems_of(R"({
    "people": {"ana": {"slack": "T1/U1", "email": "ana@example.com"}, "bo": {"slack": "T1/U2", "telegram": "42"}},
    "roles": {"oncall": {"people": ["ana", "bo"], "groups": ["S1"], "may": ["log_tools", "pipeline_tools"],
                         "environments": ["prod"], "approve": ["pipeline_tools"]}},
    "access": {"groups": ["S1"], "channels": ["C1", "C2"], "direct_messages": true},
    "policy": {"mode": "ask",
      "approvers": {"slack_tools": ["ana"], "pipeline_tools": ["oncall"], "workspace_tools": ["admin"]},
      "requester_may_approve": true, "allowlist": ["search_logs"],
      "rules": [{"tool": "shell", "deny": ["rm -rf .*"], "examples": {"match": ["rm -rf /"], "not_match": ["ls"]}},
                {"tool": "shell", "allow": ["git status", "git log( [\\w./-]+)*"]}]},
    "channels": {"slack": {"follow": "requester"}, "C1": {"default_environment": "prod", "categories": ["log_tools"]}},
    "approvals": {"channel": "C8"}, "questions": {"anyone": false}})"),
              IsEmpty());
}

TEST(PolicySettings, DefaultsAreThoseOfTheDesign) {
  const Settings settings = test::settings("{}");
  EXPECT_EQ(settings.policy.mode, Mode::ask);
  EXPECT_TRUE(settings.policy.requester_may_approve);
  EXPECT_TRUE(settings.access.direct_messages);
  EXPECT_FALSE(settings.questions.anyone);
  EXPECT_EQ(settings.grants.expiry, std::chrono::hours(8));
  EXPECT_EQ(settings.grants.uses, 5);
  EXPECT_EQ(settings.approvals.expiry, std::chrono::minutes(30));
}

struct Row {
  std::string name;
  std::string rest;  // of settings, after `people`
  std::string problem;
};

class Refused : public testing::TestWithParam<Row> {};

TEST_P(Refused, WithTheProblemInItsPlace) {
  EXPECT_THAT(test::problems_of(test::with_people(GetParam().rest)), ElementsAre(GetParam().problem));
}

INSTANTIATE_TEST_SUITE_P(
    PolicySettings, Refused,
    testing::Values(
        Row{"ARoleNamedLikeAPerson", R"("roles": {"ana": {"may": ["log_tools"]}})",
            "people.ana: `ana` is also the name of a role"},
        Row{"ARoleNamedLikeAGroup", R"("roles": {"S1": {"may": ["log_tools"]}})", "roles.S1: `S1` cannot be a name"},
        Row{"ABuiltInRoleGivenOtherRights", R"("roles": {"viewer": {"may": ["log_tools"]}})",
            "roles.viewer: `viewer` is built in and cannot be redefined"},
        Row{"AnAdminInSomeEnvironmentsOnly", R"("roles": {"admin": {"people": ["ana"], "environments": ["dev"]}})",
            "roles.admin: `admin` is built in and cannot be redefined"},
        Row{"ADisplayNameAsApprover", R"("policy": {"approvers": {"log_tools": ["Ana Lee"]}})",
            "policy.approvers.log_tools[0]: `Ana Lee` is a display name, which anyone can take"},
        Row{"AHandleAsApprover", R"("policy": {"approvers": {"log_tools": ["@ana"]}})",
            "policy.approvers.log_tools[0]: `@ana` is a display name, which anyone can take"},
        Row{"ADisplayNameInARole", R"("roles": {"oncall": {"people": ["Ana"]}})",
            "roles.oncall.people[0]: `Ana` is a display name, which anyone can take"},
        Row{"ADisplayNameInAccess", R"("access": {"people": ["Ana"]})",
            "access.people[0]: `Ana` is a display name, which anyone can take"},
        Row{"AnApproverNobodyDeclared", R"("policy": {"approvers": {"log_tools": ["dora"]}})",
            "policy.approvers.log_tools[0]: there is no person or role `dora`"},
        Row{"AnIdThatSeveralChannelsMightHave", R"("policy": {"approvers": {"log_tools": ["42"]}})",
            "policy.approvers.log_tools[0]: `42` might be an id of several channels"},
        Row{"ANameAmongGroups", R"("access": {"groups": ["sre"]})", "access.groups[0]: `sre` is not a group id"},
        Row{"AnEmptyListOfApprovers", R"("policy": {"approvers": {"log_tools": []}})",
            "policy.approvers.log_tools: this must have at least 1 item, not 0"},
        Row{"APatternThatRe2Refuses", R"("policy": {"rules": [{"tool": "shell", "deny": ["a", "("]}]})",
            "policy.rules[0].deny[1]: `(` is not a valid pattern: missing ): ("},
        Row{"ARuleThatMissesItsExample",
            R"("policy": {"rules": [{"tool": "shell", "deny": ["rm -rf"], "examples": {"match": ["rm -r -f /"]}}]})",
            "policy.rules[0].examples.match[0]: the rule does not match `rm -r -f /`"},
        Row{"ARuleThatHitsWhatItShouldNot",
            R"("policy": {"rules": [{"tool": "shell", "deny": ["rm"], "examples": {"not_match": ["ls", "format"]}}]})",
            "policy.rules[0].examples.not_match[1]: the rule matches `format`"},
        Row{"AnExampleThatOnlyBeginsLikeAnAllowPattern",
            R"("policy": {"rules": [{"tool": "shell", "allow": ["git status"], "examples": {"match": ["git status -s"]}}]})",
            "policy.rules[0].examples.match[0]: the rule does not match `git status -s`"},
        Row{"AHardDenyRuleThatAllows", R"("policy": {"hard_deny": [{"tool": "shell", "deny": ["a"], "allow": ["b"]}]})",
            "policy.hard_deny[0]: a hard deny rule allows nothing"},
        Row{"AHardDenyRuleWithoutPatterns", R"("policy": {"hard_deny": [{"tool": "shell"}]})",
            "policy.hard_deny[0]: a hard deny rule needs deny patterns"},
        Row{"ARuleForNoTool", R"("policy": {"rules": [{"tool": "shel", "deny": ["a"]}]})",
            "policy.rules[0]: there is no tool `shel`"},
        Row{"AnUnknownCategory", R"("roles": {"oncall": {"may": ["log_tool"]}})",
            "roles.oncall.may[0]: there is no category `log_tool`"},
        Row{"AnUnknownEnvironment", R"("channels": {"C1": {"default_environment": "production"}})",
            "channels.C1.default_environment: there is no environment `production`"},
        Row{"AMisspeltChannelKind", R"("channels": {"termnal": {"mode": "deny_all"}})",
            "channels.termnal: there is no channel `termnal`; did you mean `terminal`?"},
        Row{"AChannelKindInCapitals", R"("channels": {"Slack": {"mode": "deny_all"}})",
            "channels.Slack: there is no channel `Slack`; did you mean `slack`?"},
        Row{"AChannelByItsName", R"("channels": {"#ops": {"mode": "deny_all"}})",
            "channels.#ops: there is no channel `#ops`"},
        Row{"AChannelsIdInLowerCase", R"("channels": {"c1": {"mode": "deny_all"}})",
            "channels.c1: there is no channel `c1`"},
        Row{"AChannelsIdBehindItsKind", R"("channels": {"slack:C1": {"mode": "deny_all"}})",
            "channels.slack:C1: there is no channel `slack:C1`"},
        Row{"AGrantForEver", R"("grants": {"expiry": "400d"})",
            "grants.expiry: a grant lasts between 1m and 7d, not 400d"},
        Row{"AnApprovalThatIsOverAtOnce", R"("approvals": {"expiry": "1s"})",
            "approvals.expiry: an approval waits between 1m and 7d, not 1s"}),
    test::name_of<Row>);

TEST(PolicySettings, AnAccountBelongsToOnePerson) {
  EXPECT_THAT(test::problems_of(R"({"people": {"ana": {"slack": "T1/U1"}, "bo": {"slack": "T1/U1"}}})"),
              ElementsAre("people.bo.slack: `slack:T1/U1` already belongs to `ana`"));
  EXPECT_THAT(test::problems_of(R"({"people": {"ana": {"email": "A@x.org"}, "bo": {"email": "a@x.org"}}})"),
              ElementsAre("people.bo.email: `a@x.org` already belongs to `ana`"));
  EXPECT_THAT(test::problems_of(R"({"people": {"ana": {"slack": "Ana Lee"}}})"),
              ElementsAre("people.ana.slack: `Ana Lee` is not an account id"));
  EXPECT_THAT(test::problems_of(R"({"people": {"ana": {"slak": "T1/U1"}}})"),
              ElementsAre("people.ana.slak: there is no channel `slak`"));
  EXPECT_THAT(test::problems_of(R"({"people": {"Ana": {}}})"), ElementsAre("people.Ana: `Ana` cannot be a name"));
  EXPECT_THAT(test::problems_of(R"({"people": {"admin": {}}})"),
              ElementsAre("people.admin: `admin` is also the name of a role"));
}

TEST(PolicySettings, ABuiltInRoleTakesMembers) {
  EXPECT_THAT(test::problems_of(test::with_people(R"("roles": {"admin": {"people": ["ana"], "groups": ["S1"]}})")),
              IsEmpty());
}

TEST(PolicySettings, EveryProblemIsReportedNotJustTheFirst) {
  EXPECT_EQ(test::problems_of(R"({"people": {"Ana": {}}, "access": {"people": ["Bo"], "groups": ["x"]},
                                  "policy": {"allowlist": ["nothing"]}})")
                .size(),
            4U);
}

TEST(PolicySettings, AKeyOfChannelsIsAKindOrAnId) {
  EXPECT_THAT(test::problems_of(R"({"channels": {"slack": {}, "terminal": {}, "C1": {}, "-1001": {}, "42": {},
                                                 "D0123ABC": {}}})"),
              IsEmpty());
  Settings settings;
  settings.channels = {{"pigeon", {}}, {"terminal", {}}};
  Known known = test::known();
  known.later_kinds = {"pigeon"};
  FieldReader reader(FieldReader::Scalars::typed, "setting");
  check(settings, known, reader);
  EXPECT_TRUE(reader.clean()) << "rules may be there before the channel is";
}

struct ChannelOfAKind : ChannelRules {
  std::string token;

  template <class Fields>
  static void fields(Fields& f) {
    ChannelRules::fields(f);
    f.optional(&ChannelOfAKind::token, "token", "Its own");
  }
};

TEST(PolicySettings, WhatWasMeantIsLookedForOnlyWhileThereAreFewProblems) {
  json::array tools;
  for (std::size_t i = 0; i < kMaxEntries; ++i) tools.emplace_back("serch_logs");
  FieldReader reader(FieldReader::Scalars::typed, "setting", kMaxEntries);
  Settings settings;
  FieldCodec<Settings>::read_object({{"policy", {{"allowlist", tools}}}}, settings, reader);
  check(settings, test::known(), reader);
  const std::vector<Problem> problems = reader.take_problems();
  EXPECT_EQ(problems.size(), kMaxEntries);
  EXPECT_EQ(
      std::ranges::count_if(problems, [](const Problem& one) { return one.hint == "did you mean `search_logs`?"; }),
      50);
}

TEST(PolicySettings, AListThatIsTooLongIsOneProblem) {
  json::array tools;
  for (std::size_t i = 0; i <= kMaxEntries; ++i) tools.emplace_back("serch_logs");
  EXPECT_THAT(test::problems_of(json::serialize(json::object{{"policy", {{"allowlist", tools}}}})),
              ElementsAre("policy.allowlist: this must have at most 1000 items, not 1001"));
}

TEST(PolicySettings, ASlipInOnePartHidesNoneInTheOthers) {
  EXPECT_THAT(test::problems_of(R"({
    "people": {"ana": {"email": ["a"]}},
    "roles": {"oncall": {"peple": ["x"], "may": ["logs"]}},
    "access": {"people": ["dora", "Ana Lee"]},
    "policy": {"approvers": {"log_tools": ["oncal"], "log_tols": ["ana"]}, "allowlist": ["serch_logs"],
               "rules": [{"tool": "shel", "deny": ["("]}, {"deny": ["a"]}]},
    "channels": {"C1": {"default_environment": "qa"}}})"),
              ElementsAre(StartsWith("people.ana.email: "), StartsWith("roles.oncall.peple: "),
                          StartsWith("policy.rules[1].tool: this is required"), StartsWith("roles.oncall.may[0]: "),
                          StartsWith("access.people[1]: `Ana Lee` is a display name"),
                          "policy.approvers: there is no category or tool `log_tols`",
                          StartsWith("policy.allowlist[0]: "), StartsWith("policy.rules[0]: "),
                          StartsWith("policy.rules[0].deny[0]: "), StartsWith("channels.C1.default_environment: ")))
      << "names that may stand where something could not be read are not judged: dora and oncal";
}

TEST(PolicySettings, AChannelKindMayHaveSettingsOfItsOwnUnderTheSameKey) {
  const auto read = parse_arguments<ChannelOfAKind>({{"mode", "deny_all"}, {"token", "x"}});
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->mode, Mode::deny_all);
  EXPECT_EQ(read->token, "x");
}

TEST(Names, AreSpeltUnlikeIds) {
  const std::vector<std::pair<std::string, Spelling>> rows{
      {"ana", Spelling::name},
      {"on-call.2", Spelling::name},
      {"ana@example.com", Spelling::email},
      {"T1/U1", Spelling::id},
      {"S1", Spelling::id},
      {"telegram:42", Spelling::id_with_channel},
      {"42", Spelling::bare_number},
      {"-1001", Spelling::bare_number},
      {"Ana", Spelling::display_name},
      {"ANA", Spelling::display_name},
      {"ana lee", Spelling::display_name},
      {"@ana", Spelling::display_name},
      {"", Spelling::display_name},
      {"ana@", Spelling::display_name},
      {"a\xC3\xAF", Spelling::display_name},
      {":42", Spelling::display_name},
      {"slack:", Spelling::display_name},
      {"slack:a b", Spelling::display_name},
  };
  for (const auto& [entry, spelling] : rows) EXPECT_EQ(spelling_of(entry), spelling) << entry;
}

}  // namespace
}  // namespace deputy::policy
