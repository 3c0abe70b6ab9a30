#include "channel/terminal/styled_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace deputy::channel {
namespace {

using testing::Not;

using testing::HasSubstr;

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

TEST(Folded, ShowsAFewLinesAndSaysHowManyMore) {
  EXPECT_EQ(folded("a\nb\n", "  ", kAnyWidth), "  a\n  b\n");
  EXPECT_EQ(folded(lines(4), "", kAnyWidth), "1\n2\n3\n4\n");
  EXPECT_THAT(folded(lines(5), "", kAnyWidth), HasSubstr("3\n… 2 more lines\n"));
  EXPECT_THAT(folded(lines(30), "", kAnyWidth, "/result 3"), HasSubstr("3\n… 27 more lines · /result 3\n"));
  EXPECT_EQ(folded("", "", kAnyWidth), "");
  EXPECT_EQ(folded(lines(30), "", kAnyWidth, "/result 3", Shown::end), "… 27 more lines · /result 3\n28\n29\n30\n");
  EXPECT_EQ(folded(lines(4), "", kAnyWidth, {}, Shown::end), "1\n2\n3\n4\n");
}

TEST(Folded, CutsEachLineToOneRow) {
  EXPECT_EQ(folded("abcdefghijklmnop\nb", "  ", 12, "/result 1"), "  abcdefghi…\n  b\n  /result 1\n");
}

TEST(Folded, ObeysNothing) { EXPECT_EQ(folded("\x1b]0;x\x07", "", kAnyWidth), "\\u{1B}]0;x\\u{7}\n"); }

struct CodesRow {
  std::string name;
  std::string text;
  std::string shown;
};

class Codes : public testing::TestWithParam<CodesRow> {};

TEST_P(Codes, AreLeftOutAsATerminalDoes) { EXPECT_EQ(without_codes(GetParam().text), GetParam().shown); }

INSTANTIATE_TEST_SUITE_P(
    Output, Codes,
    testing::Values(CodesRow{"Words", "a\nb", "a\nb"}, CodesRow{"Colours", "\x1b[1;31mred\x1b[0m.", "red."},
                    CodesRow{"Title", "\x1b]0;owned\x07x", "x"}, CodesRow{"Link", "\x1b]8;;u\x1b\\x", "x"},
                    CodesRow{"TitleWithoutEnd", "\x1b]0;owned\nx", "\nx"},
                    CodesRow{"Progress", "10%\r50%\r100%\ndone", "100%\ndone"},
                    CodesRow{"LineEnds", "a\r\nb\r\n", "a\nb\n"}, CodesRow{"Unfinished", "a\x1b[31", "a"},
                    CodesRow{"OtherEscape", "a\x1b(Bb", "aBb"}, CodesRow{"Alone", "a\x1b", "a"}),
    [](const auto& row) { return row.param.name; });

TEST(WithSpaces, ATabGoesToTheNextStop) {
  EXPECT_EQ(with_spaces("a\tb\t\tc"), "a       b               c");
  EXPECT_EQ(with_spaces("\x1b[1mab\x1b[22m\tc"), "\x1b[1mab\x1b[22m      c");
  EXPECT_EQ(with_spaces("12345678\tx"), "12345678        x");
}

TEST(ShortIds, StandForIdsAlone) {
  EXPECT_EQ(with_short_ids("run 01M7RZP1Q9ABCDEFGHJKMNPQRS, chat-01M7RZP1Q9ABCDEFGHJKMNPQRS.2."),
            "run 01M7RZP1Q9, chat-01M7RZP1Q9.2.");
  EXPECT_EQ(with_short_ids("abcdefghijklmnopqrstuvwxyz 0123 häuser"), "abcdefghijklmnopqrstuvwxyz 0123 häuser");
}

}  // namespace
}  // namespace deputy::channel
