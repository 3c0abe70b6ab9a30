#include <gtest/gtest.h>

#include "base/command_line.h"
#include "policy/policy.h"
#include "policy/world.h"
#include "support/results.h"

namespace deputy::policy {
namespace {

RuleSet rules(std::vector<std::string> deny, std::vector<std::string> allow) {
  const auto compiled = RuleSet::compile({Rule{"shell", std::move(deny), std::move(allow), {}}}, "policy.rules");
  EXPECT_OK(compiled);
  return *compiled;
}

struct Row {
  std::string name;
  std::string pattern;
  std::string value;
  bool hit = true;
};

class Deny : public testing::TestWithParam<Row> {};

TEST_P(Deny, FindsACommandInALine) {
  const auto& [name, pattern, value, hit] = GetParam();
  EXPECT_EQ(rules({pattern}, {}).deny(test::call_of("shell", value, ValueKind::command_line)).has_value(), hit);
}

INSTANTIATE_TEST_SUITE_P(
    RuleSet, Deny,
    testing::Values(Row{"AsItIsWritten", "rm -rf .*", "rm -rf /"}, Row{"OthersAreNotMeant", "rm -rf .*", "ls", false},
                    Row{"BehindAnOperator", "^rm", "ls && rm x"}, Row{"BehindANewline", "^rm", "ls\nrm x"},
                    Row{"BehindAPipe", "^xargs rm", "ls | xargs rm"}, Row{"InASubshell", "^rm", "(ls; rm x)"},
                    Row{"WithMoreSpace", "rm -rf", "rm   -rf /"}, Row{"WithTabs", "rm -rf", "rm\t-rf /"},
                    Row{"InQuotes", "^rm -rf", "'rm' \"-rf\" /"}, Row{"WithQuotesInTheWord", "^rm", "r''m x"},
                    Row{"WithABackslashInTheWord", "^rm", "r\\m x"},
                    Row{"OverALineContinuation", "^rm -rf", "rm \\\n-rf /"}, Row{"UnderSudo", "^rm", "sudo rm x"},
                    Row{"UnderEnv", "^rm", "env X=1 rm x"}, Row{"UnderNohup", "^rm", "nohup rm x &"},
                    Row{"UnderTime", "^rm", "time rm x"}, Row{"UnderXargs", "^rm", "ls | xargs -n1 rm"},
                    Row{"UnderAWrapperNobodyListed", "^rm", "some-wrapper --flag rm x"},
                    Row{"AfterAnAssignment", "^rm", "X=1 rm x"}, Row{"ByItsPath", "^rm", "/bin/rm x"},
                    Row{"InShC", "^rm", "sh -c 'cd / && rm x'"},
                    Row{"InShCInShC", "^rm", R"(sh -c "sh -c 'ls; rm x'")"}, Row{"InEval", "^rm", "eval 'rm x'"},
                    Row{"InASubstitution", "^rm", "echo $(rm x)"}, Row{"InBackticks", "^rm", "echo `rm x`"},
                    Row{"InAHereDocument", "^rm", "sh <<E\nrm x\nE"}, Row{"InALineThatDoesNotParse", "^rm", "rm x $("},
                    Row{"InALineWithAnOpenQuote", "^rm", "rm x '"}, Row{"InAProcessSubstitution", "^rm", "cat <(rm x)"},
                    Row{"InAFunction", "^rm", "f() { rm x; }; f"}, Row{"InALoop", "^rm", "for x in a; do rm x; done"},
                    Row{"WithFieldSeparators", "^rm -rf", "rm${IFS}-rf$IFS/"},
                    Row{"WithAnEmptyVariable", "^rm", "r${nothing}m x"}, Row{"WithBraces", "^rm -rf", "{rm,-rf,/}"},
                    Row{"WithBytesThatAreNoText", "rm.-rf", "rm \xff rm\xff-rf"}, Row{"AcrossLinesToo", "a.*b", "a\nb"},
                    Row{"EvenWhenItIsOnlyText", "rm -rf", "echo 'rm -rf'"},
                    Row{"AnEndOfACommand", "^git push$", "git push; ls"},
                    Row{"WithAnAlternative", "x|^rm", "sudo rm y"}),
    test::name_of<Row>);

TEST(RuleSet, ALineTooLongToSearchIsRefusedWhereAnythingIs) {
  const std::string line = "ls " + std::string(kMaxCommandLine, 'a');
  EXPECT_TRUE(rules({"^rm"}, {}).deny(test::call_of("shell", line, ValueKind::command_line)));
  EXPECT_FALSE(rules({}, {"ls"}).deny(test::call_of("shell", line, ValueKind::command_line)));
  EXPECT_FALSE(rules({"^rm"}, {}).deny(test::call_of("shell", line, ValueKind::plain)));
}

TEST(RuleSet, ADenyPatternOfAPlainValueIsFoundAnywhereInIt) {
  const RuleSet deny = rules({"admin"}, {});
  EXPECT_TRUE(deny.deny(test::call_of("shell", "https://host/admin/x", ValueKind::plain)));
  EXPECT_TRUE(deny.deny(test::call_of("shell", "a\nadmin\nb", ValueKind::plain)));
  EXPECT_FALSE(deny.deny(test::call_of("shell", "https://host/", ValueKind::plain)));
}

TEST(RuleSet, AHitSaysWhichPatternItWas) {
  const auto hit = rules({"a", "b"}, {}).deny(test::call_of("shell", "b", ValueKind::plain));
  EXPECT_EQ(hit, (RuleHit{"policy.rules[0].deny[1]", "`b` is refused for shell"}));
}

class Allow : public testing::TestWithParam<Row> {};

TEST_P(Allow, MatchesEachCommandWhole) {
  const auto& [name, pattern, value, hit] = GetParam();
  EXPECT_EQ(rules({}, {pattern, "echo \\w+"}).allow(test::call_of("shell", value, ValueKind::command_line)).has_value(),
            hit);
}

INSTANTIATE_TEST_SUITE_P(
    RuleSet, Allow,
    testing::Values(Row{"TheWholeCommand", "git status", "git status"},
                    Row{"NotABeginning", "git status", "git status --porcelain", false},
                    Row{"NotAnEnd", "git status", "sudo git status", false},
                    Row{"NotWithAnAssignment", "git status", "PATH=/tmp git status", false},
                    Row{"NotWithOtherSpace", "git status", "git  status", false},
                    Row{"NotInQuotes", "git status", "git 'status'", false},
                    Row{"NotWithARedirection", "git status.*", "git status > x", false},
                    Row{"NotWithAnInputEither", "git status.*", "git status < x", false},
                    Row{"NotWithASubstitution", "git status.*", "git status $(ls)", false},
                    Row{"NotWithAVariable", "git status.*", "git status $X", false},
                    Row{"NotOverLines", "git status.*", "git status \\\nx", false},
                    Row{"NotWithAHereDocument", "git status.*", "git status <<E\nE", false},
                    Row{"EveryCommandByOneOfThem", "git status", "git status && echo ok"},
                    Row{"NotWhenOneIsMissing", "git status", "git status && ls", false},
                    Row{"NotWhenTheFirstIsMissing", "git status", "ls; git status", false},
                    Row{"EitherAlternativeIsAnchored", "git status|ls", "ls x", false},
                    Row{"AnArgumentWithAnOperatorInQuotesIsOneCommand", "git log '.*'", "git log 'a; b'"},
                    Row{"NotWhatShCRuns", "sh -c .*", "sh -c 'git status'", false},
                    Row{"NotWhatAScriptOfAShellRuns", "bash .*", "bash check.sh", false},
                    Row{"NotWhatEvalRuns", "eval .*", "eval 'git status'", false},
                    Row{"NotWhatXargsRuns", "xargs .*", "xargs git status", false},
                    Row{"NotWhatFindRuns", "find .*", "find . -exec rm {} +", false},
                    Row{"WhatFindFinds", "find .*", "find . -name '*.log'"},
                    Row{"NotWhatEnvRuns", "env .*", "env git status", false},
                    Row{"NotWithAGitAlias", "git .*", "git -c alias.st='!rm x' st", false},
                    Row{"NotInAnotherRepository", "git .*", "git -C evil status", false},
                    Row{"NotWhatARebaseRuns", "git .*", "git rebase -x 'rm x' main", false},
                    Row{"NotWithAGlob", "ls .*", "ls *.txt", false},
                    Row{"NotWithAGlobBehindAWrapper", "nice .*", "nice r? x", false},
                    Row{"NotWithBraces", "ls .*", "ls {a,b}", false},
                    Row{"NotWithAHomeFolder", "ls .*", "ls ~root", false},
                    Row{"AQuotedGlobIsText", "ls .*", "ls '*.txt'"},
                    Row{"ARevisionIsNoGlob", "git show .*", "git show HEAD~3 stash@{0}"},
                    Row{"AWrapperOfWhatCanBeRead", "timeout .*", "timeout 5 git status"},
                    Row{"NotAWrapperOfAShell", "timeout .*", "timeout 5 sh -c 'git status'", false},
                    Row{"NotCodeOfAnInterpreter", "python3 .*", "python3 -c 'x'", false},
                    Row{"AScriptOfAnInterpreter", "python3 .*", "python3 tools/report.py"}),
    test::name_of<Row>);

RuleSet rules_on(std::vector<Rule> list) {
  const auto compiled = RuleSet::compile(std::move(list), "policy.rules");
  EXPECT_OK(compiled);
  return *compiled;
}

Call path_call(std::string_view tool, std::string_view path, std::vector<std::string> also = {}) {
  Call call = test::call_of(tool, path, ValueKind::path);
  call.values["value"].also = std::move(also);
  return call;
}

TEST(RuleSet, APathIsJudgedAsWrittenAndWhereItLeads) {
  const RuleSet both = rules_on({{"read_file", {"^secrets/"}, {"notes/[\\w./-]+"}, {}}});
  EXPECT_TRUE(both.deny(path_call("read_file", "notes/link", {"secrets/prod.txt"})));
  EXPECT_FALSE(both.deny(path_call("read_file", "notes/link", {"notes/a"})));
  EXPECT_TRUE(both.allow(path_call("read_file", "notes/link", {"notes/a"})));
  EXPECT_FALSE(both.allow(path_call("read_file", "notes/link", {".git/hooks/x"})));
}

TEST(RuleSet, AFileWithSeveralNamesMatchesNoAllowPattern) {
  Call call = path_call("read_file", "notes/a");
  const RuleSet allowing = rules_on({{"read_file", {}, {"notes/.*"}, {}}});
  EXPECT_TRUE(allowing.allow(call));
  call.values["value"].several_names = true;
  EXPECT_FALSE(allowing.allow(call));
}

TEST(RuleSet, ARuleMayLookAtAnyParameter) {
  const RuleSet on_environment =
      rules_on({{.tool = "restart", .deny = {"^prod$"}, .allow = {"dev"}, .examples = {}, .param = "environment"}});
  Call call = test::call_of("restart", "checkout");
  EXPECT_FALSE(on_environment.allow(call)) << "it has no such argument";
  call.values["environment"] = {"dev"};
  EXPECT_TRUE(on_environment.allow(call));
  EXPECT_FALSE(on_environment.deny(call));
  call.values["environment"] = {"prod"};
  EXPECT_FALSE(on_environment.allow(call));
  EXPECT_TRUE(on_environment.deny(call));
}

TEST(RuleSet, EveryParameterThatAllowPatternsLookAtMustMatch) {
  const RuleSet allowing =
      rules_on({{"restart", {}, {"checkout"}, {}},
                {.tool = "restart", .deny = {}, .allow = {"dev"}, .examples = {}, .param = "environment"}});
  Call call = test::call_of("restart", "checkout");
  call.values["environment"] = {"dev"};
  EXPECT_EQ(allowing.allow(call)->rule, "policy.rules[0].allow[0]");
  call.values["environment"] = {"prod"};
  EXPECT_FALSE(allowing.allow(call));
  call.values["environment"] = {"dev"};
  call.values["value"] = {"payments"};
  EXPECT_FALSE(allowing.allow(call));
}

TEST(RuleSet, AnAllowedCommandRunsInTheRootUnlessARuleNamesTheFolder) {
  Call call = test::shell("make test");
  const Rule commands{"shell", {}, {"make test"}, {}};
  const Rule folders{.tool = "shell", .deny = {}, .allow = {"docs"}, .examples = {}, .param = "working_dir"};
  EXPECT_TRUE(rules_on({commands}).allow(call));
  EXPECT_TRUE(rules_on({commands, folders}).allow(call));
  call.values["working_dir"].text = "docs";
  EXPECT_FALSE(rules_on({commands}).allow(call));
  EXPECT_TRUE(rules_on({commands, folders}).allow(call));
  EXPECT_FALSE(rules_on({folders}).allow(call)) << "the command itself is not allowed";
  call.values["working_dir"].text = "evil";
  EXPECT_FALSE(rules_on({commands, folders}).allow(call));
  call.values["working_dir"] = {"docs", ValueKind::path, {"evil"}};
  EXPECT_FALSE(rules_on({commands, folders}).allow(call)) << "docs is a link";
}

TEST(RuleSet, PathsOfAToolMayObeyTheDenyRulesOfAnother) {
  const RuleSet denying = rules_on({{"read_file", {"^secrets/"}, {}, {}}});
  Call call = path_call("get_file", "secrets/prod.txt");
  EXPECT_FALSE(denying.deny(call));
  call.path_rules_of = "read_file";
  EXPECT_TRUE(denying.deny(call));
  Call whole = path_call("search_files", ".");
  whole.path_rules_of = "read_file";
  EXPECT_FALSE(rules_on({{"read_file", {"^\\."}, {}, {}}}).deny(whole)) << "a search of everything leaves files out";
  EXPECT_TRUE(denying.deny_path("read_file", "secrets/prod.txt"));
  EXPECT_FALSE(denying.deny_path("read_file", "notes/a"));
}

TEST(RuleSet, PatternsHoldForTheirToolOnly) {
  const RuleSet both = rules({"a"}, {"a"});
  EXPECT_FALSE(both.deny(test::call_of("fetch_url", "a", ValueKind::plain)));
  EXPECT_FALSE(both.allow(test::call_of("fetch_url", "a", ValueKind::plain)));
}

TEST(Patterns, WhatRe2RefusesIsAnError) {
  for (const std::string text : {"(", "a)(b", "(?=a)", "(a)\\1", "[", "a{2000}"})
    EXPECT_FAILS(Pattern::compile(text), invalid_input);
}

TEST(Patterns, AnAllowPatternSeesNoLineEnds) {
  const auto pattern = Pattern::compile("a.*");
  ASSERT_OK(pattern);
  EXPECT_TRUE(pattern->matches_whole("abc"));
  EXPECT_FALSE(pattern->matches_whole("a\nb"));
  EXPECT_FALSE(pattern->matches_whole("a\n"));
  EXPECT_FALSE(pattern->matches_whole("a\xff"));
}

}  // namespace
}  // namespace deputy::policy
