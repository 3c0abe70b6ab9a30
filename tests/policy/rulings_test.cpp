#include "policy/rulings.h"

#include <gmock/gmock.h>

#include "policy/world.h"

namespace deputy::policy {
namespace {

using test::with_people;

const std::string kApprovers = R"("approvers": {"log_tools": ["bo"], "pipeline_tools": ["bo"], "slack_tools": ["bo"],
                                               "workspace_tools": ["bo"], "talk_tools": ["bo"]})";

std::string policy_of(std::string_view rest) {
  return R"("policy": {)" + kApprovers + (rest.empty() ? "" : ", ") + std::string(rest) + "}";
}

RulingContext by(Identity requester, Place place = test::channel()) {
  return {{std::move(requester)}, std::move(place), "slack:T1:C1:1", from_millis(1'000)};
}
RulingContext suspicious(RulingContext situation) {
  situation.suspicious = true;
  return situation;
}
RulingContext after_unknown(RulingContext situation) {
  situation.after_unknown = true;
  return situation;
}
RulingContext stop_asking(RulingContext situation) {
  situation.stop_asking = true;
  return situation;
}
RulingContext auto_confirm(RulingContext situation) {
  situation.auto_confirm = true;
  return situation;
}
RulingContext with_note(RulingContext situation, Identity writer) {
  situation.askers.push_back(std::move(writer));
  return situation;
}
RulingContext with_grant(RulingContext situation, Identity giver = test::bo()) {
  Grant grant;
  grant.tool = "run_pipeline";
  grant.pins = test::run_pipeline().pins;
  grant.environment = "prod";
  grant.conversation = situation.conversation;
  grant.holder = "ana";
  grant.by = "bo";
  grant.ends_at = situation.now + std::chrono::hours(1);
  grant.max_uses = 5;
  situation.grants.push_back({grant, std::move(giver)});
  return situation;
}

Call with_several_names(Call call) {
  call.values.begin()->second.several_names = true;
  return call;
}

Call with_path_rules(Call call) {
  call.path_rules_of = "search_logs";
  return call;
}

Call that_reads(Call call) {
  call.effect = Effect::read;
  return call;
}

Call always_asking(Call call) {
  call.always_ask = true;
  return call;
}
Call never(Call call) {
  call.never = "it would show credentials";
  return call;
}
Call off_until_listed(Call call) {
  call.off_until_listed = true;
  return call;
}
Call ask_user() {
  Call call{"ask_user", "talk_tools", Effect::read};
  call.talk_tool = true;
  return call;
}
Call respond_directly(std::string_view text = "hello") {
  Call call{"respond_directly", "talk_tools", Effect::read, std::nullopt, "message"};
  call.values["message"] = {std::string(text)};
  call.talk_tool = true;
  return call;
}

struct Row {
  std::string name;
  std::string settings;
  Call call;
  RulingContext situation;
  RulingKind say;
  std::string rule;
};

class Judge : public testing::TestWithParam<Row> {};

TEST_P(Judge, Says) {
  const Row& row = GetParam();
  const Ruling ruling = judge(test::policy(with_people(row.settings)), row.call, row.situation);
  EXPECT_EQ(std::pair(ruling.say, ruling.rule), std::pair(row.say, row.rule)) << testing::PrintToString(ruling);
  EXPECT_FALSE(ruling.words.empty());
}

const std::string kShellRules =
    policy_of(R"("rules": [{"tool": "shell", "deny": ["^rm"], "allow": ["git status", "rm x"]}])");
const std::string kHard =
    policy_of(R"("hard_deny": [{"tool": "run_pipeline", "deny": ["cast"]}, {"tool": "shell", "deny": ["^mkfs"]},
                                                    {"tool": "respond_directly", "deny": ["secret"]}], "mode": "allow_all")");
const std::string kOncall =
    policy_of("") +
    R"(, "roles": {"oncall": {"people": ["ana"], "may": ["pipeline_tools"], "environments": ["staging"]}})";

INSTANTIATE_TEST_SUITE_P(
    Modes, Judge,
    testing::Values(
        Row{"UnderAskReadToolsRun", policy_of(""), test::search_logs(), by(test::ana()), RulingKind::allow, "mode.ask"},
        Row{"UnderAskWriteToolsAsk", policy_of(""), test::run_pipeline(), by(test::ana()), RulingKind::ask, "mode.ask"},
        Row{"AskIsTheDefault", policy_of(R"("mode": "ask")"), test::run_pipeline(), by(test::ana()), RulingKind::ask,
            "mode.ask"},
        Row{"UnderAllowlistListedToolsRun", policy_of(R"("mode": "allowlist", "allowlist": ["run_pipeline"])"),
            test::run_pipeline(), by(test::ana()), RulingKind::allow, "policy.allowlist"},
        Row{"UnderAllowlistTheRestAsksReadsToo", policy_of(R"("mode": "allowlist", "allowlist": ["run_pipeline"])"),
            test::search_logs(), by(test::ana()), RulingKind::ask, "mode.allowlist"},
        Row{"TheAllowlistIsForItsModeOnly", policy_of(R"("allowlist": ["run_pipeline"])"), test::run_pipeline(),
            by(test::ana()), RulingKind::ask, "mode.ask"},
        Row{"UnderAllowAllWritesRun", policy_of(R"("mode": "allow_all")"), test::run_pipeline(), by(test::ana()),
            RulingKind::allow, "mode.allow_all"},
        Row{"UnderDenyAllNothingRuns", policy_of(R"("mode": "deny_all")"), test::search_logs(), by(test::ana()),
            RulingKind::deny, "mode.deny_all"},
        Row{"UnderDenyAllTheTalkToolsRun", policy_of(R"("mode": "deny_all")"), respond_directly(), by(test::ana()),
            RulingKind::allow, "talk_tool"},
        Row{"AChannelHasItsOwnMode", policy_of("") + R"(, "channels": {"C1": {"mode": "allow_all"}})",
            test::run_pipeline(), by(test::ana()), RulingKind::allow, "mode.allow_all"},
        Row{"AChannelKindHasItsOwnMode", policy_of("") + R"(, "channels": {"slack": {"mode": "allow_all"}})",
            test::run_pipeline(), by(test::ana()), RulingKind::allow, "mode.allow_all"},
        Row{"TheChannelCountsBeforeItsKind",
            policy_of("") + R"(, "channels": {"slack": {"mode": "allow_all"}, "C1": {"mode": "ask"}})",
            test::run_pipeline(), by(test::ana()), RulingKind::ask, "mode.ask"},
        Row{"AnotherChannelDoesNotCount", policy_of("") + R"(, "channels": {"C2": {"mode": "allow_all"}})",
            test::run_pipeline(), by(test::ana()), RulingKind::ask, "mode.ask"},
        Row{"DenyAllOfAllIsNotLiftedByAChannel",
            policy_of(R"("mode": "deny_all")") + R"(, "channels": {"C1": {"mode": "allow_all"}})", test::search_logs(),
            by(test::ana()), RulingKind::deny, "mode.deny_all"},
        Row{"DenyAllOfAChannelHolds",
            policy_of(R"("mode": "allow_all")") + R"(, "channels": {"C1": {"mode": "deny_all"}})", test::search_logs(),
            by(test::ana()), RulingKind::deny, "mode.deny_all"}),
    test::name_of<Row>);

INSTANTIATE_TEST_SUITE_P(
    HardDeny, Judge,
    testing::Values(Row{"IsBeforeEverything", kHard, test::run_pipeline(), with_grant(by(test::ana())),
                        RulingKind::deny, "policy.hard_deny[0].deny[0]"},
                    Row{"ByTheToolItself", policy_of(R"("mode": "allow_all")"), never(test::search_logs()),
                        by(test::ana()), RulingKind::deny, "hard_deny"},
                    Row{"IsBeforeDenyAll", policy_of(R"("mode": "deny_all")"), never(test::search_logs()),
                        by(test::ana()), RulingKind::deny, "hard_deny"},
                    Row{"HoldsForTalkToolsToo", kHard, respond_directly("a secret"), by(test::ana()), RulingKind::deny,
                        "policy.hard_deny[2].deny[0]"},
                    Row{"SeesThroughSubstitutions", kHard, test::shell("echo $(mkfs x)"),
                        by(test::ana(), test::terminal()), RulingKind::deny, "policy.hard_deny[1].deny[0]"}),
    test::name_of<Row>);

INSTANTIATE_TEST_SUITE_P(
    Permission, Judge,
    testing::Values(
        Row{"ForCategoryAndEnvironment", kOncall, test::run_pipeline("staging"), by(test::ana()), RulingKind::ask,
            "mode.ask"},
        Row{"NotForAnotherEnvironment", kOncall, test::run_pipeline("prod"), by(test::ana()), RulingKind::deny,
            "roles"},
        Row{"NotForAnEnvironmentThatIsNotKnown", kOncall, test::run_pipeline(""), by(test::ana()), RulingKind::deny,
            "roles"},
        Row{"NotForAnotherCategory", kOncall, test::search_logs("staging"), by(test::ana()), RulingKind::deny, "roles"},
        Row{"OfAViewerIsNone", policy_of("") + R"(, "roles": {"viewer": {"people": ["ana"]}})", test::search_logs(),
            by(test::ana()), RulingKind::deny, "roles"},
        Row{"TalkToolsNeedNone", kOncall, respond_directly(), by(test::ana()), RulingKind::allow, "talk_tool"},
        Row{"IsBeforeGrants", kOncall, test::run_pipeline("prod"), with_grant(by(test::ana())), RulingKind::deny,
            "roles"},
        Row{"IsBeforeAllowAll", kOncall + R"(, "channels": {"C1": {"mode": "allow_all"}})", test::run_pipeline("prod"),
            by(test::ana()), RulingKind::deny, "roles"},
        Row{"EndsWithAccess", policy_of("") + R"(, "access": {"people": ["bo"]})", test::search_logs(), by(test::ana()),
            RulingKind::deny, "access"},
        Row{"EndsWithTheAccount", policy_of(""), test::search_logs(), by(test::deactivated(test::ana())),
            RulingKind::deny, "access"},
        Row{"ABotReads", policy_of("") + R"(, "access": {"bots": ["T1/B1"]})", test::search_logs(), by(test::bot()),
            RulingKind::allow, "mode.ask"},
        Row{"ABotWritesNothing", policy_of(R"("mode": "allow_all")") + R"(, "access": {"bots": ["T1/B1"]})",
            test::run_pipeline(), by(test::bot()), RulingKind::deny, "access.bots"},
        Row{"ABotThatIsNotListedDoesNothing", policy_of(""), test::search_logs(), by(test::bot()), RulingKind::deny,
            "access"},
        Row{"AChannelRestrictsCategories", policy_of("") + R"(, "channels": {"C1": {"categories": ["log_tools"]}})",
            test::run_pipeline(), by(test::ana()), RulingKind::deny, "channel.categories"},
        Row{"AChannelGivesItsCategories", policy_of("") + R"(, "channels": {"C1": {"categories": ["log_tools"]}})",
            test::search_logs(), by(test::ana()), RulingKind::allow, "mode.ask"},
        Row{"AChannelRestrictsEnvironments", policy_of("") + R"(, "channels": {"C1": {"environments": ["dev"]}})",
            test::search_logs("prod"), by(test::ana()), RulingKind::deny, "channel.environments"},
        Row{"AChannelWithEnvironmentsTakesNoUnknownOne",
            policy_of("") + R"(, "channels": {"C1": {"environments": ["dev"]}})", test::search_logs(""),
            by(test::ana()), RulingKind::deny, "channel.environments"},
        Row{"WhatIsOffUntilListedIsOffOnNetworkChannels", policy_of(""), off_until_listed(test::shell("ls")),
            by(test::ana()), RulingKind::deny, "channel.categories"},
        Row{"WhatIsOffUntilListedIsOnWhereListed",
            policy_of("") + R"(, "channels": {"C1": {"categories": ["workspace_tools"]}})",
            off_until_listed(test::shell("ls")), by(test::ana()), RulingKind::ask, "mode.ask"},
        Row{"WhatIsOffUntilListedIsOnInTheTerminal", policy_of(""), off_until_listed(test::shell("ls")),
            by(test::local_user(), test::terminal()), RulingKind::ask, "mode.ask"}),
    test::name_of<Row>);

INSTANTIATE_TEST_SUITE_P(
    Patterns, Judge,
    testing::Values(
        Row{"ADenyPatternDenies", kShellRules, test::shell("rm y"), by(test::ana()), RulingKind::deny,
            "policy.rules[0].deny[0]"},
        Row{"DenyIsBeforeAllow", kShellRules, test::shell("rm x"), by(test::ana()), RulingKind::deny,
            "policy.rules[0].deny[0]"},
        Row{"DenyIsBeforeAlwaysAsk", kShellRules, always_asking(test::shell("rm x")), by(test::ana()), RulingKind::deny,
            "policy.rules[0].deny[0]"},
        Row{"AnAllowPatternAllows", kShellRules, test::shell("git status"), by(test::ana()), RulingKind::allow,
            "policy.rules[0].allow[0]"},
        Row{"AnAllowPatternMatchesTheWholeValue", kShellRules, test::shell("git status x"), by(test::ana()),
            RulingKind::ask, "mode.ask"},
        Row{"EveryCommandMustBeAllowed", kShellRules, test::shell("git status; ls"), by(test::ana()), RulingKind::ask,
            "mode.ask"},
        Row{"AnyDeniedCommandDenies", kShellRules, test::shell("git status; rm y"), by(test::ana()), RulingKind::deny,
            "policy.rules[0].deny[0]"},
        Row{"WhatDoesNotParseMatchesNoAllowPattern", policy_of(R"("rules": [{"tool": "shell", "allow": [".*"]}])"),
            test::shell("git status $(ls)"), by(test::ana()), RulingKind::ask, "mode.ask"},
        Row{"WhatDoesNotParseIsNotLetThroughByModeWhereSomethingIsDenied",
            policy_of(R"("mode": "allow_all", "rules": [{"tool": "shell", "deny": ["^rm"]}])"), test::shell("$R x"),
            by(test::ana()), RulingKind::ask, "unreadable"},
        Row{"ACommandThatHidesAnotherIsNotLetThroughByModeWhereSomethingIsDenied",
            policy_of(R"("mode": "allow_all", "rules": [{"tool": "shell", "deny": ["^rm"]}])"),
            test::shell("find . -exec /bin/r? {} +"), by(test::ana()), RulingKind::ask, "unreadable"},
        Row{"ACommandThatHidesAnotherIsLetThroughByModeElsewhere", policy_of(R"("mode": "allow_all")"),
            test::shell("sh -c ls"), by(test::ana()), RulingKind::allow, "mode.allow_all"},
        Row{"RulesOnPathsSayNothingAboutACommandLine",
            policy_of(R"("mode": "allow_all", "rules": [{"tool": "search_logs", "deny": ["secret"]}])"),
            with_path_rules(test::shell("sh -c ls")), by(test::ana()), RulingKind::allow, "mode.allow_all"},
        Row{"ACommandThatOnlyReadsAsksWhereItHidesWhatIsDenied",
            policy_of(R"("rules": [{"tool": "shell", "deny": ["key"]}])"), that_reads(test::shell("cat *")),
            by(test::ana()), RulingKind::ask, "unreadable"},
        Row{"AFileWithSeveralNamesAsksWhereSomethingIsDenied",
            policy_of(R"("mode": "allow_all", "rules": [{"tool": "search_logs", "deny": ["secret"]}])"),
            with_several_names(test::search_logs()), by(test::ana()), RulingKind::ask, "unreadable"},
        Row{"AFileWithSeveralNamesIsReadElsewhere", policy_of(""), with_several_names(test::search_logs()),
            by(test::ana()), RulingKind::allow, "mode.ask"},
        Row{"WhatDoesNotParseIsLetThroughByModeElsewhere", policy_of(R"("mode": "allow_all")"), test::shell("$R x"),
            by(test::ana()), RulingKind::allow, "mode.allow_all"},
        Row{"AnAllowPatternIsBeforeTheMode", policy_of(R"("rules": [{"tool": "run_pipeline", "allow": ["cast-.*"]}])"),
            test::run_pipeline(), by(test::ana()), RulingKind::allow, "policy.rules[0].allow[0]"},
        Row{"AnAllowPatternIsBeforeTheAllowlist",
            policy_of(R"("mode": "allowlist", "rules": [{"tool": "run_pipeline", "allow": ["cast-.*"]}])"),
            test::run_pipeline(), by(test::ana()), RulingKind::allow, "policy.rules[0].allow[0]"},
        Row{"ADeniedTalkToolIsDenied", policy_of(R"("rules": [{"tool": "respond_directly", "deny": ["hello"]}])"),
            respond_directly(), by(test::ana()), RulingKind::deny, "policy.rules[0].deny[0]"}),
    test::name_of<Row>);

INSTANTIATE_TEST_SUITE_P(
    AlwaysAsk, Judge,
    testing::Values(Row{"TheTools", policy_of(R"("mode": "allow_all")"), always_asking(test::search_logs()),
                        by(test::ana()), RulingKind::ask, "always_ask"},
                    Row{"EveryWriteOfASuspiciousRun", policy_of(R"("mode": "allow_all")"), test::run_pipeline(),
                        suspicious(by(test::ana())), RulingKind::ask, "suspicious"},
                    Row{"NoReadOfASuspiciousRun", policy_of(""), test::search_logs(), suspicious(by(test::ana())),
                        RulingKind::allow, "mode.ask"},
                    Row{"AfterAnUnknown", policy_of(R"("mode": "allow_all")"), test::run_pipeline(),
                        after_unknown(by(test::ana())), RulingKind::ask, "after_unknown"},
                    Row{"IsBeforeGrants", policy_of(""), always_asking(test::run_pipeline()),
                        with_grant(by(test::ana())), RulingKind::ask, "always_ask"},
                    Row{"ASuspiciousRunIsBeforeGrants", policy_of(""), test::run_pipeline(),
                        suspicious(with_grant(by(test::ana()))), RulingKind::ask, "suspicious"},
                    Row{"AnUnknownIsBeforeGrants", policy_of(""), test::run_pipeline(),
                        after_unknown(with_grant(by(test::ana()))), RulingKind::ask, "after_unknown"},
                    Row{"IsBeforeAllowPatterns", kShellRules, always_asking(test::shell("git status")), by(test::ana()),
                        RulingKind::ask, "always_ask"},
                    Row{"IsBeforeTheAllowlist", policy_of(R"("mode": "allowlist", "allowlist": ["run_pipeline"])"),
                        always_asking(test::run_pipeline()), by(test::ana()), RulingKind::ask, "always_ask"},
                    Row{"IsNotStoppedByStopAsking", "", always_asking(test::run_pipeline()),
                        stop_asking(by(test::local_user(), test::terminal())), RulingKind::ask, "always_ask"},
                    Row{"IsNotStoppedByAutoConfirm", "", always_asking(test::run_pipeline()),
                        auto_confirm(by(test::local_user(), test::terminal())), RulingKind::ask, "always_ask"}),
    test::name_of<Row>);

INSTANTIATE_TEST_SUITE_P(
    Grants, Judge,
    testing::Values(
        Row{"LetThrough", policy_of(""), test::run_pipeline(), with_grant(by(test::ana())), RulingKind::allow, "grant"},
        Row{"AreForTheRequesterOnly", policy_of(""), test::run_pipeline(), with_grant(by(test::cy())), RulingKind::ask,
            "mode.ask"},
        Row{"AreBeforeAllowPatterns", policy_of(R"("rules": [{"tool": "run_pipeline", "allow": [".*"]}])"),
            test::run_pipeline(), with_grant(by(test::ana())), RulingKind::allow, "grant"},
        Row{"EndWhenTheirApproverLosesTheRight", R"("policy": {"approvers": {"pipeline_tools": ["T1/U3"]}})",
            test::run_pipeline(), with_grant(by(test::ana())), RulingKind::ask, "mode.ask"},
        Row{"EndWhenTheirApproversAccountDoes", policy_of(""), test::run_pipeline(),
            with_grant(by(test::ana()), test::deactivated(test::bo())), RulingKind::ask, "mode.ask"},
        Row{"EndWhenTheirApproverLosesAccess", policy_of("") + R"(, "access": {"people": ["ana"]})",
            test::run_pipeline(), with_grant(by(test::ana())), RulingKind::ask, "mode.ask"},
        Row{"DoNotCountWithSomeoneElseAsGiver", policy_of(""), test::run_pipeline(),
            with_grant(by(test::ana()), test::ana()), RulingKind::ask, "mode.ask"},
        Row{"DoNotCountUnderATwoPersonRule", policy_of(R"("requester_may_approve": false)"), test::run_pipeline(),
            with_grant(by(test::ana())), RulingKind::ask, "mode.ask"}),
    test::name_of<Row>);

INSTANTIATE_TEST_SUITE_P(
    Talk, Judge,
    testing::Values(Row{"AskUserIsAlwaysAllowed",
                        policy_of(R"("mode": "deny_all", "hard_deny": [{"tool": "ask_user", "deny": [".*"]}])"),
                        ask_user(), by(test::ana()), RulingKind::allow, "talk_tool"},
                    Row{"ATalkToolNeverAsks", policy_of(R"("mode": "allowlist")"), respond_directly(), by(test::ana()),
                        RulingKind::allow, "talk_tool"},
                    Row{"AToolThatOnlyHasTheNameIsJudged", policy_of(R"("mode": "deny_all")"),
                        Call{"ask_user", "workspace_tools"}, by(test::ana()), RulingKind::deny, "mode.deny_all"}),
    test::name_of<Row>);

INSTANTIATE_TEST_SUITE_P(
    Services, Judge,
    testing::Values(Row{"Read", policy_of(""), test::search_logs(), by(test::service()), RulingKind::allow, "mode.ask"},
                    Row{"WriteByACardOnly", policy_of(R"("mode": "allow_all")"), test::run_pipeline(),
                        by(test::service()), RulingKind::ask, "service"},
                    Row{"WriteByACardThoughAllowed",
                        policy_of(R"("rules": [{"tool": "run_pipeline", "allow": [".*"]}])"), test::run_pipeline(),
                        by(test::service()), RulingKind::ask, "service"},
                    Row{"SayWhyWhenTheRunIsSuspicious", policy_of(""), test::run_pipeline(),
                        suspicious(by(test::service())), RulingKind::ask, "suspicious"},
                    Row{"HaveNoGrants", policy_of(""), test::run_pipeline(), with_grant(by(test::service())),
                        RulingKind::ask, "service"},
                    Row{"HaveTheirOwnRoles", policy_of("") + R"(, "roles": {"watch": {"may": ["log_tools"]}})",
                        test::run_pipeline(), by(test::service({"watch"})), RulingKind::deny, "roles"}),
    test::name_of<Row>);

INSTANTIATE_TEST_SUITE_P(
    Notes, Judge,
    testing::Values(Row{"OfSomeoneElseAreRuledForBoth", kOncall, test::run_pipeline("prod"),
                        with_note(by(test::cy()), test::ana()), RulingKind::deny, "roles"},
                    Row{"TheOtherWayToo", kOncall, test::run_pipeline("prod"), with_note(by(test::ana()), test::cy()),
                        RulingKind::deny, "roles"},
                    Row{"AGrantOfOneIsNotTheOthers", policy_of(""), test::run_pipeline(),
                        with_note(with_grant(by(test::ana())), test::cy()), RulingKind::ask, "mode.ask"},
                    Row{"OfTheRequesterChangeNothing", policy_of(""), test::run_pipeline(),
                        with_note(with_grant(by(test::ana())), test::ana()), RulingKind::allow, "grant"}),
    test::name_of<Row>);

INSTANTIATE_TEST_SUITE_P(
    Answers, Judge,
    testing::Values(Row{"AWriteNobodyMayApproveNamesTheMissingSetting", "", test::run_pipeline(), by(test::ana()),
                        RulingKind::deny, "policy.approvers"},
                    Row{"TheLocalUserMayInTheTerminal", "", test::run_pipeline(),
                        by(test::local_user(), test::terminal()), RulingKind::ask, "mode.ask"},
                    Row{"NotForTheirOwnSuspiciousRun", "", test::run_pipeline(),
                        suspicious(by(test::local_user(), test::terminal())), RulingKind::deny, "policy.approvers"},
                    Row{"StopAskingStopsAskingInTheTerminal", "", test::run_pipeline(),
                        stop_asking(by(test::local_user(), test::terminal())), RulingKind::allow, "stop_asking"},
                    Row{"StopAskingIsNothingElsewhere", policy_of(""), test::run_pipeline(),
                        stop_asking(by(test::ana())), RulingKind::ask, "mode.ask"},
                    Row{"StopAskingIsForThoseWhoMayApprove", policy_of(""), test::run_pipeline(),
                        stop_asking(by(test::local_user(), test::terminal())), RulingKind::ask, "mode.ask"},
                    Row{"AutoConfirmConfirms", policy_of(""), test::run_pipeline(),
                        auto_confirm(by(test::local_user(), test::terminal())), RulingKind::allow, "auto_confirm"},
                    Row{"AutoConfirmIsNothingOnPlatforms", policy_of(""), test::run_pipeline(),
                        auto_confirm(by(test::ana())), RulingKind::ask, "mode.ask"},
                    Row{"NobodyAsked", policy_of(R"("mode": "allow_all")"), test::search_logs(),
                        RulingContext{{}, test::channel(), "c", Timestamp{}}, RulingKind::deny, "nobody"}),
    test::name_of<Row>);

TEST(Rulings, TheMissingSettingIsSaid) {
  EXPECT_EQ(judge(test::policy("{}"), test::run_pipeline(), by(test::ana())).words,
            "nobody may approve run_pipeline here; name people in policy.approvers.pipeline_tools of the settings");
}

TEST(Rulings, AToolMaySayWhyItAsks) {
  Call call = test::run_pipeline();
  const RulingContext here = by(test::local_user(), test::terminal());
  EXPECT_EQ(judge(test::policy("{}"), call, here).words, "run_pipeline changes something");
  call.why_write = "example.com is not listed";
  EXPECT_EQ(judge(test::policy("{}"), call, here).words, "example.com is not listed");
  call.effect = Effect::read;
  call.always_ask = true;
  EXPECT_EQ(judge(test::policy("{}"), call, here).words, "example.com is not listed");
}

TEST(Rulings, AGrantIsNamedSoThatAUseCanBeSpent) {
  RulingContext situation = with_grant(by(test::ana()));
  situation.grants.front().grant.id = GrantId::make(from_millis(5));
  const Ruling ruling = judge(test::policy(with_people(policy_of(""))), test::run_pipeline(), situation);
  EXPECT_EQ(ruling.grant, situation.grants.front().grant.id);
  EXPECT_EQ(ruling.words, "allowed by a grant from bo");
}

TEST(Rulings, AnApprovalTurnsAskIntoAllowNeverDeny) {
  EXPECT_EQ(with_approval({RulingKind::ask, "mode.ask", "why"}).say, RulingKind::allow);
  const Ruling denied{RulingKind::deny, "roles", "why"};
  EXPECT_EQ(with_approval(denied), denied);
  const Ruling allowed{RulingKind::allow, "mode.ask", "why"};
  EXPECT_EQ(with_approval(allowed), allowed);
}

TEST(Places, HaveWhatTheirChannelSaysElseItsKind) {
  const Settings settings = test::settings(R"({"channels": {
    "slack": {"follow": "all", "instead": "C7", "default_environment": "dev", "environments": ["dev"]},
    "C1": {"follow": "mention", "default_environment": "prod"}}})");
  const PlaceRules here = rules_at(test::channel("C1"), settings);
  EXPECT_EQ(here.follow, Follow::mention);
  EXPECT_EQ(here.default_environment, "prod");
  EXPECT_EQ(here.instead, "C7");
  EXPECT_EQ(here.environments, std::vector<std::string>{"dev"});
  EXPECT_EQ(rules_at(test::telegram(), settings).follow, Follow::requester);
}

}  // namespace
}  // namespace deputy::policy
