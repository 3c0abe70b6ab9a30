// Requests from bytes, whole and one at a time.
#include "net/http_request.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::net {
namespace {

struct Heard {
  std::vector<std::string> requests;  // "METHOD path?query body"
  int refused = 0;                    // the status, or 0
  std::string rest;

  bool operator==(const Heard&) const = default;
};

void PrintTo(const Heard& heard, std::ostream* out) {
  for (const std::string& request : heard.requests) *out << request << "; ";
  *out << "refused " << heard.refused << ", rest " << heard.rest;
}

const ServerLimits kSmall{.header_bytes = 400, .body_bytes = 30};

Heard read(std::string_view bytes, std::size_t step) {
  RequestReader reader(kSmall);
  Heard heard;
  for (;;) {
    auto next = reader.next();
    if (!next) {
      heard.refused = next.error().status;
      return heard;
    }
    if (const std::optional<ReadRequest>& read = *next) {
      const ServerRequest& request = read->request;
      heard.requests.push_back(request.method + " " + request.path + "?" + request.query + " " + request.body);
    } else if (bytes.empty()) {
      heard.rest = reader.take_rest();
      return heard;
    } else {
      reader.add(bytes.substr(0, step));
      bytes.remove_prefix(std::min(step, bytes.size()));
    }
  }
}

struct Row {
  const char* name;
  std::string bytes;
  Heard heard;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class HttpRequest : public testing::TestWithParam<Row> {};

TEST_P(HttpRequest, IsTheSameHoweverItIsCut) {
  const Row& row = GetParam();
  for (const std::size_t step : {row.bytes.size(), std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
    EXPECT_EQ(read(row.bytes, step), row.heard) << "cut at " << step;
  }
}

std::string post(std::string_view headers, std::string_view rest) {
  return "POST /p HTTP/1.1\r\nHost: h\r\n" + std::string(headers) + "\r\n" + std::string(rest);
}

INSTANTIATE_TEST_SUITE_P(
    Rows, HttpRequest,
    testing::Values(
        Row{"Get", "GET /a/b?x=1&y HTTP/1.1\r\nHost: h\r\n\r\n", {{"GET /a/b?x=1&y "}}},
        Row{"WithALength", post("Content-Length: 5\r\n", "hello"), {{"POST /p? hello"}}},
        Row{"Chunked",
            post("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"),
            {{"POST /p? abcde"}}},
        Row{"ChunkedWithoutABody", post("Transfer-Encoding: chunked\r\n", "0\r\n\r\n"), {{"POST /p? "}}},
        Row{"ChunkedWithTrailer",
            post("Transfer-Encoding: chunked\r\n", "1\r\na\r\n0\r\nX-Late: 1\r\n\r\n"),
            {{"POST /p? a"}}},
        Row{"Pipelined",
            post("Content-Length: 2\r\n", "hi") + "GET /next HTTP/1.1\r\nHost: h\r\n\r\n",
            {{"POST /p? hi", "GET /next? "}}},
        Row{"EmptyLinesBetween", "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", {{"GET /? "}}},
        Row{"AWholeUrl", "GET http://h/a?b HTTP/1.1\r\nHost: h\r\n\r\n", {{"GET /a?b "}}},
        Row{"AWholeUrlWithoutAPath", "GET http://h?b HTTP/1.1\r\nHost: h\r\n\r\n", {{"GET /?b "}}},
        Row{"Options", "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", {{"OPTIONS *? "}}},
        Row{"OldVersion", "GET / HTTP/1.0\r\n\r\n", {{"GET /? "}}},
        Row{"Incomplete", "GET / HTT", {{}, 0, "GET / HTT"}},
        // What is refused.
        Row{"NotHttp", "hello there\r\n\r\n", {{}, 400}}, Row{"Http2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", {{}, 505}},
        Row{"ATunnel", "CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", {{}, 400}},
        Row{"NoHost", "GET / HTTP/1.1\r\n\r\n", {{}, 400}},
        Row{"TwoHosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", {{}, 400}},
        Row{"LengthAndChunks", post("Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"), {{}, 400}},
        Row{"ChunksAndLength", post("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", "0\r\n\r\n"), {{}, 400}},
        Row{"TwoLengths", post("Content-Length: 5\r\nContent-Length: 6\r\n", "hello"), {{}, 400}},
        Row{"TheSameLengthTwice", post("Content-Length: 5\r\nContent-Length: 5\r\n", "hello"), {{}, 400}},
        Row{"AListOfLengths", post("Content-Length: 5, 5\r\n", "hello"), {{}, 400}},
        Row{"ANegativeLength", post("Content-Length: -1\r\n", ""), {{}, 400}},
        Row{"AHugeLength", post("Content-Length: 99999999999999999999999\r\n", ""), {{}, 400}},
        Row{"AnotherEncoding", post("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n"), {{}, 400}},
        Row{"EncodingTwice",
            post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n"),
            {{}, 400}},
        Row{"EncodingInDisguise", post("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"), {{}, 400}},
        Row{"ChunksInOldHttp", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", {{}, 400}},
        Row{"SpaceBeforeTheColon", post("Content-Length : 5\r\n", "hello"), {{}, 400}},
        Row{"ANakedLineFeed", "GET / HTTP/1.1\nHost: h\n\n", {{}, 400}},
        Row{"ANulInAHeader", post(std::string("X: a\0b\r\n", 8), ""), {{}, 400}},
        Row{"ABadChunk", post("Transfer-Encoding: chunked\r\n", "zz\r\n"), {{}, 400}},
        Row{"AChunkThatIsLonger", post("Transfer-Encoding: chunked\r\n", "1\r\nabc\r\n"), {{}, 400}},
        Row{"ASignedChunk", post("Transfer-Encoding: chunked\r\n", "+1\r\na\r\n"), {{}, 400}},
        Row{"AChunkBeyondNumbers", post("Transfer-Encoding: chunked\r\n", "11111111111111111\r\n"), {{}, 400}},
        Row{"LongTrailers",
            post("Transfer-Encoding: chunked\r\n",
                 "0\r\nX: " + std::string(300, 'x') + "\r\nY: " + std::string(300, 'x') + "\r\n"),
            {{}, 431}},
        Row{"AnUnknownExpectation", post("Expect: a-miracle\r\n", ""), {{}, 417}},
        Row{"ALongBody", post("Content-Length: 31\r\n", "x"), {{}, 413}},
        Row{"ALongChunkedBody",
            post("Transfer-Encoding: chunked\r\n", "14\r\n01234567890123456789\r\n14\r\n"),
            {{}, 413}},
        Row{"LongHeaders", "GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(400, 'x') + "\r\n\r\n", {{}, 431}},
        Row{"ALongTarget", "GET /" + std::string(500, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n", {{}, 431}},
        Row{"ALongChunkExtension", post("Transfer-Encoding: chunked\r\n", "1;" + std::string(500, 'x')), {{}, 431}}),
    [](const auto& row) { return row.param.name; });

TEST(HttpRequestReader, AsksForTheBodyOnceWhenTheSenderWaits) {
  RequestReader reader(kSmall);
  reader.add("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n");
  ASSERT_FALSE(reader.next().value());
  EXPECT_TRUE(reader.take_wish_to_continue());
  EXPECT_FALSE(reader.take_wish_to_continue());
  reader.add("ok");
  EXPECT_EQ(reader.next().value().value_or(ReadRequest()).request.body, "ok");
}

TEST(HttpRequestReader, TrailersDoNotJoinTheHeaders) {
  RequestReader reader(kSmall);
  reader.add(post("Transfer-Encoding: chunked\r\n", "0\r\nAuthorization: me\r\n\r\n"));
  const ReadRequest read = reader.next().value().value_or(ReadRequest());
  EXPECT_EQ(find_header(read.request.headers, "transfer-encoding"), "chunked");
  EXPECT_EQ(find_header(read.request.headers, "authorization"), std::nullopt);
}

TEST(HttpRequestReader, TheBytesAfterARequestAreKept) {
  RequestReader reader(kSmall);
  reader.add("GET / HTTP/1.1\r\nHost: h\r\n\r\n\x81\x05hello");
  ASSERT_TRUE(reader.next().value());
  EXPECT_EQ(reader.take_rest(), "\x81\x05hello");
  EXPECT_TRUE(reader.is_between_requests());
}

TEST(HttpRequestReader, TheConnectionIsKeptAsTheRequestSays) {
  const auto connection = [](std::string_view bytes) {
    RequestReader reader(kSmall);
    reader.add(bytes);
    return reader.next().value().value_or(ReadRequest()).connection;
  };
  EXPECT_EQ(connection("GET / HTTP/1.1\r\nHost: h\r\n\r\n"), Connection::keep);
  EXPECT_EQ(connection("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"), Connection::close);
  EXPECT_EQ(connection("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"), Connection::close);
}

}  // namespace
}  // namespace deputy::net
