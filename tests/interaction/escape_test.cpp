#include "interaction/escape.h"

#include <gtest/gtest.h>

#include "interaction/arguments.h"

namespace deputy::interaction {
namespace {

struct Row {
  std::string name, text, exactly, as_prose;
};

class Escaped : public testing::TestWithParam<Row> {};

TEST_P(Escaped, AsWritten) {
  EXPECT_EQ(escape(GetParam().text, Showing::exactly), GetParam().exactly);
  EXPECT_EQ(escape(GetParam().text, Showing::as_prose), GetParam().as_prose);
}

INSTANTIATE_TEST_SUITE_P(
    Escape, Escaped,
    testing::Values(Row{"OrdinaryTextStays", "deploy cast-core ü 東京 🚀", "deploy cast-core ü 東京 🚀",
                        "deploy cast-core ü 東京 🚀"},
                    Row{"LineEndsAndTabs", "a\nb\tc\r", R"(a\u{A}b\u{9}c\u{D})", R"(a\u{A}b\u{9}c\u{D})"},
                    Row{"EscapeSequences", "\x1b[31mred", R"(\u{1B}[31mred)", R"(\u{1B}[31mred)"},
                    Row{"C1Controls", "a\u0085b\u009b", R"(a\u{85}b\u{9B})", R"(a\u{85}b\u{9B})"},
                    Row{"DirectionOverrides", "a\u202Eb\u2066c\u200F", R"(a\u{202E}b\u{2066}c\u{200F})",
                        R"(a\u{202E}b\u{2066}c\u{200F})"},
                    Row{"NoWidth", "pro\u200Bd\u2060\uFEFF\u00AD", R"(pro\u{200B}d\u{2060}\u{FEFF}\u{AD})",
                        R"(pro\u{200B}d\u{2060}\u{FEFF}\u{AD})"},
                    Row{"Fillers", "\u115F\u3164\u180E", R"(\u{115F}\u{3164}\u{180E})", R"(\u{115F}\u{3164}\u{180E})"},
                    Row{"Tags", "a\U000E0041\U000E007F", R"(a\u{E0041}\u{E007F})", R"(a\u{E0041}\u{E007F})"},
                    Row{"VariationSelectors", "a\uFE00\U000E0100", R"(a\u{FE00}\u{E0100})", R"(a\u{FE00}\u{E0100})"},
                    Row{"OtherSpacesOnlyWhereExact", "a\u00A0b\u3000", R"(a\u{A0}b\u{3000})", "a\u00A0b\u3000"},
                    Row{"JoinersOnlyWhereExact", "\u0646\u200C\u0627", "\u0646\\u{200C}\u0627", "\u0646\u200C\u0627"},
                    Row{"MarksOnlyWhereExact", "e\u0301", R"(e\u{301})", "e\u0301"},
                    Row{"BrokenBytes", "a\xFF\xC3", R"(a\x{FF}\x{C3})", R"(a\x{FF}\x{C3})"},
                    Row{"ABackslashIsItself", R"(C:\dir \u \x)", R"(C:\dir \u \x)", R"(C:\dir \u \x)"},
                    Row{"WhatLooksLikeAnEscapeIsEscaped", R"(\u{202E}\x{FF})", R"(\u{5C}u{202E}\u{5C}x{FF})",
                        R"(\u{5C}u{202E}\u{5C}x{FF})"}),
    [](const auto& info) { return info.param.name; });

TEST(Escape, SpacesThatNobodyWouldSeeAreEscaped) {
  EXPECT_EQ(escape_with_spaces(" a  b "), R"(\u{20}a \u{20}b\u{20})");
  EXPECT_EQ(escape_line("  a  b  "), R"(  a  b\u{20}\u{20})");
}

TEST(Escape, ALongRunOfSpacesIsFolded) {
  EXPECT_EQ(escape_line("a" + std::string(120, ' ') + "b"), R"(a\u{20*120}b)");
  EXPECT_EQ(escape_line(std::string(8, ' ') + "b"), std::string(8, ' ') + "b");
  EXPECT_EQ(escape_with_spaces("a" + std::string(120, ' ')), R"(a\u{20*120})");
  EXPECT_EQ(escape_line(R"(a\u{20*120}b)"), R"(a\u{5C}u{20*120}b)");
}

TEST(Markdown, ACodeSpanIsNeverBrokenOutOf) {
  EXPECT_EQ(code_span("prod"), "`prod`");
  EXPECT_EQ(code_span("a`b"), "``a`b``");
  EXPECT_EQ(code_span("``"), "``` `` ```");
  EXPECT_EQ(code_span("a\nb"), R"(`a\u{A}b`)");
  EXPECT_EQ(code_span(""), "(empty)");
}

TEST(Markdown, AFenceIsLongerThanAnyRunInside) {
  EXPECT_EQ(fenced("a\n"), "```\na\n```\n");
  EXPECT_EQ(fenced("````\nb"), "`````\n````\nb\n`````\n");
}

TEST(Markdown, WordsStayWords) {
  EXPECT_EQ(plain("**bold** _x_ snake_case [a](b) <@U1> &amp;"),
            R"(\*\*bold\*\* \_x\_ snake_case \[a\](b) \<@U1\> \&amp;)");
  EXPECT_EQ(plain("# no heading"), R"(\# no heading)");
  EXPECT_EQ(plain("1. no list"), R"(1\. no list)");
  EXPECT_EQ(plain_lines("one\n- two\r\n"), "one\n\\- two");
}

TEST(Arguments, OneALineAsJson) {
  EXPECT_EQ(show_arguments({{"repo", "cast-core"}, {"limit", 4}, {"tags", {"a", "b"}}}, {}),
            (Preformatted{"repo: \"cast-core\"\nlimit: 4\ntags: [\"a\",\"b\"]\n", true}));
}

TEST(Arguments, LinesOfTextHaveABar) {
  EXPECT_EQ(show_arguments({{"text", "Hello\nworld "}}, {}),
            (Preformatted{"text: text of 2 lines, 12 characters\n  | Hello\n  | world\\u{20}\n", true}));
}

TEST(Arguments, ANumberAndItsTextLookDifferent) {
  EXPECT_NE(show_arguments({{"a", 4}}, {}), show_arguments({{"a", "4"}}, {}));
}

TEST(Arguments, AValueCannotLookLikeAnotherArgument) {
  EXPECT_EQ(show_arguments({{"a", "x\nenvironment: \"dev\""}}, {}).text,
            "a: text of 2 lines, 20 characters\n  | x\n  | environment: \"dev\"\n");
  EXPECT_EQ(show_arguments({{"a: 1\nb", 2}}, {}).text, "a: 1\\u{A}b: 2\n");
}

TEST(Arguments, LongOnesAreFoldedWithACountAndMarkedAsNotWhole) {
  const Preformatted shown = show_arguments({{"text", std::string(5000, 'x')}}, {});
  EXPECT_FALSE(shown.whole);
  EXPECT_EQ(shown.text, "text: text of 1 line, 5000 characters\n  | " + std::string(1500, 'x') +
                            "\n  … 3500 more characters not shown\n");
}

TEST(Arguments, ManyLinesAreFolded) {
  std::string lines;
  for (int i = 0; i < 40; ++i) lines += "l\n";
  const Preformatted shown = show_arguments({{"text", lines}}, {});
  EXPECT_FALSE(shown.whole);
  EXPECT_TRUE(shown.text.ends_with("  | l\n  … 21 more characters not shown\n")) << shown.text;
}

TEST(Arguments, TooManyAreCountedNotDropped) {
  json::object arguments;
  for (int i = 0; i < 70; ++i) arguments["a" + std::to_string(i)] = i;
  const Preformatted shown = show_arguments(arguments, {});
  EXPECT_FALSE(shown.whole);
  EXPECT_TRUE(shown.text.ends_with("… 10 more arguments not shown\n"));
}

TEST(Arguments, AllTogetherAreBounded) {
  json::object arguments;
  for (int i = 0; i < 60; ++i) arguments["a" + std::to_string(i)] = std::string(1400, 'x');
  const Preformatted shown = show_arguments(arguments, {});
  EXPECT_FALSE(shown.whole);
  EXPECT_LT(shown.text.size(), 25'000U);
}

TEST(Arguments, TheFullTextFoldsNothing) {
  const Preformatted shown = show_arguments({{"text", std::string(100'000, 'x')}}, Fold::nothing());
  EXPECT_TRUE(shown.whole);
  EXPECT_GT(shown.text.size(), 100'000U);
}

}  // namespace
}  // namespace deputy::interaction
