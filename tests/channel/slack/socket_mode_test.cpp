// Socket Mode over real sockets, against the simulator.
#include "channel/slack/socket_mode.h"

#include <gmock/gmock.h>

#include <boost/asio/bind_cancellation_slot.hpp>

#include "net/client.h"
#include "sim/slack/simulator.h"
#include "support/loop.h"
#include "support/results.h"

namespace deputy::channel::slack {
namespace {

using namespace std::chrono_literals;

class SlackSockets : public testing::Test, public test::OnLoop {
 protected:
  void SetUp() override {
    auto started = sim::slack::Simulator::start(loop_.get_executor(), clock_, {});
    ASSERT_OK(started);
    simulator_ = *std::move(started);
    http_ = std::make_unique<net::Client>(loop_.get_executor(), net::ClientOptions{});
    control("limits", {{"tiers", {{"1", 1000}, {"3", 1000}}}});
    clients::slack::Settings settings;
    settings.bot_token = Secret("xoxb-fake-bot-token");
    settings.app_token = Secret("xapp-fake-app-token");
    settings.api_url = simulator_->address() + "/api/";
    api_ = std::make_unique<clients::slack::Api>(settings, *http_, clock_);
    sockets_ = std::make_unique<SocketMode>(*api_, clock_, SocketOptions{.silence = 2s, .first_pause = 50ms});
  }
  void TearDown() override {
    stop_.emit();
    test::run_until_within(5s, loop_, [&] { return ended_; });
    sockets_.reset();
    http_.reset();
    await(simulator_->stop());
  }

  void start() {
    auto handler = [this](std::string type, json::object payload) -> Task<Result<json::object>> {
      types_.push_back(std::move(type));
      payloads_.push_back(std::move(payload));
      if (refuse_) co_return fail(ErrorKind::internal, "not stored");
      co_return json::object();
    };
    asio::co_spawn(loop_, sockets_->run(std::move(handler), [this] { ++gaps_; }),
                   asio::bind_cancellation_slot(stop_.slot(), [this](const std::exception_ptr&, Result<> result) {
                     ended_ = true;
                     result_ = std::move(result);
                   }));
  }
  void connect() {
    start();
    ASSERT_TRUE(test::run_until_within(5s, loop_, [&] { return sockets_->connected() == 2; }));
  }
  json::object control(const std::string& name, const json::object& body) {
    net::Request request{.method = "POST",
                         .url = simulator_->address() + "/control/" + name,
                         .headers = {{"Content-Type", "application/json"}},
                         .body = json::serialize(body)};
    const Result<json::object> answer = parse_json_object(must(http_->send(std::move(request))).body);
    EXPECT_OK(answer);
    return answer.value_or(json::object());
  }
  void ana_mentions() {
    control("say", {{"user", "U0ANA000001"}, {"channel", "ops"}, {"text", "hi"}, {"mention", true}});
  }
  std::size_t mentions() const {
    return static_cast<std::size_t>(std::ranges::count_if(payloads_, [](const json::object& payload) {
      const json::object* event = find_object(payload, "event");
      return event != nullptr && text_at(*event, "type") == "app_mention";
    }));
  }
  bool comes(std::size_t count) {
    return test::run_until_within(10s, loop_, [&] { return mentions() >= count; });
  }

  SystemClock clock_;
  std::unique_ptr<sim::slack::Simulator> simulator_;
  std::unique_ptr<net::Client> http_;
  std::unique_ptr<clients::slack::Api> api_;
  std::unique_ptr<SocketMode> sockets_;
  Cancel stop_{loop_.get_executor()};
  std::vector<std::string> types_;
  std::vector<json::object> payloads_;
  int gaps_ = 0;
  bool refuse_ = false;
  bool ended_ = false;
  Result<> result_;
};

TEST_F(SlackSockets, BringEventsAndAreReceipted) {
  connect();
  EXPECT_EQ(gaps_, 1);
  ana_mentions();
  ASSERT_TRUE(comes(1));
  EXPECT_EQ(types_.front(), "events_api");
  EXPECT_NE(sockets_->last_traffic(), std::nullopt);
}

TEST_F(SlackSockets, AreReplacedBeforeTheyGo) {
  connect();
  control("disconnect", {{"reason", "refresh_requested"}});
  ASSERT_TRUE(test::run_until_within(5s, loop_, [&] { return sockets_->connected() < 2; }));
  ASSERT_TRUE(test::run_until_within(5s, loop_, [&] { return sockets_->connected() == 2; }));
  ana_mentions();
  ASSERT_TRUE(comes(1));
  EXPECT_TRUE(test::run_until_within(10s, loop_, [&] { return gaps_ > 1; })) << "it may have taken an event with it";
}

TEST_F(SlackSockets, ComeBackAfterACut) {
  connect();
  control("disconnect", {});
  ASSERT_TRUE(test::run_until_within(10s, loop_, [&] { return gaps_ >= 2 && sockets_->connected() == 2; }));
  ana_mentions();
  ASSERT_TRUE(comes(1));
}

TEST_F(SlackSockets, ASilentOneIsReplaced) {
  connect();
  control("freeze", {});
  ASSERT_TRUE(test::run_until_within(20s, loop_, [&] { return sockets_->connected() < 2; }));
  ASSERT_TRUE(test::run_until_within(20s, loop_, [&] { return sockets_->connected() == 2; }));
  ana_mentions();
  ASSERT_TRUE(comes(1));
}

TEST_F(SlackSockets, WhatIsNotStoredIsSentAgain) {
  control("timing", {{"acknowledge_ms", 200}, {"retry_ms", {50, 100, 100}}});
  connect();
  refuse_ = true;
  ana_mentions();
  ASSERT_TRUE(comes(1));
  refuse_ = false;
  EXPECT_TRUE(comes(2));
}

TEST_F(SlackSockets, AServerThatKeepsClosingThemIsNotAskedAllTheTime) {
  control("timing", {{"connection_ms", 50}, {"goodbye_ms", 0}});
  const auto begun = std::chrono::steady_clock::now();
  start();
  const auto opened = [&] { return simulator_->world().record.find(0, "socket_opened", {}).size(); };
  ASSERT_TRUE(test::run_until_within(20s, loop_, [&] { return opened() >= 10; }));
  EXPECT_GT(std::chrono::steady_clock::now() - begun, 2s);
}

TEST_F(SlackSockets, WhereASecondOneEndsTheFirstOneIsKept) {
  connect();
  auto& sockets = simulator_->world().deliveries.sockets;
  for (int end = 0; end < 5; ++end) {
    ASSERT_TRUE(test::run_until_within(5s, loop_, [&] { return sockets.connections().size() == 2; }));
    control("disconnect", {{"connection", sockets.connections().front()}});
    ASSERT_TRUE(test::run_until_within(5s, loop_, [&] { return sockets.connections().size() < 2; }));
  }
  EXPECT_FALSE(test::run_until_within(2s, loop_, [&] { return sockets.connections().size() != 1; }));
  ana_mentions();
  EXPECT_TRUE(comes(1));
}

TEST_F(SlackSockets, ARevokedTokenEndsIt) {
  control("token", {{"token", "xapp-fake-app-token"}, {"revoked", true}});
  asio::co_spawn(
      loop_,
      sockets_->run([](std::string, json::object) -> Task<Result<json::object>> { co_return json::object(); }, [] {}),
      [this](const std::exception_ptr&, Result<> result) {
        ended_ = true;
        result_ = std::move(result);
      });
  ASSERT_TRUE(test::run_until_within(5s, loop_, [&] { return ended_; }));
  ASSERT_FALSE(result_);
  EXPECT_EQ(result_.error().kind, ErrorKind::authentication);
}

}  // namespace
}  // namespace deputy::channel::slack
