#include "sim/slack/events/socket_mode.h"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>

#include "base/ids.h"
#include "net/form.h"
#include "sim/slack/world.h"

namespace deputy::sim::slack {

namespace {

constexpr std::size_t kMaxTickets = 1000;
constexpr std::chrono::seconds kDebugConnection{360};
constexpr std::size_t kMaxUnsent = 20'000;
constexpr std::size_t kMaxUnsentBytes = 256UL << 20;

net::Response refusal(int status, std::string text) {
  return {status, {{"Content-Type", "text/plain"}}, std::move(text)};
}

}  // namespace

std::string SocketMode::new_url() {
  if (tickets_.size() >= kMaxTickets) tickets_.erase(tickets_.begin());
  const std::string ticket = Ulid::make(world_.workspace.clock.now()).text();
  tickets_.insert(ticket);
  std::string address = world_.workspace.address;
  address.replace(0, std::string_view("http").size(), "ws");
  return address + "/link/?ticket=" + ticket + "&app_id=" + world_.workspace.app.id;
}

net::Answer SocketMode::take(const net::ServerRequest& request) {
  const auto query = net::parse_form(request.query);
  if (!query) return refusal(400, "bad query");
  const std::string ticket(net::find_field(*query, "ticket").value_or(""));
  // A ticket opens one socket: who comes again with it is refused.
  if (tickets_.erase(ticket) == 0) return refusal(401, "invalid_ticket");
  const bool debug = net::find_field(*query, "debug_reconnects") == "true";
  // Slack does not lose an event because many wait for a slow app: the app has its three seconds.
  const net::WebSocketOptions options{.max_unsent = kMaxUnsent, .max_unsent_bytes = kMaxUnsentBytes};
  return net::TakeWebSocket{
      [this, ticket, debug](std::shared_ptr<net::WebSocket> socket) { return serve(ticket, debug, std::move(socket)); },
      options};
}

Task<> SocketMode::serve(std::string ticket, bool debug_reconnects, std::shared_ptr<net::WebSocket> socket) {
  const auto connection = std::make_shared<Connection>(Connection{ticket, socket});
  const auto debug_info = json::object{{"host", "simulated-applink"}};
  if (connections_.size() >= kMaxConnections) {
    world_.record.add("socket_refused", {{"connection", ticket}, {"reason", "too_many_websockets"}});
    const json::object goodbye = {
        {"type", "disconnect"}, {"reason", "too_many_websockets"}, {"debug_info", debug_info}};
    (void)co_await socket->write(json::serialize(goodbye));
    co_return;
  }
  connections_.push_back(connection);
  const std::chrono::milliseconds life =
      debug_reconnects ? std::min<std::chrono::milliseconds>(kDebugConnection, world_.timing.connection)
                       : world_.timing.connection;
  json::object hello = {
      {"type", "hello"},
      {"num_connections", connections_.size()},
      {"connection_info", {{"app_id", world_.workspace.app.id}}},
      {"debug_info",
       {{"host", "simulated-applink"},
        {"started", format_timestamp(world_.workspace.clock.now())},
        {"build_number", 1},
        {"approximate_connection_time", std::chrono::duration_cast<std::chrono::seconds>(life).count()}}}};
  const auto said = co_await socket->write(json::serialize(hello));
  world_.record.add("socket_opened", {{"connection", ticket}, {"connections", connections_.size()}});
  if (said) {
    world_.run("slack simulator ping", ping(connection));
    world_.run("slack simulator socket", grow_old(connection, life));
  }
  while (said) {
    const auto message = co_await socket->read();
    if (!message) break;
    acknowledge(*connection, message->bytes);
  }
  std::erase(connections_, connection);
  const bool loses = world_.faults.take(FaultPlace::socket, "").has_value();
  if (loses) {
    world_.record.add("fault", {{"on", "socket"},
                                {"fault", "lose_unacknowledged"},
                                {"connection", ticket},
                                {"lost", connection->pending.size()}});
  }
  for (const auto& [id, pending] : connection->pending) {
    pending->lost = loses;
    pending->answered.cancel();
  }
  const auto closed = socket->closed_by_peer();
  world_.record.add("socket_closed",
                    {{"connection", ticket}, {"by_app", closed.has_value()}, {"code", closed ? closed->code : 0}});
}

Task<> SocketMode::grow_old(std::shared_ptr<Connection> connection, std::chrono::milliseconds life) {
  co_await sleep_for(life - std::min(life, world_.timing.goodbye));
  disconnect("warning", connection->id);
}

Task<> SocketMode::ping(std::shared_ptr<Connection> connection) {
  while (true) {
    asio::steady_timer timer(world_.executor, world_.timing.ping);
    co_await timer.async_wait(asio::use_awaitable);
    if (std::ranges::find(connections_, connection) == connections_.end()) co_return;
    const auto sent = co_await connection->socket->ping("Ping from simulated-applink");
    if (!sent) co_return;
  }
}

void SocketMode::acknowledge(Connection& connection, std::string_view text) {
  const auto parsed = parse_json_object(text);
  const std::string id = parsed ? text_at(*parsed, "envelope_id") : "";
  const auto found = connection.pending.find(id);
  if (found == connection.pending.end()) {
    world_.record.add("unknown_acknowledgement", {{"connection", connection.id}, {"text", text.substr(0, 2000)}});
    return;
  }
  const json::value* payload = parsed->if_contains("payload");
  found->second->received = true;
  if (payload != nullptr) found->second->payload = *payload;
  found->second->answered.cancel();
}

std::shared_ptr<SocketMode::Connection> SocketMode::pick() {
  std::vector<std::shared_ptr<Connection>> able;
  for (const auto& connection : connections_) {
    if (!connection->leaving) able.push_back(connection);
  }
  if (able.empty()) return nullptr;
  return able[std::uniform_int_distribution<std::size_t>(0, able.size() - 1)(random_)];
}

Task<Acknowledgement> SocketMode::send(json::object envelope, std::chrono::milliseconds limit) {
  const auto connection = pick();
  if (!connection) co_return Acknowledgement{false, nullptr, "no_connection"};
  const std::string id = text_at(envelope, "envelope_id");
  const auto pending = std::make_shared<Pending>(Pending{asio::steady_timer(world_.executor, limit)});
  connection->pending[id] = pending;
  world_.record.add("envelope", {{"connection", connection->id}, {"envelope", envelope}});
  const auto sent = co_await connection->socket->write(json::serialize(envelope));
  if (sent && !pending->received) {
    boost::system::error_code ended;
    co_await pending->answered.async_wait(asio::redirect_error(asio::use_awaitable, ended));
  }
  connection->pending.erase(id);
  std::string problem = sent && !pending->received ? "timeout" : "";
  if (pending->lost && !pending->received) problem = "lost";
  world_.record.add(pending->received ? "acknowledged" : "not_acknowledged",
                    {{"envelope_id", id}, {"payload", pending->payload}});
  co_return Acknowledgement{pending->received, pending->payload, std::move(problem)};
}

bool SocketMode::disconnect(std::string_view reason, std::string_view connection) {
  bool any = false;
  for (const auto& candidate : connections_) {
    if (candidate->leaving || (!connection.empty() && candidate->id != connection)) continue;
    candidate->leaving = true;
    any = true;
    const bool warns = reason == "warning" || reason == "refresh_requested";
    world_.run("slack simulator goodbye", say_goodbye(candidate, std::string(reason),
                                                      warns ? world_.timing.goodbye : std::chrono::milliseconds(0)));
  }
  return any;
}

Task<> SocketMode::say_goodbye(std::shared_ptr<Connection> connection, std::string reason,
                               std::chrono::milliseconds grace) {
  world_.record.add("disconnect", {{"connection", connection->id}, {"reason", reason}});
  const json::object frame = {
      {"type", "disconnect"}, {"reason", reason}, {"debug_info", {{"host", "simulated-applink"}}}};
  const auto sent = co_await connection->socket->write(json::serialize(frame));
  if (!sent) co_return;
  asio::steady_timer timer(world_.executor, grace);
  co_await timer.async_wait(asio::use_awaitable);
  (void)co_await connection->socket->close(1000);
}

void SocketMode::cut(std::string_view connection) {
  for (const auto& candidate : std::vector(connections_)) {
    if (connection.empty() || candidate->id == connection) candidate->socket->cut();
  }
}

std::vector<std::string> SocketMode::connections() const {
  std::vector<std::string> ids;
  for (const auto& connection : connections_) ids.push_back(connection->id);
  return ids;
}

}  // namespace deputy::sim::slack
