#include "channel/terminal/styled_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace deputy::channel {
namespace {

using testing::Not;

using testing::HasSubstr;

struct Row {
  std::string name;
  std::string markdown;
  std::string plain;
  std::string coloured;
};

class AnsiText : public testing::TestWithParam<Row> {};

TEST_P(AnsiText, SetsMarkdownForATerminal) {
  EXPECT_EQ(ansi_text(GetParam().markdown, Colours::off), GetParam().plain);
  EXPECT_EQ(ansi_text(GetParam().markdown, Colours::on), GetParam().coloured);
}

INSTANTIATE_TEST_SUITE_P(
    Markdown, AnsiText,
    testing::Values(
        Row{"Words", "Two.", "Two.\n", "Two.\n"}, Row{"Bold", "a **b** c", "a b c\n", "a \x1b[1mb\x1b[22m c\n"},
        Row{"Italic", "a _b_ c", "a b c\n", "a \x1b[3mb\x1b[23m c\n"},
        Row{"Code", "`a_b`", "a_b\n", "\x1b[36ma_b\x1b[39m\n"}, Row{"SnakeCase", "a_b_c", "a_b_c\n", "a_b_c\n"},
        Row{"Heading", "## What", "What\n", "\x1b[1;4mWhat\x1b[22;24m\n"},
        Row{"Bullet", "- one\n  * two", "• one\n  • two\n", "• one\n  • two\n"},
        Row{"Block", "```sh\n**x**\n```\ny", "  **x**\ny\n", "  \x1b[36m**x**\x1b[39m\ny\n"},
        Row{"BlockInABlock", "~~~\n```js\n**x**\n```\n~~~ \ny", "  ```js\n  **x**\n  ```\ny\n",
            "  \x1b[36m```js\x1b[39m\n  \x1b[36m**x**\x1b[39m\n  \x1b[36m```\x1b[39m\ny\n"},
        Row{"Link", "[here](https://e.com)", "here (https://e.com)\n", "here\x1b[2m (https://e.com)\x1b[22m\n"},
        Row{"NoLink", "[a] (b) [c](d e)", "[a] (b) [c](d e)\n", "[a] (b) [c](d e)\n"},
        Row{"Table", "| a | **b** |", "| a | **b** |\n", "| a | **b** |\n"},
        Row{"Escape", "a\x1b[31mb", "a\\u{1B}[31mb\n", "a\\u{1B}[31mb\n"},
        Row{"EscapeInALink", "[a](\x1b]8;;x)", "a (\\u{1B}]8;;x)\n", "a\x1b[2m (\\u{1B}]8;;x)\x1b[22m\n"}),
    [](const auto& row) { return row.param.name; });

TEST(AnsiTextTime, IsLinearInBracketsWithoutAPartner) {
  std::string brackets;
  for (int i = 0; i < 100'000; ++i) brackets += "[a](";
  EXPECT_GE(ansi_text(brackets, Colours::on).size(), 1U);
}

// ---- Plain text.

struct PlainRow {
  std::string name;
  std::string markdown;
  std::string text;
};

class PlainText : public testing::TestWithParam<PlainRow> {};

TEST_P(PlainText, KeepsEveryWordAndDropsTheSigns) { EXPECT_EQ(plain_text(GetParam().markdown), GetParam().text); }

INSTANTIATE_TEST_SUITE_P(
    Markdown, PlainText,
    testing::Values(PlainRow{"Words", "Two errors.", "Two errors.\n"},
                    PlainRow{"Heading", "## Evidence\nx", "Evidence\nx\n"},
                    PlainRow{"HashWithoutSpace", "#4711 is open", "#4711 is open\n"},
                    PlainRow{"Bold", "**Approved** by _ana_", "Approved by ana\n"},
                    PlainRow{"SnakeCase", "snake_case and 2*3*4", "snake_case and 2*3*4\n"},
                    PlainRow{"LoneSigns", "a * b _ c", "a * b _ c\n"},
                    PlainRow{"Code", "use `a_b*c` now", "use a_b*c now\n"}, PlainRow{"DoubleTicks", "``a`b``", "a`b\n"},
                    PlainRow{"OpenTick", "a ` b", "a ` b\n"}, PlainRow{"Escaped", R"(\*not bold\*)", "*not bold*\n"},
                    PlainRow{"Fence", "```json\n**x** # y\n```\nz", "**x** # y\nz\n"},
                    PlainRow{"LongerFence", "````\n```\n````\nz", "```\nz\n"},
                    PlainRow{"Bullets", "- one\n* two", "- one\n* two\n"}, PlainRow{"EndsOnce", "x\n\n\n", "x\n"},
                    PlainRow{"Nothing", "", ""}, PlainRow{"Control", "a\x1b[31mb\tc", "a\\u{1B}[31mb\tc\n"}),
    [](const auto& row) { return row.param.name; });

TEST(PlainTextTime, IsLinearInSignsWithoutAPartner) {
  std::string ticks;
  for (int i = 0; i < 100'000; ++i) ticks += i % 2 == 0 ? "` " : "`` ";
  EXPECT_GE(plain_text(ticks).size(), 1U);
}

TEST(OneLine, HasNoLineEnds) { EXPECT_EQ(one_line("a\nb\x1b"), "a b\\u{1B}"); }

// ---- Folded results.

std::string lines(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(Folded, ShowsTenLinesAndSaysHowManyMore) {
  EXPECT_EQ(folded("a\nb\n", "  "), "  a\n  b\n");
  EXPECT_THAT(folded(lines(10), ""), Not(HasSubstr("more")));
  EXPECT_THAT(folded(lines(11), ""), HasSubstr("10\n… 1 more line\n"));
  EXPECT_THAT(folded(lines(30), ""), HasSubstr("10\n… 20 more lines\n"));
  EXPECT_EQ(folded("", ""), "");
}

TEST(Folded, ObeysNothing) { EXPECT_EQ(folded("\x1b]0;x\x07", ""), "\\u{1B}]0;x\\u{7}\n"); }

}  // namespace
}  // namespace deputy::channel
