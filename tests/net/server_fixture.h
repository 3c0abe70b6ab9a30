// A server on the test's own loop, and peers that speak to it: libcurl, and sockets that send what they are told.
#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>

#include "base/log.h"
#include "net/client_fixture.h"
#include "net/server.h"

namespace deputy::net {

/// Sends bytes and reads what comes, without knowing HTTP.
class RawPeer {
 public:
  explicit RawPeer(asio::io_context& loop) : socket_(loop) {}

  Task<> connect(int port) {
    const asio::ip::tcp::endpoint server(asio::ip::address_v4::loopback(), static_cast<asio::ip::port_type>(port));
    co_await socket_.async_connect(server, asio::use_awaitable);
  }
  Task<> send(std::string bytes) { co_await asio::async_write(socket_, asio::buffer(bytes), asio::use_awaitable); }
  void end_sending() { socket_.shutdown(asio::ip::tcp::socket::shutdown_send); }
  void close() { socket_.close(); }

  /// What comes up to and with `mark`.
  Task<std::string> read_until(std::string mark) {
    const std::size_t size =
        co_await asio::async_read_until(socket_, asio::dynamic_buffer(buffer_), mark, asio::use_awaitable);
    std::string text = buffer_.substr(0, size);
    buffer_.erase(0, size);
    co_return text;
  }

  /// All that comes until the server ends the connection.
  Task<std::string> read_all() {
    std::array<char, 4096> piece;
    for (;;) {
      const auto [error, size] =
          co_await socket_.async_read_some(asio::buffer(piece), asio::as_tuple(asio::use_awaitable));
      buffer_.append(piece.data(), size);
      if (error) co_return std::move(buffer_);
    }
  }

  asio::ip::tcp::socket& socket() { return socket_; }

 private:
  asio::ip::tcp::socket socket_;
  std::string buffer_;
};

class ServerTest : public ClientTest {
 protected:
  ServerTest() {
    log::set_sink([this](std::string_view line) { logged += std::string(line) + "\n"; });
  }
  ~ServerTest() override {
    if (server) test::run_on(loop, server->stop(std::chrono::seconds(0)));
    server.reset();
    log::set_sink({});
  }

  void listen(RequestHandler handler) {
    auto listening = Server::listen(loop.get_executor(), server_options, std::move(handler));
    ASSERT_OK(listening);
    server = *std::move(listening);
  }
  void use_tls() {
    server_options.certificate = test::read_file(certificates().certificate_file());
    server_options.key = Secret(test::read_file(certificates().key_file()));
    options.ca_file = certificates().authority_file();
  }
  std::string url(std::string_view path, std::string_view scheme = "http") const {
    return fmt::format("{}://127.0.0.1:{}{}", scheme, server->port(), path);
  }

  /// What the server says to these bytes until it ends the connection.
  std::string say(std::string bytes) {
    const auto talk = [](RawPeer& peer, int port, std::string text) -> Task<std::string> {
      co_await peer.connect(port);
      co_await peer.send(std::move(text));
      co_return co_await peer.read_all();
    };
    RawPeer peer(loop);
    return test::run_on(loop, talk(peer, server->port(), std::move(bytes)));
  }
  static std::string status_line(const std::string& response) { return response.substr(0, response.find("\r\n")); }
  /// Runs the loop until the server has no connection left.
  bool all_connections_end() {
    return test::run_until_within(std::chrono::seconds(20), loop, [this] { return server->connections() == 0; });
  }

  ServerOptions server_options;
  std::unique_ptr<Server> server;
  std::string logged;
};

/// Answers with what it was asked.
inline Task<Answer> echo(ServerRequest request) {
  json::object seen{{"method", request.method},
                    {"path", request.path},
                    {"query", request.query},
                    {"body", request.body},
                    {"peer", request.peer}};
  co_return Response{200, {{"Content-Type", "application/json"}}, json::serialize(seen)};
}

}  // namespace deputy::net
