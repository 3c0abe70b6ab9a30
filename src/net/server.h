// An HTTP/1.1 server on the loop, plain or over TLS. It reads requests, bounds slow, large and broken ones, and hands
// each to one handler; routes, access and what a request means are the handler's.
//
// Requests of one connection are handled one after the other, those of different connections at the same time.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/secret.h"
#include "base/task.h"
#include "net/http.h"
#include "net/websocket.h"

namespace deputy::net {

struct ServerRequest {
  std::string method;
  std::string path;             // as sent, not decoded: percent_decode of form.h reads a part of it
  std::string query;            // after the question mark, not decoded: parse_form reads it
  std::vector<Header> headers;  // find_header of http.h looks one up
  std::string body;
  std::string peer;  // the address at the other end, without its port; a proxy's when there is one
};

/// Sends the body of a StreamedResponse. It must not outlive the function it was given to.
class BodyWriter {
 public:
  virtual ~BodyWriter() = default;

  /// Returns when the peer's system has taken the text; an error means that the peer has left or took too long, and
  /// that every later write fails.
  virtual Task<Result<>> write(std::string text) = 0;
};

/// A response whose body is sent as it is made, such as server-sent events. `body` is called once, after the head is
/// sent; the response ends when it returns. When it throws, the connection is cut so that the peer sees the failure. A
/// peer that leaves is noticed at the next write only: write something from time to time.
struct StreamedResponse {
  int status = 200;
  std::vector<Header> headers;
  std::function<Task<>(BodyWriter&)> body;
};

/// Takes the request as a WebSocket. `serve` is called when the handshake is done; when it returns, the connection is
/// closed (1000; 1011 when it throws), whoever else holds the socket. A request that is not a WebSocket handshake is
/// refused with 400 or 426.
struct TakeWebSocket {
  std::function<Task<>(std::shared_ptr<WebSocket>)> serve;
  WebSocketOptions options = {};
};

using Answer = std::variant<Response, StreamedResponse, TakeWebSocket>;

/// Called for each request. Content-Length, Connection and the like are the server's to set; a response with one of
/// them, and an exception, are logged and answered with 500. Stop cancels it after the grace time.
using RequestHandler = std::function<Task<Answer>(ServerRequest)>;

/// What a peer beyond a limit gets.
struct ServerLimits {
  std::size_t header_bytes = 16UL * 1024;           // 431
  std::size_t body_bytes = 1024UL * 1024;           // 413
  std::size_t connections = 1000;                   // a further one is closed at once
  std::chrono::milliseconds idle{60'000};           // between requests: closed
  std::chrono::milliseconds whole_request{20'000};  // from its first byte, and for TLS: 408
  std::chrono::milliseconds take_response{30'000};  // a whole response, or one write of a streamed one: closed
};

struct ServerOptions {
  std::string host = "127.0.0.1";  // an address, or localhost
  int port = 0;                    // 0: any that is free
  std::string certificate = {};    // PEM, with its chain; empty: plain HTTP
  Secret key = {};                 // PEM
  ServerLimits limits = {};
};

class Server {
 public:
  /// Listens when it returns. Errors are of kind not_configured: the address, the port, the certificate.
  static Result<std::unique_ptr<Server>> listen(const asio::any_io_executor& executor, ServerOptions options,
                                                RequestHandler handler);
  /// Cuts what still runs. The handler may be called or be running until `stop` has returned, so stop before you
  /// destroy what it uses.
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  int port() const;
  std::size_t connections() const;

  /// Takes no new connection and no further request, closes idle connections and says goodbye on WebSockets (1001).
  /// Handlers that run get `grace` to end, then they are cancelled. Returns when all have ended.
  Task<> stop(std::chrono::milliseconds grace);

 private:
  struct State;

  explicit Server(std::shared_ptr<State> state);

  std::shared_ptr<State> state_;
};

}  // namespace deputy::net
