#include "base/command_line.h"

#include <gmock/gmock.h>

#include "support/results.h"

namespace deputy {
namespace {

const auto kName = [](const auto& info) { return info.param.name; };

struct Parses {
  std::string name;
  std::string line;
  std::vector<std::string> commands;  // as written
};

class CommandLineParses : public testing::TestWithParam<Parses> {};

TEST_P(CommandLineParses, IntoTheseCommands) {
  const auto commands = parse_command_line(GetParam().line);
  ASSERT_OK(commands);
  std::vector<std::string> texts;
  for (const Command& command : *commands) texts.push_back(command.text);
  EXPECT_EQ(texts, GetParam().commands);
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, CommandLineParses,
    testing::Values(
        Parses{"OneCommand", "git status", {"git status"}},
        Parses{"SpaceAroundIsNotPartOfIt", " \t git status  \n", {"git status"}},
        Parses{"SpaceInsideStaysAsWritten", "git  status", {"git  status"}},
        Parses{"APipeSeparates", "a|b | c", {"a", "b", "c"}}, Parses{"APipeOfErrorsSeparates", "a |& b", {"a", "b"}},
        Parses{"AndOrSeparate", "a && b || c", {"a", "b", "c"}}, Parses{"SemicolonsSeparate", "a; b;", {"a", "b"}},
        Parses{"NewlinesSeparate", "a\nb\n\n", {"a", "b"}}, Parses{"AmpersandsSeparate", "a & b &", {"a", "b"}},
        Parses{"AnOperatorMayBeFollowedByNewlines", "a &&\n\n b", {"a", "b"}},
        Parses{"ASubshellIsTakenApart", "(a; b) && c", {"a", "b", "c"}},
        Parses{"AGroupIsTakenApart", "{ a; b; } | c", {"a", "b", "c"}},
        Parses{"SubshellsNest", "( (a) | b )", {"a", "b"}},
        Parses{"OperatorsInQuotesAreText", "a ';|&' \"&&(\" \\;", {"a ';|&' \"&&(\" \\;"}},
        Parses{"CommentsAreNothing", "a # ; rm\nb #c", {"a", "b"}},
        Parses{"AHashInsideAWordIsText", "a b#c", {"a b#c"}},
        Parses{"AssignmentsBelongToTheirCommand", "X=1 Y=2 a", {"X=1 Y=2 a"}},
        Parses{"AnAssignmentAloneIsACommand", "X=1; a", {"X=1", "a"}},
        Parses{"ABraceInAnArgumentIsText", "a {b,c} }", {"a {b,c} }"}},
        Parses{"ADollarInSingleQuotesIsText", "a 'x$'", {"a 'x$'"}}),
    kName);

struct DoesNot {
  std::string name;
  std::string line;
};

class CommandLineDoesNotParse : public testing::TestWithParam<DoesNot> {};

TEST_P(CommandLineDoesNotParse, WhatCouldMeanSomethingElse) {
  EXPECT_FAILS(parse_command_line(GetParam().line), invalid_input);
}

INSTANTIATE_TEST_SUITE_P(
    CommandLine, CommandLineDoesNotParse,
    testing::Values(
        DoesNot{"Nothing", ""}, DoesNot{"OnlySpace", "  \n"}, DoesNot{"OnlyAComment", "# a"},
        DoesNot{"Substitution", "a $(b)"}, DoesNot{"Backticks", "a `b`"},
        DoesNot{"SubstitutionInDoubleQuotes", "a \"$(b)\""}, DoesNot{"BackticksInDoubleQuotes", "a \"`b`\""},
        DoesNot{"AVariable", "a $B"}, DoesNot{"AVariableInBraces", "a ${B}"},
        DoesNot{"AVariableInDoubleQuotes", "a \"$B\""}, DoesNot{"AnsiQuotes", "a $'\\x72'"},
        DoesNot{"Arithmetic", "((a))"}, DoesNot{"AHereDocument", "a <<E\nb\nE"}, DoesNot{"AHereString", "a <<< b"},
        DoesNot{"ProcessSubstitution", "a <(b)"}, DoesNot{"ProcessSubstitutionForWriting", "a >(b)"},
        DoesNot{"AnOpenSingleQuote", "a 'b"}, DoesNot{"AnOpenDoubleQuote", "a \"b"},
        DoesNot{"ABackslashAtTheEnd", "a \\"}, DoesNot{"ALineContinuation", "a \\\nb"},
        DoesNot{"ALineContinuationInQuotes", "a \"b\\\nc\""}, DoesNot{"ANulByte", std::string("a\0b", 3)},
        DoesNot{"ACarriageReturn", "a\rb"}, DoesNot{"AnEscapeCharacter", "a \x1b[2K"},
        DoesNot{"ControlCharactersInQuotes", "a '\x01'"}, DoesNot{"AnOpenSubshell", "(a"},
        DoesNot{"AnOpenGroup", "{ a;"}, DoesNot{"AGroupClosedTheOtherWay", "(a; }"},
        DoesNot{"ACloseWithoutAnOpen", "a)"}, DoesNot{"AnEmptySubshell", "()"}, DoesNot{"AFunction", "a() { b; }"},
        DoesNot{"AnArray", "a=(b c)"}, DoesNot{"WordsAfterAGroup", "(a) b"}, DoesNot{"ARedirectedGroup", "(a) > b"},
        DoesNot{"AnOperatorFirst", "&& a"}, DoesNot{"AnOperatorLast", "a &&"}, DoesNot{"APipeLast", "a |"},
        DoesNot{"TwoOperators", "a ; ; b"}, DoesNot{"ACaseSeparator", "a ;; b"},
        DoesNot{"AnOperatorAfterANewline", "a\n&& b"}, DoesNot{"ALoop", "for x in a; do b; done"},
        DoesNot{"ACondition", "if a; then b; fi"}, DoesNot{"ANegation", "! a"},
        DoesNot{"AGlobAsTheCommand", "/bin/r? x"}, DoesNot{"ABraceAsTheCommand", "{rm,-rf,x}"},
        DoesNot{"ATildeAsTheCommand", "~/a"}, DoesNot{"AGlobAfterAnAssignment", "X=1 r*"},
        DoesNot{"TooLong", std::string(kMaxCommandLine + 1, 'a')}, DoesNot{"TooDeep", std::string(100, '{')},
        DoesNot{"TooManyGroups",
                [] {
                  std::string line;
                  for (int i = 0; i < 40; ++i) line += "( ";
                  return line + "a" + std::string(40, ')');
                }()}),
    kName);

TEST(CommandLine, WordsAreWhatTheShellWouldSee) {
  const auto commands = parse_command_line(R"(X=1 g"i"t 'l o'g a\ b "c\"d\e" '' 2>&1)");
  ASSERT_OK(commands);
  ASSERT_EQ(commands->size(), 1U);
  EXPECT_THAT(commands->front().words, testing::ElementsAre("X=1", "git", "l og", "a b", "c\"d\\e", "", "2", "1"));
}

TEST(CommandLine, ARedirectionIsNoticedHoweverItIsWritten) {
  for (const std::string line :
       {"a > b", "a >b", "a>b", "a 2>b", "a >> b", "a >| b", "a < b", "a <> b", "a 2>&1", "> b", ">b a"}) {
    const auto commands = parse_command_line(line);
    ASSERT_OK(commands) << line;
    EXPECT_TRUE(commands->front().redirects) << line;
  }
  const auto both = parse_command_line("a &> b");
  ASSERT_OK(both);
  EXPECT_TRUE(both->back().redirects);
}

TEST(CommandLine, AFilePatternIsNoticedAndWhetherItMayStandForAnOption) {
  const auto patterns = [](std::string_view line) { return parse_command_line(line)->front().patterns; };
  for (const std::string line : {"ls a", "ls '*'", "ls \\*", "ls \"a*\"", "ls a~", "ls {a}", "ls {} a,b"})
    EXPECT_EQ(patterns(line), FilePatterns::none) << line;
  for (const std::string line : {"ls a*", "ls ./*", "ls ''a?", "ls --x=*", "ls a{b,c}", "ls x{1..3}", "ls '-'*"})
    EXPECT_EQ(patterns(line), FilePatterns::in_words) << line;
  for (const std::string line : {"ls *", "ls ?a", "ls [-]r", "ls ~", "ls ''*", "ls {-r,a}", "ls ''{-r,a}", "ls a* *"})
    EXPECT_EQ(patterns(line), FilePatterns::begin_words) << line;
}

}  // namespace
}  // namespace deputy
