#include "sim/slack/page/markup.h"

#include <gtest/gtest.h>

#include "support/growth.h"

namespace deputy::sim::slack {
namespace {

struct Row {
  std::string_view text;
  std::string_view html;
};

TEST(SlackMarkup, ShowsMrkdwnAsSlackDoes) {
  const Row rows[] = {
      {"plain", "<p>plain</p>"},
      {"*bold* _italic_ ~strike~", "<p><b>bold</b> <i>italic</i> <s>strike</s></p>"},
      {"*bold _both_*", "<p><b>bold <i>both</i></b></p>"},
      {"(*bold*), and more", "<p>(<b>bold</b>), and more</p>"},
      {"2*3*4 and snake_case_name", "<p>2*3*4 and snake_case_name</p>"},
      {"* not bold * and *open", "<p>* not bold * and *open</p>"},
      {"**x** and *y*", "<p>**x** and <b>y</b></p>"},
      {"`a*b*c` *d*", "<p><code>a*b*c</code> <b>d</b></p>"},
      {"`a &lt; b`", "<p><code>a &lt; b</code></p>"},
      {"one\ntwo", "<p>one<br>two</p>"},
      {"a\n```\ncode *x*\n```\nb", "<p>a</p><pre>code *x*</pre><p>b</p>"},
      {"```x\ny```", "<pre>x\ny</pre>"},
      {"```open", "<p>```open</p>"},
      {"&gt; said\n&gt; more\nend", "<blockquote>said<br>more</blockquote><p>end</p>"},
      {">said", "<blockquote>said</blockquote>"},
      {"• one\n• two", "<p>• one<br>• two</p>"},
      {"<https://example.com|docs & more>",
       R"(<p><a href="https://example.com" rel="noreferrer noopener">docs &amp; more</a></p>)"},
      {"<https://example.com/?a=1&amp;b=2>",
       R"(<p><a href="https://example.com/?a=1&amp;b=2" rel="noreferrer noopener">https://example.com/?a=1&amp;b=2</a></p>)"},
      {"<mailto:a@example.com|write>", R"(<p><a href="mailto:a@example.com" rel="noreferrer noopener">write</a></p>)"},
      {"see https://example.com/x.",
       R"(<p>see <a href="https://example.com/x" rel="noreferrer noopener">https://example.com/x</a>.</p>)"},
      {"<@U123> <@U123|ann>", R"(<p><span class="mention">@U123</span> <span class="mention">@ann</span></p>)"},
      {"<#C1|ops> <!subteam^S1|@oncall>",
       R"(<p><span class="mention">#ops</span> <span class="mention">@oncall</span></p>)"},
      {"<!here>", R"(<p><span class="mention everyone">@here</span></p>)"},
      {"<!date^1392734382^{date_num} {time}|then>", "<p><time>2014-02-18 14:39</time></p>"},
      {"<!date^soon^{date}|then>", "<p><time>then</time></p>"},
      {":tada: :nonesuch:", R"(<p><span class="emoji" title=":tada:">🎉</span> :nonesuch:</p>)"},
      {"10:30:45", "<p>10:30:45</p>"},
      {"&amp; &lt;b&gt;", "<p>&amp; &lt;b&gt;</p>"},
  };
  for (const auto& row : rows) EXPECT_EQ(mrkdwn_html(row.text), row.html);
}

TEST(SlackMarkup, ShowsMarkdownAsAMarkdownBlockDoes) {
  const Row rows[] = {
      {"**bold** __bold__ *it* _it_ ~~no~~ ***all***",
       "<p><b>bold</b> <b>bold</b> <i>it</i> <i>it</i> <s>no</s> <b><i>all</i></b></p>"},
      {"**a _b_ c**", "<p><b>a <i>b</i> c</b></p>"},
      {"**bold *both***", "<p><b>bold <i>both</i></b></p>"},
      {"snake_case_name and 2 * 3 * 4", "<p>snake_case_name and 2 * 3 * 4</p>"},
      {R"(\*not\* bold)", "<p>*not* bold</p>"},
      {"# One\n### Three", "<h4>One</h4><h4>Three</h4>"},
      {"#tag", "<p>#tag</p>"},
      {"a\nb\n\nc", "<p>a<br>b</p><p>c</p>"},
      {"- a\n- b\n  - c\n- d", "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>"},
      {"1. a\n2. b", R"(<ol start="1"><li>a</li><li>b</li></ol>)"},
      {"3) c", R"(<ol start="3"><li>c</li></ol>)"},
      {"- [ ] open\n- [x] done", R"(<ul><li class="task-item">☐ open</li><li class="task-item">☑ done</li></ul>)"},
      {"- a\n  more", "<ul><li>a<br>more</li></ul>"},
      {"> said\n> **more**", "<blockquote>said<br><b>more</b></blockquote>"},
      {"---", "<hr>"},
      {"```python\nx = '<b>'\n```\nend", "<pre>x = &#39;&lt;b&gt;&#39;</pre><p>end</p>"},
      {"```\nopen", "<pre>open</pre>"},
      {"`` a`b ``", "<p><code> a`b </code></p>"},
      {"| a | b |\n|---|:-:|\n| 1 | **2** |",
       R"(<table><tr><th>a</th><th class="center">b</th></tr><tr><td>1</td><td class="center"><b>2</b></td></tr></table>)"},
      {"a | b\nno table", "<p>a | b<br>no table</p>"},
      {"[**docs**](https://example.com)",
       R"(<p><a href="https://example.com" rel="noreferrer noopener"><b>docs</b></a></p>)"},
      {"![Logo](https://example.com/l.png)",
       R"(<p><a href="https://example.com/l.png" rel="noreferrer noopener">Logo</a></p>)"},
      {"[x](javascript:go)", "<p>[x](javascript:go)</p>"},
      {"<@U1> asked", R"(<p><span class="mention">@U1</span> asked</p>)"},
  };
  for (const auto& row : rows) EXPECT_EQ(markdown_html(row.text), row.html);
}

TEST(SlackMarkup, WhatIsNoMarkupIsEscaped) {
  const std::string_view hostile[] = {
      "<script>alert(1)</script>",
      "<img src=x onerror=alert(1)>",
      "<javascript:alert(1)|click>",
      "<https://x\" onmouseover=\"alert(1)|click>",
      "<https://x|<b>bold</b>>",
      "<@U1|<script>>",
      "```<script>```",
      "`<script>`",
      "[<script>](https://x)",
      "[x](https://x\"onclick=\"y)",
      "|<script>|\n|---|\n|<script>|",
      "<!date^1^<script>|x>",
      "# <script>",
      "- <script>",
  };
  for (const auto text : hostile) {
    for (const auto& html : {mrkdwn_html(text), markdown_html(text), plain_html(text)}) {
      EXPECT_FALSE(html.contains("<script")) << html;
      EXPECT_FALSE(html.contains("<img")) << html;
      EXPECT_FALSE(html.contains("href=\"javascript")) << html;
      EXPECT_FALSE(html.contains("\" on")) << html;
    }
  }
}

TEST(SlackMarkup, PlainTextHasNothingButEmoji) {
  EXPECT_EQ(plain_html("*a* <@U1> :fire:\n`x`"),
            "*a* &lt;@U1&gt; <span class=\"emoji\" title=\":fire:\">🔥</span><br>`x`");
}

TEST(SlackMarkup, ReadAloudTokensAreTheirLabels) {
  EXPECT_EQ(mrkdwn_text("*Hi* <@U1|ann> &lt;see <https://example.com|docs>> <!here> <odd"),
            "*Hi* @ann <see docs> @here <odd");
}

TEST(SlackMarkup, HostileTextTakesLinearTime) {
  for (const std::string_view piece : {"*a ", "<", "`", "[", "[](", "_*~", ":a", "***", "> ", "- ", "|", "* _ ~ ", "<@",
                                       "http://", "```", "  - a\n"}) {
    // 8 when the time is linear, 64 when it is quadratic.
    EXPECT_LT(test::growth(piece, 4'000, [](const std::string& text) { mrkdwn_html(text + ">"); }), 30) << piece;
    EXPECT_LT(test::growth(piece, 4'000, [](const std::string& text) { markdown_html(text + "]("); }), 30) << piece;
  }
}

}  // namespace
}  // namespace deputy::sim::slack
