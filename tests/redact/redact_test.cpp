#include "redact/redact.h"

#include <gtest/gtest.h>

#include <chrono>

#include "redact/marker.h"
#include "redact/shapes.h"
#include "support/growth.h"

namespace deputy::redact {
namespace {

const Redactor kRedactor("salt");

std::string in_parts_of(std::size_t size, std::string_view text, const Redactor& redactor = kRedactor) {
  Stream stream = redactor.stream();
  std::string out;
  for (std::size_t at = 0; at < text.size(); at += size) out += stream.feed(text.substr(at, size));
  return out + stream.finish();
}

TEST(Redactor, SaysWhereASecretIs) {
  const std::string text = "first\nuser=bob password=hunter2 ok";
  const std::vector<Finding> found = find(text);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].of(text), "hunter2");
  EXPECT_EQ(found[0].kind, "named");
}

TEST(Redactor, TheSameSecretHasTheSameMarkerWhereverItStands) {
  const std::string out = kRedactor.redact("password=hunter2\n\"password\": \"hunter2\"\npassword=hunter3");
  const std::string marker = make_marker("named", "hunter2", "salt");
  EXPECT_EQ(out, "password=" + marker + "\n\"password\": \"" + marker +
                     "\"\npassword=" + make_marker("named", "hunter3", "salt"));
}

TEST(Redactor, KeepsBytesThatAreNotUtf8) {
  const std::string text("\xFF\xFE token \x80\0 \xC3", 13);
  EXPECT_EQ(kRedactor.redact(text), text);
}

TEST(Redactor, NoKindIsAWordThatItLooksFor) {
  for (const std::string_view kind : kinds()) {
    const std::string marker = make_marker(kind, "secret", "salt");
    EXPECT_TRUE(holds_marker(marker)) << kind;
    EXPECT_FALSE(patterns().next_suspect(marker, 0).has_value()) << kind;
  }
}

TEST(Stream, LetsOrdinaryWordsOutBeforeTheLineEnds) {
  Stream stream = kRedactor.stream();
  EXPECT_EQ(stream.feed("the error rate is "), "the error rate is ");
  EXPECT_EQ(stream.feed("ris"), "");
  EXPECT_EQ(stream.feed("ing si"), "rising ");
  EXPECT_EQ(stream.finish(), "si");
}

TEST(Stream, HoldsBackTheRestOfALineAfterASecretLikeName) {
  Stream stream = kRedactor.stream();
  EXPECT_EQ(stream.feed("the password"), "the ");
  EXPECT_EQ(stream.feed(" of bo "), "");
  EXPECT_EQ(stream.feed("has expired\nnext "), "password of bo has expired\nnext ");
  EXPECT_EQ(stream.feed("my password: hun"), "my ");
  EXPECT_EQ(stream.feed("ter2"), "");
  EXPECT_EQ(stream.feed("\n"), "password: " + make_marker("named", "hunter2", "salt") + "\n");
  EXPECT_EQ(stream.replaced(), 1U);
}

TEST(Stream, HoldsBackTheLineAfterANameWhoseValueComesThere) {
  Stream stream = kRedactor.stream();
  const std::string marker = make_marker("named", "hunter2", "salt");
  EXPECT_EQ(stream.feed("  password: |\n"), "  password: |\n");
  EXPECT_EQ(stream.feed("    hun"), "");
  EXPECT_EQ(stream.feed("ter2\n"), "    " + marker + "\n");
  EXPECT_EQ(stream.feed("- name: DB_PASSWORD\r"), "- name: DB_PASSWORD");
  EXPECT_EQ(stream.feed("\n  val"), "\r\n");
  EXPECT_EQ(stream.feed("ue: hunter2"), "");
  EXPECT_EQ(stream.feed("\n"), "  value: " + marker + "\n");
}

TEST(Stream, LetsTheNextLineGoWhenItCannotHoldTheValue) {
  Stream stream = kRedactor.stream();
  EXPECT_EQ(stream.feed("please rotate the token\nvalue "), "please rotate the token\nvalue ");
  EXPECT_EQ(stream.feed("\nname: API_TOKEN\n"), "\nname: API_TOKEN\n");
  EXPECT_EQ(stream.feed("value"), "");
  EXPECT_EQ(stream.feed("From: here "), "valueFrom: here ");
  EXPECT_EQ(stream.feed("\npassword:\n"), "\npassword:\n");
  EXPECT_EQ(stream.feed("\nthen go on "), "\nthen go on ");
}

TEST(Stream, HoldsBackLinesThatGoOnAfterABackslash) {
  Stream stream = kRedactor.stream();
  EXPECT_EQ(stream.feed("run curl \\\n"), "run ");
  EXPECT_EQ(stream.feed("  -u bo:hunter2 \\\r\n"), "");
  EXPECT_EQ(stream.feed("  https://example.test\n"),
            "curl \\\n  -u bo:" + make_marker("command", "hunter2", "salt") + " \\\r\n  https://example.test\n");
}

TEST(Stream, HoldsBackAnOpenPrivateKeyBlock) {
  Stream stream = kRedactor.stream();
  EXPECT_EQ(stream.feed("here: -----BEGIN PRIVATE KEY-----\nAAAA\n"), "here: ");
  EXPECT_EQ(stream.feed("BBBB\n-----END PRIVATE"), "");
  EXPECT_EQ(stream.feed(" KEY-----"), "");
  const std::string_view block = "-----BEGIN PRIVATE KEY-----\nAAAA\nBBBB\n-----END PRIVATE KEY-----";
  EXPECT_EQ(stream.feed("\nthen "), make_marker("pem", block, "salt") + "\nthen ");
}

TEST(Stream, ALineThatEndsABlockGoesOnAfterABackslash) {
  const std::string text = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY----- curl \\\n  -u bo:hunter2";
  const std::string out = kRedactor.redact(text);
  EXPECT_FALSE(out.contains("hunter2")) << out;
  EXPECT_EQ(in_parts_of(1, text), out);
}

TEST(Stream, ACommandThatGoesOnEndsAnOpenBlock) {
  const std::string out = kRedactor.redact("-----BEGIN PRIVATE KEY-----\ncurl \\\n  -u bo:hunter2");
  EXPECT_FALSE(out.contains("hunter2")) << out;
  EXPECT_TRUE(out.contains("curl \\\n  -u bo:")) << out;
}

TEST(Stream, IsReadyForAnotherTextAfterItsEnd) {
  Stream stream = kRedactor.stream();
  EXPECT_EQ(stream.feed("-----BEGIN PRIVATE KEY-----\nAAAA\n"), "");
  EXPECT_TRUE(holds_marker(stream.finish()));
  EXPECT_EQ(stream.feed("AAAA\n"), "AAAA\n");
  EXPECT_EQ(stream.finish(), "");
}

/// Lines of base64 that look like a key's, and are nobody's.
std::vector<std::string> fake_key_lines(int count, std::size_t width, std::size_t last) {
  constexpr std::string_view kAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::string> lines;
  std::uint32_t random = 7;
  for (int line = 0; line < count; ++line) {
    std::string text;
    while (text.size() < (line + 1 == count ? last : width)) {
      random = random * 1664525 + 1013904223;
      text += kAlphabet[random >> 26];
    }
    lines.push_back(text);
  }
  return lines;
}

std::string with_each(const std::vector<std::string>& lines, std::string_view before, std::string_view after) {
  std::string text;
  for (const std::string& line : lines) text += std::string(before) + line + std::string(after) + "\n";
  return text;
}

TEST(KeyLines, AKeyWithoutItsFirstLineIsFoundAlsoBehindPrefixes) {
  for (const std::size_t width : {64U, 70U, 76U}) {
    const std::vector<std::string> key = fake_key_lines(8, width, 20);
    for (const auto& [before, after] :
         std::vector<std::pair<std::string, std::string>>{{"", ""},
                                                          {"  ", "\r"},
                                                          {"2026-01-04T10:00:01Z orders-7 info ", ""},
                                                          {"auth-token-service | ", ""},
                                                          {"keys/id_rsa:12: ", ""},
                                                          {R"({"log":")", R"(\n","stream":"stdout"})"}}) {
      const std::string text = "before\n" + with_each(key, before, after) + "after\n";
      const std::string out = kRedactor.redact(text);
      for (const std::string& line : key) EXPECT_FALSE(out.contains(line.substr(8, 12))) << out;
      EXPECT_EQ(std::ranges::count(out, '\n'), std::ranges::count(text, '\n'));
      EXPECT_TRUE(out.starts_with("before\n") && out.ends_with("after\n")) << out;
      EXPECT_EQ(in_parts_of(1, text), out);
      EXPECT_EQ(in_parts_of(100, text), out);
      EXPECT_FALSE(find(text).empty());
    }
  }
}

TEST(KeyLines, ASmallKeyHasTwoWholeLinesAndTheRest) {
  const std::vector<std::string> key = fake_key_lines(3, 64, 56);
  EXPECT_FALSE(kRedactor.redact(with_each(key, "", "")).contains(key[2].substr(5, 10)));
}

TEST(KeyLines, TwoLinesHashesCertificatesAndPublicKeysAreNoKey) {
  const std::string lines = with_each(fake_key_lines(6, 64, 40), "", "");
  const std::string certificate = "MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n" + lines;
  for (const std::string& text :
       {with_each(fake_key_lines(2, 64, 64), "", "") + "\n",
        with_each(std::vector<std::string>(5, std::string(32, '0') + std::string(32, 'a')), "", ""),
        "-----BEGIN CERTIFICATE-----\n" + lines + "-----END CERTIFICATE-----\n",
        "-----BEGIN PUBLIC KEY-----\n" + lines + "-----END PUBLIC KEY-----\n",
        "---- BEGIN SSH2 PUBLIC KEY ----\nComment: x\n" + lines + "---- END SSH2 PUBLIC KEY ----\n",
        "Public-Lines: 6\n" + lines + "\n", certificate}) {
    EXPECT_EQ(kRedactor.redact(text), text);
    EXPECT_EQ(in_parts_of(7, text), text);
  }
}

TEST(Lines, LineNumbersHoldWhenLinesAreKept) {
  const std::string text = "one\n-----BEGIN PRIVATE KEY-----\nAAAA\nBBBB\n-----END PRIVATE KEY-----\nsix\n";
  const std::string_view block = std::string_view(text).substr(4, text.size() - 9);
  const std::string marker = make_marker("pem", block, "salt");
  EXPECT_EQ(kRedactor.redact(text, Lines::kept),
            "one\n" + marker + "\n" + marker + "\n" + marker + "\n" + marker + "\nsix\n");
}

TEST(Visible, ColoursAndZeroWidthCharactersHideNothing) {
  const std::string marker = make_marker("named", "hunter2", "salt");
  for (const std::string text :
       {"\x1b[1mpass\x1b[0mword=\x1b[31mhunter2\x1b[0m", "pass\u200bword=hun\u2060ter2", "\ufeffpassword=hunter2",
        "pass\xC2\xADword=hunter2\x1b]0;title\a", "\x1b(Bpassword=hunter2\x1b[K"}) {
    EXPECT_EQ(kRedactor.redact(text), "password=" + marker);
    EXPECT_EQ(in_parts_of(1, text), "password=" + marker);
    EXPECT_FALSE(find(text).empty());
  }
  const std::string key = with_each(fake_key_lines(5, 64, 64), "\x1b[32m", "\x1b[0m");
  EXPECT_FALSE(kRedactor.redact(key).contains(fake_key_lines(5, 64, 64)[2]));
}

TEST(Visible, EmojiAndScriptsKeepTheirJoiners) {
  const std::string text = "👩\u200d👧 می\u200cخواهم — “ok” … │";
  EXPECT_EQ(kRedactor.redact(text), text);
  EXPECT_EQ(in_parts_of(1, text), text);
}

TEST(UrlEscapes, OneLevelIsLookedInto) {
  for (const std::string_view text :
       {"GET /login?next=%2Fa%3Fpassword%3Dhunter2%26x%3D1", "%70assword=hunter2",
        "dsn=postgres%3A%2F%2Fapp%3Ahunter2%40db", "q=Authorization%3A%20Bearer%20hunter2hunter2"}) {
    const std::string out = kRedactor.redact(text);
    EXPECT_FALSE(out.contains("hunter2")) << out;
    EXPECT_EQ(in_parts_of(3, text), out);
  }
  EXPECT_EQ(kRedactor.redact("GET /a%20b?q=100%25 token%20expired"), "GET /a%20b?q=100%25 token%20expired");
}

TEST(Oversized, WhatCannotBeJudgedIsReplacedToTheEndOfItsLine) {
  const Redactor redactor("salt", 100);
  const std::string word(101, 'x');
  const std::string marker = make_marker("oversized", word.substr(0, 100), "salt");
  EXPECT_EQ(redactor.redact("go " + word + " on\nthen on"), "go " + marker + "\nthen on");
  EXPECT_EQ(redactor.redact("go " + word.substr(1) + " on"), "go " + word.substr(1) + " on");
  const std::string line = "token of " + std::string(45, 'y') + " " + std::string(45, 'z');
  EXPECT_EQ(redactor.redact("a " + line + "x\nb c"), "a " + make_marker("oversized", line, "salt") + "\nb c");
  EXPECT_EQ(redactor.redact("a " + line + "\nb"), "a " + line + "\nb");
}

TEST(Oversized, WhatMayBelongToAKeyGoesToo) {
  const Redactor redactor("salt", 100);
  const std::string block = "-----BEGIN PRIVATE KEY-----\n" + std::string(60, 'A') + "\n" + std::string(60, 'B') +
                            "\n" + std::string(60, 'C');
  const std::string out = redactor.redact(block + "\nplain words");
  EXPECT_TRUE(out.ends_with("\nplain words")) << out;
  EXPECT_FALSE(out.contains("AAA") || out.contains("BBB") || out.contains("CCC")) << out;
}

TEST(Oversized, IsTheSameForAStreamAndAtTheRealSize) {
  const std::string text = "some words and " + std::string(kMaxPiece + 5, 'w') + " tail\nthe next line token x" +
                           std::string(kMaxPiece, ' ') + "y\nlast line";
  const std::string whole = kRedactor.redact(text);
  EXPECT_LT(whole.size(), 200U);
  EXPECT_TRUE(whole.starts_with("some words and [redacted:oversized#"));
  EXPECT_TRUE(whole.ends_with("\nlast line"));
  EXPECT_EQ(in_parts_of(7919, text), whole);
  EXPECT_EQ(in_parts_of(kMaxPiece + 1, text), whole);
}

/// Texts made to be looked at again and again.
TEST(Time, IsLinearWhateverTheText) {
  constexpr std::size_t kSize = 25'000;
  const std::string units[] = {"token:",
                               "key:",
                               "token=",
                               "\"token\":\"",
                               "<token>",
                               "password ",
                               "-----BEGIN ",
                               "-----BEGIN PRIVATE KEY-----",
                               "bearer ",
                               "curl -u ",
                               "://a:",
                               "[redacted:",
                               "token,",
                               "a.",
                               "eyJ",
                               "eyJaaaaaaaaa.",
                               "token\\\"",
                               "token ))))",
                               "password=a,b;",
                               "token:\n",
                               "token\n",
                               "token \\\n",
                               "value:",
                               "\"value\":\"a\",\"name\":\"token\"",
                               "token=\"a\" -> \"b\"",
                               "cookie: a=b;",
                               "login -p ",
                               "curl 'a' \"b\" ",
                               "passphrase: a ",
                               "LS0tLS1CRUdJTiBQUklW",
                               "token,value,",
                               "Private-Lines: 1",
                               "Private-MAC: ",
                               "://a:b@c/",
                               "://a:b'c",
                               "AKIAAAAAAAAAAAAAAAAA,",
                               "api key ",
                               "token for a ",
                               "token (a)",
                               "token [a",
                               "token | ",
                               "token ''",
                               "token='a''"};
  for (const std::string& unit : units) {
    std::string text = "token x";
    while (text.size() < kSize) text += unit;
    const auto work = [](const std::string& units) { static_cast<void>(kRedactor.redact("token x" + units)); };
    EXPECT_LT(test::growth(unit, kSize, work), test::kMaxGrowth) << unit;
    EXPECT_EQ(in_parts_of(6'013, text), kRedactor.redact(text)) << unit;
  }
}

TEST(Time, AStreamOfSingleBytesIsNotSearchedAgain) {
  const std::string text = "token " + std::string(100'000, 'w') + "\n" + std::string(100'000, 'v');
  EXPECT_EQ(in_parts_of(1, text), kRedactor.redact(text));
}

}  // namespace
}  // namespace deputy::redact
