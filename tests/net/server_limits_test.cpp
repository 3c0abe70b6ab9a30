// Peers that hang, trickle, pour or leave, and the end of the server itself.
#include <sys/socket.h>

#include "net/server_fixture.h"

namespace deputy::net {
namespace {

using namespace std::chrono_literals;

class ServerLimitsTest : public ServerTest {
 protected:
  ServerLimitsTest() {
    server_options.limits = {.header_bytes = 2000,
                             .body_bytes = 5000,
                             .connections = 3,
                             .idle = 150ms,
                             .whole_request = 200ms,
                             .take_response = 200ms};
  }
  /// What a peer hears that sends this and then nothing more.
  std::string hangs_after(std::string bytes) { return say(std::move(bytes)); }
};

TEST_F(ServerLimitsTest, HeadersThatAreTooLargeAreRefused) {
  listen(echo);
  EXPECT_EQ(status_line(say("GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(100'000, 'x') + "\r\n\r\n")),
            "HTTP/1.1 431 Request Header Fields Too Large");
}

TEST_F(ServerLimitsTest, ABodyThatIsTooLargeIsRefusedBeforeItIsRead) {
  listen(echo);
  EXPECT_EQ(status_line(say("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 5001\r\n\r\n")),
            "HTTP/1.1 413 Payload Too Large");
}

TEST_F(ServerLimitsTest, APeerThatSaysNothingIsClosedWithoutAWord) {
  listen(echo);
  EXPECT_EQ(hangs_after(""), "");
}

TEST_F(ServerLimitsTest, AKeptConnectionIsClosedWhenNothingComes) {
  listen(echo);
  const std::string heard = hangs_after("GET /only HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(status_line(heard), "HTTP/1.1 200 OK");
  EXPECT_FALSE(heard.contains("408")) << heard;
}

TEST_F(ServerLimitsTest, ARequestThatStopsInTheMiddleGets408) {
  listen(echo);
  EXPECT_EQ(status_line(hangs_after("GET / HTTP/1.1\r\nHo")), "HTTP/1.1 408 Request Timeout");
  EXPECT_EQ(status_line(hangs_after("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc")),
            "HTTP/1.1 408 Request Timeout");
}

Task<> trickle(std::shared_ptr<RawPeer> peer, std::string bytes) {
  for (const char c : bytes) {
    const std::string one(1, c);
    const auto [error, size] =
        co_await asio::async_write(peer->socket(), asio::buffer(one), asio::as_tuple(asio::use_awaitable));
    if (error) co_return;
    co_await sleep_for(10ms);
  }
}

TEST_F(ServerLimitsTest, APeerThatTricklesGets408) {
  listen(echo);
  const auto peer = std::make_shared<RawPeer>(loop);
  test::run_on(loop, peer->connect(server->port()));
  spawn(loop.get_executor(), "trickle", trickle(peer, "GET / HTTP/1.1\r\nX: " + std::string(1000, 'x')));
  EXPECT_EQ(status_line(test::run_on(loop, peer->read_all())), "HTTP/1.1 408 Request Timeout");
  peer->close();
  EXPECT_TRUE(all_connections_end());
}

TEST_F(ServerLimitsTest, EmptyLinesAreNoWayToStay) {
  listen(echo);
  const auto peer = std::make_shared<RawPeer>(loop);
  test::run_on(loop, peer->connect(server->port()));
  std::string lines;
  for (int i = 0; i < 500; ++i) lines += "\r\n";
  spawn(loop.get_executor(), "trickle", trickle(peer, lines));
  const std::string heard = test::run_on(loop, peer->read_all());
  EXPECT_TRUE(heard.empty() || status_line(heard) == "HTTP/1.1 408 Request Timeout") << heard;
  peer->close();
  EXPECT_TRUE(all_connections_end());
}

TEST_F(ServerLimitsTest, APeerThatDoesNotTakeItsResponseIsCut) {
  listen([](ServerRequest) -> Task<Answer> { co_return Response{200, {}, std::string(50'000'000, 'x')}; });
  const auto talk = [](RawPeer& peer, int port) -> Task<> {
    co_await peer.connect(port);
    co_await peer.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  };
  RawPeer peer(loop);
  test::run_on(loop, talk(peer, server->port()));
  EXPECT_TRUE(test::run_until_within(20s, loop, [&] { return server->connections() == 1; }));
  EXPECT_TRUE(all_connections_end());
}

TEST_F(ServerLimitsTest, APeerThatHangsInTlsIsClosed) {
  use_tls();
  listen(echo);
  EXPECT_EQ(hangs_after(""), "");
  EXPECT_EQ(hangs_after("\x16\x03\x01"), "");
}

TEST_F(ServerLimitsTest, PlainHttpToATlsPortIsNoCrash) {
  use_tls();
  listen(echo);
  EXPECT_FALSE(say("GET / HTTP/1.1\r\nHost: h\r\n\r\n").starts_with("HTTP"));
}

TEST_F(ServerLimitsTest, AConnectionTooManyIsClosedAtOnceAndTheOthersStay) {
  server_options.limits.idle = 20s;
  listen(echo);
  std::vector<std::unique_ptr<RawPeer>> peers;
  for (int i = 0; i < 3; ++i) {
    peers.push_back(std::make_unique<RawPeer>(loop));
    test::run_on(loop, peers.back()->connect(server->port()));
  }
  ASSERT_TRUE(test::run_until_within(20s, loop, [&] { return server->connections() == 3; }));
  EXPECT_EQ(say(""), "");
  const auto talk = [](RawPeer& peer) -> Task<std::string> {
    co_await peer.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    co_return co_await peer.read_all();
  };
  EXPECT_EQ(status_line(test::run_on(loop, talk(*peers[0]))), "HTTP/1.1 200 OK");
  peers.clear();
  EXPECT_TRUE(all_connections_end());
}

// The end of a server.

struct Handling {
  bool started = false;
  bool ended = false;
  bool cancelled = false;
};

struct NoteEnd {
  ~NoteEnd() { (finished ? handling.ended : handling.cancelled) = true; }
  Handling& handling;
  bool finished = false;
};

Task<Answer> take_time(Handling& handling, std::chrono::milliseconds time) {
  handling.started = true;
  NoteEnd note{handling};
  co_await sleep_for(time);
  note.finished = true;
  co_return Response{200, {}, "in time"};
}

TEST_F(ServerLimitsTest, StopLetsAHandlerEndWithinTheGraceTime) {
  Handling handling;
  listen([&handling](const ServerRequest&) { return take_time(handling, 100ms); });
  bool has_response = false;
  Result<Response> response;
  asio::co_spawn(loop, client().send({.url = url("/")}), [&](const std::exception_ptr&, Result<Response> got) {
    response = std::move(got);
    has_response = true;
  });
  ASSERT_TRUE(test::run_until_within(20s, loop, [&] { return handling.started; }));
  test::run_on(loop, server->stop(20s));
  EXPECT_TRUE(handling.ended);
  EXPECT_EQ(server->connections(), 0U);
  ASSERT_TRUE(test::run_until_within(20s, loop, [&] { return has_response; }));
  ASSERT_OK(response);
  EXPECT_EQ(response->body, "in time");
  EXPECT_EQ(header(*response, "connection"), "close");
  EXPECT_FAILS(get(url("/")), network);
}

TEST_F(ServerLimitsTest, StopCancelsAHandlerAfterTheGraceTime) {
  Handling handling;
  listen([&handling](const ServerRequest&) { return take_time(handling, 1h); });
  asio::co_spawn(loop, client().send({.url = url("/")}), [](const std::exception_ptr&, const Result<Response>&) {});
  ASSERT_TRUE(test::run_until_within(20s, loop, [&] { return handling.started; }));
  test::run_on(loop, server->stop(10ms));
  EXPECT_TRUE(handling.cancelled);
  EXPECT_EQ(server->connections(), 0U);
}

TEST_F(ServerLimitsTest, StopClosesIdleConnectionsAtOnce) {
  server_options.limits.idle = 1h;
  listen(echo);
  RawPeer peer(loop);
  test::run_on(loop, peer.connect(server->port()));
  ASSERT_TRUE(test::run_until_within(20s, loop, [&] { return server->connections() == 1; }));
  test::run_on(loop, server->stop(1h));
  EXPECT_EQ(test::run_on(loop, peer.read_all()), "");
}

// Whatever a connection is at, the server's end is not held up by it.
struct Stage {
  const char* name;
  bool tls;
  const char* bytes;    // what the peer sends before it falls silent
  const char* reached;  // what it has heard then; empty: that it is connected
};

void PrintTo(const Stage& stage, std::ostream* out) { *out << stage.name; }

class ServerStopTest : public ServerLimitsTest, public testing::WithParamInterface<Stage> {};

Task<Answer> pour(ServerRequest request) {
  if (request.path == "/streamed") {
    co_return StreamedResponse{200, {}, [](BodyWriter& writer) -> Task<> {
                                 while (co_await writer.write(std::string(100'000, 'x'))) {
                                 }
                               }};
  }
  co_return Response{200, {}, std::string(50'000'000, 'x')};
}

TEST_P(ServerStopTest, EndsItAtOnce) {
  server_options.limits = {.idle = 1h, .whole_request = 1h, .take_response = 1h};
  if (GetParam().tls) use_tls();
  listen(pour);
  RawPeer peer(loop);
  const auto talk = [](RawPeer& from, int port, Stage stage) -> Task<> {
    co_await from.connect(port);
    co_await from.send(stage.bytes);
    if (*stage.reached != '\0') co_await from.read_until(stage.reached);
    co_await sleep_for(10ms);
  };
  test::run_on(loop, talk(peer, server->port(), GetParam()));
  EXPECT_EQ(server->connections(), 1U);
  const auto before = std::chrono::steady_clock::now();
  test::run_on(loop, server->stop(10ms));
  EXPECT_LT(std::chrono::steady_clock::now() - before, 2s);
  EXPECT_EQ(server->connections(), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, ServerStopTest,
    testing::Values(Stage{"SettingUpTls", true, "\x16\x03\x01", ""}, Stage{"BeforeARequest", false, "", ""},
                    Stage{"InAHead", false, "GET / HT", ""},
                    Stage{"InABody", false, "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nabc", ""},
                    Stage{"WaitingToContinue", false,
                          "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
                          "\r\n\r\n"},
                    Stage{"SendingAResponse", false, "GET / HTTP/1.1\r\nHost: h\r\n\r\n", "HTTP/1.1 200"},
                    Stage{"SendingAStream", false, "GET /streamed HTTP/1.1\r\nHost: h\r\n\r\n", "HTTP/1.1 200"},
                    Stage{"SayingGoodbye", false, "nonsense\r\n\r\n", "HTTP/1.1 400"}),
    [](const auto& row) { return row.param.name; });

TEST_F(ServerLimitsTest, TheServerCanBeDroppedInTheMiddle) {
  Handling handling;
  listen([&handling](const ServerRequest&) { return take_time(handling, 1h); });
  asio::co_spawn(loop, client().send({.url = url("/")}), [](const std::exception_ptr&, const Result<Response>&) {});
  ASSERT_TRUE(test::run_until_within(20s, loop, [&] { return handling.started; }));
  server.reset();
  ASSERT_TRUE(test::run_until_within(20s, loop, [&] { return handling.cancelled; }));
}

TEST_F(ServerLimitsTest, TheLoopCanEndInTheMiddle) {
  Handling handling;
  auto own_loop = std::make_unique<asio::io_context>();
  auto own =
      Server::listen(own_loop->get_executor(), {}, [&](const ServerRequest&) { return take_time(handling, 1h); });
  ASSERT_OK(own);
  RawPeer peer(*own_loop);
  const auto talk = [](RawPeer& from, int port) -> Task<> {
    co_await from.connect(port);
    co_await from.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
  };
  test::run_on(*own_loop, talk(peer, (*own)->port()));
  ASSERT_TRUE(test::run_until_within(20s, *own_loop, [&] { return handling.started; }));
  peer.close();
  own->reset();
}

}  // namespace
}  // namespace deputy::net
