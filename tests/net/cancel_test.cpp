// An exchange can be given up in every state, at once, and the loop never waits for it.
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/files.h"
#include "net/client_fixture.h"
#include "net/slow_names.h"

namespace deputy::net {
namespace {

using namespace std::chrono_literals;

// Nothing here takes as long, unless something blocks.
constexpr auto kAtOnce = 2s;

class CancelTest : public ClientTest {
 protected:
  /// Sends, runs the loop until `reached` has ended, cancels, and checks that the task ends and the loop turns.
  void cancels(Request request, Task<> reached) {
    Cancel cancel(loop.get_executor());
    std::exception_ptr thrown;
    bool ended = false;
    asio::co_spawn(loop, client().send(std::move(request)),
                   asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr error, const Result<Response>&) {
                     thrown = std::move(error);
                     ended = true;
                   }));
    test::run_on(loop, std::move(reached));
    ASSERT_FALSE(ended);
    const auto before = std::chrono::steady_clock::now();
    cancel.emit();
    bool turned = false;
    asio::steady_timer timer(loop, 1ms);
    timer.async_wait([&](const boost::system::error_code&) { turned = true; });
    ASSERT_TRUE(test::run_until_within(30s, loop, [&] { return ended && turned; }));
    EXPECT_LT(std::chrono::steady_clock::now() - before, kAtOnce);
    ASSERT_TRUE(thrown != nullptr);
    EXPECT_TRUE(is_cancellation(thrown));
    // And the client is none the worse for it.
    const test::HttpPeer other("plain");
    EXPECT_EQ(text_of(other.url("/hello")), "hello");
  }
};

Task<> until(std::function<bool()> reached) {
  while (!reached()) co_await sleep_for(1ms);
}

Task<> at_once() { co_return; }

TEST_F(CancelTest, BeforeItHasBegun) { cancels({.url = "http://127.0.0.1:1/"}, at_once()); }

TEST_F(CancelTest, WhileANameIsLookedUp) {
  test::hold_look_ups();
  cancels({.url = "http://slow.test:1/"}, until([] { return test::waiting_look_ups() == 1; }));
  EXPECT_EQ(test::waiting_look_ups(), 1);  // the thread still waits, and nobody for it
  test::answer_look_ups();
  test::run_on(loop, until([] { return test::waiting_look_ups() == 0; }));
}

TEST_F(CancelTest, ASlowNameIsATimeoutToo) {
  test::hold_look_ups();
  const Result<Response> response = send({.url = "http://slow.test:1/", .timeouts = {.connect = 100ms}});
  EXPECT_FAILS(response, timeout);
  test::answer_look_ups();
  test::run_on(loop, until([] { return test::waiting_look_ups() == 0; }));
}

// A port that listens and whose queue is full: a further connection is neither taken nor refused.
class FullPort {
 public:
  FullPort() : listening_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const plain = reinterpret_cast<sockaddr*>(&address);
    if (bind(listening_.number, plain, size) != 0 || listen(listening_.number, 0) != 0 ||
        getsockname(listening_.number, plain, &size) != 0) {
      throw std::runtime_error("no port");
    }
    port = ntohs(address.sin_port);
    for (int i = 0; i < 4; ++i) {
      waiting_.emplace_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      const int begun = connect(waiting_.back().number, plain, size);
      if (begun != 0 && errno != EINPROGRESS) throw std::runtime_error("no connection");
    }
  }
  int port = 0;

 private:
  FileDescriptor listening_;
  std::vector<FileDescriptor> waiting_;
};

TEST_F(CancelTest, WhileItConnects) {
  const FullPort full;
  const std::string url = "http://127.0.0.1:" + std::to_string(full.port) + "/";
  int asked = 0;
  options.allow_address = [&](const asio::ip::address&) {
    ++asked;
    return Result<>{};
  };
  cancels({.url = url}, until([&] { return asked == 1; }));
  EXPECT_FAILS(send({.url = url, .timeouts = {.connect = 100ms}}), timeout);
}

TEST_F(CancelTest, InTheMiddleOfTls) {
  test::HttpPeer silent("silent");
  cancels({.url = silent.url("/", "https")}, silent.says("accepted"));
}

TEST_F(CancelTest, WhileItSends) {
  test::HttpPeer deaf("deaf");
  cancels({.method = "POST", .url = deaf.url("/"), .body = std::string(40'000'000, 'x')}, deaf.says("accepted"));
}

TEST_F(CancelTest, WhileItWaitsForAnAnswer) {
  test::HttpPeer peer("plain");
  cancels({.url = peer.url("/hang")}, peer.says("request GET /hang"));
}

TEST_F(CancelTest, WhileItWaitsForAnAnswerByHttp2) {
  test::HttpPeer peer("h2", certificates());
  options.ca_file = certificates().authority_file();
  cancels({.url = peer.url("/hang", "https")}, peer.says("request GET /hang"));
}

TEST_F(CancelTest, WhileItReceives) {
  test::HttpPeer peer("plain");
  cancels({.url = peer.url("/trickle")}, peer.says("request GET /trickle"));
}

TEST_F(CancelTest, WhileItWaitsForAFreeConnection) {
  test::HttpPeer peer("plain");
  options.max_connections_per_host = 1;
  asio::co_spawn(loop, client().send({.url = peer.url("/hang"), .timeouts = {.total = 20s}}),
                 [](const std::exception_ptr&, const Result<Response>&) {});
  cancels({.url = peer.url("/hello")}, peer.says("request GET /hang"));
}

Task<Result<std::string>> read_twice(HttpClient& client, std::string url, bool& first_came) {
  CO_TRY(const std::unique_ptr<ResponseStream> stream, co_await client.open({.url = std::move(url)}));
  CO_TRY(const std::string first, co_await stream->read());
  first_came = true;
  co_return co_await stream->read();
}

TEST_F(CancelTest, WhileAStreamIsRead) {
  const test::HttpPeer peer("plain");
  Cancel cancel(loop.get_executor());
  bool first_came = false;
  bool ended = false;
  std::exception_ptr thrown;
  asio::co_spawn(loop, read_twice(client(), peer.url("/parts"), first_came),
                 asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr error, const Result<std::string>&) {
                   thrown = std::move(error);
                   ended = true;
                 }));
  ASSERT_TRUE(test::run_until_within(30s, loop, [&] { return first_came; }));
  cancel.emit();
  ASSERT_TRUE(test::run_until_within(30s, loop, [&] { return ended; }));
  EXPECT_TRUE(thrown != nullptr && is_cancellation(thrown));
}

TEST_F(CancelTest, WithTheLoopItself) {
  const test::HttpPeer peer("plain");
  auto own_loop = std::make_unique<asio::io_context>();
  auto own_client = std::make_unique<Client>(own_loop->get_executor(), ClientOptions{});
  asio::co_spawn(*own_loop, own_client->send({.url = peer.url("/hang")}),
                 [](const std::exception_ptr&, const Result<Response>&) {});
  own_loop->run_for(50ms);
  own_client.reset();
  own_loop.reset();
}

}  // namespace
}  // namespace deputy::net
