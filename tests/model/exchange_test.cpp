#include "model/exchange.h"

#include <gtest/gtest.h>

#include "base/workers.h"
#include "support/held.h"
#include "support/loop.h"
#include "support/results.h"
#include "support/scripted_http.h"

namespace deputy::model {
namespace {

using deputy::test::held;
using deputy::test::run;
using deputy::test::ScriptedHttp;
using deputy::test::ScriptedResponse;

/// Writes down what it is fed; `{"last":true}` is the end, after `{"whole":true}` nothing is missing, and
/// `{"fails":TEXT}` is an error of that text.
class Log final : public EventReader {
 public:
  Result<> read(const json::object& event) override {
    log += json::serialize(event);
    if (event.contains("fails")) return fail(ErrorKind::upstream, text_at(event, "fails"));
    if (event.contains("last")) end();
    if (event.contains("whole")) is_whole_ = true;
    return {};
  }
  Result<> read_message(const json::object& message) override {
    log += "whole " + json::serialize(message);
    return {};
  }
  void end() override { has_ended_ = true; }
  bool has_ended() const override { return has_ended_; }
  bool is_whole() const override { return is_whole_; }

  std::string log;

 private:
  bool has_ended_ = false;
  bool is_whole_ = false;
};

const Error kBroken{ErrorKind::network, "the connection broke off", {}, true};

struct Row {
  std::string name;
  ScriptedResponse response;
  std::string expected;
};

class ReadReply : public testing::TestWithParam<Row> {};

TEST_P(ReadReply, Feeds) {
  ScriptedHttp http;
  http.answers(GetParam().response);
  Log reader;
  const auto refused = run(exchange(http, json_post("http://a/", {}, kModelTimeouts), reader));
  ASSERT_OK(refused);
  EXPECT_FALSE(*refused);
  EXPECT_EQ(reader.log, GetParam().expected);
  EXPECT_EQ(http.open_streams(), 0);
}

INSTANTIATE_TEST_SUITE_P(
    With, ReadReply,
    testing::Values(
        Row{"Events", {.pieces = {"data: {\"a\":1}\n\ndata: {\"b\":2}\n\n"}}, R"({"a":1}{"b":2})"},
        Row{"EventsCutAnywhere", {.pieces = {"da", "ta: {\"a\"", ":\"\xC3", "\xBC\"}\n", "\n"}}, "{\"a\":\"ü\"}"},
        Row{"NothingBehindTheLast", {.pieces = {"data: {\"last\":true}\n\ndata: {\"b\":2}\n\n"}}, R"({"last":true})"},
        Row{"NothingBehindDone",
            {.pieces = {"data: {\"a\":1}\n\ndata: [DONE]\n\n", "data: {\"b\":2}\n\n"}},
            R"({"a":1})"},
        Row{"NoEmptyEvents", {.pieces = {"data:\n\n: ping\n\ndata: {\"a\":1}\n\n"}}, R"({"a":1})"},
        Row{"NoUnfinishedEvent", {.pieces = {"data: {\"a\":1}\n\ndata: {\"b\":2}"}}, R"({"a":1})"},
        Row{"WhatCameBeforeABreakThatTakesNothing",
            {.pieces = {"data: {\"whole\":true}\n\n"}, .breaks = kBroken},
            R"({"whole":true})"},
        Row{"OneJsonObject",
            {.headers = {{"Content-Type", "application/json; charset=utf-8"}}, .pieces = {"{\"a\"", ":1}"}},
            R"(whole {"a":1})"},
        Row{"TheLastOfAServerThatDoesNotClose",
            {.pieces = {"data: {\"last\":true}\n\n"}, .hangs = true},
            R"({"last":true})"}),
    [](const auto& row) { return row.param.name; });

TEST(Exchange, ALargeBodyIsParsedOffTheLoop) {
  ScriptedHttp http;
  const auto answer_with = [&](std::size_t size) {
    http.answers({.headers = {{"content-type", "application/json"}},
                  .pieces = {json::serialize(json::object{{"a", std::string(size, 'x')}})}});
    Log reader;
    const std::int64_t before = large_text_workers().taken();
    EXPECT_OK(run(exchange(http, json_post("http://a/", {}, kModelTimeouts), reader)));
    EXPECT_EQ(reader.log.size(), size + 14);
    return large_text_workers().taken() - before;
  };
  EXPECT_EQ(answer_with(60'000), 0);
  EXPECT_EQ(answer_with(70'000), 1);
}

TEST(Exchange, ALargeEventIsParsedOffTheLoop) {
  ScriptedHttp http;
  const auto stream_with = [&](std::size_t size) {
    const std::string large = json::serialize(json::object{{"a", std::string(size, 'x')}});
    http.answers({.pieces = {"data: {\"b\":1}\n\ndata: " + large + "\n\ndata: {\"last\":true}\n\n"}});
    Log reader;
    const std::int64_t before = large_text_workers().taken();
    EXPECT_OK(run(exchange(http, json_post("http://a/", {}, kModelTimeouts), reader)));
    EXPECT_EQ(reader.log, R"({"b":1})" + large + R"({"last":true})");
    return large_text_workers().taken() - before;
  };
  EXPECT_EQ(stream_with(60'000), 0);
  EXPECT_EQ(stream_with(70'000), 1);
}

struct Broken {
  std::string name;
  ScriptedResponse response;
  ErrorKind kind;
};

class BrokenExchange : public testing::TestWithParam<Broken> {};

TEST_P(BrokenExchange, IsAnErrorThatMayPass) {
  ScriptedHttp http;
  http.answers(GetParam().response);
  Log reader;
  const auto refused = run(exchange(http, json_post("http://a/", {}, kModelTimeouts), reader));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, GetParam().kind);
  EXPECT_TRUE(refused.error().retryable);
}

INSTANTIATE_TEST_SUITE_P(
    Where, BrokenExchange,
    testing::Values(
        Broken{"TheStreamBreaks", {.pieces = {"data: {\"a\":1}\n\n"}, .breaks = kBroken}, ErrorKind::network},
        Broken{"AnEventIsNoJson", {.pieces = {"data: {\"a\":\n\n"}}, ErrorKind::upstream},
        Broken{"AnEventIsNoObject", {.pieces = {"data: [1]\n\n"}}, ErrorKind::upstream},
        Broken{"TheObjectIsNone",
               {.headers = {{"content-type", "application/json"}}, .pieces = {"{"}},
               ErrorKind::upstream}),
    [](const auto& row) { return row.param.name; });

TEST(Exchange, KeepsTheBeginningOfARefusalsBody) {
  ScriptedHttp http;
  http.answers(
      {.status = 500, .pieces = {std::string(60'000, 'a'), std::string(60'000, 'b'), std::string(60'000, 'c')}});
  http.answers({.status = 503, .pieces = {"gone"}, .breaks = kBroken});
  Log reader;
  const auto large = run(exchange(http, json_post("http://a/", {}, kModelTimeouts), reader));
  ASSERT_OK(large);
  EXPECT_EQ(held(*large).body.size(), 65'536U);
  const auto broken = run(exchange(http, json_post("http://a/", {}, kModelTimeouts), reader));
  ASSERT_OK(broken);
  EXPECT_EQ(held(*broken).status, 503);
}

struct Repeated {
  std::string name;
  net::Header sent;
  std::string said;
  std::string kept;
};

class RepeatedKey : public testing::TestWithParam<Repeated> {};

TEST_P(RepeatedKey, IsInNothingThatCameBack) {
  const Repeated& row = GetParam();
  const std::string body = json::serialize(json::object{{"fails", row.said}});
  ScriptedHttp http;
  http.answers({.pieces = {"data: " + body + "\n\n"}}).answers({.status = 400, .pieces = {row.said}});
  net::Request request = json_post("http://a/", {}, kModelTimeouts);
  request.headers.push_back(row.sent);
  Log reader;
  const auto failed = run(exchange(http, request, reader));
  ASSERT_FAILS(failed, upstream);
  EXPECT_EQ(failed.error().message, row.kept);
  const auto refused = run(exchange(http, request, reader));
  ASSERT_OK(refused);
  EXPECT_EQ(held(*refused).body, row.kept);
}

INSTANTIATE_TEST_SUITE_P(
    Where, RepeatedKey,
    testing::Values(
        Repeated{"ItIsBare", {"x-api-key", "sk-0123456789abcdef"}, "no sk-0123456789abcdef", "no …"},
        Repeated{"ItIsABearers", {"authorization", "Bearer sk-0123456789abcdef"}, "sk-0123456789abcdef!", "…!"},
        Repeated{"ItStandsThereTwice", {"x-api-key", "short"}, "short short", "… …"},
        Repeated{"TheTextIsCutInIt", {"x-api-key", "sk-0123456789abcdef"}, "no sk-0123456789ab", "no …"},
        Repeated{"OnlyTheBeginningIsTheSame", {"x-api-key", "sk-0123456789abcdef"}, "sk-01234", "sk-01234"}),
    [](const auto& row) { return row.param.name; });

TEST(Exchange, SaysThatAnAddressHasAWebPageAndNoApi) {
  ScriptedHttp http;
  http.answers({.headers = {{"content-type", "text/html"}}, .pieces = {"<html>Log in</html>"}});
  Log reader;
  const auto refused = run(exchange(http, json_post("http://a/", {}, kModelTimeouts), reader));
  ASSERT_FAILS(refused, upstream);
  EXPECT_FALSE(refused.error().retryable);
}

TEST(Exchange, HandsOnThatNothingCouldBeReached) {
  ScriptedHttp http;
  http.fails(kBroken);
  Log reader;
  const auto refused = run(exchange(http, json_post("http://a/", {}, kModelTimeouts), reader));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), kBroken);
}

TEST(JoinUrl, PutsOneSlashBetween) {
  EXPECT_EQ(join_url("https://a", "v1/x"), "https://a/v1/x");
  EXPECT_EQ(join_url(" https://a/b// ", "/v1/x"), "https://a/b/v1/x");
}

}  // namespace
}  // namespace deputy::model
