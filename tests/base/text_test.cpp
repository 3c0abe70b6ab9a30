#include "base/text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace deputy {
namespace {

// U+FFFD, `count` times.
std::string replaced(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "\xEF\xBF\xBD";
  return text;
}

// Encoded here and not by the code under test.
std::string encode(char32_t c) {
  const auto byte = [](char32_t value) { return static_cast<char>(value); };
  if (c < 0x80) return {byte(c)};
  if (c < 0x800) return {byte(0xC0 | (c >> 6)), byte(0x80 | (c & 0x3F))};
  if (c < 0x10000) return {byte(0xE0 | (c >> 12)), byte(0x80 | ((c >> 6) & 0x3F)), byte(0x80 | (c & 0x3F))};
  return {byte(0xF0 | (c >> 18)), byte(0x80 | ((c >> 12) & 0x3F)), byte(0x80 | ((c >> 6) & 0x3F)),
          byte(0x80 | (c & 0x3F))};
}

rc::Gen<char32_t> character() {
  return rc::gen::oneOf(rc::gen::inRange<char32_t>(0, 0x80), rc::gen::inRange<char32_t>(0x80, 0x800),
                        rc::gen::inRange<char32_t>(0x800, 0xD800), rc::gen::inRange<char32_t>(0xE000, 0x10000),
                        rc::gen::inRange<char32_t>(0x10000, 0x110000));
}

rc::Gen<std::vector<char32_t>> characters() { return rc::gen::container<std::vector<char32_t>>(character()); }

std::string encode_all(const std::vector<char32_t>& points) {
  std::string text;
  for (const char32_t point : points) text += encode(point);
  return text;
}

rc::Gen<std::string> valid_text() { return rc::gen::map(characters(), encode_all); }

// Bytes that are often nearly UTF-8.
rc::Gen<std::string> any_bytes() {
  const auto byte =
      rc::gen::map(rc::gen::inRange(0, 256), [](int value) { return std::string(1, static_cast<char>(value)); });
  const auto piece = rc::gen::oneOf(byte, rc::gen::map(character(), encode),
                                    rc::gen::map(character(), [](char32_t c) { return encode(c).substr(0, 2); }));
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(piece), [](const std::vector<std::string>& pieces) {
    std::string text;
    for (const std::string& each : pieces) text += each;
    return text;
  });
}

rc::Gen<std::string> word() {
  return rc::gen::resize(8, rc::gen::container<std::string>(rc::gen::element('a', 'b', 'c')));
}

TEST(DecodeUtf8, TellsTheCharactersThereAre) {
  struct Row {
    std::string_view text;
    char32_t value;
    std::size_t bytes;
  };
  for (const auto& [text, value, bytes] : {
           Row{"a", U'a', 1},
           Row{"é", U'é', 2},
           Row{"€", U'€', 3},
           Row{"😀!", U'😀', 4},
           Row{"\xF4\x8F\xBF\xBF", 0x10FFFF, 4},
       }) {
    const CodePoint point = decode_utf8(text);
    EXPECT_TRUE(point.valid) << text;
    EXPECT_EQ(point.value, value) << text;
    EXPECT_EQ(point.bytes, bytes) << text;
  }
}

TEST(AppendUtf8, EncodesWhatDecodes) {
  for (const char32_t point :
       {U'\0', U'a', U'\x7F', U'\x80', U'é', U'\u07FF', U'\u0800', U'€', U'\uFFFF', U'😀', U'\U0010FFFF'}) {
    std::string text = "<";
    append_utf8(text, point);
    EXPECT_EQ(text, "<" + encode(point));
  }
}

TEST(AppendUtf8, ReplacesWhatIsNoCharacter) {
  for (const char32_t point : {char32_t{0xD800}, char32_t{0xDFFF}, char32_t{0x110000}, char32_t{0xFFFFFFFF}}) {
    std::string text;
    append_utf8(text, point);
    EXPECT_EQ(text, replaced(1));
  }
}

TEST(ToValidUtf8, ReplacesEveryByteThatIsNotUtf8) {
  struct Row {
    std::string text;
    std::string expected;
  };
  for (const auto& [text, expected] : {
           Row{"", ""},
           Row{"grüße €😀", "grüße €😀"},
           Row{"a\xFF"
               "b",
               "a" + replaced(1) + "b"},
           Row{"\x80", replaced(1)},
           Row{"\xC0\xAF", replaced(2)},          // overlong
           Row{"\xE0\x80\xAF", replaced(3)},      // overlong
           Row{"\xF0\x80\x80\xAF", replaced(4)},  // overlong
           Row{"\xED\xA0\x80", replaced(3)},      // a surrogate
           Row{"\xF4\x90\x80\x80", replaced(4)},  // beyond U+10FFFF
           Row{"\xF5\x80\x80\x80", replaced(4)},
           Row{"\xE2\x82", replaced(2)},  // cut short
           Row{"\xE2\x82x", replaced(2) + "x"},
       }) {
    EXPECT_EQ(to_valid_utf8(text), expected);
    EXPECT_EQ(is_valid_utf8(text), text == expected);
  }
}

TEST(CountCharacters, CountsCharactersAndNotBytes) {
  EXPECT_EQ(count_characters(""), 0U);
  EXPECT_EQ(count_characters("grüße €😀"), 8U);
  EXPECT_EQ(count_characters("\xFF\xFF"), 2U);
}

TEST(CutBytes, EndsBetweenCharacters) {
  struct Row {
    std::string_view text;
    std::size_t most;
    std::string_view expected;
  };
  for (const auto& [text, most, expected] : {
           Row{"abc", 5, "abc"},
           Row{"abc", 3, "abc"},
           Row{"abc", 2, "ab"},
           Row{"abc", 0, ""},
           Row{"a€b", 3, "a"},
           Row{"a€b", 4, "a€"},
           Row{"😀", 3, ""},
           Row{"😀", 4, "😀"},
           // What is not UTF-8 is cut at the limit itself, so that a loop which cuts piece by piece goes on.
           Row{"\x80\x80\x80\x80\x80\x80", 4, "\x80\x80\x80\x80"},
           Row{"a\x80", 1, "a"},
           Row{"\x80\x80", 1, "\x80"},
           Row{"\xE2\x82x", 1, "\xE2"},
       }) {
    EXPECT_EQ(cut_bytes(text, most), expected) << text << " " << most;
  }
}

TEST(CutWithMark, SaysHowMuchIsMissing) {
  EXPECT_EQ(cut_with_mark("grüße", 5), "grüße");
  EXPECT_EQ(cut_with_mark("grüße", 3), "grü… [2 more characters]");
  EXPECT_EQ(cut_with_mark("", 0), "");
}

TEST(Trim, TakesSpaceOffBothEnds) {
  EXPECT_EQ(trim(" \t\r\n a b \f\v"), "a b");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(ToLower, LeavesAllButAsciiAlone) { EXPECT_EQ(to_lower("AbZ Ä1"), "abz Ä1"); }

TEST(Split, KeepsEmptyParts) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(split("a,b", ","), (Parts{"a", "b"}));
  EXPECT_EQ(split(",a,,", ","), (Parts{"", "a", "", ""}));
  EXPECT_EQ(split("", ","), (Parts{""}));
  EXPECT_EQ(split("a--b-c", "--"), (Parts{"a", "b-c"}));
}

TEST(Join, KeepsEmptyParts) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(join(Parts{"a", "b"}, ", "), "a, b");
  EXPECT_EQ(join(Parts{"", "a", ""}, ","), ",a,");
  EXPECT_EQ(join(Parts{}, ","), "");
}

TEST(EditDistance, CountsEditsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("limit", "lmit"), 1U);
  EXPECT_EQ(edit_distance("limit", "limti"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(Nearest, FindsWhatWasMeant) {
  const std::vector<std::string> names{"limit", "query", "hours_back", "id"};
  EXPECT_EQ(nearest("lmit", names), "limit");
  EXPECT_EQ(nearest("LIMIT", names), "limit");
  EXPECT_EQ(nearest("hour_back", names), "hours_back");
  EXPECT_EQ(nearest("ids", names), "id");
  EXPECT_EQ(nearest("colour", names), "");
  EXPECT_EQ(nearest("anything", std::vector<std::string>{}), "");
  EXPECT_EQ(nearest(std::string(65, 'l'), std::vector<std::string>{std::string(65, 'l')}), "");
}

TEST(Nearest, TakesTheBeginningOfOneNameForIt) {
  const std::vector<std::string> budgets{"run_usd", "person_day_usd", "day_usd"};
  EXPECT_EQ(nearest("person_day", budgets), "person_day_usd");
  EXPECT_EQ(nearest("run", budgets), "run_usd");
  EXPECT_EQ(nearest("Run", budgets), "run_usd");
  EXPECT_EQ(nearest("ru", budgets), "") << "too short to mean one";
  const std::vector<std::string> several{"channel", "channel_kinds", "inbox_keys", "inbox_keys"};
  EXPECT_EQ(nearest("chan", several), "") << "it may be either";
  EXPECT_EQ(nearest("channe", several), "channel") << "few slips count first";
  EXPECT_EQ(nearest("inbox", several), "inbox_keys") << "the same name twice is one";
}

TEST(Nearest, IsNotSlowedByHugeCandidates) {
  const std::vector<std::string> names(100, std::string(1'000'000, 'l'));
  EXPECT_EQ(nearest("limit", names), "");
}

TEST(ListNames, SetsThemInCode) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(list_names(Names{}), "");
  EXPECT_EQ(list_names(Names{"a"}), "`a`");
  EXPECT_EQ(list_names(Names{"a", "b", "c"}), "`a`, `b` and `c`");
}

RC_GTEST_PROP(TextProperty, ValidTextIsRecognisedAndKept, ()) {
  const std::string text = *valid_text();
  RC_ASSERT(is_valid_utf8(text));
  RC_ASSERT(to_valid_utf8(text) == text);
}

RC_GTEST_PROP(TextProperty, CharactersDecodeToWhatWasEncoded, ()) {
  const std::vector<char32_t> points = *characters();
  const std::string text = encode_all(points);
  RC_ASSERT(count_characters(text) == points.size());
  std::vector<char32_t> decoded;
  for (std::string_view rest = text; !rest.empty();) {
    const CodePoint point = decode_utf8(rest);
    decoded.push_back(point.value);
    rest.remove_prefix(point.bytes);
  }
  RC_ASSERT(decoded == points);
}

RC_GTEST_PROP(TextProperty, AnyBytesBecomeValid, ()) {
  const std::string text = to_valid_utf8(*any_bytes());
  RC_ASSERT(is_valid_utf8(text));
  RC_ASSERT(to_valid_utf8(text) == text);
}

RC_GTEST_PROP(TextProperty, ACutOfValidTextIsItsLongestValidPrefix, ()) {
  const std::vector<char32_t> points = *characters();
  const std::string text = encode_all(points);
  const auto most = *rc::gen::inRange<std::size_t>(0, text.size() + 2);
  std::string longest;
  for (const char32_t point : points) {
    if (longest.size() + encode(point).size() > most) break;
    longest += encode(point);
  }
  RC_ASSERT(cut_bytes(text, most) == longest);
  const std::vector<char32_t> first(points.begin(),
                                    points.begin() + static_cast<std::ptrdiff_t>(std::min(most, points.size())));
  RC_ASSERT(cut_characters(text, most) == encode_all(first));
}

RC_GTEST_PROP(TextProperty, ACutOfAnyBytesIsAPrefixOfAtMostThatMany, ()) {
  const std::string text = *any_bytes();
  const auto most = *rc::gen::inRange<std::size_t>(0, text.size() + 2);
  RC_ASSERT(text.starts_with(cut_bytes(text, most)));
  RC_ASSERT(cut_bytes(text, most).size() <= most);
  RC_ASSERT(most < 4 || text.empty() || !cut_bytes(text, most).empty());
  RC_ASSERT(text.starts_with(cut_characters(text, most)));
  RC_ASSERT(count_characters(cut_characters(text, most)) <= most);
}

RC_GTEST_PROP(TextProperty, EditDistanceIsSymmetricAndZeroOnlyForEquals, ()) {
  const std::string a = *word();
  const std::string b = *word();
  RC_ASSERT(edit_distance(a, b) == edit_distance(b, a));
  RC_ASSERT((edit_distance(a, b) == 0) == (a == b));
  RC_ASSERT(edit_distance(a, b) <= std::max(a.size(), b.size()));
}

RC_GTEST_PROP(TextProperty, NearestIsTheCandidateOfLeastDistance, ()) {
  const std::string meant = *word();
  const auto candidates = *rc::gen::container<std::vector<std::string>>(word());
  const std::string_view found = nearest(meant, candidates);
  if (found.empty() || found.starts_with(meant)) return;  // the only one that begins so is found at any distance
  for (const std::string& candidate : candidates)
    RC_ASSERT(edit_distance(meant, found) <= edit_distance(meant, candidate));
}

RC_GTEST_PROP(TextProperty, WhatIsSplitJoinsBack, (const std::vector<std::string>& parts)) {
  const std::string text = join(parts, "|");
  std::vector<std::string> again;
  for (const std::string_view part : split(text, "|")) again.emplace_back(part);
  RC_ASSERT(join(again, "|") == text);
}

}  // namespace
}  // namespace deputy
