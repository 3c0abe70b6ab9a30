// Socket Mode: up to ten WebSockets of the app, opened with single-use tickets. An envelope goes to one of them,
// arbitrarily.
#pragma once

#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/json.h"
#include "base/task.h"
#include "net/server.h"

namespace deputy::sim::slack {

struct World;
struct Acknowledgement;

class SocketMode {
 public:
  static constexpr std::size_t kMaxConnections = 10;

  explicit SocketMode(World& world) : world_(world) {}

  /// An address that one WebSocket can be opened with.
  std::string new_url();

  /// Answers a request for that address.
  net::Answer take(const net::ServerRequest& request);

  /// Sends an envelope to one of the connections and waits for its acknowledgement.
  Task<Acknowledgement> send(json::object envelope, std::chrono::milliseconds limit);

  /// Says why and ends the connection as Slack does; empty: every connection. False when there is none.
  bool disconnect(std::string_view reason, std::string_view connection);

  /// Ends connections without a word.
  void cut(std::string_view connection);

  std::vector<std::string> connections() const;

 private:
  struct Pending {
    asio::steady_timer answered;
    bool received = false;
    bool lost = false;  // with its socket
    json::value payload = nullptr;
  };
  struct Connection {
    std::string id;
    std::shared_ptr<net::WebSocket> socket;
    bool leaving = false;
    std::map<std::string, std::shared_ptr<Pending>> pending = {};
  };

  Task<> serve(std::string ticket, bool debug_reconnects, std::shared_ptr<net::WebSocket> socket);
  Task<> ping(std::shared_ptr<Connection> connection);
  Task<> grow_old(std::shared_ptr<Connection> connection, std::chrono::milliseconds life);
  Task<> say_goodbye(std::shared_ptr<Connection> connection, std::string reason, std::chrono::milliseconds grace);
  void acknowledge(Connection& connection, std::string_view text);
  std::shared_ptr<Connection> pick();

  World& world_;
  std::set<std::string> tickets_;
  std::vector<std::shared_ptr<Connection>> connections_;
  std::mt19937 random_{20261116};  // the same choices in every run
};

}  // namespace deputy::sim::slack
