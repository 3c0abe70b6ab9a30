#include "sim/slack/simulator.h"

#include <gtest/gtest.h>

#include "net/client.h"
#include "support/loop.h"
#include "support/manual_clock.h"

namespace deputy::sim::slack {
namespace {

// Computed with openssl from the request in Slack's document on verifying requests.
TEST(SlackSignature, IsTheOneOfSlacksDocument) {
  EXPECT_EQ(
      signature("8f742231b10e8888abcd99yyyzzz85a5", "1531420618",
                "token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_"
                "name=foobar&"
                "user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%"
                "2Fhooks.slack.com%2F"
                "commands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121."
                "803a0bc887a14d10d2c447fce8b6703c"),
      "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503");
}

class SlackSimulator : public testing::Test, public test::OnLoop {
 protected:
  void SetUp() override {
    auto started = Simulator::start(loop_.get_executor(), clock_, {});
    ASSERT_OK(started);
    simulator_ = *std::move(started);
    client_ = std::make_unique<net::Client>(loop_.get_executor(), net::ClientOptions{});
  }
  void TearDown() override {
    client_.reset();
    await(simulator_->stop());
  }

  json::object post(const std::string& path, json::object body) {
    net::Request request{.method = "POST", .url = simulator_->address() + path, .headers = {}};
    request.headers = {{"Content-Type", "application/json; charset=utf-8"},
                       {"Authorization", "Bearer xoxb-fake-bot-token"}};
    request.body = json::serialize(body);
    const net::Response response = must(client_->send(std::move(request)));
    const auto answer = parse_json_object(response.body);
    EXPECT_OK(answer);
    return answer ? *answer : json::object();
  }

  test::ManualClock clock_;
  std::unique_ptr<Simulator> simulator_;
  std::unique_ptr<net::Client> client_;
};

TEST_F(SlackSimulator, IsALibraryThatTestsReadTheStateOf) {
  const json::object posted = post("/api/chat.postMessage", {{"channel", "C0OPS000001"}, {"text", "hello"}});
  EXPECT_EQ(posted.at("ok"), json::value(true));
  const Channel& ops = simulator_->world().workspace.channels.at("C0OPS000001");
  ASSERT_EQ(ops.messages.size(), 1U);
  EXPECT_EQ(ops.messages.front().ts, text_at(posted, "ts"));
  EXPECT_EQ(text_at(ops.messages.front().body, "text"), "hello");
}

TEST_F(SlackSimulator, GivesEveryMessageItsOwnTsThoughNoTimePasses) {
  const json::object first = post("/api/chat.postMessage", {{"channel", "C0OPS000001"}, {"text", "a"}});
  const json::object second = post("/api/chat.postMessage", {{"channel", "C0OPS000001"}, {"text", "a"}});
  EXPECT_LT(text_at(first, "ts"), text_at(second, "ts"));
}

TEST_F(SlackSimulator, StopsWhileAnEventWaitsForItsNextTry) {
  // Nobody is connected, so the event is tried again in a minute; stop does not wait for that.
  post("/control/say", {{"user", "U0ANA000001"}, {"channel", "ops"}, {"text", "hi"}, {"mention", true}});
}

TEST_F(SlackSimulator, AMessageOfThePastStandsInItsPlaceAndTheAppIsNotTold) {
  World& world = simulator_->world();
  world.workspace.app.request_url = "http://127.0.0.1:1/";  // nobody answers; what is sent is recorded
  const auto say = [&](json::object what) {
    for (const auto& [key, value] : json::object{{"user", "U0ANA000001"}, {"channel", "ops"}}) what[key] = value;
    return post("/control/say", what);
  };
  say({{"text", "now"}});
  EXPECT_EQ(text_at(say({{"text", "then"}, {"ts", "1699999000.000100"}}), "ts"), "1699999000.000100");
  say({{"text", "after it"}});
  await(world.record.wait(0, "request", {{"payload", {{"event", {{"text", "after it"}}}}}}, std::chrono::seconds(10)));
  EXPECT_TRUE(world.record.find(0, "request", {{"payload", {{"event", {{"text", "then"}}}}}}).empty());
  std::vector<std::string> texts;
  for (const Message& message : world.workspace.channels.at("C0OPS000001").messages)
    texts.push_back(text_at(message.body, "text"));
  EXPECT_EQ(texts, (std::vector<std::string>{"then", "now", "after it"}));
  for (const char* ts : {"1699999000.000100", "1700000001.000100", "yesterday"})
    EXPECT_EQ(say({{"text", "no"}, {"ts", ts}}).at("ok"), json::value(false)) << ts;
}

TEST_F(SlackSimulator, AHiddenPersonCannotBeLookedUp) {
  post("/control/person", {{"id", "U0HIDDEN001"}, {"hidden", true}});
  EXPECT_EQ(text_at(post("/api/users.info", {{"user", "U0HIDDEN001"}}), "error"), "user_not_visible");
  EXPECT_EQ(text_at(post("/api/conversations.open", {{"users", "U0HIDDEN001"}}), "error"), "user_not_visible");
}

TEST_F(SlackSimulator, AResponseUrlLivesHalfAnHour) {
  const std::string url =
      simulator_->world().workspace.new_response_url("commands", {.channel = "C0OPS000001", .user = "U0ANA000001"});
  const auto respond = [&] {
    net::Request request{.method = "POST", .url = url, .headers = {}};
    request.headers = {{"Content-Type", "application/json"}};
    request.body = R"({"text":"hi"})";
    const net::Response response = must(client_->send(std::move(request)));
    return std::pair(response.status, response.body);
  };
  EXPECT_EQ(respond(), std::pair(200, std::string("ok")));
  clock_.advance(std::chrono::minutes(31));
  EXPECT_EQ(respond(), std::pair(404, std::string("expired_url")));
}

}  // namespace
}  // namespace deputy::sim::slack
