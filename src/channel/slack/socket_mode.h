// Socket Mode: Slack's events over WebSockets that we open. There are always two, so that one may end at any time; one
// that Slack wants to replace goes only after its successor has said hello. A socket that falls silent is replaced.
// Where sockets keep ending soon, the next one waits, and after some of these one is enough for a while.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/json.h"
#include "base/task.h"
#include "clients/slack/api.h"
#include "net/websocket.h"

namespace deputy::channel::slack {

struct SocketOptions {
  std::size_t sockets = 2;
  std::chrono::milliseconds silence{20'000};  // of a socket, after which it is replaced
  std::chrono::milliseconds first_pause{500};
  std::chrono::milliseconds longest_pause{30'000};
  std::chrono::milliseconds settled{10'000};  // a socket that ends sooner counts as a failure
  std::size_t max_at_once = 200;              // envelopes being handled; more are left with Slack
  std::string ca_file = {};
};

class SocketMode {
 public:
  /// Takes an envelope's type and payload. What it returns goes into the receipt; after an error there is no receipt,
  /// so that Slack sends the envelope again.
  using Handler = std::function<Task<Result<json::object>>(std::string type, json::object payload)>;
  /// Called when the first socket is up, and whenever one is up after another has ended: Slack may not send again what
  /// that one had no receipt for.
  using OnGap = std::function<void()>;

  /// `api` and `clock` outlive it.
  SocketMode(clients::slack::Api& api, const Clock& clock, SocketOptions options = {});
  ~SocketMode();

  /// Runs until it is cancelled. Returns an error only if no retry can help, such as a token that was revoked.
  Task<Result<>> run(Handler handler, OnGap on_gap);

  /// Sockets that have said hello and are not being replaced.
  std::size_t connected() const;
  /// When something last came in.
  std::optional<Timestamp> last_traffic() const;

 private:
  struct State;

  clients::slack::Api& api_;
  const Clock& clock_;
  SocketOptions options_;
  std::shared_ptr<State> state_;
};

}  // namespace deputy::channel::slack
