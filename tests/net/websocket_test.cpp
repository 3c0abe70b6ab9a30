// WebSockets, client and server, judged by the npm package `ws` and by each other.
#include "net/websocket.h"

#include "net/server_fixture.h"
#include "net/slow_names.h"
#include "net/ws_peer.h"

namespace deputy::net {
namespace {

using namespace std::chrono_literals;
using Kind = WebSocketMessage::Kind;

class WebSocketTest : public ServerTest {
 protected:
  using Socket = std::shared_ptr<WebSocket>;

  Socket connect(std::string to, std::vector<Header> headers = {}) {
    auto socket = test::run_on(loop, WebSocket::connect(std::move(to), std::move(headers), ws_options));
    EXPECT_OK(socket);
    return socket ? *std::move(socket) : nullptr;
  }
  Error refused(std::string to) {
    auto socket = test::run_on(loop, WebSocket::connect(std::move(to), {}, ws_options));
    return socket ? Error{ErrorKind::internal, "it connected"} : socket.error();
  }
  Result<WebSocketMessage> read(const Socket& socket) { return test::run_on(loop, socket->read()); }
  /// The text, or the error in words.
  std::string text(const Socket& socket) {
    const auto message = read(socket);
    return message ? message->bytes : describe(message.error());
  }
  Result<> write(const Socket& socket, std::string words) {
    return test::run_on(loop, socket->write(std::move(words)));
  }
  std::string says(test::WsPeer& peer) { return test::run_on(loop, peer.says()); }

  /// A server whose sockets end up in `served`, and stay open until `let_go`.
  void serve_sockets() {
    let_go.expires_at(asio::steady_timer::time_point::max());
    listen([this](const ServerRequest&) { return take(); });
  }
  Task<Answer> take() {
    co_return TakeWebSocket{[this](std::shared_ptr<WebSocket> socket) { return keep(std::move(socket)); }, ws_options};
  }
  Task<> keep(Socket socket) {
    served = std::move(socket);
    co_await let_go.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  /// A client of `ws` on our server, opened.
  std::unique_ptr<test::WsPeer> ws_client(std::string_view scheme = "ws") {
    auto peer = std::make_unique<test::WsPeer>(
        std::vector<std::string>{"client", url("/socket", scheme), certificates().authority_file()});
    EXPECT_EQ(says(*peer), "open");
    EXPECT_TRUE(test::run_until_within(20s, loop, [this] { return served != nullptr; }));
    return peer;
  }

  WebSocketOptions ws_options;
  asio::steady_timer let_go{loop};
  Socket served;
};

// Our client, their server.

TEST_F(WebSocketTest, MessagesGoBothWays) {
  auto peer = test::WsPeer::server();
  const Socket socket = connect(peer.url("/echo"), {{"X-One", "1"}});
  ASSERT_TRUE(socket);
  EXPECT_EQ(says(peer), "open 1");
  EXPECT_OK(write(socket, "héllo"));
  EXPECT_EQ(says(peer), "text héllo");
  EXPECT_EQ(text(socket), "héllo");
  EXPECT_OK(test::run_on(loop, socket->write({Kind::binary, std::string("\0\xFF", 2)})));
  const auto binary = read(socket);
  ASSERT_OK(binary);
  EXPECT_EQ(*binary, (WebSocketMessage{Kind::binary, std::string("\0\xFF", 2)}));
  EXPECT_OK(write(socket, ""));
  EXPECT_EQ(text(socket), "");
}

TEST_F(WebSocketTest, LargeMessagesGoBothWaysOverTls) {
  auto peer = test::WsPeer::server(certificates());
  ws_options.ca_file = certificates().authority_file();
  const Socket socket = connect(peer.url("/echo", "wss", "localhost"));
  ASSERT_TRUE(socket);
  const std::string large(1'000'000, 'x');
  EXPECT_OK(write(socket, large));
  EXPECT_EQ(text(socket), large);
  EXPECT_OK(test::run_on(loop, socket->close()));
  EXPECT_EQ(says(peer), "open");
  EXPECT_EQ(says(peer), "text 1000000");
  EXPECT_EQ(says(peer), "close 1000");
}

TEST_F(WebSocketTest, TheCertificateIsChecked) {
  auto peer = test::WsPeer::server(certificates());
  Error error = refused(peer.url("/echo", "wss"));
  EXPECT_EQ(error.kind, ErrorKind::network);
  EXPECT_TRUE(error.message.contains("is not trusted: unable to get local issuer certificate")) << error.message;
  ws_options.ca_file = certificates().authority_file();
  error = refused(peer.url("/echo", "wss", "other.test"));
  EXPECT_TRUE(error.message.contains("is not trusted: it is for another host")) << error.message;
  EXPECT_TRUE(connect(peer.url("/echo", "wss")));
  ws_options.ca_file = "/does/not/exist.pem";
  EXPECT_EQ(refused(peer.url("/echo", "wss")).kind, ErrorKind::not_configured);
}

TEST_F(WebSocketTest, WhoeverRefusesIsQuotedByStatusOnly) {
  auto peer = test::WsPeer::server();
  const auto kind = [&](int status) { return refused(peer.url(fmt::format("/status?code={}&token=hunter2", status))); };
  EXPECT_EQ(kind(401).kind, ErrorKind::authentication);
  EXPECT_EQ(kind(403).kind, ErrorKind::permission);
  EXPECT_EQ(kind(429).kind, ErrorKind::rate_limit);
  EXPECT_EQ(kind(503).kind, ErrorKind::upstream);
  EXPECT_TRUE(kind(404).message.ends_with("refused the WebSocket with status 404")) << kind(404).message;
  EXPECT_FALSE(describe(kind(404)).contains("hunter2"));
  EXPECT_EQ(refused(peer.url("/nonsense")).kind, ErrorKind::upstream);
}

TEST_F(WebSocketTest, WhatCannotBeReachedIsSaid) {
  EXPECT_EQ(refused("http://127.0.0.1/").kind, ErrorKind::invalid_input);
  EXPECT_EQ(refused("ws://user:pass@127.0.0.1/").kind, ErrorKind::invalid_input);
  RawPeer taken(loop);
  taken.socket().open(asio::ip::tcp::v4());
  taken.socket().bind({asio::ip::address_v4::loopback(), 0});  // bound and not listening: refused
  const int port = taken.socket().local_endpoint().port();
  const Error error = refused(fmt::format("ws://127.0.0.1:{}/?token=hunter2", port));
  EXPECT_EQ(error.kind, ErrorKind::network);
  EXPECT_EQ(error.message, fmt::format("cannot connect to `127.0.0.1:{}`", port));
}

TEST_F(WebSocketTest, AHandshakeThatHangsIsGivenUp) {
  auto peer = test::WsPeer::server();
  ws_options.connect = 200ms;
  const Error error = refused(peer.url("/hang"));
  EXPECT_EQ(error.kind, ErrorKind::timeout);
  EXPECT_TRUE(error.message.starts_with("connecting to `127.0.0.1:")) << error.message;
}

TEST_F(WebSocketTest, ThePeersCloseIsRead) {
  auto peer = test::WsPeer::server();
  const Socket socket = connect(peer.url("/plain"));
  EXPECT_EQ(says(peer), "open");
  EXPECT_EQ(socket->closed_by_peer(), std::nullopt);
  peer.tell("text last");
  peer.tell("close 4001 bye for now");
  EXPECT_EQ(text(socket), "last");
  const auto ended = read(socket);
  ASSERT_FAILS(ended, network);
  EXPECT_EQ(ended.error().message, "the peer closed the WebSocket (4001)");
  EXPECT_EQ(socket->closed_by_peer(), (WebSocketClose{4001, "bye for now"}));
  EXPECT_EQ(says(peer), "close 4001");
  EXPECT_FAILS(write(socket, "too late"), network);
  EXPECT_FAILS(test::run_on(loop, socket->ping()), network);
  EXPECT_OK(test::run_on(loop, socket->close()));
}

TEST_F(WebSocketTest, OurCloseHasItsCodeAndReason) {
  auto peer = test::WsPeer::server();
  const Socket socket = connect(peer.url("/plain"));
  EXPECT_EQ(says(peer), "open");
  EXPECT_OK(test::run_on(loop, socket->close(4002, "enough")));
  EXPECT_EQ(says(peer), "close 4002 enough");
  EXPECT_FAILS(write(socket, "too late"), network);
  EXPECT_FAILS(read(socket), network);
}

TEST_F(WebSocketTest, APeerThatDoesNotAnswerACloseIsCut) {
  auto peer = test::WsPeer::server();
  ws_options.close = 200ms;
  const Socket socket = connect(peer.url("/plain"));
  EXPECT_EQ(says(peer), "open");
  peer.tell("pause");
  EXPECT_EQ(says(peer), "paused");
  EXPECT_OK(test::run_on(loop, socket->close()));
  EXPECT_FAILS(read(socket), network);
}

TEST_F(WebSocketTest, PingsAreAnsweredWhileNobodyReads) {
  auto peer = test::WsPeer::server();
  const Socket socket = connect(peer.url("/plain"));
  EXPECT_EQ(says(peer), "open");
  peer.tell("ping are you there");
  EXPECT_EQ(says(peer), "pong are you there");
  EXPECT_OK(test::run_on(loop, socket->ping("and you")));
  EXPECT_EQ(says(peer), "ping and you");
}

TEST_F(WebSocketTest, ASilentPeerGetsPingsAndStaysWhenItAnswers) {
  auto peer = test::WsPeer::server();
  ws_options.idle = 200ms;
  const Socket socket = connect(peer.url("/plain"));
  EXPECT_EQ(says(peer), "open");
  for (int i = 0; i < 4; ++i) EXPECT_EQ(says(peer), "ping");
  EXPECT_OK(write(socket, "still here"));
}

TEST_F(WebSocketTest, ASilentPeerThatAnswersNoPingIsGivenUp) {
  auto peer = test::WsPeer::server();
  ws_options.idle = 200ms;
  const Socket socket = connect(peer.url("/deaf"));
  const auto ended = read(socket);
  ASSERT_FAILS(ended, timeout);
  EXPECT_EQ(ended.error().message, "the peer was silent for 200ms");
}

TEST_F(WebSocketTest, APeerThatVanishesIsNoticed) {
  auto peer = test::WsPeer::server();
  const Socket socket = connect(peer.url("/plain"));
  EXPECT_EQ(says(peer), "open");
  peer.tell("cut");
  EXPECT_FAILS(read(socket), network);
  EXPECT_FAILS(write(socket, "too late"), network);
}

TEST_F(WebSocketTest, APeerThatEndsItsHalfIsNoticed) {
  auto peer = test::WsPeer::server();
  const Socket socket = connect(peer.url("/plain"));
  EXPECT_EQ(says(peer), "open");
  peer.tell("end");
  EXPECT_FAILS(read(socket), network);
}

TEST_F(WebSocketTest, APeerThatTakesNothingIsGivenUpAndTheQueueIsBounded) {
  auto peer = test::WsPeer::server();
  ws_options.write = 500ms;
  ws_options.max_unsent = 3;
  ws_options.max_unsent_bytes = 1UL << 30;
  const Socket socket = connect(peer.url("/plain"));
  EXPECT_EQ(says(peer), "open");
  peer.tell("pause");
  EXPECT_EQ(says(peer), "paused");
  std::vector<std::optional<Result<>>> results(6);
  for (auto& result : results) {
    const WebSocketMessage large{Kind::binary, std::string(8'000'000, 'x')};
    asio::co_spawn(loop, socket->write(large),
                   [&result](const std::exception_ptr&, Result<> ended) { result = std::move(ended); });
  }
  ASSERT_TRUE(test::run_until_within(
      20s, loop, [&] { return std::ranges::all_of(results, [](const auto& result) { return result.has_value(); }); }));
  EXPECT_FAILS(results.back().value_or(Result<>()), rate_limit);
  EXPECT_FAILS(results.front().value_or(Result<>()), timeout);
  EXPECT_FAILS(write(socket, "too late"), timeout);
}

TEST_F(WebSocketTest, WhatIsNotTextIsNotSentAsText) {
  auto peer = test::WsPeer::server();
  const Socket socket = connect(peer.url("/echo"));
  EXPECT_FAILS(write(socket, "\xFF"), invalid_input);
  EXPECT_FAILS(test::run_on(loop, socket->ping(std::string(126, 'x'))), invalid_input);
  EXPECT_FAILS(test::run_on(loop, socket->close(1000, std::string(124, 'x'))), invalid_input);
  EXPECT_OK(write(socket, "fine"));
  EXPECT_EQ(text(socket), "fine");
}

TEST_F(WebSocketTest, MessagesKeepTheOrderOfTheirWrites) {
  auto peer = test::WsPeer::server();
  const Socket socket = connect(peer.url("/echo"));
  int written = 0;
  for (int i = 0; i < 100; ++i) {
    asio::co_spawn(loop, socket->write(std::to_string(i)),
                   [&](const std::exception_ptr&, const Result<>& result) { written += result ? 1 : 0; });
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(text(socket), std::to_string(i));
  EXPECT_EQ(written, 100);
}

TEST_F(WebSocketTest, AnOwnerWhoDoesNotReadMakesThePeerWaitAndLosesNothing) {
  auto peer = test::WsPeer::server();
  ws_options.max_unread = 2;
  const Socket socket = connect(peer.url("/plain"));
  EXPECT_EQ(says(peer), "open");
  for (int i = 0; i < 200; ++i) peer.tell("letters 50000");
  peer.tell("text last");
  for (int i = 0; i < 200; ++i) EXPECT_EQ(text(socket).size(), 50'000U);
  EXPECT_EQ(text(socket), "last");
}

// Our server, their client.

TEST_F(WebSocketTest, AClientIsServed) {
  serve_sockets();
  const auto peer = ws_client();
  peer->tell("text hello");
  EXPECT_EQ(text(served), "hello");
  EXPECT_OK(write(served, "hello yourself"));
  EXPECT_EQ(says(*peer), "text hello yourself");
  peer->tell("binary 70000");
  EXPECT_EQ(read(served).value().bytes.size(), 70'000U);
  peer->tell("ping x");
  EXPECT_EQ(says(*peer), "pong x");
  let_go.cancel();
  EXPECT_EQ(says(*peer), "close 1000");
  EXPECT_TRUE(all_connections_end());
}

TEST_F(WebSocketTest, AClientIsServedOverTls) {
  use_tls();
  serve_sockets();
  const auto peer = ws_client("wss");
  peer->tell("letters 300000");
  EXPECT_EQ(text(served).size(), 300'000U);
  peer->tell("close 1001 leaving");
  EXPECT_FAILS(read(served), network);
  EXPECT_EQ(served->closed_by_peer(), (WebSocketClose{1001, "leaving"}));
  EXPECT_EQ(says(*peer), "close 1001");
}

TEST_F(WebSocketTest, AMessageThatIsTooLargeEndsWith1009) {
  ws_options.max_message = 1000;
  serve_sockets();
  const auto peer = ws_client();
  peer->tell("letters 1000");
  EXPECT_EQ(text(served).size(), 1000U);
  peer->tell("letters 1001");
  const auto ended = read(served);
  ASSERT_FAILS(ended, upstream);
  EXPECT_EQ(ended.error().message, "the peer sent a message of over 1000 bytes");
  EXPECT_EQ(says(*peer), "close 1009");
}

struct Violation {
  const char* name;
  const char* hex;  // what the client sends, masked with zeros
  const char* heard;
};

void PrintTo(const Violation& row, std::ostream* out) { *out << row.name; }

class WebSocketViolation : public WebSocketTest, public testing::WithParamInterface<Violation> {};

TEST_P(WebSocketViolation, EndsWithItsCode) {
  ws_options.max_message = 1000;
  serve_sockets();
  const auto peer = ws_client();
  peer->tell(std::string("raw ") + GetParam().hex);
  EXPECT_FAILS(read(served), upstream);
  EXPECT_EQ(says(*peer), GetParam().heard);
  EXPECT_FAILS(write(served, "too late"), upstream);
}

INSTANTIATE_TEST_SUITE_P(Rows, WebSocketViolation,
                         testing::Values(Violation{"InvalidUtf8", "818200000000ffff", "close 1007"},
                                         Violation{"Utf8CutAtTheEnd", "818100000000c3", "close 1007"},
                                         Violation{"AFrameThatIsTooLarge", "81fe03e900000000", "close 1009"},
                                         Violation{"AHugeFrame", "81ff7fffffffffffffff00000000", "close 1009"},
                                         Violation{"FragmentsThatAreTooLarge", "018200000000616180fe03e700000000",
                                                   "close 1009"},
                                         Violation{"NoMask", "810161", "close 1002"},
                                         Violation{"AReservedBit",
                                                   "c18100000000"
                                                   "61",
                                                   "close 1002"},
                                         Violation{"AnUnknownOpcode",
                                                   "838100000000"
                                                   "61",
                                                   "close 1002"},
                                         Violation{"AContinuationOfNothing",
                                                   "808100000000"
                                                   "61",
                                                   "close 1002"},
                                         Violation{"AFragmentedPing",
                                                   "098100000000"
                                                   "61",
                                                   "close 1002"},
                                         Violation{"ALongPing", "89fe007e00000000", "close 1002"},
                                         Violation{"ACloseWithABadCode", "88820000000003ed", "close 1002"}),
                         [](const auto& row) { return row.param.name; });

TEST_F(WebSocketTest, ARequestThatIsNoHandshakeIsRefused) {
  serve_sockets();
  const auto plain = get(url("/socket"));
  ASSERT_OK(plain);
  EXPECT_TRUE(plain->status == 400 || plain->status == 426) << plain->status;
  const std::string heard =
      say("GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 12\r\n"
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n");
  EXPECT_EQ(status_line(heard), "HTTP/1.1 426 Upgrade Required");
  EXPECT_EQ(served, nullptr);
}

TEST_F(WebSocketTest, FramesSentWithTheHandshakeAreRead) {
  serve_sockets();
  RawPeer peer(loop);
  const auto talk = [](RawPeer& from, int port) -> Task<std::string> {
    co_await from.connect(port);
    co_await from.send(
        "GET / HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" +
        std::string("\x81\x82\0\0\0\0hi", 8));
    co_return co_await from.read_until("\r\n\r\n");
  };
  // The key and its answer are those of RFC 6455.
  EXPECT_TRUE(test::run_on(loop, talk(peer, server->port())).contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
  ASSERT_TRUE(test::run_until_within(20s, loop, [this] { return served != nullptr; }));
  EXPECT_EQ(text(served), "hi");
}

TEST_F(WebSocketTest, AHandlerMayRefuse) {
  listen([](ServerRequest) -> Task<Answer> { co_return Response{403, {}, "no"}; });
  EXPECT_EQ(refused(url("/", "ws")).kind, ErrorKind::permission);
}

TEST_F(WebSocketTest, AFunctionThatThrowsEndsWith1011) {
  listen([](ServerRequest) -> Task<Answer> {
    co_return TakeWebSocket{[](std::shared_ptr<WebSocket>) -> Task<> {
      throw std::runtime_error("no such luck");
      co_return;
    }};
  });
  const Socket socket = connect(url("/", "ws"));
  EXPECT_FAILS(read(socket), network);
  EXPECT_EQ(socket->closed_by_peer(), (WebSocketClose{1011, ""}));
  EXPECT_TRUE(logged.contains("no such luck"));
}

TEST_F(WebSocketTest, AServerThatStopsSaysGoodbye) {
  listen([](ServerRequest) -> Task<Answer> {
    co_return TakeWebSocket{[](std::shared_ptr<WebSocket> socket) -> Task<> {
      while (co_await socket->read()) {
      }
    }};
  });
  const auto peer = std::make_unique<test::WsPeer>(std::vector<std::string>{"client", url("/socket", "ws")});
  EXPECT_EQ(says(*peer), "open");
  test::run_on(loop, server->stop(20s));
  EXPECT_EQ(says(*peer), "close 1001 the server stops");
}

// Cancelled and dropped in every state.

class WebSocketCancelTest : public WebSocketTest {
 protected:
  /// Starts the task, runs the loop until `reached` has ended, cancels, and checks that the task ends at once.
  template <class T>
  void cancels(Task<Result<T>> task, Task<> reached) {
    Cancel cancel(loop.get_executor());
    std::exception_ptr thrown;
    bool ended = false;
    asio::co_spawn(loop, std::move(task),
                   asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr error, const Result<T>&) {
                     thrown = std::move(error);
                     ended = true;
                   }));
    test::run_on(loop, std::move(reached));
    ASSERT_FALSE(ended);
    const auto before = std::chrono::steady_clock::now();
    cancel.emit();
    ASSERT_TRUE(test::run_until_within(20s, loop, [&] { return ended; }));
    EXPECT_LT(std::chrono::steady_clock::now() - before, 2s);
    EXPECT_TRUE(thrown != nullptr && is_cancellation(thrown));
  }
  static Task<> says_line(test::WsPeer& peer, std::string line) {
    while (co_await peer.says() != line) {
    }
  }
  static Task<> turns() { return sleep_for(20ms); }
};

Task<> until(std::function<bool()> holds) {
  while (!holds()) co_await sleep_for(1ms);
}

TEST_F(WebSocketCancelTest, WhileItLooksUpAName) {
  test::hold_look_ups();
  cancels(WebSocket::connect("ws://slow.test:1/", {}, ws_options), until([] { return test::waiting_look_ups() == 1; }));
  EXPECT_EQ(test::waiting_look_ups(), 1);  // the thread still waits, and nobody for it
  test::answer_look_ups();
  test::run_on(loop, until([] { return test::waiting_look_ups() == 0; }));
}

TEST_F(WebSocketCancelTest, WhileItConnects) {
  // Its queue is full, so that a further connection gets no answer.
  asio::ip::tcp::acceptor full(loop, {asio::ip::address_v4::loopback(), 0}, false);
  full.listen(0);
  const int port = full.local_endpoint().port();
  std::vector<std::unique_ptr<RawPeer>> waiting;
  for (int i = 0; i < 4; ++i) {
    waiting.push_back(std::make_unique<RawPeer>(loop));
    spawn(loop.get_executor(), "fill", waiting.back()->connect(port));
  }
  test::run_on(loop, turns());
  cancels(WebSocket::connect(fmt::format("ws://127.0.0.1:{}/", port), {}, ws_options), turns());
}

TEST_F(WebSocketCancelTest, WhileItSetsUpTls) {
  test::HttpPeer silent("silent");
  cancels(WebSocket::connect(silent.url("/", "wss"), {}, ws_options), silent.says("accepted"));
}

TEST_F(WebSocketCancelTest, WhileItWaitsForTheHandshake) {
  auto peer = test::WsPeer::server();
  cancels(WebSocket::connect(peer.url("/hang"), {}, ws_options), says_line(peer, "hangs"));
}

TEST_F(WebSocketCancelTest, WhileItReadsAndTheSocketStaysUsable) {
  auto peer = test::WsPeer::server();
  const Socket socket = connect(peer.url("/echo"));
  cancels(socket->read(), turns());
  EXPECT_OK(write(socket, "after"));
  EXPECT_EQ(text(socket), "after");
}

TEST_F(WebSocketCancelTest, WhileItWritesAndWhatWaitedIsNotSent) {
  auto peer = test::WsPeer::server();
  const Socket socket = connect(peer.url("/plain"));
  EXPECT_EQ(says(peer), "open");
  peer.tell("pause");
  EXPECT_EQ(says(peer), "paused");
  cancels(socket->write({Kind::binary, std::string(8'000'000, 'x')}), turns());
  cancels(socket->write("never sent"), turns());
}

TEST_F(WebSocketCancelTest, WhileItCloses) {
  auto peer = test::WsPeer::server();
  const Socket socket = connect(peer.url("/plain"));
  EXPECT_EQ(says(peer), "open");
  peer.tell("pause");
  EXPECT_EQ(says(peer), "paused");
  cancels(socket->close(), turns());
  EXPECT_FAILS(write(socket, "too late"), network);
}

TEST_F(WebSocketCancelTest, DroppedWhileOthersWait) {
  auto peer = test::WsPeer::server();
  Socket socket = connect(peer.url("/plain"));
  EXPECT_EQ(says(peer), "open");
  peer.tell("pause");
  EXPECT_EQ(says(peer), "paused");
  std::optional<Result<WebSocketMessage>> read_result;
  std::optional<Result<>> write_result;
  asio::co_spawn(loop, socket->read(),
                 [&](const std::exception_ptr&, Result<WebSocketMessage> ended) { read_result = std::move(ended); });
  asio::co_spawn(loop, socket->write({Kind::binary, std::string(8'000'000, 'x')}),
                 [&](const std::exception_ptr&, Result<> ended) { write_result = std::move(ended); });
  test::run_on(loop, turns());
  socket.reset();
  ASSERT_TRUE(test::run_until_within(20s, loop, [&] { return read_result && write_result; }));
  EXPECT_FAILS(read_result.value_or(WebSocketMessage()), network);
  EXPECT_FAILS(write_result.value_or(Result<>()), network);
}

TEST_F(WebSocketCancelTest, WithTheLoopItself) {
  auto peer = test::WsPeer::server();
  auto own_loop = std::make_unique<asio::io_context>();
  auto socket = test::run_on(*own_loop, WebSocket::connect(peer.url("/plain")));
  ASSERT_OK(socket);
  asio::co_spawn(*own_loop, (*socket)->read(), [](const std::exception_ptr&, const Result<WebSocketMessage>&) {});
  own_loop->run_for(20ms);
  socket->reset();
}

TEST_F(WebSocketCancelTest, AServersFunctionIsCancelledAtItsEnd) {
  serve_sockets();
  const auto peer = ws_client();
  served.reset();
  peer->tell("pause");
  EXPECT_EQ(says(*peer), "paused");
  test::run_on(loop, server->stop(10ms));
  EXPECT_EQ(server->connections(), 0U);
}

}  // namespace
}  // namespace deputy::net
