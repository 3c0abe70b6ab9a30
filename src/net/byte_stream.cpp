#include "net/byte_stream.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ssl/impl/src.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/system/system_error.hpp>

namespace deputy::net {

namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;
using Tls = asio::ssl::stream<tcp::socket>;
using boost::system::error_code;

constexpr auto kGoodbye = 1s;  // for the close of TLS, and again for the end of the connection

Error broken_connection(const error_code& error) {
  return {ErrorKind::network, fmt::format("the connection broke: {}", error.message()), {}, true};
}

// An aborted operation means that this task was cancelled or that our side closed the stream: both end it.
void throw_if_aborted(const error_code& error) {
  if (error == asio::error::operation_aborted) throw boost::system::system_error(error);
}

bool is_end(const error_code& error) {
  return error == asio::error::eof || error == asio::ssl::error::stream_truncated;
}

Task<Result<>> drop_the_rest(tcp::socket& socket) {
  std::array<char, 4096> dropped;
  for (;;) {
    const auto [error, size] =
        co_await socket.async_read_some(asio::buffer(dropped), asio::as_tuple(asio::use_awaitable));
    throw_if_aborted(error);
    if (error) co_return Result<>();
  }
}

Task<> end(tcp::socket& socket) {
  error_code ignored;
  socket.shutdown(tcp::socket::shutdown_send, ignored);
  (void)co_await with_timeout(kGoodbye, drop_the_rest(socket));
  socket.close(ignored);
}

Task<Result<>> end_tls(Tls& tls) {
  const auto [error] = co_await tls.async_shutdown(asio::as_tuple(asio::use_awaitable));
  throw_if_aborted(error);
  co_return Result<>();
}

void send_at_once(tcp::socket& socket) {
  error_code ignored;
  socket.set_option(tcp::no_delay(true), ignored);
}

class PlainStream final : public ByteStream {
 public:
  explicit PlainStream(tcp::socket socket) : ByteStream(socket.get_executor()), socket_(std::move(socket)) {
    send_at_once(socket_);
  }

  void start_receive(asio::mutable_buffer into, asio::cancellation_slot slot, Done done) override {
    socket_.async_read_some(into, asio::bind_cancellation_slot(slot, std::move(done)));
  }
  void start_write(std::vector<asio::const_buffer> from, asio::cancellation_slot slot, Done done) override {
    socket_.async_write_some(from, asio::bind_cancellation_slot(slot, std::move(done)));
  }
  Task<> finish() override { return end(socket_); }
  void close() override {
    error_code ignored;
    socket_.close(ignored);
  }

 private:
  tcp::socket socket_;
};

class TlsStream final : public ByteStream {
 public:
  TlsStream(tcp::socket socket, asio::ssl::context& context)
      : ByteStream(socket.get_executor()), tls_(std::move(socket), context) {
    send_at_once(tls_.next_layer());
  }

  Tls& tls() { return tls_; }

  void start_receive(asio::mutable_buffer into, asio::cancellation_slot slot, Done done) override {
    tls_.async_read_some(into, asio::bind_cancellation_slot(slot, std::move(done)));
  }
  void start_write(std::vector<asio::const_buffer> from, asio::cancellation_slot slot, Done done) override {
    tls_.async_write_some(from, asio::bind_cancellation_slot(slot, std::move(done)));
  }
  Task<> finish() override {
    (void)co_await with_timeout(kGoodbye, end_tls(tls_));
    co_await end(tls_.next_layer());
  }
  void close() override {
    error_code ignored;
    tls_.next_layer().close(ignored);
  }

 private:
  Tls tls_;
};

// A lookup runs on a thread of Asio's that cannot be stopped: whoever is cancelled leaves it behind.
struct Lookup {
  explicit Lookup(const asio::any_io_executor& executor) : resolver(executor), ended(executor) {
    ended.expires_at(asio::steady_timer::time_point::max());
  }

  tcp::resolver resolver;
  asio::steady_timer ended;
  bool has_ended = false;
  error_code error;
  std::vector<tcp::endpoint> endpoints;
};

Task<Result<std::vector<tcp::endpoint>>> look_up(std::string host, int port, std::string place) {
  error_code not_an_address;
  const asio::ip::address address = asio::ip::make_address(host, not_an_address);
  const auto number = static_cast<asio::ip::port_type>(port);
  if (!not_an_address) co_return std::vector{tcp::endpoint(address, number)};

  const auto lookup = std::make_shared<Lookup>(co_await asio::this_coro::executor);
  lookup->resolver.async_resolve(host, std::to_string(port),
                                 [lookup](const error_code& error, const tcp::resolver::results_type& found) {
                                   lookup->has_ended = true;
                                   lookup->error = error;
                                   for (const auto& entry : found) lookup->endpoints.push_back(entry.endpoint());
                                   lookup->ended.cancel();
                                 });
  while (!lookup->has_ended) co_await lookup->ended.async_wait(asio::as_tuple(asio::use_awaitable));
  if (lookup->error || lookup->endpoints.empty()) {
    co_return std::unexpected(Error{ErrorKind::network, fmt::format("the host name in `{}` was not found", place),
                                    "check the host name and this machine's DNS", true});
  }
  co_return std::move(lookup->endpoints);
}

Error failed_handshake(Tls& tls, const std::string& place) {
  const long verified = SSL_get_verify_result(tls.native_handle());
  if (verified == X509_V_OK) {
    return {ErrorKind::network, fmt::format("could not set up TLS with `{}`", place),
            "check that it speaks TLS on this port", true};
  }
  const bool is_other_host = verified == X509_V_ERR_HOSTNAME_MISMATCH || verified == X509_V_ERR_IP_ADDRESS_MISMATCH;
  return {ErrorKind::network,
          fmt::format("the certificate of `{}` is not trusted: {}", place,
                      is_other_host ? "it is for another host" : X509_verify_cert_error_string(verified)),
          "if you trust it, set SSL_CERT_FILE to the file of its certificate authority"};
}

// The name the peer is asked for and the name its certificate must have.
bool expect_host(SSL* ssl, const std::string& host) {
  error_code not_an_address;
  asio::ip::make_address(host, not_an_address);
  X509_VERIFY_PARAM* const expected = SSL_get0_param(ssl);
  if (!not_an_address) return X509_VERIFY_PARAM_set1_ip_asc(expected, host.c_str()) == 1;
  X509_VERIFY_PARAM_set_hostflags(expected, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return X509_VERIFY_PARAM_set1_host(expected, host.data(), host.size()) == 1 &&
         SSL_set_tlsext_host_name(ssl, host.c_str()) == 1;
}

void refuse_old_versions(asio::ssl::context& context) {
  SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
}

}  // namespace

class ServerTls {
 public:
  asio::ssl::context context{asio::ssl::context::tls_server};
};

void ByteStream::start_read(asio::mutable_buffer into, asio::cancellation_slot slot, Done done) {
  if (unread_.empty()) return start_receive(into, slot, std::move(done));
  const std::size_t size = asio::buffer_copy(into, asio::buffer(unread_));
  unread_.erase(0, size);
  asio::post(executor_, [done = std::move(done), size]() mutable { done({}, size); });
}

Task<Result<std::size_t>> ByteStream::read_some(asio::mutable_buffer into) {
  const auto start = [this](auto handler, asio::mutable_buffer buffer) {
    const auto slot = asio::get_associated_cancellation_slot(handler);
    start_read(buffer, slot, std::move(handler));
  };
  const auto [error, size] =
      co_await asio::async_initiate<const asio::as_tuple_t<asio::use_awaitable_t<>>, void(error_code, std::size_t)>(
          start, asio::as_tuple(asio::use_awaitable), into);
  throw_if_aborted(error);
  if (is_end(error)) co_return 0;
  if (error) co_return std::unexpected(broken_connection(error));
  co_return size;
}

Task<Result<>> ByteStream::write_all(std::string_view text) {
  const auto start = [this](auto handler, asio::const_buffer buffer) {
    const auto slot = asio::get_associated_cancellation_slot(handler);
    start_write({buffer}, slot, std::move(handler));
  };
  while (!text.empty()) {
    const asio::const_buffer rest(text.data(), text.size());
    const auto [error, size] =
        co_await asio::async_initiate<const asio::as_tuple_t<asio::use_awaitable_t<>>, void(error_code, std::size_t)>(
            start, asio::as_tuple(asio::use_awaitable), rest);
    throw_if_aborted(error);
    if (error) co_return std::unexpected(broken_connection(error));
    text.remove_prefix(size);
  }
  co_return Result<>();
}

std::unique_ptr<ByteStream> plain_stream(tcp::socket socket) {
  return std::make_unique<PlainStream>(std::move(socket));
}

Result<std::shared_ptr<ServerTls>> make_server_tls(const std::string& certificate, const Secret& key) {
  auto tls = std::make_shared<ServerTls>();
  refuse_old_versions(tls->context);
  error_code error;
  tls->context.use_certificate_chain(asio::buffer(certificate), error);
  if (error) return fail(ErrorKind::not_configured, "the server's certificate is not a certificate in PEM format");
  tls->context.use_private_key(asio::buffer(key.reveal()), asio::ssl::context::pem, error);
  if (error) return fail(ErrorKind::not_configured, "the server's key is not in PEM format or not of its certificate");
  return tls;
}

Task<Result<std::unique_ptr<ByteStream>>> accept_tls(tcp::socket socket, std::shared_ptr<ServerTls> tls) {
  auto stream = std::make_unique<TlsStream>(std::move(socket), tls->context);
  const auto [error] = co_await stream->tls().async_handshake(Tls::server, asio::as_tuple(asio::use_awaitable));
  throw_if_aborted(error);
  if (error) co_return fail(ErrorKind::network, "could not set up TLS with the peer");
  co_return std::unique_ptr<ByteStream>(std::move(stream));
}

Task<Result<std::unique_ptr<ByteStream>>> connect_tls(tcp::socket socket, std::string host, std::string place,
                                                      std::string ca_file) {
  asio::ssl::context context(asio::ssl::context::tls_client);
  refuse_old_versions(context);
  context.set_verify_mode(asio::ssl::verify_peer);
  error_code error;
  if (ca_file.empty()) {
    context.set_default_verify_paths(error);
  } else {
    context.load_verify_file(ca_file, error);
  }
  if (error) co_return fail(ErrorKind::not_configured, "cannot read the CA certificate file", "check SSL_CERT_FILE");

  auto stream = std::make_unique<TlsStream>(std::move(socket), context);
  if (!expect_host(stream->tls().native_handle(), host)) {
    co_return fail(ErrorKind::invalid_input, fmt::format("the host name in `{}` is not valid for TLS", place));
  }
  const auto [failed] = co_await stream->tls().async_handshake(Tls::client, asio::as_tuple(asio::use_awaitable));
  throw_if_aborted(failed);
  if (failed) co_return std::unexpected(failed_handshake(stream->tls(), place));
  co_return std::unique_ptr<ByteStream>(std::move(stream));
}

Task<Result<tcp::socket>> connect_tcp(std::string host, int port, std::string place) {
  CO_TRY(const std::vector<tcp::endpoint> endpoints, co_await look_up(std::move(host), port, place));
  tcp::socket socket(co_await asio::this_coro::executor);
  const auto [error, endpoint] = co_await asio::async_connect(socket, endpoints, asio::as_tuple(asio::use_awaitable));
  throw_if_aborted(error);
  if (error) {
    co_return std::unexpected(Error{ErrorKind::network, fmt::format("cannot connect to `{}`", place),
                                    "check that it runs and can be reached from here", true});
  }
  co_return socket;
}

}  // namespace deputy::net
