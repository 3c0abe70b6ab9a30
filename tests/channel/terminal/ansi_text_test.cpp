#include "channel/terminal/ansi_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace deputy::channel
