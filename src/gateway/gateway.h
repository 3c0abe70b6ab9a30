// Channels, runs and the store, joined: what every process that works on runs is made of. It composes and starts; what
// happens is decided in the parts.
#pragma once

#include <memory>
#include <string>

#include "gateway/cards.h"
#include "gateway/channel_surroundings.h"
#include "gateway/channels.h"
#include "gateway/deliveries.h"
#include "gateway/dispatcher.h"
#include "gateway/dues.h"
#include "run/drive/runner.h"

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
  run::Watcher* watcher = nullptr;
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

  channel::Receiver& receiver() { return dispatcher_; }
  /// For who shows an interaction by another way than a delivery.
  CardSource& cards() { return cards_; }
  run::RunnerHealth health() const { return runner_.health(); }
  /// Something may have changed: for who changed it by another way than the store of this process.
  void poke();
  /// Acts on what is due now, without waiting for the second to pass.
  Task<Result<>> take_due() { return dues_.take(); }

 private:
  struct Loops;

  Channels channels_;
  ChannelSurroundings surroundings_;
  Parts parts_;
  run::RunDependencies services_;
  StoredCards cards_;
  Dispatcher dispatcher_;
  Dues dues_;
  Deliveries deliveries_;
  run::Runner runner_;
  std::optional<store::Retention> retention_;
  asio::any_io_executor loop_;
  std::shared_ptr<Loops> loops_;
};

}  // namespace deputy::gateway
