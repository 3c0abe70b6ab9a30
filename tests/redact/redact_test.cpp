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
