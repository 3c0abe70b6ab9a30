#include "channel/safe_markdown.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>

#include "base/text.h"
#include "support/growth.h"

namespace deputy::channel {
namespace {

const Hosts kKnown{"good.example", "10.0.0.1"};

struct Row {
  std::string name;
  std::string written;
  std::string expected;
};
class Outgoing : public testing::TestWithParam<Row> {};

TEST_P(Outgoing, IsMadeSafe) { EXPECT_EQ(make_safe(GetParam().written, kKnown), GetParam().expected); }

const auto kName = [](const auto& row) { return row.param.name; };

INSTANTIATE_TEST_SUITE_P(
    Mentions, Outgoing,
    testing::Values(
        Row{"PlainTextStays", "All *well*, 3 < 4 & 5 > 2.\n\n- a\n- b", "All *well*, 3 < 4 & 5 > 2.\n\n- a\n- b"},
        Row{"Channel", "hey @channel!", "hey `@channel`!"}, Row{"Here", "@here", "`@here`"},
        Row{"EveryoneInCapitals", "(@Everyone)", "(`@Everyone`)"},
        Row{"WithinAWordToo", "a@everyone b", "a`@everyone` b"},
        Row{"AnAddressIsNone", "ops@here.example", "ops@here.example"},
        Row{"ALongerNameIsNone", "@heretic", "@heretic"}, Row{"SlackChannel", "<!channel> look", "`<!channel>` look"},
        Row{"SlackGroup", "<!subteam^S1|@sre>", "`<!subteam^S1|@sre>`"},
        Row{"SlackAccount", "ask <@U123>", "ask `<@U123>`"}, Row{"DiscordRole", "ask <@&77>", "ask `<@&77>`"},
        Row{"Escaped", "\\@channel \\<!here>", "`@channel` `<!here>`"},
        Row{"AsEntities", "&#64;channel &lt;!here> &commat;here", "\\&#64;channel \\&lt;!here> \\&commat;here"},
        Row{"ABackslashUndoesNothing", "C:\\www.evil.example", "C:\\\\`www.evil.example`"},
        Row{"NeverClosed", "<!channel", "\\<!channel"}, Row{"InCodeItStays", "`@channel`", "`@channel`"},
        Row{"InABlockItStays", "```\n@channel\n```", "```\n@channel\n```"},
        Row{"BesideCode", "`a`@channel`b`", "`a` `@channel` `b`"}),
    kName);

INSTANTIATE_TEST_SUITE_P(Code, Outgoing,
                         testing::Values(Row{"BackticksNeverClosedAreSigns", "a ` b @here", "a \\` b `@here`"},
                                         Row{"ACodeSpanEndsWithItsLine", "`a\n@here`", "\\`a\n`@here` \\`"},
                                         Row{"ABarEndsNoCode", "| `@here | x` |", "| `@here \\| x` |"},
                                         Row{"ABlockInAListStaysThere", "- a\n  ```\n@here\n  ```",
                                             "- a\n  ```\n  @here\n  ```"},
                                         Row{"ABlockFarInAListComesNearer", "1. a\n\n    ```sh\n    ls\n    ```\nb",
                                             "1. a\n\n   ```sh\n    ls\n   ```\nb"},
                                         Row{"WithoutAListItIsText", "    ```\n@here", "    \\`\\`\\`\n`@here`"},
                                         Row{"ACarriageReturnEndsALine", "```\ra\r```\r@here", "```\na\n```\n`@here`"}),
                         kName);

INSTANTIATE_TEST_SUITE_P(
    Links, Outgoing,
    testing::Values(
        Row{"KnownStays", "[runs](https://good.example/x?a=(1)#b)", "[runs](https://good.example/x?a=(1)#b)"},
        Row{"UnknownIsShownAsCode", "[runs](https://evil.example/x \"t\")", "[runs] (`https://evil.example/x \"t\"`)"},
        Row{"ATitleIsDropped", "[a](https://good.example/ \"t\")", "[a](https://good.example/)"},
        Row{"Bare", "see https://evil.example/?q=1.", "see `https://evil.example/?q=1`."},
        Row{"BareAndKnown", "see (HTTPS://Good.Example:8080/x).", "see (HTTPS://Good.Example:8080/x)."},
        Row{"WithoutAScheme", "www.evil.example", "`www.evil.example`"},
        Row{"OtherSchemes", "slack://channel?id=1 and [x](javascript:alert)",
            "`slack://channel?id=1` and [x] (`javascript:alert`)"},
        Row{"InAngles", "<https://evil.example/x> <https://good.example/x>",
            "`https://evil.example/x` <https://good.example/x>"},
        Row{"AnImageIsALink", "![plot](https://good.example/p.png)", "[plot](https://good.example/p.png)"},
        Row{"AnImageWithoutWords", "![](https://good.example/p.png)", "[image](https://good.example/p.png)"},
        Row{"AnUnknownImage", "![p](http://evil.example/?secret)", "[p] (`http://evil.example/?secret`)"},
        Row{"AUserNameHidesNoHost", "https://good.example@evil.example/", "`https://good.example@evil.example/`"},
        Row{"ABackslashHidesNoHost", "[a](https://good.example\\@evil.example/)",
            "[a]\\(`https://good.example`@evil.example/)"},
        Row{"NorDoesAParenthesis", "https://good.example)@evil.example/", "`https://good.example`)@evil.example/"},
        Row{"ADefinitionOfAnUnknownIsText", "[a]: http://evil.example/", "\\[a]: `http://evil.example/`"},
        Row{"ADefinitionOfAKnownStays", "[a]: http://good.example/", "[a]: http://good.example/"},
        Row{"HtmlIsText", "<img src=\"//evil.example/x.png\">", "\\<img src=\"//evil.example/x.png\">"}),
    kName);

TEST(Hosts, AreFoundInAnyText) {
  Hosts hosts;
  add_hosts(R"(see {"url":"https://A.example:8443/x","b":[http://b.example]} mailto:c@d.example ftp://e.example)",
            hosts);
  EXPECT_EQ(hosts, (Hosts{"a.example", "b.example"}));
}

// The judge: outside code blocks and code spans, read line by line as a strict renderer would, nothing is left that
// notifies or leads anywhere.
std::string without_code(const std::string& markdown) {
  std::string prose;
  std::string open;
  for (const std::string_view line : split(markdown, "\n")) {
    const std::string_view text = trim(line);
    const std::size_t ticks = std::min(text.find_first_not_of('`'), text.size());
    const bool fence = ticks >= 3 && !text.substr(ticks).contains('`') && line.find('`') < 4;
    if (!open.empty()) {
      if (fence && ticks >= open.size() && ticks == text.size()) open.clear();
      continue;
    }
    if (fence) {
      open = std::string(ticks, '`');
      continue;
    }
    for (std::size_t i = 0; i < line.size();) {
      if (line[i] == '\\' && i + 1 < line.size()) {
        prose += line.substr(i, 2);
        i += 2;
        continue;
      }
      if (line[i] != '`') {
        prose += line[i++];
        continue;
      }
      const std::size_t begin = std::min(line.find_first_not_of('`', i), line.size());
      const std::size_t length = begin - i;
      std::size_t end = begin;
      bool closed = false;
      while (!closed && end < line.size()) {
        const std::size_t run = std::min(line.find('`', end), line.size());
        end = std::min(line.find_first_not_of('`', run), line.size());
        closed = end > run && end - run == length;
      }
      prose += closed ? "" : std::string(length, '`');
      i = closed ? end : begin;
    }
    prose += '\n';
  }
  return prose;
}

std::string any_text() {
  std::string text;
  for (int i = *rc::gen::inRange(0, 30); i > 0; --i) {
    text += *rc::gen::element<std::string>("@channel", "@here", "<!channel>", "<@U1>", "<!", ">", "`", "``", "```",
                                           "\n", "\n\n", "https://evil.example/", "https://good.example/ ", "[a](",
                                           "![b](", ")", "](", "[", "]", "\\", "&#64;", " ", "x", "- ", "    ", "|",
                                           "é", "<img ", "\r", "~~~", "(", "\"", "[a]: ");
  }
  return text;
}

RC_GTEST_PROP(OutgoingProperty, NothingOutsideCodeNotifiesOrLeadsAnywhere, ()) {
  std::string text = any_text();
  // The judge knows no tildes.
  for (std::size_t at = text.find("~~~"); at != std::string::npos; at = text.find("~~~")) text.erase(at, 3);
  const std::string safe = make_safe(text, kKnown);
  const std::string prose = without_code(safe);
  for (const std::string_view bad : {"@channel", "@here", "<!", "<@", "https://evil", "<img"}) {
    const std::size_t at = prose.find(bad);
    const bool escaped = at != std::string::npos && bad[0] == '<' && at > 0 && prose[at - 1] == '\\';
    const bool longer =
        at != std::string::npos && bad[0] == '@' && at + bad.size() < prose.size() &&
        (std::isalnum(static_cast<unsigned char>(prose[at + bad.size()])) != 0 || (prose[at + bad.size()] & 0x80) != 0);
    if (at != std::string::npos && !escaped && !longer) RC_LOG() << safe << "\n---\n" << prose;
    RC_ASSERT(at == std::string::npos || escaped || longer);
  }
}

RC_GTEST_PROP(OutgoingProperty, IsValidAndNotMuchLonger, ()) {
  const std::string text = any_text();
  const std::string safe = make_safe(text, kKnown);
  RC_ASSERT(is_valid_utf8(safe));
  RC_ASSERT(safe.size() <= 8 * text.size() + 8);
}

TEST(Outgoing, HostileTextTakesLinearTime) {
  for (const std::string piece :
       {"](", "[", "`a``", "<!", "![](", "<a", "https://", "@", "&#", "\\", "- ```\n", "(("}) {
    const auto work = [](const std::string& text) { (void)make_safe(text, kKnown); };
    EXPECT_LT(test::growth(piece, 100'000, work), test::kMaxGrowth) << piece;
  }
}

}  // namespace
}  // namespace deputy::channel
