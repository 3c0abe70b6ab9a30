// The HTTP client on libcurl, driven by the loop: pooled connections, HTTP/2 over TLS, proxy, own CA file. It reads no
// environment and no settings; what it is to do comes in as values.
#pragma once

#include <boost/asio/ip/address.hpp>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/secret.h"
#include "net/http.h"

namespace deputy::net {

class Multi;

/// Whether a connection to this address may be opened; the error is what the caller of the request gets.
using AllowAddress = std::function<Result<>(const asio::ip::address&)>;

enum class Http2 { over_tls, never };

struct ClientOptions {
  std::string user_agent = "deputy";
  Secret proxy = {};                       // a URL, with credentials where it needs them; empty: none
  std::vector<std::string> no_proxy = {};  // hosts reached directly; proxy.h says in which forms
  std::string ca_file = {};                // instead of the machine's own list
  Http2 http2 = Http2::over_tls;
  int most_connections_per_host = 16;
  int most_connections = 128;
  /// Sees each address that is about to be connected to: there is no second look-up between the check and the
  /// connection. A proxy's own address is not shown; a request through it is checked when its URL names an address,
  /// because names are then looked up by the proxy
  /// (Request::allow_proxied_name sees those). Connections of the pool were checked when they were opened.
  AllowAddress allow_address = {};
};

class Client final : public HttpClient {
 public:
  /// It lives on this loop and is gone before it. Streams may outlive the client.
  Client(asio::any_io_executor executor, ClientOptions options);
  ~Client() override;

  Task<Result<Response>> send(Request request) override;
  Task<Result<std::unique_ptr<ResponseStream>>> open(Request request) override;

 private:
  const std::shared_ptr<Multi>& multi();

  asio::any_io_executor executor_;
  std::shared_ptr<const ClientOptions> options_;
  std::shared_ptr<Multi> multi_;
};

// Whether a request can be sent as it is: nothing in it may end a line early and begin another. Pure.

/// Method and headers; the URL is parse_url's matter. Errors name a header, never its value.
Result<> check_request(const Request& request);

}  // namespace deputy::net
