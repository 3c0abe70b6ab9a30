// WebSockets, client and server: messages in, messages out. Pings are answered, messages bounded and text checked
// without the caller's doing. Compression is not offered. The server side comes from TakeWebSocket of server.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/task.h"
#include "net/http.h"

namespace deputy::net {

struct WebSocketMessage {
  enum class Kind { text, binary };

  Kind kind = Kind::text;
  std::string bytes;

  bool operator==(const WebSocketMessage&) const = default;
};

struct WebSocketOptions {
  std::chrono::milliseconds connect{10'000};  // lookup, connecting, TLS and the handshake together
  std::chrono::milliseconds write{30'000};    // for one message to be taken by the peer
  std::chrono::milliseconds close{5'000};     // for the peer to answer our close
  /// Silence of the peer after which the connection ends. At half of it the peer gets a ping.
  std::chrono::milliseconds idle{60'000};
  std::size_t max_message = 1024UL * 1024;   // bytes of a message that is read; a larger one ends with 1009
  std::size_t max_unread = 64;               // messages read ahead, of max_message together; then the peer has to wait
  std::size_t max_unsent = 256;              // messages that wait to be written
  std::size_t max_unsent_bytes = 8UL << 20;  // and their bytes
  std::string ca_file = {};                  // client: replaces the machine's own list
};

/// Why the peer closed: its code (1000 normal, 1001 going away, 1005 none given …) and its words, which are not ours.
struct WebSocketClose {
  std::uint16_t code = 1005;
  std::string reason;

  bool operator==(const WebSocketClose&) const = default;
};

/// Every method may be called in any state and cancelled in any state; cancelling one does not end the connection.
/// After the end each returns the error that ended it. Dropping the last reference closes the connection at once. It
/// reads ahead, so that pings are answered while the owner works; an owner that leaves `max_unread` messages lying for
/// `idle` loses the connection.
class WebSocket {
 public:
  /// Connects to a ws:// or wss:// URL; the peer's certificate must be valid for the host. Errors are as those of
  /// HttpClient; one who answers without a WebSocket gives authentication (401), permission (403), rate_limit (429) or
  /// upstream.
  static Task<Result<std::shared_ptr<WebSocket>>> connect(std::string url, std::vector<Header> headers = {},
                                                          WebSocketOptions options = {});

  class Session;
  explicit WebSocket(std::shared_ptr<Session> session);
  ~WebSocket();
  WebSocket(const WebSocket&) = delete;
  WebSocket& operator=(const WebSocket&) = delete;

  /// The next message. One read at a time. What had arrived before the end is still read.
  Task<Result<WebSocketMessage>> read();

  /// Returns when the message has left for the peer. Messages go out in the order of the calls; when too many wait, the
  /// error is of kind rate_limit. A cancelled write was not sent if it still waited.
  Task<Result<>> write(WebSocketMessage message);
  Task<Result<>> write(std::string text) { return write({WebSocketMessage::Kind::text, std::move(text)}); }
  Task<Result<>> ping(std::string payload = {});

  /// Sends what waits, says goodbye and waits for the peer's; then the connection is closed, whatever the peer did.
  /// Closing a closed one is no error. `reason` has at most 123 bytes.
  Task<Result<>> close(std::uint16_t code = 1000, std::string reason = {});

  /// Closes the connection at once, without a goodbye.
  void cut();

  /// What the peer said when it closed; nothing while it has not.
  std::optional<WebSocketClose> closed_by_peer() const;

 private:
  std::shared_ptr<Session> session_;
};

}  // namespace deputy::net
