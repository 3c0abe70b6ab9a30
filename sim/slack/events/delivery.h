// Brings envelopes to the app and its acknowledgements back, over Socket Mode or as signed HTTP requests, with Slack's
// deadlines. An event that is not acknowledged comes again, three times; an interaction or a command does not: the
// person sees that the app did not answer.
#pragma once

#include <list>
#include <memory>
#include <string>

#include "base/json.h"
#include "base/task.h"
#include "net/client.h"
#include "sim/slack/events/socket_mode.h"

namespace deputy::sim::slack {

struct World;

enum class EnvelopeKind { events_api, interactive, slash_commands };

struct Envelope {
  EnvelopeKind kind = EnvelopeKind::events_api;
  std::string name;  // app_mention, block_actions, /deputy …: for faults and the record
  json::object payload;
  bool accepts_response = false;
};

/// What came back. `payload` is an object when the app answered with one.
struct Acknowledgement {
  bool received = false;
  json::value payload;
  std::string problem;  // why not: no_connection, timeout, lost, http_error …
};

class Deliveries {
 public:
  explicit Deliveries(World& world);
  ~Deliveries();

  /// Delivers in the background.
  void send(Envelope envelope);
  Task<Acknowledgement> deliver(Envelope envelope);

  /// Sends the challenge to a request URL. An error says what came back instead.
  Task<Result<>> verify_request_url(std::string url);

  SocketMode sockets;

 private:
  struct Attempt {
    int number = 0;
    std::string reason;  // why the one before failed
  };

  Task<Acknowledgement> attempt(const Envelope& envelope, const Attempt& attempt);
  Task<Acknowledgement> transmit(const Envelope& envelope, const Attempt& attempt);
  Task<Acknowledgement> post(const Envelope& envelope, const Attempt& attempt);
  void let_held_go();

  World& world_;
  net::Client client_;
  std::list<asio::steady_timer*> held_;
};

/// The signature of a request as Slack makes it: "v0=" and the HMAC-SHA256 of "v0:TIMESTAMP:BODY".
std::string signature(std::string_view secret, std::string_view timestamp, std::string_view body);

}  // namespace deputy::sim::slack
