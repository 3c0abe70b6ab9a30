#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "redact/corpus.h"
#include "redact/marker.h"
#include "redact/redact.h"

namespace deputy::redact {
namespace {

const Redactor kRedactor("salt");

constexpr std::string_view kAlphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

std::string letters_of(std::string_view alphabet, std::size_t length) {
  const auto picked =
      *rc::gen::container<std::vector<std::size_t>>(length, rc::gen::inRange<std::size_t>(0, alphabet.size()));
  std::string text;
  for (const std::size_t at : picked) text += alphabet[at];
  return text;
}

/// A secret and the text around it that makes it one.
struct Planted {
  std::string before;
  std::string secret;
  std::string after;
};

Planted plant() {
  // The digits keep a generated value from being a word that stands for none.
  const auto body = [](std::size_t length) { return letters_of(kAlphanumeric, length - 3) + "7aQ"; };
  // With signs in it that end other things, each between letters.
  const auto odd = [&](std::size_t length, const std::vector<std::string>& signs) {
    std::string text = letters_of(kAlphanumeric, 2);
    for (int i = *rc::gen::inRange(0, 3); i > 0; --i) text += *rc::gen::elementOf(signs) + body(5);
    return text + body(length);
  };
  const std::vector<std::string> kAnySign = {"@", "/", "'", "#", "?", "!", "+"};
  switch (*rc::gen::inRange(0, 39)) {
    case 0:
      return {"", "AKIA" + letters_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16), ""};
    case 1:
      return {"", "xoxb-" + letters_of("0123456789", 12) + "-" + body(24), ""};
    case 2:
      return {"", "xapp-1-A" + body(40), ""};
    case 3:
      return {"", "ghp_" + body(36), ""};
    case 4:
      return {"", "github_pat_" + body(82), ""};
    case 5:
      return {"", "glpat-" + body(20), ""};
    case 6:
      return {"", "AIza" + body(35), ""};
    case 7:
      return {"", "sk_live_" + body(24), ""};
    case 8:
      return {"", "sk-ant-api03-" + body(95), ""};
    case 9:
      return {"", "sk-proj-" + body(60), ""};
    case 10:
      return {"", letters_of("123456789", 10) + ":AA" + body(33), ""};
    case 11:
      return {"", "M" + body(25) + "." + body(6) + "." + body(38), ""};
    case 12:
      return {"", "npm_" + body(36), ""};
    case 13:
      return {"", "eyJ" + body(20) + "." + body(40) + "." + body(43), ""};
    case 14:
      return {"postgres://app:", odd(8, kAnySign), "@db:5432/orders"};
    case 15:
      return {"password=", odd(8, kAnySign), ""};
    case 16:
      return {"\"client_secret\": \"", odd(10, kAnySign), "\""};
    case 17:
      return {"--token ", odd(10, kAnySign), ""};
    case 18:
      return {"Authorization: Bearer ", body(20), ""};
    case 19:
      return {"\napi_key: ", odd(12, kAnySign), "\n"};
    case 20:
      return {"hooks.slack.com/services/T", body(9) + "/" + body(10) + "/" + body(24), ""};
    case 21:
      return {"PGPASSWORD='", odd(6, {" ", "''", "'\\''", "'\"'\"'", "@", "/"}), "'"};
    case 22:
      return {"\n-----BEGIN PRIVATE KEY-----\n", body(64) + "\n" + body(64), "\n-----END PRIVATE KEY-----\n"};
    case 23:
      return {"\n- name: API_TOKEN\n  value: ", odd(10, kAnySign), ""};
    case 24:
      return {"\n\"name\": \"DB_PASSWORD\",\r\n\"value\": \"", body(10), "\""};
    case 25:
      return {"\npassword: |\n  ", odd(10, kAnySign), "\n"};
    case 26:
      return {"{\"value\": \"", body(10), "\", \"name\": \"DB_PASSWORD\"}"};
    case 27:
      return {"curl \\\n  -u bo:", odd(10, {"@", "/", "#", "!"}), ""};
    case 28:
      return {"\nCookie: theme=dark; sid=", body(24), "; a=b"};
    case 29:
      // Few small letters: one random key in seventy has so many in a row that it is taken for words.
      return {"\nAWS Secret Access Key [None]: ", letters_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/", 37) + "7aQ",
              "\n"};
    case 30:
      return {"AKIA" + letters_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 16) + ",", body(40), ""};
    case 31:
      return {"the API key is ", letters_of("0123456789abcdef", 28) + "a1b2", ""};
    case 32:
      return {"token ", letters_of("0123456789abcdef", 28) + "a1b2", ""};
    case 33:
      return {"\n| db_password | ", body(8), " |\n"};
    case 34:
      return {"\npassword (prod): ", odd(8, kAnySign), "\n"};
    case 35:
      return {"\nPrivate-Lines: 2\n", body(64) + "\n" + body(40), "\nPrivate-MAC: 00aa\n"};
    case 36:
      return {"ALTER USER app PASSWORD '", odd(6, {"''", "\\'", "@", "/"}), "'"};
    case 37:
      return {"Authorization: Bearer ", letters_of("abcdefghijklmnopqrstuvwxyz", 16), ""};
    default:
      return {"\"private_key\":\"-----BEGIN RSA PRIVATE KEY-----\\n", body(64) + "\\n" + body(20),
              "\\n-----END RSA PRIVATE KEY-----\\n\""};
  }
}

/// Pieces of what texts are made of, so that names, quotes, line ends and half secrets meet often.
std::string surroundings() {
  static const std::vector<std::string> kPieces = {" ",
                                                   "\n",
                                                   "\r\n",
                                                   "\t",
                                                   ": ",
                                                   "=",
                                                   "\"",
                                                   "'",
                                                   ",",
                                                   "the",
                                                   "token",
                                                   "password",
                                                   "key",
                                                   "Bearer",
                                                   "-----BEGIN PRIVATE KEY-----",
                                                   "-----END",
                                                   "AKIA",
                                                   "eyJ",
                                                   "://u:p",
                                                   "@",
                                                   "[redacted:named#0a1b2c]",
                                                   "[redacted:",
                                                   "{",
                                                   "}",
                                                   "\\n",
                                                   "\\\"",
                                                   "\xFF",
                                                   "hunter2",
                                                   "AAAA",
                                                   "--",
                                                   "value",
                                                   "name",
                                                   "|",
                                                   "\\\n",
                                                   "*",
                                                   ":\n",
                                                   "is",
                                                   "cookie",
                                                   "login -p ",
                                                   "passphrase",
                                                   "->",
                                                   "LS0tLS1CRUdJTiB",
                                                   "curl -u a:b",
                                                   ";",
                                                   "Private-Lines: 1",
                                                   "Private-MAC:",
                                                   "api",
                                                   "(a)",
                                                   "[b]",
                                                   "for bo",
                                                   "''",
                                                   "it's",
                                                   "│",
                                                   "%3D",
                                                   "\x1b[0m",
                                                   "\u200b",
                                                   "MIIEowIBAAKCAQEAq1w2e3r4t5y6u7i8o9p0ASDFGHJKLqwertyuiopzxcvbnm12\n",
                                                   "/"};
  std::string text;
  for (const std::string& piece : *rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(kPieces)))
    text += piece;
  return text;
}

std::string in_random_parts(std::string_view text, const Redactor& redactor) {
  Stream stream = redactor.stream();
  std::string out;
  while (!text.empty()) {
    const auto size = *rc::gen::inRange<std::size_t>(1, 24);
    out += stream.feed(text.substr(0, size));
    text.remove_prefix(std::min(size, text.size()));
  }
  return out + stream.finish();
}

std::string any_text() {
  std::string text = surroundings();
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) {
    const Planted planted = plant();
    text += planted.before + planted.secret + planted.after + surroundings();
  }
  return text;
}

void check(auto&& property) { ASSERT_TRUE(rc::check(property)); }

TEST(RedactProperty, WhatComesOutDoesNotDependOnTheParts) {
  check([] {
    const Redactor redactor("salt", *rc::gen::element<std::size_t>(120, 300, kMaxPiece));
    const std::string text = any_text();
    RC_ASSERT(in_random_parts(text, redactor) == redactor.redact(text));
  });
}

TEST(RedactProperty, RedactingTwiceIsRedactingOnce) {
  check([] {
    const Redactor redactor("salt", *rc::gen::element<std::size_t>(120, 300, kMaxPiece));
    const std::string once = redactor.redact(any_text());
    RC_ASSERT(redactor.redact(once) == once);
    RC_ASSERT(redactor.redact(once) == in_random_parts(once, redactor));
  });
}

TEST(RedactProperty, NoPlantedSecretSurvives) {
  check([] {
    const Planted planted = plant();
    // Letters on either side would change the secret itself; anything else may stand there.
    const std::string before = surroundings() + *rc::gen::element<std::string>(" ", "\n", "\t");
    const std::string after = *rc::gen::element<std::string>("", " ", "\n", ", ") +
                              *rc::gen::element<std::string>("", " and so on", "\nnext line");
    const std::string text = before + planted.before + planted.secret + planted.after + after;
    const std::string out = in_random_parts(text, kRedactor);
    RC_ASSERT(fragment_left(planted.secret, before + planted.before + "\n" + planted.after + after, out) == "");
    RC_ASSERT(holds_marker(out));
    RC_ASSERT(!find(text).empty());
  });
}

TEST(RedactProperty, TextWithoutAHintIsLeftAsItIs) {
  check([] {
    const std::string text =
        letters_of("bcdfghjlmnqruvwxz 0123456789.,;!?()[]{}\n\t\xC3\xA9\xFF", *rc::gen::inRange<std::size_t>(0, 2000));
    RC_ASSERT(kRedactor.redact(text) == text);
    RC_ASSERT(in_random_parts(text, kRedactor) == text);
  });
}

TEST(RedactProperty, FindingsAreInOrderApartAndOutsideMarkers) {
  check([] {
    const std::string text = visible(any_text());
    std::size_t at = 0;
    for (const Finding& secret : find(text)) {
      RC_ASSERT(secret.begin >= at);
      RC_ASSERT(secret.end > secret.begin);
      RC_ASSERT(secret.end <= text.size());
      RC_ASSERT(!holds_marker(secret.of(text)));
      at = secret.end;
    }
  });
}

}  // namespace
}  // namespace deputy::redact
