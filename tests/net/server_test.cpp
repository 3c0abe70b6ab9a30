// What the HTTP server answers, to libcurl, to the program curl and to bytes by hand.
#include "net/server_fixture.h"
#include "support/child.h"

namespace deputy::net {
namespace {

using namespace std::chrono_literals;

TEST_F(ServerTest, ARequestReachesTheHandlerWithAllItsParts) {
  listen(echo);
  const auto response = send({.method = "POST", .url = url("/a%20b?x=1&y=2"), .headers = {}, .body = "words"});
  ASSERT_OK(response);
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(header(*response, "content-type"), "application/json");
  EXPECT_EQ(
      json::parse(response->body),
      json::value(
          {{"method", "POST"}, {"path", "/a%20b"}, {"query", "x=1&y=2"}, {"body", "words"}, {"peer", "127.0.0.1"}}));
}

TEST_F(ServerTest, TlsIsSpokenWithACertificate) {
  use_tls();
  listen(echo);
  const auto response =
      send({.method = "PUT", .url = url("/x", "https"), .headers = {}, .body = std::string(500'000, 'x')});
  ASSERT_OK(response);
  EXPECT_EQ(json::parse(response->body).at("body").as_string().size(), 500'000U);
}

TEST_F(ServerTest, ACertificateThatIsNoneIsSaid) {
  server_options.certificate = "not a certificate";
  const auto listening = Server::listen(loop.get_executor(), server_options, echo);
  ASSERT_FAILS(listening, not_configured);
  use_tls();
  server_options.key = Secret("not a key");
  EXPECT_FAILS(Server::listen(loop.get_executor(), server_options, echo), not_configured);
}

TEST_F(ServerTest, AnAddressInUseOrNotOursIsSaid) {
  listen(echo);
  ServerOptions same{.port = server->port()};
  const auto second = Server::listen(loop.get_executor(), same, echo);
  ASSERT_FAILS(second, not_configured);
  EXPECT_EQ(second.error().message,
            fmt::format("cannot listen on 127.0.0.1:{}: Address already in use", server->port()));
  EXPECT_FAILS(Server::listen(loop.get_executor(), {.host = "example.test"}, echo), not_configured);
  EXPECT_FAILS(Server::listen(loop.get_executor(), {.port = 70'000}, echo), not_configured);
}

Task<std::string> two_requests(RawPeer& peer, int port) {
  co_await peer.connect(port);
  co_await peer.send("GET /one HTTP/1.1\r\nHost: h\r\n\r\n");
  std::string heard = co_await peer.read_until("}");
  co_await peer.send("GET /two HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  heard += co_await peer.read_all();
  co_return heard;
}

TEST_F(ServerTest, AConnectionIsKeptForTheNextRequest) {
  listen(echo);
  RawPeer peer(loop);
  const std::string heard = test::run_on(loop, two_requests(peer, server->port()));
  EXPECT_TRUE(heard.contains("/one") && heard.contains("/two")) << heard;
  EXPECT_EQ(heard.find("Connection: close"), heard.rfind("Connection: close"));
}

TEST_F(ServerTest, PipelinedRequestsAreAnsweredInOrder) {
  listen([](ServerRequest request) -> Task<Answer> {
    // The first takes longest.
    if (request.path == "/1") co_await sleep_for(20ms);
    co_return Response{200, {}, request.path};
  });
  const std::string heard =
      say("GET /1 HTTP/1.1\r\nHost: h\r\n\r\nPOST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
          "GET /3 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  const std::size_t one = heard.find("\r\n\r\n/1");
  const std::size_t two = heard.find("\r\n\r\n/2");
  const std::size_t three = heard.find("\r\n\r\n/3");
  EXPECT_TRUE(one < two && two < three && three != std::string::npos) << heard;
}

TEST_F(ServerTest, HeadGetsTheLengthAndNoBody) {
  listen([](ServerRequest) -> Task<Answer> { co_return Response{200, {}, "hello"}; });
  const std::string heard = say("HEAD / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_TRUE(heard.contains("Content-Length: 5\r\n")) << heard;
  EXPECT_TRUE(heard.ends_with("\r\n\r\n")) << heard;
}

TEST_F(ServerTest, AStatusWithoutABodyHasNone) {
  listen([](ServerRequest) -> Task<Answer> { co_return Response{204, {}, "dropped"}; });
  const std::string heard = say("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(status_line(heard), "HTTP/1.1 204 No Content");
  EXPECT_FALSE(heard.contains("Content-Length") || heard.contains("dropped")) << heard;
}

TEST_F(ServerTest, APeerThatHasEndedItsHalfStillGetsItsAnswer) {
  listen([](ServerRequest) -> Task<Answer> {
    co_await sleep_for(20ms);
    co_return Response{200, {}, "late"};
  });
  const auto talk = [](RawPeer& peer, int port) -> Task<std::string> {
    co_await peer.connect(port);
    co_await peer.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    peer.end_sending();
    co_return co_await peer.read_all();
  };
  RawPeer peer(loop);
  EXPECT_TRUE(test::run_on(loop, talk(peer, server->port())).ends_with("late"));
}

TEST_F(ServerTest, ARequestThatEndsInTheMiddleIsRefused) {
  listen(echo);
  const auto talk = [](RawPeer& peer, int port) -> Task<std::string> {
    co_await peer.connect(port);
    co_await peer.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nabc");
    peer.end_sending();
    co_return co_await peer.read_all();
  };
  RawPeer peer(loop);
  EXPECT_EQ(status_line(test::run_on(loop, talk(peer, server->port()))), "HTTP/1.1 400 Bad Request");
}

TEST_F(ServerTest, ABadRequestIsRefusedAndTheConnectionEnds) {
  listen(echo);
  const std::string heard = say("nonsense\r\n\r\nGET /next HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(status_line(heard), "HTTP/1.1 400 Bad Request");
  EXPECT_TRUE(heard.ends_with("this is not a valid HTTP request\n")) << heard;
}

TEST_F(ServerTest, NoRequestIsSmuggledInABody) {
  int calls = 0;
  listen([&calls](ServerRequest request) {
    ++calls;
    return echo(std::move(request));
  });
  const std::string heard =
      say("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
          "GET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_EQ(status_line(heard), "HTTP/1.1 400 Bad Request");
  EXPECT_EQ(calls, 0);
}

TEST_F(ServerTest, AHandlerThatThrowsGives500AndALineInTheLog) {
  listen([](ServerRequest request) -> Task<Answer> {
    if (request.path == "/throws") throw std::runtime_error("no such luck");
    co_return Response{200, {}, "fine"};
  });
  const auto response = get(url("/throws?token=hunter2"));
  ASSERT_OK(response);
  EXPECT_EQ(response->status, 500);
  EXPECT_FALSE(response->body.contains("luck"));
  EXPECT_TRUE(logged.contains("no such luck") && logged.contains("/throws")) << logged;
  EXPECT_FALSE(logged.contains("hunter2")) << logged;
  EXPECT_EQ(text_of(url("/")), "fine");
}

TEST_F(ServerTest, AHandlersHeaderCannotEndALineOrChangeTheFraming) {
  listen([](ServerRequest request) -> Task<Answer> {
    if (request.path == "/split") co_return Response{200, {{"X-A", "1\r\nSet-Cookie: evil"}}, ""};
    co_return Response{200, {{"Content-Length", "3"}}, "hello"};
  });
  for (const char* path : {"/split", "/length"}) {
    const auto response = get(url(path));
    ASSERT_OK(response);
    EXPECT_EQ(response->status, 500);
    EXPECT_EQ(header(*response, "set-cookie"), "");
  }
}

Task<> write_two_events(BodyWriter& writer, asio::steady_timer& go_on) {
  EXPECT_OK(co_await writer.write("data: first\n\n"));
  co_await go_on.async_wait(asio::as_tuple(asio::use_awaitable));
  EXPECT_OK(co_await writer.write("data: last\n\n"));
}

Task<Answer> streamed(std::function<Task<>(BodyWriter&)> body) {
  co_return StreamedResponse{200, {{"Content-Type", "text/event-stream"}}, std::move(body)};
}

TEST_F(ServerTest, AStreamArrivesWhileItIsMade) {
  asio::steady_timer go_on(loop, 10s);
  listen([&go_on](const ServerRequest&) {
    return streamed([&go_on](BodyWriter& writer) { return write_two_events(writer, go_on); });
  });
  const auto talk = [](HttpClient& client, std::string from, asio::steady_timer& timer) -> Task<Result<std::string>> {
    CO_TRY(const std::unique_ptr<ResponseStream> stream, co_await client.open({.url = std::move(from)}));
    CO_TRY(std::string heard, co_await stream->read());
    heard += "|";
    timer.cancel();
    for (;;) {
      CO_TRY(const std::string piece, co_await stream->read());
      if (piece.empty()) co_return heard;
      heard += piece;
    }
  };
  const auto heard = test::run_on(loop, talk(client(), url("/events"), go_on));
  ASSERT_OK(heard);
  EXPECT_EQ(*heard, "data: first\n\n|data: last\n\n");
}

TEST_F(ServerTest, AStreamToOldHttpEndsWithTheConnection) {
  listen([](ServerRequest) -> Task<Answer> {
    co_return StreamedResponse{200, {}, [](BodyWriter& writer) -> Task<> { co_await writer.write("all of it"); }};
  });
  const std::string heard = say("GET / HTTP/1.0\r\n\r\n");
  EXPECT_TRUE(heard.ends_with("\r\n\r\nall of it")) << heard;
  EXPECT_FALSE(heard.contains("chunked"));
}

TEST_F(ServerTest, AStreamThatThrowsIsCut) {
  listen([](ServerRequest) -> Task<Answer> {
    co_return StreamedResponse{200, {}, [](BodyWriter& writer) -> Task<> {
                                 co_await writer.write("half");
                                 throw std::runtime_error("no more");
                               }};
  });
  EXPECT_FAILS(get(url("/")), network);
  EXPECT_TRUE(logged.contains("no more"));
}

Task<> write_until_it_fails(BodyWriter& writer, bool& failed) {
  while (co_await writer.write("tick\n")) co_await sleep_for(1ms);
  failed = true;
}

TEST_F(ServerTest, AStreamLearnsThatItsPeerHasLeft) {
  bool failed = false;
  listen([&failed](const ServerRequest&) {
    return streamed([&failed](BodyWriter& writer) { return write_until_it_fails(writer, failed); });
  });
  const auto talk = [](RawPeer& peer, int port) -> Task<> {
    co_await peer.connect(port);
    co_await peer.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    co_await peer.read_until("tick");
    peer.close();
  };
  RawPeer peer(loop);
  test::run_on(loop, talk(peer, server->port()));
  EXPECT_TRUE(all_connections_end());
  EXPECT_TRUE(failed);
}

// What curl says, with its own status after each transfer.
Task<std::string> curl(std::vector<std::string> arguments, int transfers = 1) {
  std::vector<std::string> line{"/usr/bin/curl", "-sS", "-w", "\ncurl got %{http_code}\n"};
  line.insert(line.end(), arguments.begin(), arguments.end());
  test::Child child(line);
  std::string heard;
  while (transfers > 0) {
    const auto said = child.read_line_within(0ms);
    if (said) heard += *said + "\n";
    if (said && said->starts_with("curl got ")) --transfers;
    if (!said) co_await sleep_for(2ms);
  }
  co_return heard;
}

TEST_F(ServerTest, TheProgramCurlIsServed) {
  use_tls();
  listen(echo);
  const std::string authority = certificates().authority_file();
  const std::string plain_get = test::run_on(loop, curl({"--cacert", authority, url("/a?b", "https")}));
  EXPECT_TRUE(plain_get.contains(R"("path":"/a","query":"b")") && plain_get.ends_with("curl got 200\n")) << plain_get;
  const std::string head = test::run_on(loop, curl({"--cacert", authority, "-I", url("/a", "https")}));
  EXPECT_TRUE(head.ends_with("curl got 200\n")) << head;
  const std::string chunked = test::run_on(
      loop, curl({"--cacert", authority, "-H", "Transfer-Encoding: chunked", "-d", "words", url("/a", "https")}));
  EXPECT_TRUE(chunked.contains(R"("body":"words")")) << chunked;
  const std::string twice = test::run_on(
      loop, curl({"--cacert", authority, "-v", "--stderr", "-", url("/1", "https"), url("/2", "https")}, 2));
  EXPECT_TRUE(twice.contains("Re-using existing connection")) << twice;
}

TEST_F(ServerTest, CurlWaitsForTheWordToContinue) {
  listen(echo);
  const std::string heard = test::run_on(loop, curl({"-v", "--stderr", "-", "-H", "Expect: 100-continue",
                                                     "--expect100-timeout", "60", "-d", "words", url("/")}));
  EXPECT_TRUE(heard.contains("HTTP/1.1 100 Continue")) << heard;
  EXPECT_TRUE(heard.contains(R"("body":"words")")) << heard;
}

TEST_F(ServerTest, CurlGetsItsAnswerWhenItsBodyIsTooLarge) {
  server_options.limits.body_bytes = 1000;
  listen(echo);
  test::TemporaryFolder folder;
  folder.write("large", std::string(3'000'000, 'x'));
  const std::string heard = test::run_on(loop, curl({"-H", "Expect:", "-H", "Transfer-Encoding: chunked",
                                                     "--data-binary", "@" + (folder / "large").string(), url("/")}));
  EXPECT_TRUE(heard.ends_with("curl got 413\n")) << heard;
}

}  // namespace
}  // namespace deputy::net
