// Outbound HTTP as plain values: a request goes out, a response comes back, whole or chunk by chunk. HttpClient hides
// the library that speaks the protocol (client.h has the one on libcurl).
//
// A client asks for no permission and retries nothing: the caller decides what may be sent where, and
// `Error::retryable` says if a retry could help. Redirects are returned like any other response; redirects.h follows
// them.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "base/task.h"
#include "net/url.h"

namespace deputy::net {

struct Header {
  std::string name;
  std::string value;

  bool operator==(const Header&) const = default;
};

struct Timeouts {
  std::chrono::milliseconds connect{10'000};  // DNS, connecting, the proxy and TLS together
  std::chrono::milliseconds idle{30'000};     // after connecting, without a byte in either direction
  std::chrono::milliseconds total{60'000};    // the whole exchange, including the wait for a free connection
};

/// Allows or refuses that a proxy looks up this name; the caller of the request gets the error.
using AllowProxiedName = std::function<Result<>(const Url&)>;

enum class ProxyUse {
  as_set,  // by the client's options
  never,   // for what must not leave this machine or its host, such as the credentials of an instance
};

/// TLS of a host that has an authority of its own, or that knows its callers by their certificate.
struct HostTls {
  std::string authorities = {};  // PEM; replaces the client's own list. Empty: that list
  std::string certificate = {};  // PEM, shown to the host; empty: none
  Secret key = {};               // of the certificate, PEM
};

struct Request {
  std::string method = "GET";
  std::string url;              // http or https, without credentials
  std::vector<Header> headers;  // the client sets Host, Content-Length and the like; they are refused here
  std::string body = {};
  Timeouts timeouts = {};
  std::size_t max_body = 8UL * 1024 * 1024;  // bytes of the response's body after decompression
  UrlPath path = UrlPath::normal;
  ProxyUse proxy = ProxyUse::as_set;
  std::shared_ptr<const HostTls> tls = {};   // null: by the client's options
  AllowProxiedName allow_proxied_name = {};  // asked when only the proxy sees the address; none: any is allowed
};

/// The value of the first header of this name (case-insensitive), or nothing.
std::optional<std::string_view> find_header(const std::vector<Header>& headers, std::string_view name);

struct Response {
  int status = 0;  // any; 404 is a response, not an error
  std::vector<Header> headers;
  std::string body;
};

/// A response whose body is still arriving. Destroying it ends the exchange in any state.
class ResponseStream {
 public:
  virtual ~ResponseStream() = default;

  virtual int status() const = 0;
  virtual const std::vector<Header>& headers() const = 0;

  /// The next chunk of the body as soon as there is one; empty at its end. Unread data is not fetched: beyond a small
  /// buffer the peer has to wait, and that wait does not count as idle. One read at a time; the stream must outlive it.
  virtual Task<Result<std::string>> read() = 0;
};

/// Errors are of kind `invalid_input` (the request cannot be sent), `network` (including TLS), `timeout`, `upstream`
/// (the response is too large or not HTTP), `not_configured` (the CA file), `authentication` (the proxy), or the error
/// that refused an address. None shows more of the URL than its host and port. Cancelling the caller ends the exchange
/// at once in any state; the loop never blocks.
class HttpClient {
 public:
  virtual ~HttpClient() = default;

  virtual Task<Result<Response>> send(Request request) = 0;

  /// Returns when the headers have arrived. `max_body` and `timeouts.total` bound the stream to its end.
  virtual Task<Result<std::unique_ptr<ResponseStream>>> open(Request request) = 0;
};

}  // namespace deputy::net
