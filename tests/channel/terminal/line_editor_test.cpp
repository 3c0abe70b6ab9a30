#include "channel/terminal/line_editor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace deputy::channel {
namespace {

using testing::ElementsAre;

constexpr std::size_t kAll = 1000;

// Feeds bytes as a terminal sends them, one at a time; returns what was sent.
std::vector<std::string> type(LineEditor& editor, std::string_view bytes) {
  KeyReader keys;
  std::vector<std::string> sent;
  for (const char byte : bytes) {
    keys.feed({&byte, 1});
    while (const auto key = keys.next()) {
      if (editor.feed(*key) == LineEditor::Fed::sends) sent.push_back(editor.take().text);
    }
  }
  return sent;
}

std::string pasted(std::string_view text) { return "\x1b[200~" + std::string(text) + "\x1b[201~"; }

std::string numbered(int lines) {
  std::string text;
  for (int i = 1; i <= lines; ++i) text += std::to_string(i) + "\n";
  return text;
}

struct TypedKeys {
  std::string name;
  std::string bytes;
  std::string text;
};

class Typing : public testing::TestWithParam<TypedKeys> {};

TEST_P(Typing, LeavesThisText) {
  LineEditor editor({"older line", "old one"});
  EXPECT_THAT(type(editor, GetParam().bytes), ElementsAre());
  EXPECT_EQ(editor.text(), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(
    Keys, Typing,
    testing::Values(
        TypedKeys{"Words", "häuser 😀", "häuser 😀"}, TypedKeys{"Backspace", "häs\x7f\x7fx", "hx"},
        TypedKeys{"LeftAndRight", "ac\x1b[Db\x1b[Cd", "abcd"}, TypedKeys{"HomeAndEnd", "b\x1b[Ha\x1b[Fc", "abc"},
        TypedKeys{"ControlAAndE",
                  "b\x01"
                  "a\x05"
                  "c",
                  "abc"},
        TypedKeys{"Delete", "abc\x1b[H\x1b[3~", "bc"}, TypedKeys{"ControlDOnALine", "abc\x01\x04", "bc"},
        TypedKeys{"WordsLeftAndRight", "one two\x1b[1;5D\x1b[1;3DX\x1b[1;5CY", "XoneY two"},
        TypedKeys{"AltBAndF",
                  "one two\x1b"
                  "bX\x1b"
                  "fY",
                  "one XtwoY"},
        TypedKeys{"ControlW", "see /a/b-c\x17X", "see X"}, TypedKeys{"AltBackspace", "see /a/b\x1b\x7fX", "see /a/X"},
        TypedKeys{"AltD",
                  "one two\x01\x1b"
                  "d",
                  " two"},
        TypedKeys{"CutAndInsert", "one two\x15three \x19", "three one two"},
        TypedKeys{"CutToTheEnd", "one two\x01\x0bx", "x"},
        TypedKeys{"NewLines", "a\x1b\rb\x1b[13;2uc\nd", "a\nb\nc\nd"}, TypedKeys{"Backslash", "a\\\rb", "a\nb"},
        TypedKeys{"UpBetweenLines", "one\x1b\rtwo\x1b[AX", "oneX\ntwo"},
        TypedKeys{"DownBetweenLines", "o\x1b\rtwo\x1b[A\x1b[HX\x1b[BY", "Xo\ntYwo"},
        TypedKeys{"HomeOfALine", "a\x1b\rb\x1b[HX", "a\nXb"}, TypedKeys{"OlderLine", "\x1b[A\x1b[A", "older line"},
        TypedKeys{"OlderAndBack", "new\x1b[A\x1b[A\x1b[B\x1b[B", "new"},
        TypedKeys{"NoOlder", "\x1b[A\x1b[A\x1b[A", "older line"},
        TypedKeys{"Search",
                  "\x12"
                  "ol\x1b[C",
                  "old one"},
        TypedKeys{"SearchOlder",
                  "\x12"
                  "ol\x12\x1b[C!",
                  "older line!"},
        TypedKeys{"SearchGivenUp", "new\x12old\x1b\x1b[C", "new"},
        TypedKeys{"SearchFindsNothing", "new\x12zzz\x1b[C", "new"},
        TypedKeys{"SearchShortened", "\x12oldx\x7f\x1b[C", "old one"},
        TypedKeys{"Paste", pasted("a\r\nb\n\tc\x1b[A\n"), "a\nb\n\tc[A"},
        TypedKeys{"PasteInside", "xz\x1b[D" + pasted("y"), "xyz"},
        TypedKeys{"LongPaste", "see " + pasted(numbered(500)),
                  "see " + numbered(500).substr(0, numbered(500).size() - 1)},
        TypedKeys{"LongPasteErased", "see " + pasted(numbered(500)) + "\x7f.", "see ."},
        TypedKeys{"Marks", "e\xcc\x81x\x7f\x7fy", "y"}),
    [](const auto& row) { return row.param.name; });

// Every key that people press by mistake, in the ways terminals send it.
TEST(LineEditor, NoKeyLeavesItsBytes) {
  for (const std::string_view key :
       {"\x1b[5~",        "\x1b[6~",      "\x1b[2~",     "\x1bOP",    "\x1b[11~",
        "\x1b[[A",        "\x1b[24;2~",   "\x1b[1;2A",   "\x1b[1;6D", "\x1bO2P",
        "\x1b[Z",         "\x1b[27;5;9~", "\x1b[57399u", "\x1bx",     "\x16",
        "\x14",           "\x1c",         "\x1f",        "\x1b[I",    "\x1b]11;rgb:1/2/3\x07",
        "\x1bP1$r\x1b\\", "\x1b[?1;2c"}) {
    LineEditor editor({});
    type(editor, "a");
    type(editor, key);
    type(editor, "b");
    EXPECT_EQ(editor.text(), "ab") << key.substr(1);
  }
}

TEST(LineEditor, EnterSendsAndStartsAnew) {
  LineEditor editor({});
  EXPECT_THAT(type(editor, "one\rtwo\x1b\rthree\r"), ElementsAre("one", "two\nthree"));
  EXPECT_TRUE(editor.empty());
}

TEST(LineEditor, EnterSendsWhatASearchFound) {
  LineEditor editor({"older line", "old one"});
  EXPECT_THAT(type(editor, "\x12older\r"), ElementsAre("older line"));
}

TEST(LineEditor, ALongPasteIsOneCharacterOnTheScreenAndWholeWhenSent) {
  LineEditor editor({});
  editor.set_prompt("> ");
  type(editor, "why? " + pasted(numbered(500)));
  EXPECT_THAT(editor.rows(80, kAll).rows, ElementsAre("> why? [pasted 500 lines]"));
  type(editor, " " + pasted(std::string(1200, 'x')));
  EXPECT_THAT(editor.rows(80, kAll).rows, ElementsAre("> why? [pasted 500 lines] [pasted 1200 characters]"));
  EXPECT_EQ(type(editor, "\r").front().size(), 5 + numbered(500).size() - 1 + 1 + 1200);
}

TEST(LineEditor, APasteInPartsIsOnePaste) {
  LineEditor editor({});
  const std::string text = numbered(30'000);
  type(editor, pasted(text));
  EXPECT_THAT(editor.rows(80, kAll).rows, ElementsAre("[pasted 30000 lines]"));
  EXPECT_EQ(editor.text() + "\n", text);
}

TEST(LineEditor, APasteThatIsTooLongIsDroppedWholeAndThatIsSaid) {
  LineEditor editor({});
  type(editor, "a" + pasted(std::string(kMaxTyped + 100'000, 'x')));
  EXPECT_EQ(editor.text(), "a");
  EXPECT_THAT(editor.rows(200, kAll).rows.back(), testing::HasSubstr("the text is too long"));
  type(editor, "b");
  EXPECT_EQ(editor.text(), "ab");
}

TEST(LineEditor, RowsFitTheWindow) {
  LineEditor editor({});
  editor.set_prompt("> ");
  type(editor, "abcdefghijkl");
  EXPECT_EQ(editor.rows(10, kAll), (TypedRows{{"> abcdefg", "  hijkl"}, 1, 7}));
  type(editor, "\x1b[H");
  EXPECT_EQ(editor.rows(10, kAll).cursor_row, 0U);
  EXPECT_EQ(editor.rows(10, kAll).cursor_column, 2U);
}

TEST(LineEditor, LinesAreIndentedAndTheCursorFollows) {
  LineEditor editor({});
  editor.set_prompt("\x1b[1m>\x1b[22m ");
  type(editor, "one\x1b\rtwo");
  EXPECT_EQ(editor.rows(80, kAll), (TypedRows{{"\x1b[1m>\x1b[22m one", "  two"}, 1, 5}));
  type(editor, "\x1b[A\x01");
  EXPECT_EQ(editor.rows(80, kAll).cursor_column, 2U);
}

TEST(LineEditor, APromptThatIsTooWideIsWrapped) {
  LineEditor editor({});
  editor.set_prompt("shell make? [y]es / [n]o ");
  for (const std::string& row : editor.rows(12, kAll).rows) EXPECT_LT(row.size(), 12U) << row;
}

TEST(LineEditor, ATextThatIsTallerThanTheWindowIsShownAroundTheCursor) {
  LineEditor editor({});
  type(editor, "1\n2\n3\n4\n5\n6");
  EXPECT_EQ(editor.rows(80, 3), (TypedRows{{"  4", "  5", "  6"}, 2, 3}));
  type(editor, "\x1b[A\x1b[A\x1b[A\x1b[A\x1b[A");
  EXPECT_EQ(editor.rows(80, 3), (TypedRows{{"1", "  2", "  3"}, 0, 1}));
}

TEST(LineEditor, HiddenCharactersAreShown) {
  LineEditor editor({});
  type(editor, pasted("a\u202Eb"));
  EXPECT_THAT(editor.rows(80, kAll).rows, ElementsAre("a\\u{202E}b"));
}

TEST(LineEditor, TheSearchIsShown) {
  LineEditor editor({"one", "two"});
  type(editor, "\x12o");
  EXPECT_THAT(editor.rows(80, kAll).rows, ElementsAre("(search) o: two"));
  type(editor, "zz");
  EXPECT_THAT(editor.rows(80, kAll).rows, ElementsAre("(search) ozz: nothing found "));
}

// ---- Tab.

Completion of_fruit(std::string_view typed) {
  Completion completion{.replaces = typed.size()};
  for (const std::string fruit : {"apple", "apricot", "banana"}) {
    if (fruit.starts_with(typed)) completion.choices.push_back(fruit);
  }
  return completion;
}

TEST(LineEditor, TabCompletesWhatIsCommonAndThenOffersChoices) {
  LineEditor editor({}, of_fruit);
  type(editor, "b\t");
  EXPECT_EQ(editor.text(), "banana ");
  editor.replace("a");
  type(editor, "\t");
  EXPECT_EQ(editor.text(), "ap");
  type(editor, "\t");
  EXPECT_THAT(editor.rows(80, kAll).rows, ElementsAre("ap", "  apple  apricot  "));
  EXPECT_EQ(editor.rows(80, kAll).cursor_row, 0U);
  type(editor, "r\t");
  EXPECT_EQ(editor.text(), "apricot ");
  editor.replace("x");
  type(editor, "\t");
  EXPECT_EQ(editor.text(), "x");
}

TEST(LineEditor, TabAfterAFoldedPasteTakesNoneOfItAway) {
  for (const std::size_t replaced : {1U, 5U}) {
    LineEditor editor({}, [&](std::string_view) { return Completion{.replaces = replaced, .choices = {"completed"}}; });
    type(editor, "see " + pasted(numbered(20) + "shell") + "\t");
    EXPECT_EQ(editor.text(), "see " + numbered(20) + "shell");
  }
}

TEST(LineEditor, WhatWasPastedIsKnown) {
  LineEditor editor({});
  type(editor, "see " + pasted("a b") + " and " + pasted(numbered(500)));
  EXPECT_EQ(editor.take(), (TypedLine{"see a b and " + numbered(500).substr(0, numbered(500).size() - 1),
                                      {"a b", numbered(500).substr(0, numbered(500).size() - 1)}}));
  type(editor, "typed " + pasted("x") + "\x15typed");
  EXPECT_EQ(editor.take(), (TypedLine{"typed", {}}));
}

TEST(LineEditor, HistoryKeepsOneOfEach) {
  LineEditor editor({"a", "b"});
  editor.remember("a");
  type(editor, "\x1b[A");
  EXPECT_EQ(editor.text(), "a");
  type(editor, "\x1b[A");
  EXPECT_EQ(editor.text(), "b");
  type(editor, "\x1b[A");
  EXPECT_EQ(editor.text(), "b");
}

}  // namespace
}  // namespace deputy::channel
