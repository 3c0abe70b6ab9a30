// Connects channels, runs and the store. Every process that works on runs has one. It composes, starts and stops the
// parts; the parts make the decisions.
#pragma once

#include <map>
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

/// Told on the loop of what operators want to know; each may be empty. They must not throw.
struct GatewayHooks {
  /// An entry that this process wrote was stored.
  std::function<void(RunId run, RunKind kind, const run::EntryBody& body)> entry = {};
  /// A loop failed, or a channel ended; it begins again.
  std::function<void(const std::string& loop, const std::string& why)> loop_failed = {};
};

/// The references outlive the gateway.
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
  run::CurrentModel fast_model = {};                         // none: intents are found by rules alone
  WorkSignSettings signs = {};                               // the known hosts are those of `deliveries`
  GatewayHooks hooks = {};
};

struct LoopFailures {
  int times = 0;  // since the start
  std::chrono::steady_clock::time_point last;
  std::string why;  // the last one
};

class Gateway {
 public:
  Gateway(GatewaySetup setup, const asio::any_io_executor& loop);
  ~Gateway();
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;

  /// Works until `stop`: acts on dues, works on runs, sends deliveries and receives from channels.
  void start();

  /// Stops receiving and starting work, waits for handlers that must not be interrupted, releases every run, then stops
  /// delivering. A handler that takes longer than `grace` is no longer waited for.
  Task<> stop(std::chrono::milliseconds grace = std::chrono::seconds(30));

  Requests& requests() { return requests_; }
  run::RunnerHealth health() const { return runner_.health(); }
  /// How often each loop threw, or channel ended, and was started again, by name. Empty: none did.
  std::map<std::string, int> loop_failures() const;
  const std::map<std::string, LoopFailures>& failures() const;
  const DeliveryCounts& delivery_counts() const { return deliveries_.counts(); }
  const Channels& channels() const { return channels_; }

  // Settings that may change while it works.

  void set_retention(store::Retention retention) { retention_ = retention; }
  /// Empty: alerts are only logged.
  void set_alert_conversation(std::string conversation) { deliveries_.set_alert_conversation(std::move(conversation)); }

  /// Posts a text to the alert conversation. False: it did not arrive, which is logged.
  Task<bool> alert(std::string text) { return deliveries_.alert(std::move(text)); }
  /// Wakes the runner and the deliveries. Call it after a change that did not go through this process's store.
  void wake();
  /// Acts on what is due now, without waiting for the next poll.
  Task<Result<>> take_due() { return dues_.take(); }

 private:
  struct Loops;

  Channels channels_;
  ChannelSurroundings surroundings_;
  InboundDependencies parts_;
  WorkSigns signs_;
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

/// Removes everything older than the retention, then wipes its traces from the database files. Does nothing if another
/// instance holds the retention lease; an instance keeps that lease while it lives.
Task<Result<>> remove_what_is_old(store::Store& store, store::Retention retention);

}  // namespace deputy::gateway
