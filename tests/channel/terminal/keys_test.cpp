#include "channel/terminal/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace deputy::channel {
namespace {

std::vector<KeyKind> kinds_of(KeyReader& reader) {
  std::vector<KeyKind> kinds;
  while (const auto key = reader.next()) kinds.push_back(key->kind);
  return kinds;
}

struct Row {
  std::string name;
  std::string bytes;
  std::vector<KeyKind> keys;
};

class Keys : public testing::TestWithParam<Row> {};

TEST_P(Keys, AreReadAtOnceAndAByteAtATime) {
  KeyReader at_once;
  at_once.feed(GetParam().bytes);
  EXPECT_EQ(kinds_of(at_once), GetParam().keys);
  KeyReader by_bytes;
  std::vector<KeyKind> kinds;
  for (const char byte : GetParam().bytes) {
    by_bytes.feed({&byte, 1});
    std::ranges::copy(kinds_of(by_bytes), std::back_inserter(kinds));
  }
  EXPECT_EQ(kinds, GetParam().keys);
}

INSTANTIATE_TEST_SUITE_P(
    Bytes, Keys,
    testing::Values(
        Row{"Letters", "ab", {KeyKind::character, KeyKind::character}}, Row{"Umlaut", "\xc3\xa4", {KeyKind::character}},
        Row{"Emoji", "\xf0\x9f\x98\x80", {KeyKind::character}},
        Row{"Arrows", "\x1b[A\x1b[B\x1bOC\x1bOD", {KeyKind::up, KeyKind::down, KeyKind::right, KeyKind::left}},
        Row{"Enter", "\r\n\x1b\r", {KeyKind::enter, KeyKind::new_line, KeyKind::new_line}},
        Row{"Backspace", "\x7f\b", {KeyKind::backspace, KeyKind::backspace}},
        Row{"Control", "\x03\x04\x01", {KeyKind::interrupt, KeyKind::end_of_input, KeyKind::home}},
        Row{"LongSequence", "\x1b[1;5Dx", {KeyKind::word_left, KeyKind::character}},
        Row{"ConsoleFunctionKey", "\x1b[[Ax", {KeyKind::other, KeyKind::character}},
        Row{"KeypadWithAModifier", "\x1bO5Dx", {KeyKind::word_left, KeyKind::character}},
        Row{"AltLetter",
            "\x1b"
            "bq",
            {KeyKind::word_left, KeyKind::character}},
        Row{"NotUtf8",
            "\xff"
            "a",
            {KeyKind::other, KeyKind::character}},
        Row{"Paste", "a\x1b[200~y\r\x1b[A\x03\x1b[201~b", {KeyKind::character, KeyKind::paste, KeyKind::character}},
        Row{"EscapeTwice", "\x1b\x1b[A", {KeyKind::escape, KeyKind::up}}),
    [](const auto& row) { return row.param.name; });

TEST(Keys, ALoneEscapeIsTheKeyOnceNothingMoreHasCome) {
  KeyReader reader;
  reader.feed("\x1b");
  EXPECT_FALSE(reader.next());
  EXPECT_TRUE(reader.is_undecided());
  EXPECT_EQ(reader.give_up().value_or(Key{}).kind, KeyKind::escape);
  EXPECT_FALSE(reader.is_undecided());
  reader.feed("\x1b[1;");
  EXPECT_EQ(reader.next(), std::nullopt);
  EXPECT_FALSE(reader.is_between_keys());
  EXPECT_EQ(reader.give_up().value_or(Key{.kind = KeyKind::enter}).kind, KeyKind::other);
  EXPECT_TRUE(reader.is_between_keys());
}

TEST(Keys, ALongPasteComesInPartsOfWholeCharacters) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "ä";
  KeyReader reader;
  reader.feed("\x1b[200~" + text);
  std::string pasted = reader.next().value_or(Key{}).bytes;
  EXPECT_EQ(pasted.size() % 2, 0U);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.give_up());
  reader.feed("\x1b[201~");
  pasted += reader.next().value_or(Key{}).bytes;
  EXPECT_EQ(pasted, text);
}

TEST(Keys, APasteThatIsNotUtf8IsHandedOnToo) {
  KeyReader reader;
  reader.feed("\x1b[200~" + std::string(200'000, '\x80') + "\x1b[201~");
  EXPECT_EQ(reader.next().value_or(Key{}).bytes.size(), 200'000U);
  reader.feed("\x1b[200~" + std::string(200'000, '\x80'));
  EXPECT_GT(reader.next().value_or(Key{}).bytes.size(), 100'000U);
}

TEST(Keys, WhatWasPastedKeepsItsLines) { EXPECT_EQ(as_lines("a\r\nb\rc\n\nd\te\x1b[A\x7f\n"), "a\nb\nc\n\nd\te[A\n"); }

TEST(Keys, WhatWasPastedIsOneLine) {
  EXPECT_EQ(as_one_line("\n a\r\nb\n\nc\td\x1b[A\x7f\n"), " a b c d[A");
  EXPECT_EQ(as_one_line("\r\n"), "");
}

TEST(Keys, ASequenceThatNeverEndsIsCutOff) {
  KeyReader reader;
  reader.feed("\x1b[" + std::string(1000, '1'));
  EXPECT_EQ(reader.next().value_or(Key{}).kind, KeyKind::other);
}

}  // namespace
}  // namespace deputy::channel
