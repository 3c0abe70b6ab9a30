#include "channel/slack/socket_mode.h"

#include <algorithm>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/steady_timer.hpp>

#include "base/log.h"
#include "clients/slack/calls.h"

namespace deputy::channel::slack {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds kMaxHello{10'000};
constexpr milliseconds kAfterTooMany{30'000};
constexpr milliseconds kWhileDisabled{60'000};
constexpr milliseconds kGrace{3'000};  // for receipts that are on their way when a socket is replaced
constexpr milliseconds kIdlePoll{5'000};
constexpr int kQuickRetries = 2;  // one for each socket: both may end by one cut
constexpr int kUntilAlone = 5;    // some servers keep one socket for an app
constexpr std::chrono::minutes kAlone{10};

bool is_final(const Error& error) {
  return error.kind == ErrorKind::authentication || error.kind == ErrorKind::permission ||
         error.kind == ErrorKind::not_configured;
}

Result<json::object> frame_of(const net::WebSocketMessage& message) {
  if (message.kind != net::WebSocketMessage::Kind::text)
    return fail(ErrorKind::upstream, "Slack sent a frame that is not text");
  return parse_json_object(message.bytes);
}

using Moment = std::chrono::steady_clock::time_point;
Moment steady_now() { return std::chrono::steady_clock::now(); }

/// `leaving`: Slack wants it replaced.
struct Socket {
  std::shared_ptr<net::WebSocket> stream;
  Moment since = steady_now();
  bool leaving = false;
};

/// After the nth failure in a row.
milliseconds pause_after(int failures, const SocketOptions& options) {
  if (failures <= 0) return milliseconds(0);
  return std::min(options.first_pause * (1 << std::min(failures - 1, 10)), options.longest_pause);
}

}  // namespace

/// Shared with the tasks of the sockets, which may end later than `run`.
struct SocketMode::State {
  using Shared = std::shared_ptr<State>;

  State(const asio::any_io_executor& executor, const Clock& the_clock, Handler the_handler, SocketOptions the_options)
      : loop(executor),
        changed(executor),
        clock(the_clock),
        handler(std::move(the_handler)),
        options(std::move(the_options)) {}

  std::size_t staying() const {
    return static_cast<std::size_t>(std::ranges::count_if(sockets, [](const auto& one) { return !one->leaving; }));
  }

  bool has_enough() const { return staying() >= (steady_now() < alone_until ? 1 : options.sockets); }
  bool is_settled(const Socket& socket) const { return steady_now() - socket.since >= options.settled; }

  void forget_failures() {
    if (has_enough() && std::ranges::all_of(sockets, [&](const auto& one) { return is_settled(*one); })) failures = 0;
  }

  void count_end_of(const Socket& socket) {
    if (is_settled(socket)) return;
    ++failures;
    pause_wanted = std::max(pause_wanted, pause_after(failures - kQuickRetries, options));
    if (failures < kUntilAlone || staying() == 0) return;
    log::warning("sockets to Slack keep ending soon; one is kept for now");
    alone_until = steady_now() + kAlone;
  }

  /// Returns when a socket has ended or is to be replaced, or an envelope was handled.
  Task<> wait(milliseconds limit) {
    changed.expires_after(limit);
    co_await changed.async_wait(asio::as_tuple(asio::use_awaitable));
  }

  void end() {
    over = true;
    for (const auto& socket : sockets) socket->stream->cut();
    changed.cancel();
  }

  static Task<> read(Shared self, std::shared_ptr<Socket> socket) {
    while (!self->over) {
      Result<net::WebSocketMessage> message = co_await socket->stream->read();
      if (!message) {
        log::info("a socket to Slack ended", {{"why", message.error().message}});
        break;
      }
      self->last_traffic = self->clock.now();
      const Result<json::object> frame = frame_of(*message);
      if (!frame) {
        log::warning("Slack sent a frame that cannot be read", {{"why", frame.error().message}});
        continue;
      }
      if (text_at(*frame, "type") == "disconnect") {
        self->on_disconnect(*socket, text_at(*frame, "reason"));
        continue;
      }
      if (text_at(*frame, "envelope_id").empty()) continue;
      // What is not read waits at Slack.
      while (self->at_once >= self->options.max_at_once && !self->over) co_await sleep_for(milliseconds(20));
      ++self->at_once;
      spawn(self->loop, "slack envelope", handle(self, socket, *frame));
    }
    std::erase(self->sockets, socket);
    if (!socket->leaving) self->count_end_of(*socket);
    self->may_have_missed = true;
    self->changed.cancel();
  }

  static Task<> handle(Shared self, std::shared_ptr<Socket> socket, json::object envelope) {
    struct Leave {
      State& state;
      ~Leave() { --state.at_once; }
    } const leave{*self};
    const std::string id = text_at(envelope, "envelope_id");
    const json::object* payload = find_object(envelope, "payload");
    Result<json::object> reply =
        co_await self->handler(text_at(envelope, "type"), payload == nullptr ? json::object() : *payload);
    if (!reply) {
      log::warning("an envelope of Slack gets no receipt", {{"why", describe(reply.error())}});
      co_return;
    }
    json::object receipt{{"envelope_id", id}};
    const json::value* takes_payload = envelope.if_contains("accepts_response_payload");
    if (takes_payload != nullptr && takes_payload->is_bool() && takes_payload->get_bool() && !reply->empty())
      receipt["payload"] = *std::move(reply);
    const Result<> written = co_await socket->stream->write(json::serialize(receipt));
    // Slack sends it again, and it is then known.
    if (!written) log::info("a receipt did not reach Slack", {{"why", written.error().message}});
  }

  void on_disconnect(Socket& socket, std::string_view reason) {
    log::info("Slack asks to replace a socket", {{"reason", reason}});
    if (!std::exchange(socket.leaving, true)) count_end_of(socket);
    if (reason == "link_disabled") {
      log::error("Socket Mode is off in the settings of the Slack app; turn it on, or set channels.slack.transport");
      pause_wanted = kWhileDisabled;
    }
    if (reason == "too_many_websockets") pause_wanted = kAfterTooMany;
    changed.cancel();
  }

  static Task<> say_goodbye(std::shared_ptr<Socket> socket) {
    co_await sleep_for(kGrace);
    (void)co_await socket->stream->close();
  }

  void close_leaving() {
    for (const auto& socket : sockets) {
      if (socket->leaving) spawn(loop, "slack socket", say_goodbye(socket));
    }
  }

  asio::any_io_executor loop;
  asio::steady_timer changed;
  const Clock& clock;
  Handler handler;
  SocketOptions options;
  std::size_t at_once = 0;
  std::list<std::shared_ptr<Socket>> sockets;
  std::optional<Timestamp> last_traffic;
  milliseconds pause_wanted{0};  // before the next socket
  int failures = 0;              // in a row: sockets that could not be opened, or ended soon
  Moment alone_until;            // one socket is enough
  bool may_have_missed = true;   // a socket has ended, or there was none, since that was last said
  bool over = false;
};

namespace {

/// A socket that has said hello.
Task<Result<std::shared_ptr<net::WebSocket>>> open_socket(clients::slack::Api& api, SocketOptions options) {
  CO_TRY(std::string url, co_await clients::slack::open_connection(api));
  net::WebSocketOptions stream_options{.idle = options.silence, .ca_file = options.ca_file};
  CO_TRY(std::shared_ptr<net::WebSocket> stream,
         co_await net::WebSocket::connect(std::move(url), {}, std::move(stream_options)));
  CO_TRY(const net::WebSocketMessage first, co_await with_timeout(kMaxHello, stream->read()));
  CO_TRY(const json::object hello, frame_of(first));
  if (text_at(hello, "reason") == "too_many_websockets") {
    co_return std::unexpected(
        Error{ErrorKind::rate_limit, "the app has too many sockets to Slack", "", true, kAfterTooMany});
  }
  if (text_at(hello, "type") != "hello") co_return fail(ErrorKind::upstream, "Slack did not say hello on a new socket");
  co_return stream;
}

}  // namespace

SocketMode::SocketMode(clients::slack::Api& api, const Clock& clock, SocketOptions options)
    : api_(api), clock_(clock), options_(std::move(options)) {}

SocketMode::~SocketMode() {
  if (state_ != nullptr) state_->end();
}

std::size_t SocketMode::connected() const { return state_ == nullptr ? 0 : state_->staying(); }

std::optional<Timestamp> SocketMode::last_traffic() const {
  return state_ == nullptr ? std::nullopt : state_->last_traffic;
}

Task<Result<>> SocketMode::run(Handler handler, OnGap on_gap) {
  const auto executor = co_await asio::this_coro::executor;
  const auto state = std::make_shared<State>(executor, clock_, std::move(handler), options_);
  state_ = state;
  struct End {
    State& state;
    ~End() { state.end(); }
  } const end{*state};
  for (;;) {
    if (state->staying() > 0 && std::exchange(state->may_have_missed, false)) on_gap();
    state->forget_failures();
    if (state->has_enough()) {
      co_await state->wait(kIdlePoll);
      continue;
    }
    if (const milliseconds wanted = std::exchange(state->pause_wanted, milliseconds(0)); wanted.count() > 0)
      co_await sleep_for(wanted);
    Result<std::shared_ptr<net::WebSocket>> opened = co_await open_socket(api_, options_);
    if (!opened) {
      if (is_final(opened.error())) co_return std::unexpected(opened.error());
      log::warning("no socket to Slack could be opened", {{"why", describe(opened.error())}});
      const milliseconds pause = pause_after(++state->failures, options_);
      co_await sleep_for(std::max(pause, opened.error().retry_after.value_or(milliseconds(0))));
      continue;
    }
    state->last_traffic = clock_.now();
    state->close_leaving();
    const auto socket = std::make_shared<Socket>(*std::move(opened));
    state->sockets.push_back(socket);
    spawn(executor, "slack socket", State::read(state, socket));
  }
}

}  // namespace deputy::channel::slack
