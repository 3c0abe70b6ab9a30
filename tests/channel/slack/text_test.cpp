#include "channel/slack/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace deputy::channel::slack {
namespace {

struct TextRow {
  std::string name;
  std::string from;
  std::string to;
};
std::string name_of_row(const testing::TestParamInfo<TextRow>& row) { return row.param.name; }

class ToMrkdwn : public testing::TestWithParam<TextRow> {};
TEST_P(ToMrkdwn, WritesWhatSlackReads) { EXPECT_EQ(to_mrkdwn(GetParam().from), GetParam().to); }
INSTANTIATE_TEST_SUITE_P(
    Rows, ToMrkdwn,
    testing::Values(TextRow{"Bold", "a **bold** word", "a *bold* word"},
                    TextRow{"Italic", "an *italic* word", "an _italic_ word"},
                    TextRow{"Code", "run `a < b` now", "run `a &lt; b` now"},
                    TextRow{"Link", "see [the page](https://example.com/a?b=1&c=2)",
                            "see <https://example.com/a?b=1&amp;c=2|the page>"},
                    TextRow{"BarInALabel", "[a|b](https://example.com)", "<https://example.com|a/b>"},
                    TextRow{"Heading", "## What I found", "*What I found*"},
                    TextRow{"List", "- one\n  - two", "• one\n  • two"}, TextRow{"Quote", "> said", "> said"},
                    TextRow{"Fence", "```cpp\nif (a < b) {}\n```", "```\nif (a &lt; b) {}\n```"},
                    TextRow{"NotifiesNobody", "<!channel> and <@U1>", "&lt;!channel&gt; and &lt;@U1&gt;"}),
    name_of_row);

class Readable : public testing::TestWithParam<TextRow> {};
TEST_P(Readable, IsWhatAReaderSees) {
  const auto names = [](std::string_view id) { return std::string(id == "U1" ? "Ana" : id == "C1" ? "ops" : ""); };
  EXPECT_EQ(readable(GetParam().from, names), GetParam().to);
}
INSTANTIATE_TEST_SUITE_P(
    Rows, Readable,
    testing::Values(TextRow{"Person", "ask <@U1> or <@U2>", "ask @Ana or @U2"},
                    TextRow{"Channel", "in <#C1> or <#C2|deploys>", "in #ops or #deploys"},
                    TextRow{"Group", "<!subteam^S1|@oncall> and <!subteam^S2>", "@oncall and @S2"},
                    TextRow{"Everybody", "<!here> look", "@here look"},
                    TextRow{"Link", "<https://example.com|the page> <https://example.com>",
                            "the page (https://example.com) https://example.com"},
                    TextRow{"Date", "since <!date^1392734382^{date}^https://example.com|Feb 18>", "since Feb 18"},
                    TextRow{"Escapes", "a &lt; b &amp;&amp; c", "a < b && c"}, TextRow{"NotAToken", "a < b", "a < b"}),
    name_of_row);

TEST(SlackMentions, AreTakenOutIfTheyAreOurs) {
  const Addressed mentions = read_mentions("<@UBOT> ask <@U1> about it", "UBOT");
  EXPECT_TRUE(mentions.us);
  EXPECT_TRUE(mentions.others);
  EXPECT_EQ(mentions.rest, "ask <@U1> about it");
  EXPECT_FALSE(read_mentions("hello", "UBOT").us);
  EXPECT_EQ(read_mentions("<@UBOT|deputy>", "UBOT").rest, "");
}

RC_GTEST_PROP(SlackTextProperty, EscapingIsUndone, (const std::string& text)) {
  RC_ASSERT(unescape(escape(text)) == text);
}

RC_GTEST_PROP(SlackTextProperty, NothingThatIsEscapedIsAToken, (const std::string& text)) {
  RC_ASSERT(!escape(text).contains('<'));
}

}  // namespace
}  // namespace deputy::channel::slack
