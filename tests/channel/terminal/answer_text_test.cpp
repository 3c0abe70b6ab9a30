#include "channel/terminal/answer_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "channel/terminal/window.h"

namespace deputy::channel {
namespace {

struct Row {
  std::string name;
  std::string markdown;
  std::string plain;
  std::string coloured;
};

class AnsiText : public testing::TestWithParam<Row> {};

TEST_P(AnsiText, SetsMarkdownForATerminal) {
  EXPECT_EQ(ansi_text(GetParam().markdown, Colours::off, 80), GetParam().plain);
  EXPECT_EQ(ansi_text(GetParam().markdown, Colours::on, 80), GetParam().coloured);
}

INSTANTIATE_TEST_SUITE_P(Markdown, AnsiText,
                         testing::Values(Row{"Words", "Two.", "Two.\n", "Two.\n"},
                                         Row{"Bold", "a **b** c", "a b c\n", "a \x1b[1mb\x1b[22m c\n"},
                                         Row{"Italic", "a _b_ c", "a b c\n", "a \x1b[3mb\x1b[23m c\n"},
                                         Row{"Code", "`a_b`", "a_b\n", "\x1b[36ma_b\x1b[39m\n"},
                                         Row{"SnakeCase", "a_b_c", "a_b_c\n", "a_b_c\n"},
                                         Row{"Heading", "## What", "What\n", "\x1b[1;4mWhat\x1b[22;24m\n"},
                                         Row{"Bullet", "- one\n  * two", "• one\n  • two\n", "• one\n  • two\n"},
                                         Row{"Block", "```sh\n**x**\n```\ny", "  **x**\ny\n", "  **x**\ny\n"},
                                         Row{"BlockInABlock", "~~~\n```js\n**x**\n```\n~~~ \ny",
                                             "  ```js\n  **x**\n  ```\ny\n", "  ```js\n  **x**\n  ```\ny\n"},
                                         Row{"Link", "[here](https://e.com)", "here (https://e.com)\n",
                                             "here\x1b[2m (https://e.com)\x1b[22m\n"},
                                         Row{"NoLink", "[a] (b) [c](d e)", "[a] (b) [c](d e)\n", "[a] (b) [c](d e)\n"},
                                         Row{"Escape", "a\x1b[31mb", "a\\u{1B}[31mb\n", "a\\u{1B}[31mb\n"},
                                         Row{"EscapeInALink", "[a](\x1b]8;;x)", "a (\\u{1B}]8;;x)\n",
                                             "a\x1b[2m (\\u{1B}]8;;x)\x1b[22m\n"}),
                         [](const auto& row) { return row.param.name; });

TEST(AnsiTextTime, IsLinearInBracketsWithoutAPartner) {
  std::string brackets;
  for (int i = 0; i < 100'000; ++i) brackets += "[a](";
  EXPECT_GE(ansi_text(brackets, Colours::on, 80).size(), 1U);
}

// ---- Layout.

struct LaidOut {
  std::string name;
  std::size_t width;
  std::string markdown;
  std::string text;
};

class Layouts : public testing::TestWithParam<LaidOut> {};

TEST_P(Layouts, FitTheWindow) {
  EXPECT_EQ(ansi_text(GetParam().markdown, Colours::off, GetParam().width), GetParam().text);
}

constexpr const char* kTable = "| service | errors |\n|---|---:|\n| `checkout` | 12 |\n| cart | 3 |\nEnd.";

INSTANTIATE_TEST_SUITE_P(
    Texts, Layouts,
    testing::Values(
        LaidOut{"Words", 12, "one two three four", "one two\nthree four\n"},
        LaidOut{"ExactlyAsWide", 7, "one two three", "one two\nthree\n"},
        LaidOut{"LongWord", 12, "a 12345678901234567", "a\n123456789012\n34567\n"},
        LaidOut{"WideCharacters", 12, "日本語日本語日本", "日本語日本語\n日本\n"},
        LaidOut{"Bullet", 14, "- one two three\n  - four five", "• one two\n  three\n  • four five\n"},
        LaidOut{"Numbers", 14, "9. one two three\n10) four", "9. one two\n   three\n10) four\n"},
        LaidOut{"Tasks", 40, "- [ ] a\n- [x] b", "☐ a\n☑ b\n"},
        LaidOut{"Quote", 14, "> one two three four", "│ one two\n│ three four\n"},
        LaidOut{"Rule", 12, "---", "────────────\n"},
        LaidOut{"Table", 40, kTable, "service   errors\n────────  ──────\ncheckout      12\ncart           3\nEnd.\n"},
        LaidOut{"WideTable", 22, "| a | b |\n|---|---|\n| one two three four | five six |",
                "a             b\n────────────  ────────\none two       five six\nthree four\n"},
        LaidOut{"TableWhoseWordsWouldBreak", 20, "| a | b |\n|---|---|\n| one two | longer-than-tens |",
                "• a: one two\n  b:\n    longer-than-tens\n"},
        LaidOut{"TableThatDoesNotFit", 16, "| a | b | c |\n|---|---|---|\n| 123456789 | 123456789 | 123456789 |",
                "• a: 123456789\n  b: 123456789\n  c: 123456789\n"},
        LaidOut{"NoTable", 40, "| a | b |\nwords", "| a | b |\nwords\n"},
        LaidOut{"PipeInACell", 40, "| a |\n|---|\n| x\\|y |", "a\n───\nx|y\n"},
        LaidOut{"Code", 14, "```\nx = 1\na long line of code\n```", "  x = 1\n  a long\n    line of\n    code\n"}),
    [](const auto& row) { return row.param.name; });

TEST(AnsiMarkdown, HoldsATableBackUntilItIsWhole) {
  AnsiMarkdown lines(Colours::off, 40);
  EXPECT_EQ(lines.line("| a |"), "");
  EXPECT_EQ(lines.line("|---|"), "");
  EXPECT_EQ(lines.line("| 1 |"), "");
  EXPECT_EQ(lines.line("x"), "a\n─\n1\nx\n");
  EXPECT_EQ(lines.end(), "");
}

TEST(AnsiMarkdown, MakesNoRowWiderThanTheWindow) {
  const std::string markdown = std::string(kTable) + "\n\n- " + std::string(300, 'x') + " " + std::string(50, 'y') +
                               "\n> " + std::string(90, 'z') + "\n1. a **b c** `d e` [f](https://example.com/g)\n";
  for (const std::size_t width : {20U, 39U, 79U}) {
    std::string text = ansi_text(markdown, Colours::on, width);
    for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n')) {
      EXPECT_LE(width_of(text.substr(0, end)), width) << text.substr(0, end);
      text.erase(0, end + 1);
    }
  }
}

// ---- Code.

TEST(WrappedText, BreaksAtWordsAndGoesOnBelowTheLastColumn) {
  EXPECT_EQ(wrapped_text("one two three four\n\nfive\n", 10), "one two\n  three four\n\nfive\n");
  EXPECT_EQ(wrapped_text("  /help    list these commands again\n", 24),
            "  /help    list these\n           commands\n           again\n");
  EXPECT_EQ(wrapped_text("  a_long_name_of_it        what it does\n", 24), "  a_long_name_of_it\n    what it does\n");
  EXPECT_EQ(wrapped_text("short\n", 24), "short\n");
}

TEST(AnsiMarkdown, CodeThatIsTooWideKeepsItsColours) {
  EXPECT_EQ(ansi_text("```py\nif found:  # then go on\n```", Colours::on, 16),
            "  \x1b[1mif\x1b[22m found:  \x1b[2m#\x1b[22m\n    \x1b[2mthen go on\x1b[22m\n");
}

struct CodeRow {
  std::string name;
  std::string language;
  std::string code;
  std::string shown;
};

class Code : public testing::TestWithParam<CodeRow> {};

TEST_P(Code, IsHighlighted) {
  EXPECT_EQ(highlighted(GetParam().code, GetParam().language, Colours::on), GetParam().shown);
  EXPECT_EQ(highlighted(GetParam().code, GetParam().language, Colours::off), GetParam().code);
}

INSTANTIATE_TEST_SUITE_P(Lines, Code,
                         testing::Values(CodeRow{"String", "py", R"(x = "a\"b")", "x = \x1b[32m\"a\\\"b\"\x1b[39m"},
                                         CodeRow{"NoLanguage", "", "12 \"x\" # all", "12 \"x\" # all"},
                                         CodeRow{"Comment", "sh", "ls # all", "ls \x1b[2m# all\x1b[22m"},
                                         CodeRow{"NoComment", "sh", "a#b http://c", "a#b http://c"},
                                         CodeRow{"NumberAndKeyword", "js", "return 42",
                                                 "\x1b[1mreturn\x1b[22m \x1b[33m42\x1b[39m"},
                                         CodeRow{"NumberInAName", "", "v2 returns", "v2 returns"},
                                         CodeRow{"Apostrophe", "", "it's on, isn't it", "it's on, isn't it"},
                                         CodeRow{"Added", "diff", "+a", "\x1b[32m+a\x1b[39m"},
                                         CodeRow{"Removed", "diff", "-a", "\x1b[31m-a\x1b[39m"}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace deputy::channel
