// The HTTP client on libcurl, driven by the loop: pooled connections, HTTP/2 over TLS, proxy, own CA file. It reads
// neither environment nor settings; its options come in as values.
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

/// Allows or refuses a connection to this address; the caller of the request gets the error.
using AllowAddress = std::function<Result<>(const asio::ip::address&)>;

enum class Http2 { over_tls, never };

struct ClientOptions {
  std::string user_agent = "deputy";
  Secret proxy = {};                       // a URL, with credentials if needed; empty: none
  std::vector<std::string> no_proxy = {};  // hosts reached directly; see goes_direct in url.h for the forms
  std::string ca_file = {};                // replaces the machine's own list
  Http2 http2 = Http2::over_tls;
  int max_connections_per_host = 16;
  int max_connections = 128;
  /// Sees each address just before the connection: there is no second lookup in between. A proxy's own address is not
  /// shown. A request through the proxy is checked when its URL holds an address, because the proxy looks up names
  /// itself (Request::allow_proxied_name sees those). Pooled connections were checked when they were opened.
  AllowAddress allow_address = {};
};

class Client final : public HttpClient {
 public:
  /// Destroy it before the loop. Streams may outlive the client.
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

/// Checks the method and headers: nothing in them may end a line early and begin another. parse_url checks the URL.
/// Errors name a header, never its value. Pure.
Result<> check_request(const Request& request);

}  // namespace deputy::net
