// Channels, runs and the store, joined: what every process that works on runs is made of. It composes and starts; what
// happens is decided in the parts.
#pragma once

#include <memory>
#include <string>

#include "base/task.h"
#include "gateway/inbound/cards.h"
#include "gateway/inbound/dispatcher.h"
#include "gateway/inbound/dues.h"
#include "gateway/outbound/channels.h"
#include "gateway/outbound/deliveries.h"
#include "gateway/requests.h"
#include "run/drive/runner.h"
#include "store/store.h"

namespace deputy::gateway {

/// What a gateway is made from. References outlive it.
struct GatewaySetup {
  store::Store& store;
  const Clock& clock;
  const toolkit::Registry& registry;
  toolkit::Executor& executor;
  run::CurrentRules rules;
  run::CurrentModel model;
  run::Redaction redaction;
  Channels channels;
  DeliverySettings deliveries;
  std::optional<store::Retention> retention = std::nullopt;  // none: nothing is ever removed
  run::CurrentModel fast_model = {};                         // none: intents are found by rule alone
};

class Gateway {
 public:
  Gateway(GatewaySetup setup, const asio::any_io_executor& loop);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  /// Takes what is due, then claims, delivers and receives until `stop`.
  void start();

  /// Stops receiving, starts nothing, lets handlers end that must not be broken off, gives every run back, then stops
  /// delivering. A handler that outlasts `grace` is left to the end of the process.
  Task<> stop(std::chrono::milliseconds grace = std::chrono::seconds(30));

  Requests& requests() { return requests_; }
  run::RunnerHealth health() const { return runner_.health(); }
  /// Something may have changed: for who changed it by another way than the store of this process.
  void poke();
  /// Acts on what is due now, without waiting for the second to pass.
  Task<Result<>> take_due() { return dues_.take(); }

 private:
  struct Loops;

  Channels channels_;
  ChannelSurroundings surroundings_;
  InboundDependencies parts_;
  Live live_;
  run::RunDependencies services_;
  StoredCards cards_;
  Dispatcher dispatcher_;
  Requests requests_;
  Dues dues_;
  Deliveries deliveries_;
  run::Runner runner_;
  std::optional<store::Retention> retention_;
  asio::any_io_executor loop_;
  std::shared_ptr<Loops> loops_;
};

/// One round: all that is too old, and the traces of it. Nothing when another instance sees to it; whoever did it once
/// goes on doing it while it lives.
Task<Result<>> remove_what_is_old(store::Store& store, store::Retention retention);

}  // namespace deputy::gateway
