// Outbound HTTP as plain values: a request goes out, a response comes back, whole or piece by piece. What speaks the
// protocol is behind HttpClient (client.h has the one on libcurl); who uses it sees nothing of that library.
//
// A client asks nobody and retries nothing: what may be sent where is the caller's to decide, `Error::retryable` says
// whether trying again could help. Redirects are handed back like any other response; redirects.h follows them.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/task.h"
#include "net/url.h"

namespace deputy::net {

struct Header {
  std::string name;
  std::string value;

  bool operator==(const Header&) const = default;
};

struct Timeouts {
  std::chrono::milliseconds connect{10'000};  // resolving, connecting, the proxy and TLS together
  std::chrono::milliseconds idle{30'000};     // without a byte in either direction, from then on
  std::chrono::milliseconds total{60'000};    // the whole exchange, waiting for a free connection included
};

/// Whether a proxy may be given this name to look up; the error is what the caller of the request gets.
using AllowProxiedName = std::function<Result<>(const Url&)>;

enum class ProxyUse {
  as_set,  // by the client's options
  never,   // for what only this machine or its host may hear, such as the credentials of an instance
};

struct Request {
  std::string method = "GET";
  std::string url;              // http or https, without credentials
  std::vector<Header> headers;  // Host, Content-Length and the like are made from the rest, and refused here
  std::string body = {};
  Timeouts timeouts = {};
  std::size_t most_body = 8UL * 1024 * 1024;  // bytes of the response's body, counted after unpacking
  UrlPath path = UrlPath::normal;
  ProxyUse proxy = ProxyUse::as_set;
  AllowProxiedName allow_proxied_name = {};  // asked where nobody here sees the address; none: any may be
};

/// The value of the first header of this name (small and capital letters are the same), or nothing.
std::optional<std::string_view> find_header(const std::vector<Header>& headers, std::string_view name);

struct Response {
  int status = 0;  // any; 404 is a response and no error
  std::vector<Header> headers;
  std::string body;
};

/// A response whose body is still arriving. Destroying it ends the exchange, whatever its state.
class ResponseStream {
 public:
  virtual ~ResponseStream() = default;

  virtual int status() const = 0;
  virtual const std::vector<Header>& headers() const = 0;

  /// The next piece of the body, as soon as there is one; empty at its end. What nobody reads is not fetched: beyond a
  /// small buffer the peer is made to wait, and that wait does not count as idle. One read at a time; the stream
  /// outlives it.
  virtual Task<Result<std::string>> read() = 0;
};

/// Errors are of kind `invalid_input` (the request cannot be sent), `network` (with TLS), `timeout`, `upstream` (the
/// response is too large or not HTTP), `not_configured` (the CA file), `authentication` (the proxy), or what an
/// address was refused with. None names more of the URL than its host and port. Cancelling the caller ends the
/// exchange at once in whatever state it is; the loop never waits.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  virtual Task<Result<Response>> send(Request request) = 0;

  /// Returns when the headers are there. `most_body` and `timeouts.total` bound the stream to its end.
  virtual Task<Result<std::unique_ptr<ResponseStream>>> open(Request request) = 0;
};

}  // namespace deputy::net
