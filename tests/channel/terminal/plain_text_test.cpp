#include "channel/terminal/plain_text.h"

#include <gtest/gtest.h>

namespace deputy::channel {
namespace {

struct Row {
  std::string name;
  std::string markdown;
  std::string text;
};

class PlainText : public testing::TestWithParam<Row> {};

TEST_P(PlainText, KeepsEveryWordAndDropsTheSigns) { EXPECT_EQ(plain_text(GetParam().markdown), GetParam().text); }

INSTANTIATE_TEST_SUITE_P(
    Markdown, PlainText,
    testing::Values(Row{"Words", "Two errors.", "Two errors.\n"}, Row{"Heading", "## Evidence\nx", "Evidence\nx\n"},
                    Row{"HashWithoutSpace", "#4711 is open", "#4711 is open\n"},
                    Row{"Bold", "**Approved** by _ana_", "Approved by ana\n"},
                    Row{"SnakeCase", "snake_case and 2*3*4", "snake_case and 2*3*4\n"},
                    Row{"LoneSigns", "a * b _ c", "a * b _ c\n"}, Row{"Code", "use `a_b*c` now", "use a_b*c now\n"},
                    Row{"DoubleTicks", "``a`b``", "a`b\n"}, Row{"OpenTick", "a ` b", "a ` b\n"},
                    Row{"Escaped", R"(\*not bold\*)", "*not bold*\n"},
                    Row{"Fence", "```json\n**x** # y\n```\nz", "**x** # y\nz\n"},
                    Row{"LongerFence", "````\n```\n````\nz", "```\nz\n"},
                    Row{"Bullets", "- one\n* two", "- one\n* two\n"}, Row{"EndsOnce", "x\n\n\n", "x\n"},
                    Row{"Nothing", "", ""}, Row{"Control", "a\x1b[31mb\tc", "a\\u{1B}[31mb\tc\n"}),
    [](const auto& row) { return row.param.name; });

TEST(PlainTextTime, IsLinearInSignsWithoutAPartner) {
  std::string ticks;
  for (int i = 0; i < 100'000; ++i) ticks += i % 2 == 0 ? "` " : "`` ";
  EXPECT_GE(plain_text(ticks).size(), 1U);
}

TEST(OneLine, HasNoLineEnds) { EXPECT_EQ(one_line("a\nb\x1b"), "a b\\u{1B}"); }

}  // namespace
}  // namespace deputy::channel
