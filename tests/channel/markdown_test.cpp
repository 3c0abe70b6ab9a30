#include "channel/markdown.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/text.h"

namespace deputy::channel {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Parts = std::vector<std::string>;

std::string words(std::size_t count, const std::string& word) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : " ") + word;
  return text;
}
std::string code_lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += "line " + std::to_string(i) + "\n";
  return text;
}

struct Row {
  std::string name;
  std::string markdown;
  Parts expected;
};
class Splitting : public testing::TestWithParam<Row> {};

TEST_P(Splitting, GivesParts) { EXPECT_EQ(split_markdown(GetParam().markdown, 80), GetParam().expected); }

const std::string kA(50, 'a'), kB(50, 'b'), kC(25, 'c');

INSTANTIATE_TEST_SUITE_P(
    All, Splitting,
    testing::Values(
        Row{"NothingOfNothing", " \n\n ", {}}, Row{"ShortTextIsOnePart", "a\n\nb", {"a\n\nb"}},
        Row{"PrefersTheEndOfAParagraph", kA + "\n\n" + kC + "\n" + kC, {kA, kC + "\n" + kC}},
        Row{"ThenTheEndOfALine", kA + "\n" + kB, {kA, kB}},
        Row{"ThenTheEndOfAWord", words(20, "word"), {words(14, "word"), words(6, "word")}},
        Row{"AnEarlyParagraphIsNotCutOff", "a\n\n" + kA + "\n" + kC + "\n" + kC, {"a\n\n" + kA + "\n" + kC, kC}},
        Row{"NeverInsideACharacter", std::string(71, 'a') + "éaaaaaaaa", {std::string(71, 'a'), "éaaaaaaaa"}},
        Row{"ACutBlockIsClosedAndOpenedAgain",
            "```cpp\n" + kA + "\n" + kB + "\n```\nend",
            {"```cpp\n" + kA + "\n```", "```cpp\n" + kB + "\n```\nend"}},
        Row{"ABlockThatNobodyClosedIsClosed", "~~~\nx", {"~~~\nx\n~~~"}},
        Row{"ABlockThatDoesNotFitBeginsANewPart", kA + "\n```\n" + kB + "\n```", {kA, "```\n" + kB + "\n```"}},
        Row{"APieceOfALineOpensNoBlock", std::string(71, 'a') + " ~~~ bbbbb", {std::string(71, 'a'), "\\~~~ bbbbb"}},
        Row{"APieceOfCodeClosesNoBlock",
            "```\n" + std::string(64, 'a') + "`````````\n```",
            {"```\n" + std::string(64, 'a') + "\n```", "```\n    `````````\n```"}},
        Row{"AFenceTooLongForAPartIsText", std::string(25, '`') + "\nx", {"\\" + std::string(25, '`') + "\nx"}}),
    [](const auto& row) { return row.param.name; });

TEST(LayingOut, ThreePartsAreShown) {
  const std::string text = words(200, "word");
  const Layout layout = lay_out(text, 400, Files::can_be_sent);
  EXPECT_EQ(layout.parts.size(), 3U);
  EXPECT_FALSE(layout.whole_as_file);
}

TEST(LayingOut, MoreThanThreePartsAreABeginningAndAFile) {
  const Layout layout = lay_out(words(400, "word"), 400, Files::can_be_sent);
  ASSERT_EQ(layout.parts.size(), 1U);
  EXPECT_TRUE(layout.whole_as_file);
  EXPECT_LE(layout.parts[0].size(), 400U);
  EXPECT_THAT(layout.parts[0], HasSubstr("only the beginning. The full text (1999 characters) is in the file"));
}

TEST(LayingOut, ALongCodeBlockIsABeginningAndAFile) {
  const Layout layout = lay_out("Look:\n```\n" + code_lines(61) + "```\nDone.", 4000, Files::can_be_sent);
  ASSERT_EQ(layout.parts.size(), 1U);
  EXPECT_TRUE(layout.whole_as_file);
  EXPECT_THAT(layout.parts[0], HasSubstr("line 19\n```\n\n*This is only the beginning"));
}

TEST(LayingOut, ABlockOfSixtyLinesIsShown) {
  EXPECT_FALSE(lay_out("```\n" + code_lines(60) + "```", 4000, Files::can_be_sent).whole_as_file);
}

TEST(LayingOut, WithoutFilesEveryPartIsShown) {
  const Layout layout = lay_out(words(400, "word"), 400, Files::cannot);
  EXPECT_FALSE(layout.whole_as_file);
  EXPECT_EQ(layout.parts.size(), 6U);
}

// The judge's own reading of fences: what is in code, and what is not.
struct Read {
  std::vector<std::string> code;  // lines
  std::string prose;              // without white space and backslashes
  bool closed = true;
};
Read read(const std::string& markdown) {
  Read seen;
  std::string open;
  for (const std::string_view line : split(markdown, "\n")) {
    const std::size_t indent = line.find_first_not_of(' ');
    const std::string_view text = indent == std::string_view::npos ? "" : line.substr(indent);
    const char mark = text.empty() ? 'x' : text[0];
    const std::size_t length = std::min(text.find_first_not_of(mark), text.size());
    const bool fence = (mark == '`' || mark == '~') && length >= 3 && indent < 4;
    if (open.empty() && fence && (mark == '~' || !text.substr(length).contains('`'))) {
      open = std::string(length, mark);
    } else if (!open.empty() && fence && mark == open[0] && length >= open.size() &&
               trim(text.substr(length)).empty()) {
      open.clear();
    } else if (!open.empty()) {
      seen.code.emplace_back(line);
    } else {
      for (const char c : line) {
        if (c != ' ' && c != '\\') seen.prose += c;
      }
    }
  }
  seen.closed = open.empty();
  return seen;
}

std::string any_markdown(int max_word, const std::string& begin_of_line = "") {
  std::string text;
  const int lines = *rc::gen::inRange(0, 40);
  for (int i = 0; i < lines; ++i) {
    switch (*rc::gen::inRange(0, 8)) {
      case 0:
        text += *rc::gen::element<std::string>("```", "```cpp", "~~~", "  ````", "``` ", "~~~~ yaml", "    ```");
        break;
      case 1:
        break;
      default:
        text += begin_of_line;
        for (int word = *rc::gen::inRange(0, 12); word > 0; --word) {
          const int size = *rc::gen::inRange(1, max_word);
          const auto piece = *rc::gen::element<std::string>("a", "é", "…", "`", "~", "b", "c");
          for (int j = 0; j < size; ++j) text += piece;
          text += ' ';
        }
    }
    text += '\n';
  }
  return text;
}

RC_GTEST_PROP(SplitProperty, EveryPartIsWithinTheLimitAndClosed, ()) {
  const std::string text = any_markdown(*rc::gen::element(8, 200));
  const auto limit = *rc::gen::inRange<std::size_t>(kSmallestPart, 400);
  for (const std::string& part : split_markdown(text, limit)) {
    RC_ASSERT(part.size() <= limit);
    RC_ASSERT(is_valid_utf8(part));
    RC_ASSERT(read(part).closed);
    RC_ASSERT(!trim(part).empty());
  }
}

RC_GTEST_PROP(SplitProperty, NothingIsLost, ()) {
  const std::string text = any_markdown(6, "x ");
  const auto limit = *rc::gen::inRange<std::size_t>(300, 500);  // every line fits a part
  Read all;
  for (const std::string& part : split_markdown(text, limit)) {
    const Read one = read(part);
    all.code.insert(all.code.end(), one.code.begin(), one.code.end());
    all.prose += one.prose;
  }
  const Read whole = read(text);
  RC_ASSERT(all.code == whole.code);
  RC_ASSERT(all.prose == whole.prose);
}

RC_GTEST_PROP(SplitProperty, AlsoOfLongLinesNoLetterIsLost, ()) {
  // What begins with "c " opens no block, whose info string would be repeated in each part.
  const std::string text = any_markdown(200, "c ");
  const auto limit = *rc::gen::inRange<std::size_t>(kSmallestPart, 400);
  std::string joined;
  for (const std::string& part : split_markdown(text, limit)) joined += part;
  const auto letters = [](const std::string& from) {
    std::string only;
    for (const char c : from) {
      if (c == 'a' || c == 'b' || (c & 0x80) != 0) only += c;
    }
    return only;
  };
  // "a" and "b" stand in no info string of these texts but "yaml".
  const auto without_info = [](std::string from) {
    for (std::size_t at = from.find("yaml"); at != std::string::npos; at = from.find("yaml")) from.erase(at, 4);
    return from;
  };
  RC_ASSERT(letters(without_info(joined)) == letters(without_info(text)));
}

}  // namespace
}  // namespace deputy::channel
