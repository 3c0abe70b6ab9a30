// HTTP/1.1 requests from bytes cut anywhere, and the heads of responses. Pure; the server does the I/O. Used inside net
// only.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "net/server.h"

namespace deputy::net {

enum class Connection { keep, close };

struct ReadRequest {
  ServerRequest request;  // `peer` is not set
  Connection connection = Connection::close;
  int version = 11;  // 10 or 11
};

/// The response to a request that is not read further; the connection ends with it.
struct Refusal {
  int status = 400;
  std::string_view why;  // for the peer and the log; shows nothing of the request
};

/// Refused, besides what is not HTTP: a Content-Length beside a Transfer-Encoding, or two of them; any
/// Transfer-Encoding but chunked; none or two Hosts. What another server in front of us might read otherwise is not
/// worth a guess. Trailers are dropped.
class RequestReader {
 public:
  explicit RequestReader(const ServerLimits& limits);
  ~RequestReader();

  void add(std::string_view bytes) { buffer_ += bytes; }

  /// The next request once all of it is there, or nothing while bytes are missing. After a refusal, call it no more.
  std::expected<std::optional<ReadRequest>, Refusal> next();

  /// True when no byte of a request is there.
  bool is_between_requests() const;

  /// True once for a request whose head is there and whose sender waits for "100 Continue" before the body.
  bool take_wish_to_continue();

  /// The bytes after the last request: with an upgrade they are no longer HTTP.
  std::string take_rest() { return std::exchange(buffer_, {}); }

 private:
  struct Parser;

  std::expected<std::size_t, Refusal> find_head();
  std::expected<void, Refusal> begin_body();
  std::expected<bool, Refusal> take_bytes();
  std::expected<bool, Refusal> take_line();
  std::expected<bool, Refusal> begin_chunk(std::string_view line);

  std::size_t header_bytes_;
  std::size_t body_bytes_;
  std::string buffer_;
  std::unique_ptr<Parser> parser_;  // of the request that is being read
};

enum class BodyForm {
  whole,    // with its length
  chunked,  // ended by an empty chunk
  to_end,   // ended with the connection, for HTTP/1.0
  none,     // a response that has no body by its status
};

/// The status line and headers up to the empty line, with Date and Connection.
std::string response_head(int status, std::span<const Header> headers, BodyForm form, std::size_t body_bytes,
                          Connection connection);

/// True for 1xx, 204 and 304.
bool is_without_body(int status);

/// A chunk of a chunked body; `text` is not empty, because an empty chunk is its end.
std::string chunk(std::string_view text);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace deputy::net
