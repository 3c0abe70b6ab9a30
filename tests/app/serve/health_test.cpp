#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "app/connections.h"
#include "app/health_listener.h"
#include "app/serve/service.h"
#include "base/json.h"
#include "support/child.h"

namespace deputy::app::test {
namespace {

using testing::HasSubstr;

// A channel with a connection that may be silent.
class SilentChannel final : public channel::Channel {
 public:
  std::string_view name() const override { return "scripted"; }
  channel::Capabilities capabilities() const override { return {}; }
  Task<Result<>> run(channel::Receiver&) override {
    for (;;) co_await sleep_for(kMaxWait);
  }
  channel::Traffic traffic() const override { return {true, last, std::chrono::minutes(1)}; }
  Task<Result<channel::MessageRef>> post(std::string, channel::Message) override { co_return "m"; }
  Task<Result<channel::ConversationContext>> context(std::string, channel::MessageRef, int) override {
    co_return channel::ConversationContext{};
  }
  Task<Result<policy::Identity>> who(policy::Account) override { co_return policy::Identity{}; }
  Task<Result<channel::Diagnosis>> diagnose() override { co_return channel::Diagnosis{}; }

  std::optional<Timestamp> last;
};

class HealthOfAService : public ServiceTest {
 protected:
  Task<> sees_traffic(Serving& serving) {
    net::Response ready = co_await get(serving, "/readyz");
    EXPECT_EQ(ready.status, 503);
    EXPECT_EQ(ready.body, "scripted: nothing has come from it yet\n");
    silent_->last = from_millis(0);
    ready = co_await get(serving, "/readyz");
    EXPECT_EQ(ready.body, "scripted: nothing has come from it since 1970-01-01T00:00:00.000Z\n");
    silent_->last = SystemClock().now();
    ready = co_await get(serving, "/readyz");
    EXPECT_EQ(ready.status, 200);
    EXPECT_EQ(ready.body, "ready\n");
  }
  Task<> looks_at_each_path(Serving& serving) {
    const net::Response alive = co_await get(serving, "/healthz");
    EXPECT_EQ(alive.status, 200);
    EXPECT_EQ(alive.body, "ok\n");
    const net::Response slash = co_await get(serving, "/healthz/");
    EXPECT_EQ(slash.status, 200);
    const net::Response other = co_await get(serving, "/v1/runs");
    EXPECT_EQ(other.status, 404);
    const net::Response posted = co_await get(serving, "/metrics", "POST");
    EXPECT_EQ(posted.status, 405);
  }
  Task<> asks_and_counts(Serving& serving) {
    co_await ask("hello?");
    co_await until([this] { return channel_->transcript("scripted:C1:1").contains("Here I am."); }, "the answer");
    std::string metrics;
    for (int i = 0; i < 1000 && !metrics.contains("deputy_requests_total{outcome=\"answered\"} 1\n"); ++i) {
      net::Response response = co_await get(serving, "/metrics");
      metrics = std::move(response.body);
    }
    EXPECT_THAT(metrics, HasSubstr("deputy_requests_total{outcome=\"answered\"} 1\n"));
    EXPECT_THAT(metrics, HasSubstr("deputy_response_seconds_count 1\n"));
    EXPECT_THAT(metrics, HasSubstr("deputy_model_replies_total{stop=\"end_turn\"} 1\n"));
    EXPECT_THAT(metrics, HasSubstr("deputy_model_tokens_total 120\n"));
    EXPECT_THAT(metrics, HasSubstr("deputy_ready 1\n"));
  }

  std::shared_ptr<SilentChannel> silent_ = std::make_shared<SilentChannel>();
};

TEST_F(HealthOfAService, IsNotReadyUntilAChannelHasProvenTraffic) {
  served_ = silent_;
  EXPECT_EQ(serve([this](Serving& serving) { return sees_traffic(serving); }), ExitCode::done);
}

TEST_F(HealthOfAService, AnswersThreePathsAndNothingElse) {
  EXPECT_EQ(serve([this](Serving& serving) { return looks_at_each_path(serving); }), ExitCode::done);
}

TEST_F(HealthOfAService, CountsRequestsRepliesAndTheirTime) {
  EXPECT_EQ(serve([this](Serving& serving) { return asks_and_counts(serving); }), ExitCode::done);
}

TEST_F(HealthOfAService, APortThatIsTakenEndsItAtTheStart) {
  const int taken = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  ASSERT_EQ(::bind(taken, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(taken, 1), 0);
  ASSERT_EQ(::getsockname(taken, reinterpret_cast<sockaddr*>(&address), &size), 0);
  write_settings(fmt::format("serve: {{health: '127.0.0.1:{}'}}\n", ntohs(address.sin_port)));
  EXPECT_EQ(serve([this](Serving& serving) { return looks_at_each_path(serving); }), ExitCode::failed);
  EXPECT_THAT(errors_.str(), HasSubstr(std::to_string(ntohs(address.sin_port))));
  ::close(taken);
}

TEST(ListenAddresses, HaveAnAddressAndAPort) {
  const auto read = [](std::string_view text) {
    const auto address = parse_listen_address(text);
    return address ? fmt::format("{} {}", address->host, address->port) : "refused";
  };
  EXPECT_EQ(read("127.0.0.1:7071"), "127.0.0.1 7071");
  EXPECT_EQ(read("[::1]:0"), "::1 0");
  EXPECT_EQ(read("localhost:80"), "localhost 80");
  for (const char* wrong :
       {"", ":80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", "127.0.0.1:-1", "::1:80", "host:80", "127.0.0.1:8o"}) {
    EXPECT_EQ(read(wrong), "refused") << wrong;
  }
}

// ---- A real Prometheus.

// A port that was free a moment ago: Prometheus does not say which one it took when it may choose.
int free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  EXPECT_EQ(::bind(socket, reinterpret_cast<sockaddr*>(&address), size), 0);
  EXPECT_EQ(::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size), 0);
  ::close(socket);
  return ntohs(address.sin_port);
}

class ScrapedService : public HealthOfAService {
 protected:
  Task<> is_scraped(Serving& serving) {
    co_await ask("hello?");
    co_await until([this] { return channel_->transcript("scripted:C1:1").contains("Here I am."); }, "the answer");
    const int port = free_port();
    const auto settings = folder_.write(
        "prometheus.yml", fmt::format("global: {{scrape_interval: 1s}}\nscrape_configs:\n"
                                      "  - {{job_name: deputy, static_configs: [{{targets: ['127.0.0.1:{}']}}]}}\n",
                                      serving.health_port));
    Child prometheus({"/usr/bin/prometheus", "--config.file=" + settings.string(),
                      "--storage.tsdb.path=" + (folder_ / "prometheus").string(),
                      fmt::format("--web.listen-address=127.0.0.1:{}", port)});
    answer_ = co_await query(serving, port, "deputy_requests_total");
    up_ = co_await query(serving, port, "up");
  }
  // The value of the first series, once there is one.
  Task<std::string> query(Serving& serving, int port, std::string what) {
    for (int i = 0; i < 600; ++i) {
      net::Request request;
      request.url = fmt::format("http://127.0.0.1:{}/api/v1/query?query={}", port, what);
      const Result<net::Response> response = co_await serving.process.accounts().http->send(std::move(request));
      const auto body = response ? parse_json_object(response->body) : fail(ErrorKind::network, "");
      const json::object* data = body ? find_object(*body, "data") : nullptr;
      const json::value* series = data == nullptr ? nullptr : data->if_contains("result");
      if (series != nullptr && series->is_array() && !series->get_array().empty())
        co_return std::string(series->get_array()[0].at("value").at(1).as_string());
      co_await sleep_for(std::chrono::milliseconds(100));
    }
    co_return "nothing";
  }

  std::string answer_;
  std::string up_;
};

TEST_F(ScrapedService, APrometheusReadsItsMetricsAndAnswersAQuery) {
  EXPECT_EQ(serve([this](Serving& serving) { return is_scraped(serving); }), ExitCode::done);
  EXPECT_EQ(answer_, "1");
  EXPECT_EQ(up_, "1");
}

}  // namespace
}  // namespace deputy::app::test
