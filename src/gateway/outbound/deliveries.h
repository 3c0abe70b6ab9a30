// Sends messages to people: takes pending deliveries from the store, sends them through channels, and records the
// result. delivery_parts.h and delivery_rules.h decide which part is sent when, and what a failure means.
//
// At most one delivery of a conversation is in flight: the store hands out only the first.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/ids.h"
#include "base/task.h"
#include "channel/card.h"
#include "gateway/outbound/channels.h"
#include "gateway/outbound/delivery_parts.h"
#include "gateway/outbound/live.h"
#include "store/retry.h"
#include "store/store.h"

namespace deputy::gateway {

/// Provides the card of an interaction when it is shown or redrawn.
class CardSource {
 public:
  virtual ~CardSource() = default;

  /// The card in its present state; nothing when there is no such interaction.
  virtual Task<Result<std::optional<channel::Card>>> card(InteractionId id) = 0;
};

struct DeliverySettings {
  std::string alert_conversation;  // empty: alerts to operators are only logged, as errors
  channel::Hosts known_hosts;      // from settings: links to them are safe
  int at_once = 16;                // in flight of one channel, so that one that hangs delays no other
  /// Asked before the first attempt to send an alert; false: its cause was told lately, and it is not sent. Empty: all
  /// are sent.
  std::function<bool(const std::string& text)> admit_alert = {};
};

/// Counts since the start, for health.
struct DeliveryCounts {
  std::int64_t sent = 0;
  std::int64_t tried_again = 0;
  std::int64_t rate_limited = 0;  // waits as a row until the platform takes it
  std::int64_t overtaken = 0;     // not sent: a later one draws the same message
  std::int64_t in_doubt = 0;
  std::int64_t cards_as_text = 0;  // refused as cards
  std::int64_t dead = 0;
  std::int64_t alerts_lost = 0;
  std::int64_t store_errors = 0;

  bool operator==(const DeliveryCounts&) const = default;
};

/// What the parts of an answer are made from. It does not change once the answer is owed.
struct AnswerFacts {
  channel::Hosts known;
  std::optional<Acknowledged> acknowledged;
};

class Deliveries {
 public:
  /// The collaborators outlive this.
  Deliveries(const asio::any_io_executor& executor, store::Store& store, const Channels& channels, CardSource& cards,
             const Clock& clock, DeliverySettings settings);

  /// Runs until it is cancelled; returns once nothing is being sent. What a channel does not send within two seconds
  /// then is in doubt, and is settled at the next start.
  Task<> run();

  /// Looks for pending deliveries now. Call it on the loop.
  void wake();

  /// `live` is notified when a delivery changes, and knows which answers people have already seen. Outlives this.
  void tell(Live& live) { live_ = &live; }

  /// Sends deliveries one by one until none is due.
  Task<> run_dry();

  const DeliveryCounts& counts() const { return counts_; }

  void set_alert_conversation(std::string conversation) { settings_.alert_conversation = std::move(conversation); }
  /// Posts a text to the alert conversation, once and at once. False: it did not arrive, which is logged and counted.
  Task<bool> alert(std::string text);

 private:
  Task<std::vector<store::DeliveryRow>> take(int most);
  Task<> perform_and_tell(store::DeliveryRow row);
  Task<> perform(store::DeliveryRow row);
  bool is_told_already(const store::DeliveryRow& row) const;
  Task<Result<DeliveryParts>> pieces_for(store::DeliveryRow row, DeliveryProgress progress,
                                         const channel::Channel& channel);
  Task<Result<AnswerFacts>> facts_for(store::DeliveryRow row, std::optional<std::vector<std::string>> owed);
  Task<Result<channel::Hosts>> hosts_for(store::DeliveryRow row, std::optional<std::vector<std::string>> owed);
  Task<Result<DeliveryParts>> redraws(store::DeliveryRow row, run::RedrawDelivery body);
  Task<> attempt(store::DeliveryRow row, DeliveryProgress progress, DeliveryParts pieces);
  Task<store::DeliveryChange> look(store::DeliveryRow row, DeliveryProgress progress, DeliveryPart piece,
                                   Remaining left, channel::Channel& channel);
  Task<Result<channel::MessageRef>> send(DeliveryPart piece, channel::DeliveryKey key, bool in_doubt,
                                         channel::Channel& channel);
  Task<> record(store::DeliveryRow row, store::DeliveryChange change, Error error);
  Task<> tell_of_death(store::DeliveryRow row, Error error);
  Task<bool> whisper_of_death(store::DeliveryRow row, std::string words);
  Task<> wait();
  template <class T>
  Task<Result<T>> until_stopped(Task<Result<T>> call);

  asio::steady_timer timer_;
  store::Store& store_;
  const Channels& channels_;
  CardSource& cards_;
  const Clock& clock_;
  DeliverySettings settings_;
  DeliveryCounts counts_;
  store::StoreRetry patience_;
  Live* live_ = nullptr;
  std::map<DeliveryId, AnswerFacts> facts_;  // of answers that are not yet sent
  store::InFlight in_flight_;                // by channel; none has zero
  std::list<Cancel> calls_;                  // to channels
  bool woken_ = false;
  Timestamp last_busy_;
};

}  // namespace deputy::gateway
