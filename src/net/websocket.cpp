// The one unit that compiles Beast's WebSocket. Two tasks a connection do all I/O, one reads, one writes; what callers
// await are only queues between, so cancelling a caller never leaves a frame half read or half written.
#include "net/websocket.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <deque>

#include "base/clock.h"
#include "base/text.h"
#include "net/client.h"
#include "net/websocket_session.h"

namespace deputy::net {

namespace {

namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;

constexpr std::size_t kMaxControl = 125;  // bytes of a control frame

// What Beast takes for a socket: one type, whatever the stream is, so that it is compiled once.
class Wire {
 public:
  using executor_type = asio::any_io_executor;

  explicit Wire(std::unique_ptr<ByteStream> bytes) : stream(std::move(bytes)) {}
  executor_type get_executor() const noexcept { return stream->executor(); }

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    const auto start = [bytes = stream.get()](auto handler, asio::mutable_buffer into) {
      const auto slot = asio::get_associated_cancellation_slot(handler);
      bytes->start_read(into, slot, std::move(handler));
    };
    return asio::async_initiate<Token, void(error_code, std::size_t)>(start, token, first_of(buffers));
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    const auto start = [bytes = stream.get()](auto handler, std::vector<asio::const_buffer> from) {
      const auto slot = asio::get_associated_cancellation_slot(handler);
      bytes->start_write(std::move(from), slot, std::move(handler));
    };
    std::vector<asio::const_buffer> from(asio::buffer_sequence_begin(buffers), asio::buffer_sequence_end(buffers));
    return asio::async_initiate<Token, void(error_code, std::size_t)>(start, token, std::move(from));
  }

  friend void beast_close_socket(Wire& wire) { wire.stream->close(); }

  template <class Handler>
  friend void async_teardown(beast::role_type, Wire& wire, Handler&& handler) {
    const auto slot = asio::get_associated_cancellation_slot(handler);
    auto on_end = [handler = std::forward<Handler>(handler)](const std::exception_ptr&) mutable {
      handler(error_code());
    };
    asio::co_spawn(wire.get_executor(), wire.stream->finish(), asio::bind_cancellation_slot(slot, std::move(on_end)));
  }

  std::unique_ptr<ByteStream> stream;

 private:
  template <class Buffers>
  static asio::mutable_buffer first_of(const Buffers& buffers) {
    auto buffer = asio::buffer_sequence_begin(buffers);
    while (buffer != asio::buffer_sequence_end(buffers) && asio::mutable_buffer(*buffer).size() == 0) ++buffer;
    return buffer == asio::buffer_sequence_end(buffers) ? asio::mutable_buffer() : asio::mutable_buffer(*buffer);
  }
};

// Something that a task waits for and another one wakes it for; who wakes looks again.
class Event {
 public:
  explicit Event(const asio::any_io_executor& executor) : timer_(executor, asio::steady_timer::time_point::max()) {}

  void wake() { timer_.cancel(); }
  Task<> wait() { co_await timer_.async_wait(asio::as_tuple(asio::use_awaitable)); }

 private:
  asio::steady_timer timer_;
};

struct Outgoing {
  enum class Kind { text, binary, ping, close };

  Outgoing(const asio::any_io_executor& executor, Kind which, std::string what, std::uint16_t why = 0)
      : kind(which), bytes(std::move(what)), code(why), ended(executor) {}

  void end(Result<> how) {
    if (result) return;
    // A close has done its work whatever ended the connection.
    result = kind == Kind::close ? Result<>() : std::move(how);
    ended.wake();
  }

  Kind kind;
  std::string bytes;
  std::uint16_t code;
  std::optional<Result<>> result;
  Event ended;
};

Error closed_error() { return {ErrorKind::network, "the WebSocket is closed", {}, true}; }

bool is_too_big(const error_code& error) {
  return error == beast::websocket::error::message_too_big || error == beast::websocket::error::buffer_overflow;
}

Error refused_handshake(int status, const std::string& place) {
  Error error{ErrorKind::upstream, fmt::format("`{}` refused the WebSocket with status {}", place, status)};
  if (status == 401) error.kind = ErrorKind::authentication;
  if (status == 403) error.kind = ErrorKind::permission;
  if (status == 429) error.kind = ErrorKind::rate_limit;
  error.retryable = status == 429 || status >= 500;
  return error;
}

}  // namespace

class WebSocket::Session : public std::enable_shared_from_this<Session> {
 public:
  using Self = std::shared_ptr<Session>;

  Session(std::unique_ptr<ByteStream> stream, WebSocketOptions options)
      : options_(std::move(options)),
        executor_(stream->executor()),
        ws_(std::move(stream)),
        arrived_(executor_),
        has_room_(executor_),
        queued_(executor_) {
    ws_.read_message_max(options_.max_message);
    ws_.set_option({beast::websocket::stream_base::none(), options_.idle, true});
  }

  auto& ws() { return ws_; }
  ByteStream& stream() { return *ws_.next_layer().stream; }

  void start() {
    spawn(executor_, "WebSocket reader", read_on(shared_from_this()));
    spawn(executor_, "WebSocket writer", write_on(shared_from_this()));
  }

  void end(Error error) {
    if (ended_) return;
    const Error& why = ended_.emplace(std::move(error));
    stream().close();
    for (const auto& item : outgoing_) item->end(std::unexpected(why));
    outgoing_.clear();
    arrived_.wake();
    has_room_.wake();
    queued_.wake();
  }

  const std::optional<WebSocketClose>& closed_by_peer() const { return closed_by_peer_; }

  static Task<Result<WebSocketMessage>> read(Self self) {
    while (self->received_.empty()) {
      if (const auto& ended = self->ended_) co_return std::unexpected(*ended);
      co_await self->arrived_.wait();
    }
    WebSocketMessage message = std::move(self->received_.front());
    self->received_.pop_front();
    self->unread_bytes_ -= message.bytes.size();
    self->has_room_.wake();
    co_return message;
  }

  static Task<Result<>> write(Self self, Outgoing::Kind kind, std::string bytes, std::uint16_t code = 0) {
    CO_TRY(self->allow(kind, bytes));
    const bool closes = kind == Outgoing::Kind::close;
    if (closes && self->ended_) co_return Result<>();
    self->closing_ = self->closing_ || closes;
    const auto item = std::make_shared<Outgoing>(self->executor_, kind, std::move(bytes), code);
    self->unsent_bytes_ += item->bytes.size();
    self->outgoing_.push_back(item);
    self->queued_.wake();
    const Withdraw withdraw{*self, item};
    while (!item->result) co_await item->ended.wait();
    co_return item->result.value_or(Result<>());
  }

 private:
  // Takes an item that nobody waits for any more out of the queue; a close stays, for writes were refused because of
  // it.
  struct Withdraw {
    ~Withdraw() {
      if (!item->result && item->kind != Outgoing::Kind::close) session.withdraw(item);
    }
    Session& session;
    const std::shared_ptr<Outgoing>& item;
  };

  void withdraw(const std::shared_ptr<Outgoing>& item) {
    if (std::erase(outgoing_, item) > 0) unsent_bytes_ -= item->bytes.size();
  }

  Result<> allow(Outgoing::Kind kind, const std::string& bytes) const {
    using enum Outgoing::Kind;
    const bool is_text = kind == text || kind == close;
    if (is_text && !is_valid_utf8(bytes)) {
      return fail(ErrorKind::invalid_input, "the text to send over the WebSocket is not valid UTF-8");
    }
    if ((kind == ping && bytes.size() > kMaxControl) || (kind == close && bytes.size() > kMaxControl - 2)) {
      return fail(ErrorKind::invalid_input, "the text of a ping or close is too long");
    }
    if (kind == close) return {};
    if (ended_) return std::unexpected(*ended_);
    if (closing_) return std::unexpected(closed_error());
    if (outgoing_.size() >= options_.max_unsent || unsent_bytes_ + bytes.size() > options_.max_unsent_bytes) {
      return std::unexpected(
          Error{ErrorKind::rate_limit, "too many messages wait to be sent over the WebSocket", {}, true});
    }
    return {};
  }

  bool is_full() const { return received_.size() >= options_.max_unread || unread_bytes_ >= options_.max_message; }

  static Task<> read_on(Self self) {
    for (;;) {
      while (self->is_full() && !self->ended_) co_await self->has_room_.wait();
      if (self->ended_) co_return;
      WebSocketMessage message;
      auto buffer = asio::dynamic_buffer(message.bytes);
      const auto [error, size] = co_await self->ws_.async_read(buffer, asio::as_tuple(asio::use_awaitable));
      if (error) {
        self->note_close(error);
        self->end(self->why_ended(error));
        co_return;
      }
      message.kind = self->ws_.got_text() ? WebSocketMessage::Kind::text : WebSocketMessage::Kind::binary;
      self->unread_bytes_ += message.bytes.size();
      self->received_.push_back(std::move(message));
      self->arrived_.wake();
    }
  }

  static Task<> write_on(Self self) {
    for (;;) {
      while (self->outgoing_.empty() && !self->ended_) co_await self->queued_.wait();
      if (self->ended_) co_return;
      const std::shared_ptr<Outgoing> item = self->outgoing_.front();
      self->outgoing_.pop_front();
      const bool closes = item->kind == Outgoing::Kind::close;
      const auto limit = closes ? self->options_.close : self->options_.write;
      // A cancellation is lost between two parts of a large message; what is closed stays closed.
      asio::steady_timer timer(self->executor_, limit);
      timer.async_wait([self, item, limit, closes](const error_code& cancelled) {
        if (cancelled || item->result) return;
        const std::string time = format_duration(limit);
        self->end(
            closes
                ? closed_error()
                : Error{ErrorKind::timeout, fmt::format("the peer did not take a message within {}", time), {}, true});
      });
      Result<> sent = co_await send(self, item);
      timer.cancel();
      self->unsent_bytes_ -= item->bytes.size();
      if (closes) sent = std::unexpected(closed_error());
      if (!sent) self->end(sent.error());
      item->end(sent ? Result<>() : std::unexpected(self->ended_.value_or(sent.error())));
    }
  }

  static Task<Result<>> send(Self self, std::shared_ptr<Outgoing> item) {
    error_code error;
    switch (item->kind) {
      case Outgoing::Kind::text:
      case Outgoing::Kind::binary:
        self->ws_.text(item->kind == Outgoing::Kind::text);
        std::tie(error, std::ignore) =
            co_await self->ws_.async_write(asio::buffer(item->bytes), asio::as_tuple(asio::use_awaitable));
        break;
      case Outgoing::Kind::ping: {
        const beast::websocket::ping_data payload(item->bytes.data(), item->bytes.size());
        std::tie(error) = co_await self->ws_.async_ping(payload, asio::as_tuple(asio::use_awaitable));
        break;
      }
      case Outgoing::Kind::close: {
        beast::websocket::close_reason reason(item->code);
        reason.reason.assign(item->bytes.data(), item->bytes.size());
        std::tie(error) = co_await self->ws_.async_close(reason, asio::as_tuple(asio::use_awaitable));
        break;
      }
    }
    if (error) co_return std::unexpected(self->why_ended(error));
    co_return Result<>();
  }

  void note_close(const error_code& error) {
    if (error != beast::websocket::error::closed) return;
    const auto& reason = ws_.reason();
    closed_by_peer_ = WebSocketClose{reason.code == 0 ? std::uint16_t{1005} : std::uint16_t{reason.code},
                                     std::string(reason.reason.data(), reason.reason.size())};
  }

  Error why_ended(const error_code& error) const {
    if (closing_ || error == asio::error::operation_aborted) return closed_error();
    if (error == beast::websocket::error::closed) {
      return {ErrorKind::network, fmt::format("the peer closed the WebSocket ({})", ws_.reason().code), {}, true};
    }
    if (error == beast::error::timeout) {
      return {ErrorKind::timeout, fmt::format("the peer was silent for {}", format_duration(options_.idle)), {}, true};
    }
    if (is_too_big(error)) {
      return {ErrorKind::upstream, fmt::format("the peer sent a message of over {} bytes", options_.max_message)};
    }
    if (error == beast::websocket::error::bad_frame_payload) {
      return {ErrorKind::upstream, "the peer sent text that is not valid UTF-8"};
    }
    if (error == beast::websocket::condition::protocol_violation) {
      return {ErrorKind::upstream, fmt::format("the peer broke the WebSocket protocol: {}", error.message())};
    }
    return {ErrorKind::network, fmt::format("the WebSocket's connection broke: {}", error.message()), {}, true};
  }

  WebSocketOptions options_;
  asio::any_io_executor executor_;
  beast::websocket::stream<Wire, false> ws_;
  Event arrived_;   // a message, or the end
  Event has_room_;  // received_ has
  Event queued_;    // something in outgoing_
  std::deque<WebSocketMessage> received_;
  std::deque<std::shared_ptr<Outgoing>> outgoing_;
  std::size_t unread_bytes_ = 0;
  std::size_t unsent_bytes_ = 0;
  bool closing_ = false;
  std::optional<Error> ended_;
  std::optional<WebSocketClose> closed_by_peer_;
};

namespace {

using Connected = Result<std::shared_ptr<WebSocket>>;

std::shared_ptr<WebSocket> started(const std::shared_ptr<WebSocket::Session>& session) {
  session->start();
  return std::make_shared<WebSocket>(session);
}

// parse_url knows the two schemes of HTTP; these have the same shape.
Result<Url> parse_websocket_url(std::string_view text) {
  const std::string scheme = to_lower(text.substr(0, text.find(':')));
  if (scheme != "ws" && scheme != "wss") {
    return fail(ErrorKind::invalid_input, "the URL of a WebSocket begins with ws:// or wss://");
  }
  return parse_url((scheme == "ws" ? "http" : "https") + std::string(text.substr(scheme.size())));
}

std::string host_header(const Url& url) {
  const std::string_view usual = url.scheme == "https" ? ":443" : ":80";
  std::string place = url.place();
  if (place.ends_with(usual)) place.resize(place.size() - usual.size());
  return place;
}

std::string target_of(const Url& url) {
  const std::size_t host = url.text.find("://") + 3;
  const std::size_t path = url.text.find_first_of("/?", host);
  if (path == std::string::npos) return "/";
  return url.text[path] == '/' ? url.text.substr(path) : "/" + url.text.substr(path);
}

Task<Connected> connect_to(Url url, std::vector<Header> headers, WebSocketOptions options) {
  const std::string place = url.place();
  CO_TRY(asio::ip::tcp::socket socket, co_await connect_tcp(url.host, url.port, place));
  std::unique_ptr<ByteStream> stream;
  if (url.scheme == "https") {
    CO_TRY(stream, co_await connect_tls(std::move(socket), url.host, place, options.ca_file));
  } else {
    stream = plain_stream(std::move(socket));
  }
  const auto session = std::make_shared<WebSocket::Session>(std::move(stream), std::move(options));
  const auto add_headers = [&headers](beast::websocket::request_type& request) {
    request.set(http::field::user_agent, "deputy");
    for (const Header& header : headers) request.set(header.name, header.value);
  };
  session->ws().set_option(beast::websocket::stream_base::decorator(add_headers));
  beast::websocket::response_type response;
  const std::string host = host_header(url);
  const std::string target = target_of(url);
  const auto [error] =
      co_await session->ws().async_handshake(response, host, target, asio::as_tuple(asio::use_awaitable));
  if (error == asio::error::operation_aborted) throw boost::system::system_error(error);
  if (error == beast::websocket::error::upgrade_declined) {
    co_return std::unexpected(refused_handshake(static_cast<int>(response.result_int()), place));
  }
  if (error.category() == make_error_code(beast::websocket::error::closed).category() ||
      error.category() == make_error_code(http::error::end_of_stream).category()) {
    co_return fail(ErrorKind::upstream, fmt::format("`{}` did not answer as a WebSocket does", place));
  }
  if (error) {
    co_return std::unexpected(
        Error{ErrorKind::network, fmt::format("`{}` closed the connection during the handshake", place), {}, true});
  }
  co_return started(session);
}

}  // namespace

Task<Connected> accept_websocket(std::unique_ptr<ByteStream> stream, ServerRequest request, WebSocketOptions options) {
  const auto session = std::make_shared<WebSocket::Session>(std::move(stream), std::move(options));
  http::request<http::empty_body> head(http::string_to_verb(request.method), request.path, 11);
  for (const Header& header : request.headers) head.insert(header.name, header.value);
  const auto [error] = co_await session->ws().async_accept(head, asio::as_tuple(asio::use_awaitable));
  if (error == asio::error::operation_aborted) throw boost::system::system_error(error);
  if (error) {
    co_await session->stream().finish();
    co_return fail(ErrorKind::invalid_input, "the request is not a valid WebSocket handshake");
  }
  co_return started(session);
}

Task<Connected> WebSocket::connect(std::string url, std::vector<Header> headers, WebSocketOptions options) {
  CO_TRY(Url parsed, parse_websocket_url(url));
  CO_TRY(check_request({.url = {}, .headers = headers}));
  const std::string place = parsed.place();
  const auto limit = options.connect;
  Connected connected =
      co_await with_timeout(limit, connect_to(std::move(parsed), std::move(headers), std::move(options)));
  if (!connected && connected.error().kind == ErrorKind::timeout) {
    connected.error().message = fmt::format("connecting to `{}` {}", place, connected.error().message);
  }
  co_return connected;
}

WebSocket::WebSocket(std::shared_ptr<Session> session) : session_(std::move(session)) {}

WebSocket::~WebSocket() { cut(); }

void WebSocket::cut() { session_->end(closed_error()); }

Task<Result<WebSocketMessage>> WebSocket::read() { return Session::read(session_); }

Task<Result<>> WebSocket::write(WebSocketMessage message) {
  const bool is_text = message.kind == WebSocketMessage::Kind::text;
  return Session::write(session_, is_text ? Outgoing::Kind::text : Outgoing::Kind::binary, std::move(message.bytes));
}

Task<Result<>> WebSocket::ping(std::string payload) {
  return Session::write(session_, Outgoing::Kind::ping, std::move(payload));
}

Task<Result<>> WebSocket::close(std::uint16_t code, std::string reason) {
  return Session::write(session_, Outgoing::Kind::close, std::move(reason), code);
}

std::optional<WebSocketClose> WebSocket::closed_by_peer() const { return session_->closed_by_peer(); }

}  // namespace deputy::net
