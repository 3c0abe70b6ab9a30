// Peers that hang, trickle or pour: every exchange is bounded in time and size.
#include <chrono>

#include "net/client_fixture.h"

namespace deputy::net {
namespace {

using namespace std::chrono_literals;

class BoundsTest : public ClientTest {
 protected:
  const test::HttpPeer peer{"plain"};
};

TEST_F(BoundsTest, APeerThatHangsBeforeItsHeadersIsGivenUp) {
  const Result<Response> response = send({.url = peer.url("/hang"), .timeouts = {.idle = 200ms}});
  ASSERT_FAILS(response, timeout);
  EXPECT_TRUE(response.error().message.starts_with("no data from `127.0.0.1:")) << response.error().message;
  EXPECT_TRUE(response.error().message.ends_with("for 200ms"));
  EXPECT_TRUE(response.error().retryable);
}

TEST_F(BoundsTest, APeerThatStopsInTheMiddleIsGivenUp) {
  EXPECT_FAILS(send({.url = peer.url("/stall"), .timeouts = {.idle = 200ms}}), timeout);
}

TEST_F(BoundsTest, APeerThatTricklesForEverIsGivenUpInTheEnd) {
  const Result<Response> response = send({.url = peer.url("/trickle"), .timeouts = {.idle = 10s, .total = 500ms}});
  ASSERT_FAILS(response, timeout);
  EXPECT_TRUE(response.error().message.contains("was not complete after 500ms")) << response.error().message;
}

TEST_F(BoundsTest, APeerThatHangsInTlsIsGivenUp) {
  const test::HttpPeer silent("silent");
  const Result<Response> response = send({.url = silent.url("/", "https"), .timeouts = {.connect = 200ms}});
  ASSERT_FAILS(response, timeout);
  EXPECT_TRUE(response.error().message.starts_with("could not connect to `127.0.0.1:")) << response.error().message;
}

TEST_F(BoundsTest, APeerThatDoesNotReadIsGivenUp) {
  const test::HttpPeer deaf("deaf");
  EXPECT_FAILS(
      send({.method = "POST", .url = deaf.url("/"), .body = std::string(40'000'000, 'x'), .timeouts = {.idle = 300ms}}),
      timeout);
}

TEST_F(BoundsTest, ABodyBeyondTheBoundIsRefusedHoweverItIsSent) {
  for (const char* path : {"/declared?bytes=50000000", "/chunked?bytes=50000000", "/gzip?bytes=50000000"}) {
    const Result<Response> response = send({.url = peer.url(path), .max_body = 1000});
    ASSERT_FAILS(response, upstream) << path;
    EXPECT_FALSE(response.error().retryable);
    EXPECT_TRUE(response.error().message.ends_with("is larger than 1000 bytes")) << response.error().message;
  }
  for (const char* path : {"/declared?bytes=1000", "/chunked?bytes=1000", "/gzip?bytes=1000"}) {
    const Result<Response> response = send({.url = peer.url(path), .max_body = 1000});
    ASSERT_OK(response);
    EXPECT_EQ(response->body, std::string(1000, 'x')) << path;
  }
}

TEST_F(BoundsTest, HeadersHaveABoundToo) {
  EXPECT_OK(get(peer.url("/headers?count=10")));
  EXPECT_FAILS(get(peer.url("/headers?count=80")), upstream);
}

// ---- Streams.

Task<Result<std::unique_ptr<ResponseStream>>> open(HttpClient& client, Request request) {
  return client.open(std::move(request));
}

TEST_F(BoundsTest, AStreamGivesItsFirstPieceBeforeThePeerHasSentTheLast) {
  test::HttpPeer own("plain");
  auto stream = test::run_on(loop, open(client(), {.url = own.url("/parts")}));
  ASSERT_OK(stream);
  EXPECT_EQ((*stream)->status(), 200);
  EXPECT_EQ(*test::run_on(loop, (*stream)->read()), "first");
  own.go_on();
  EXPECT_EQ(*test::run_on(loop, (*stream)->read()), "last");
  EXPECT_EQ(*test::run_on(loop, (*stream)->read()), "");
  EXPECT_EQ(*test::run_on(loop, (*stream)->read()), "");
}

TEST_F(BoundsTest, AStreamHasTheSameBounds) {
  auto stalled = test::run_on(loop, open(client(), {.url = peer.url("/stall"), .timeouts = {.idle = 200ms}}));
  ASSERT_OK(stalled);
  EXPECT_EQ(*test::run_on(loop, (*stalled)->read()), "begin");
  EXPECT_FAILS(test::run_on(loop, (*stalled)->read()), timeout);
  auto large = test::run_on(loop, open(client(), {.url = peer.url("/chunked?bytes=50000000"), .max_body = 5'000'000}));
  ASSERT_OK(large);
  std::size_t bytes = 0;
  for (;;) {
    const Result<std::string> piece = test::run_on(loop, (*large)->read());
    if (!piece) {
      EXPECT_FAILS(piece, upstream);
      break;
    }
    ASSERT_FALSE(piece->empty());
    bytes += piece->size();
    ASSERT_LE(bytes, 5'000'000U);
  }
}

// The peer has sent all it could into the buffers; that nobody reads is not its fault.
Task<Result<std::string>> read_after(std::chrono::milliseconds pause, ResponseStream& stream) {
  co_await sleep_for(pause);
  co_return co_await stream.read();
}

TEST_F(BoundsTest, AReaderThatTakesItsTimeIsNotAnIdlePeer) {
  auto stream = test::run_on(
      loop, open(client(),
                 {.url = peer.url("/chunked?bytes=50000000"), .timeouts = {.idle = 300ms}, .max_body = 50'000'000}));
  ASSERT_OK(stream);
  const Result<std::string> first = test::run_on(loop, read_after(900ms, **stream));
  ASSERT_OK(first);
  EXPECT_LT(first->size(), 2'000'000U);  // the rest waits at the peer
  std::size_t bytes = first->size();
  for (;;) {
    const Result<std::string> piece = test::run_on(loop, (*stream)->read());
    ASSERT_OK(piece);
    if (piece->empty()) break;
    bytes += piece->size();
  }
  EXPECT_EQ(bytes, 50'000'000U);
}

TEST_F(BoundsTest, AStreamMayOutliveItsClientAndBeDroppedAtAnyTime) {
  auto stream = test::run_on(loop, open(client(), {.url = peer.url("/trickle")}));
  ASSERT_OK(stream);
  drop_client();
  EXPECT_OK(test::run_on(loop, (*stream)->read()));
  stream->reset();
  EXPECT_EQ(text_of(peer.url("/hello")), "hello");
}

}  // namespace
}  // namespace deputy::net
