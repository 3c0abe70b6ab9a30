#include "net/server.h"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <set>

#include "base/log.h"
#include "net/byte_stream.h"
#include "net/client.h"
#include "net/http_request.h"
#include "net/websocket_session.h"

namespace deputy::net {

using asio::ip::tcp;
using boost::system::error_code;

namespace {

/// A connection and where it stands.
struct Peer {
  Peer(const asio::any_io_executor& executor, std::string from, const ServerLimits& limits)
      : address(std::move(from)), reader(limits), cancel(executor) {}

  std::string address;
  std::unique_ptr<ByteStream> stream;
  RequestReader reader;
  Cancel cancel;
  bool is_idle = false;
  std::weak_ptr<WebSocket> websocket;
};

// The end of a request that was not answered: with a response that says why, or without a word.
using ReadOutcome = std::expected<std::optional<ReadRequest>, Refusal>;

constexpr std::size_t kReadSize = 8192;

Task<Result<std::size_t>> read_more(Peer& peer) {
  std::string bytes(kReadSize, '\0');
  CO_TRY(const std::size_t size, co_await peer.stream->read_some(asio::buffer(bytes)));
  peer.reader.add(std::string_view(bytes).substr(0, size));
  co_return size;
}

// Waits for the first byte of a request; false when the peer has ended.
Task<Result<bool>> wait_for_request(Peer& peer) {
  while (peer.reader.is_between_requests()) {
    CO_TRY(const std::size_t size, co_await read_more(peer));
    if (size == 0) co_return false;
  }
  co_return true;
}

Task<Result<ReadOutcome>> read_whole(Peer& peer) {
  for (;;) {
    ReadOutcome next = peer.reader.next();
    if (!next || *next) co_return next;
    if (peer.reader.take_wish_to_continue()) {
      CO_TRY(co_await peer.stream->write_all("HTTP/1.1 100 Continue\r\n\r\n"));
    }
    CO_TRY(const std::size_t size, co_await read_more(peer));
    if (size == 0 && peer.reader.is_between_requests()) co_return ReadOutcome();
    if (size == 0) co_return ReadOutcome(std::unexpected(Refusal{400, "the request ended too early"}));
  }
}

Response plain_text(int status, std::string_view text) {
  return {status, {{"Content-Type", "text/plain; charset=utf-8"}}, std::string(text) + "\n"};
}

class Chunks final : public BodyWriter {
 public:
  Chunks(ByteStream& stream, BodyForm form, std::chrono::milliseconds limit)
      : stream_(stream), form_(form), limit_(limit) {}

  Task<Result<>> write(std::string text) override {
    CO_TRY(allow());
    if (text.empty()) co_return Result<>();
    if (form_ == BodyForm::chunked) text = chunk(text);
    Result<> written = co_await with_timeout(limit_, stream_.write_all(text));
    if (!written) failed_ = written.error();
    co_return written;
  }

  bool has_failed() const { return failed_.has_value(); }

 private:
  Result<> allow() const {
    if (failed_) return std::unexpected(*failed_);
    return {};
  }

  ByteStream& stream_;
  BodyForm form_;
  std::chrono::milliseconds limit_;
  std::optional<Error> failed_;
};

Result<tcp::endpoint> endpoint_of(const std::string& host, int port) {
  error_code error;
  const auto address = asio::ip::make_address(host == "localhost" ? "127.0.0.1" : host, error);
  if (error) {
    return fail(ErrorKind::not_configured, fmt::format("`{}` is not an address to listen on", host),
                "write an address of this machine, such as 127.0.0.1 or 0.0.0.0");
  }
  if (port < 0 || port > 65'535) return fail(ErrorKind::not_configured, fmt::format("there is no port {}", port));
  return tcp::endpoint(address, static_cast<asio::ip::port_type>(port));
}

// What an answer must not have: a status that is none, and headers that are the server's to set or end a line early.
Result<> check_answer(const Answer& answer) {
  const auto check = [](int status, const std::vector<Header>& headers) -> Result<> {
    if (status < 200 || status > 599) return fail(ErrorKind::internal, fmt::format("{} is not a status", status));
    return check_request({.url = {}, .headers = headers});
  };
  if (const auto* response = std::get_if<Response>(&answer)) return check(response->status, response->headers);
  if (const auto* streamed = std::get_if<StreamedResponse>(&answer)) return check(streamed->status, streamed->headers);
  return {};
}

// Runs what belongs to the handler and returns its exception in words; a cancellation of ours goes on as an exception.
Task<std::optional<std::string>> failure_of(Task<> task) {
  std::exception_ptr thrown;
  try {
    co_await std::move(task);
  } catch (...) {
    thrown = std::current_exception();
  }
  if (!thrown) co_return std::nullopt;
  const auto cancelled = (co_await asio::this_coro::cancellation_state).cancelled();
  if (cancelled != asio::cancellation_type::none) std::rethrow_exception(thrown);
  co_return what_of(thrown);
}

Task<> call(const RequestHandler& handler, ServerRequest request, Answer& answer) {
  answer = co_await handler(std::move(request));
}

void log_failure(const ReadRequest& read, std::string_view what) {
  log::error("a request failed", {{"method", read.request.method}, {"path", read.request.path}, {"what", what}});
}

Task<> say_goodbye(std::shared_ptr<WebSocket> websocket) { co_await websocket->close(1001, "the server stops"); }

// Whoever else holds a socket, it ends with the function that serves it.
struct CutAtEnd {
  ~CutAtEnd() { websocket.cut(); }
  WebSocket& websocket;
};

}  // namespace

struct Server::State : std::enable_shared_from_this<State> {
  State(const asio::any_io_executor& on, ServerLimits most, RequestHandler handle)
      : executor(on), limits(most), handler(std::move(handle)), acceptor(on), ended(on) {
    ended.expires_at(asio::steady_timer::time_point::max());
  }

  static Task<> accept_on(std::shared_ptr<State> self);
  void take(tcp::socket socket);
  void cancel_all();
  void stop_receiving();

  // Reads, answers and goes on until either side ends it.
  Task<> serve(std::shared_ptr<Peer> peer, tcp::socket socket);
  Task<Connection> serve_one(Peer& peer, ReadRequest read);
  Task<Connection> send(Peer& peer, const ReadRequest& read, Response response);
  Task<Connection> send_streamed(Peer& peer, const ReadRequest& read, StreamedResponse response);
  Task<> serve_websocket(Peer& peer, ReadRequest read, TakeWebSocket take);
  static Task<Result<>> all_ended(std::shared_ptr<State> self);

  asio::any_io_executor executor;
  ServerLimits limits;
  RequestHandler handler;
  std::shared_ptr<ServerTls> tls;
  tcp::acceptor acceptor;
  int port = 0;
  std::set<std::shared_ptr<Peer>> peers;
  asio::steady_timer ended;  // wakes who waits for the last peer to end
  bool is_full = false;
  bool is_stopping = false;
};

Task<> Server::State::accept_on(std::shared_ptr<State> self) {
  while (!self->is_stopping) {
    auto [error, socket] = co_await self->acceptor.async_accept(asio::as_tuple(asio::use_awaitable));
    if (self->is_stopping) co_return;
    if (!error) {
      self->take(std::move(socket));
      continue;
    }
    // Such as too many open files: the next try would fail at once too.
    log::warning("the server could not take a connection", {{"why", error.message()}});
    co_await sleep_for(std::chrono::milliseconds(100));
  }
}

void Server::State::take(tcp::socket socket) {
  if (peers.size() >= limits.connections) {
    if (!std::exchange(is_full, true)) log::warning("the server is full", {{"connections", peers.size()}});
    return;
  }
  is_full = false;
  error_code error;
  const auto from = socket.remote_endpoint(error);
  if (error) return;  // it has left
  const auto peer = std::make_shared<Peer>(executor, from.address().to_string(), limits);
  peers.insert(peer);
  auto on_end = [self = shared_from_this(), peer](const std::exception_ptr& thrown) {
    if (thrown && !is_cancellation(thrown)) log::error("a connection failed", {{"what", what_of(thrown)}});
    self->peers.erase(peer);
    if (self->peers.empty()) self->ended.cancel();
  };
  asio::co_spawn(executor, serve(peer, std::move(socket)),
                 asio::bind_cancellation_slot(peer->cancel.slot(), std::move(on_end)));
}

void Server::State::cancel_all() {
  for (const auto& peer : std::set(peers)) peer->cancel.emit();
}

void Server::State::stop_receiving() {
  is_stopping = true;
  error_code ignored;
  acceptor.close(ignored);
  for (const auto& peer : std::set(peers)) {
    if (peer->is_idle) peer->cancel.emit();
  }
}

Task<> Server::State::serve(std::shared_ptr<Peer> peer, tcp::socket socket) {
  peer->is_idle = true;
  if (tls) {
    auto secured = co_await with_timeout(limits.whole_request, accept_tls(std::move(socket), tls));
    if (!secured) co_return;
    peer->stream = *std::move(secured);
  } else {
    peer->stream = plain_stream(std::move(socket));
  }
  Connection next = Connection::keep;
  while (next == Connection::keep && !is_stopping) {
    peer->is_idle = true;
    const auto has_more = co_await with_timeout(limits.idle, wait_for_request(*peer));
    peer->is_idle = false;
    if (!has_more || !*has_more) break;

    Result<ReadOutcome> read = co_await with_timeout(limits.whole_request, read_whole(*peer));
    if (!read && read.error().kind != ErrorKind::timeout) co_return;
    ReadOutcome outcome =
        read ? *std::move(read) : ReadOutcome(std::unexpected(Refusal{408, "the request took too long to arrive"}));
    if (!outcome) {
      ReadRequest refused;
      co_await send(*peer, refused, plain_text(outcome.error().status, outcome.error().why));
      break;
    }
    std::optional<ReadRequest> request = *std::move(outcome);
    if (!request) break;
    next = co_await serve_one(*peer, *std::move(request));
    if (!peer->stream) co_return;  // it became a WebSocket and has ended
  }
  co_await peer->stream->finish();
}

Task<Connection> Server::State::serve_one(Peer& peer, ReadRequest read) {
  ServerRequest request = read.request;
  request.peer = peer.address;
  read.request.body.clear();
  Answer answer;
  std::optional<std::string> failure = co_await failure_of(call(handler, std::move(request), answer));
  if (const Result<> checked = check_answer(answer); !failure && !checked) failure = checked.error().message;
  if (failure) {
    log_failure(read, *failure);
    answer = plain_text(500, "the server failed to answer this request");
  }
  if (is_stopping) read.connection = Connection::close;
  if (auto* response = std::get_if<Response>(&answer)) co_return co_await send(peer, read, std::move(*response));
  if (auto* streamed = std::get_if<StreamedResponse>(&answer)) {
    co_return co_await send_streamed(peer, read, std::move(*streamed));
  }
  co_await serve_websocket(peer, std::move(read), std::get<TakeWebSocket>(std::move(answer)));
  co_return Connection::close;
}

Task<Connection> Server::State::send(Peer& peer, const ReadRequest& read, Response response) {
  const BodyForm form = is_without_body(response.status) ? BodyForm::none : BodyForm::whole;
  std::string bytes = response_head(response.status, response.headers, form, response.body.size(), read.connection);
  if (form == BodyForm::whole && read.request.method != "HEAD") bytes += response.body;
  const Result<> sent = co_await with_timeout(limits.take_response, peer.stream->write_all(bytes));
  if (!sent) peer.stream->close();
  co_return sent ? read.connection : Connection::close;
}

Task<Connection> Server::State::send_streamed(Peer& peer, const ReadRequest& read, StreamedResponse response) {
  const BodyForm form = is_without_body(response.status) ? BodyForm::none
                        : read.version == 11             ? BodyForm::chunked
                                                         : BodyForm::to_end;
  const std::string head = response_head(response.status, response.headers, form, 0, read.connection);
  Result<> sent = co_await with_timeout(limits.take_response, peer.stream->write_all(head));
  if (sent && form != BodyForm::none && read.request.method != "HEAD") {
    Chunks chunks(*peer.stream, form, limits.take_response);
    const std::optional<std::string> failure = co_await failure_of(response.body(chunks));
    if (failure) log_failure(read, *failure);
    if (failure || chunks.has_failed()) sent = fail(ErrorKind::network, "the response was not sent whole");
    if (sent && form == BodyForm::chunked) {
      sent = co_await with_timeout(limits.take_response, peer.stream->write_all(kLastChunk));
    }
  }
  if (!sent) peer.stream->close();
  co_return sent ? read.connection : Connection::close;
}

Task<> Server::State::serve_websocket(Peer& peer, ReadRequest read, TakeWebSocket take) {
  peer.stream->unread(peer.reader.take_rest());
  const auto accepted = co_await with_timeout(
      limits.whole_request, accept_websocket(std::move(peer.stream), read.request, std::move(take.options)));
  if (!accepted) co_return;
  const std::shared_ptr<WebSocket>& websocket = *accepted;
  peer.websocket = websocket;
  const CutAtEnd cut{*websocket};
  const std::optional<std::string> failure = co_await failure_of(take.serve(websocket));
  if (failure) log_failure(read, *failure);
  co_await websocket->close(failure ? 1011 : 1000);
}

Server::Server(std::shared_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<Server>> Server::listen(const asio::any_io_executor& executor, ServerOptions options,
                                               RequestHandler handler) {
  TRY(const tcp::endpoint endpoint, endpoint_of(options.host, options.port));
  auto state = std::make_shared<State>(executor, options.limits, std::move(handler));
  if (!options.certificate.empty()) {
    TRY(state->tls, make_server_tls(options.certificate, options.key));
  }
  error_code error;
  state->acceptor.open(endpoint.protocol(), error);
  if (!error) state->acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  if (!error) state->acceptor.bind(endpoint, error);
  if (!error) state->acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    return fail(ErrorKind::not_configured,
                fmt::format("cannot listen on {}:{}: {}", options.host, options.port, error.message()),
                "choose another port, or stop the program that uses it");
  }
  state->port = state->acceptor.local_endpoint().port();
  spawn(state->executor, "HTTP server", State::accept_on(state));
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

Server::~Server() {
  state_->stop_receiving();
  state_->cancel_all();
}

int Server::port() const { return state_->port; }

std::size_t Server::connections() const { return state_->peers.size(); }

Task<Result<>> Server::State::all_ended(std::shared_ptr<State> self) {
  while (!self->peers.empty()) co_await self->ended.async_wait(asio::as_tuple(asio::use_awaitable));
  co_return Result<>();
}

Task<> Server::stop(std::chrono::milliseconds grace) {
  const std::shared_ptr<State> state = state_;
  state->stop_receiving();
  for (const auto& peer : state->peers) {
    if (auto websocket = peer->websocket.lock()) {
      spawn(state->executor, "WebSocket goodbye", say_goodbye(std::move(websocket)));
    }
  }
  const Result<> in_time = co_await with_timeout(grace, State::all_ended(state));
  if (in_time) co_return;
  log::warning("the server cancels requests that did not end in time", {{"connections", state->peers.size()}});
  state->cancel_all();
  co_await State::all_ended(state);
}

}  // namespace deputy::net
