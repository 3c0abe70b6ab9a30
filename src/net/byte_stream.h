// A connection as a stream of bytes, plain or over TLS: what the HTTP server and the WebSocket stand on. Tests and
// fuzzers stand them on bytes in memory. Used inside net only; everything happens on the loop.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "base/task.h"

namespace deputy::net {

class ByteStream {
 public:
  using Done = std::move_only_function<void(boost::system::error_code, std::size_t)>;

  explicit ByteStream(asio::any_io_executor executor) : executor_(std::move(executor)) {}
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  const asio::any_io_executor& executor() const { return executor_; }

  /// Start one read, or one write; one of each may be under way. `done` is called once, from the loop, never from
  /// within; a cancellation through `slot` makes it end with operation_aborted.
  void start_read(asio::mutable_buffer into, asio::cancellation_slot slot, Done done);
  virtual void start_write(std::vector<asio::const_buffer> from, asio::cancellation_slot slot, Done done) = 0;

  /// The number of bytes read, 0 at the end. Cancellation is thrown.
  Task<Result<std::size_t>> read_some(asio::mutable_buffer into);
  Task<Result<>> write_all(std::string_view text);

  /// The next reads give these bytes first: what was read too far.
  void unread(std::string_view bytes) { unread_ += bytes; }

  /// Says goodbye (the close of TLS, the end of our half) and drops what still comes, for two seconds at most: closing
  /// with unread bytes would make the peer's system throw away our last words. Then it is closed.
  virtual Task<> finish() = 0;

  /// Closes at once: reads and writes under way end with operation_aborted.
  virtual void close() = 0;

 protected:
  virtual void start_receive(asio::mutable_buffer into, asio::cancellation_slot slot, Done done) = 0;

 private:
  asio::any_io_executor executor_;
  std::string unread_;
};

std::unique_ptr<ByteStream> plain_stream(asio::ip::tcp::socket socket);

/// The certificate and key of a server, shared by its connections.
class ServerTls;

/// Errors are of kind not_configured; `certificate` may hold the chain up to the authority, `key` its private key, both
/// as PEM.
Result<std::shared_ptr<ServerTls>> make_server_tls(const std::string& certificate, const Secret& key);

// The TLS handshake. Not bounded: wrap it in with_timeout.
Task<Result<std::unique_ptr<ByteStream>>> accept_tls(asio::ip::tcp::socket socket, std::shared_ptr<ServerTls> tls);

/// Checks that the peer's certificate is valid for `host` and signed by an authority of `ca_file`, or of the machine's
/// own list when that is empty. `place` is the peer in errors.
Task<Result<std::unique_ptr<ByteStream>>> connect_tls(asio::ip::tcp::socket socket, std::string host, std::string place,
                                                      std::string ca_file);

/// Looks `host` up and connects to the first address that answers. Not bounded: wrap it in with_timeout.
Task<Result<asio::ip::tcp::socket>> connect_tcp(std::string host, int port, std::string place);

}  // namespace deputy::net
