// TLS and HTTP/2.
#include "net/client_fixture.h"

namespace deputy::net {
namespace {

using TlsTest = ClientTest;

TEST_F(TlsTest, AnAuthorityOfOnesOwnIsTrusted) {
  const test::HttpPeer peer("tls", certificates());
  options.ca_file = certificates().authority_file();
  EXPECT_EQ(text_of(peer.url("/hello", "https")), "hello");
  EXPECT_EQ(text_of(peer.url("/hello", "https", "localhost")), "hello");
}

TEST_F(TlsTest, AnUnknownAuthorityIsRefusedWithAReason) {
  const test::HttpPeer peer("tls", certificates());
  const Result<Response> response = get(peer.url("/hello", "https"));
  ASSERT_FAILS(response, network);
  EXPECT_FALSE(response.error().retryable);
  EXPECT_TRUE(response.error().message.contains("is not trusted: unable to get local issuer certificate"))
      << response.error().message;
  EXPECT_TRUE(response.error().hint.contains("SSL_CERT_FILE"));
}

TEST_F(TlsTest, ACertificateForAnotherHostIsRefused) {
  const test::HttpPeer peer("tls", certificates());
  options.ca_file = certificates().authority_file();
  const Result<Response> response = get(peer.url("/hello", "https", "other.test"));
  ASSERT_FAILS(response, network);
  EXPECT_TRUE(response.error().message.contains("it is for another host")) << response.error().message;
}

TEST_F(TlsTest, AMissingAuthorityFileIsSaid) {
  const test::HttpPeer peer("tls", certificates());
  options.ca_file = "/does/not/exist.pem";
  EXPECT_FAILS(get(peer.url("/hello", "https")), not_configured);
}

TEST_F(TlsTest, Http2IsSpokenWhereThePeerCan) {
  const test::HttpPeer peer("h2", certificates());
  options.ca_file = certificates().authority_file();
  const Result<Response> response =
      send({.method = "POST", .url = peer.url("/echo", "https"), .headers = {{"X-One", "1"}}, .body = "words"});
  ASSERT_OK(response);
  const json::object seen = json::parse(response->body).as_object();
  EXPECT_EQ(seen.at("version"), "2.0");
  EXPECT_EQ(seen.at("body"), "words");
  EXPECT_EQ(seen.at("headers").at("x-one"), "1");
}

TEST_F(TlsTest, Http2CanBeSwitchedOff) {
  const test::HttpPeer peer("tls", certificates());
  options.ca_file = certificates().authority_file();
  options.http2 = Http2::never;
  EXPECT_EQ(json::parse(get(peer.url("/echo", "https"))->body).at("version"), "1.1");
}

Task<Result<std::size_t>> read_all(HttpClient& client, Request request) {
  CO_TRY(const std::unique_ptr<ResponseStream> stream, co_await client.open(std::move(request)));
  std::size_t bytes = 0;
  for (;;) {
    CO_TRY(const std::string piece, co_await stream->read());
    if (piece.empty()) co_return bytes;
    bytes += piece.size();
    co_await sleep_for(std::chrono::milliseconds(1));  // a slow reader, for whom the peer must wait
  }
}

TEST_F(TlsTest, ALargeBodyComesWholeToASlowReaderByEveryProtocol) {
  options.ca_file = certificates().authority_file();
  const test::HttpPeer h2("h2", certificates());
  const test::HttpPeer tls("tls", certificates());
  const test::HttpPeer plain("plain");
  constexpr std::size_t kBytes = 20'000'000;
  for (const std::string& url :
       {h2.url("/chunked?bytes=20000000", "https"), tls.url("/chunked?bytes=20000000", "https"),
        plain.url("/gzip?bytes=20000000"), h2.url("/gzip?bytes=20000000", "https")}) {
    const auto bytes = test::run_on(loop, read_all(client(), {.url = url, .max_body = kBytes}));
    ASSERT_OK(bytes);
    EXPECT_EQ(*bytes, kBytes) << url;
  }
}

TEST_F(TlsTest, AStreamThatNobodyReadsHoldsUpNoOtherRequest) {
  const test::HttpPeer peer("h2", certificates());
  options.ca_file = certificates().authority_file();
  Request large{.url = peer.url("/chunked?bytes=90000000", "https"), .max_body = 90'000'000};
  const auto unread = test::run_on(loop, client().open(std::move(large)));
  ASSERT_OK(unread);
  // More than once: meanwhile the buffers fill.
  for (int i = 0; i < 30; ++i) EXPECT_EQ(text_of(peer.url("/hello", "https")), "hello");
}

}  // namespace
}  // namespace deputy::net
