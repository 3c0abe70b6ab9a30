#include "channel/slack/http_events.h"

#include <gmock/gmock.h>

#include "support/loop.h"
#include "support/results.h"

namespace deputy::channel::slack {
namespace {

// The example of Slack's document on verifying requests.
const Secret kSigningSecret("8f742231b10e8888abcd99yyyzzz85a5");
constexpr std::string_view kSignedAt = "1531420618";
constexpr std::string_view kSignedBody =
    "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar&"
    "user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com"
    "%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121."
    "803a0bc887a14d10d2c447fce8b6703c";
constexpr std::string_view kSignature = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503";
const Timestamp kThen = from_millis(1'531'420'618'000);

TEST(SlackSignatures, AreThoseOfSlacksDocument) {
  EXPECT_OK(check_signature(kSigningSecret, kSignedAt, kSignature, kSignedBody, kThen));
}

TEST(SlackSignatures, FailForAnythingElse) {
  using namespace std::chrono_literals;
  const auto fails = [](const Secret& secret, std::string_view at, std::string_view signature, std::string_view body,
                        Timestamp now) { return !check_signature(secret, at, signature, body, now); };
  EXPECT_TRUE(fails(Secret("another"), kSignedAt, kSignature, kSignedBody, kThen));
  EXPECT_TRUE(fails(Secret(), kSignedAt, kSignature, kSignedBody, kThen)) << "no secret signs nothing";
  EXPECT_TRUE(fails(kSigningSecret, "1531420619", kSignature, kSignedBody, kThen));
  EXPECT_TRUE(fails(kSigningSecret, kSignedAt, "v0=00", kSignedBody, kThen));
  EXPECT_TRUE(fails(kSigningSecret, kSignedAt, "", kSignedBody, kThen));
  EXPECT_TRUE(fails(kSigningSecret, kSignedAt, kSignature, "token=x", kThen));
  EXPECT_TRUE(fails(kSigningSecret, kSignedAt, kSignature, kSignedBody, kThen + 301s)) << "sent again later";
  EXPECT_TRUE(fails(kSigningSecret, kSignedAt, kSignature, kSignedBody, kThen - 301s));
  EXPECT_TRUE(fails(kSigningSecret, "", kSignature, kSignedBody, kThen));
  EXPECT_TRUE(fails(kSigningSecret, "1531420618x", kSignature, kSignedBody, kThen));
}

class SlackOverHttp : public testing::Test, public test::OnLoop {
 protected:
  net::Response send(std::string type, std::string body, bool is_signed = true) {
    const std::string signature =
        "v0=" + to_hex(hmac_sha256(kSigningSecret, "v0:" + std::string(kSignedAt) + ":" + body).reveal());
    net::ServerRequest request{.method = "POST",
                               .path = "/slack/events",
                               .headers = {{"Content-Type", std::move(type)},
                                           {"X-Slack-Request-Timestamp", std::string(kSignedAt)},
                                           {"X-Slack-Signature", is_signed ? signature : "v0=wrong"}},
                               .body = std::move(body)};
    auto handler = [this](std::string envelope, json::object payload) -> Task<Result<json::object>> {
      seen_.emplace_back(std::move(envelope), std::move(payload));
      co_return reply_;
    };
    return await(answer_request(std::move(request), kSigningSecret, kThen, std::move(handler)));
  }

  std::vector<std::pair<std::string, json::object>> seen_;
  Result<json::object> reply_ = json::object();
};

TEST_F(SlackOverHttp, AnswersTheChallenge) {
  EXPECT_EQ(send("application/json", R"({"type": "url_verification", "challenge": "abc"})").body, "abc");
  EXPECT_TRUE(seen_.empty());
}

TEST_F(SlackOverHttp, HandsOnEventsClicksAndCommands) {
  EXPECT_EQ(send("application/json; charset=utf-8", R"({"type": "event_callback", "event": {}})").status, 200);
  EXPECT_EQ(send("application/x-www-form-urlencoded", "payload=%7B%22type%22%3A%22block_actions%22%7D").status, 200);
  EXPECT_EQ(send("application/x-www-form-urlencoded", "command=%2Fdeputy&text=status").status, 200);
  ASSERT_EQ(seen_.size(), 3U);
  EXPECT_EQ(seen_[0].first, "events_api");
  EXPECT_EQ(seen_[1].first, "interactive");
  EXPECT_EQ(text_at(seen_[1].second, "type"), "block_actions");
  EXPECT_EQ(seen_[2].first, "slash_commands");
  EXPECT_EQ(text_at(seen_[2].second, "text"), "status");
}

TEST_F(SlackOverHttp, TheReplyIsTheBody) {
  reply_ = json::object{{"response_action", "clear"}};
  EXPECT_EQ(send("application/x-www-form-urlencoded", "payload=%7B%7D").body, R"({"response_action":"clear"})");
}

TEST_F(SlackOverHttp, NothingUnsignedIsRead) {
  EXPECT_EQ(send("application/json", R"({"type": "url_verification", "challenge": "abc"})", false).status, 401);
  EXPECT_TRUE(seen_.empty());
}

TEST_F(SlackOverHttp, TheCheckOfTheCertificateIsAnsweredUnsigned) {
  const net::Response response = send("application/x-www-form-urlencoded", "ssl_check=1&token=x", false);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "");
  EXPECT_TRUE(seen_.empty());
}

TEST_F(SlackOverHttp, WhatIsNotStoredIsAskedForAgain) {
  reply_ = fail(ErrorKind::internal, "the disk is full");
  EXPECT_EQ(send("application/json", R"({"type": "event_callback"})").status, 503);
}

TEST_F(SlackOverHttp, WhatCannotBeReadIsRefused) {
  EXPECT_EQ(send("application/json", "{").status, 400);
  EXPECT_EQ(send("application/x-www-form-urlencoded", "payload=%7B").status, 400);
}

}  // namespace
}  // namespace deputy::channel::slack
