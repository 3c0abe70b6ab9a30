// Delivers what is owed to people: takes deliveries from the store, sends them through channels, and records what
// became of them. Which piece goes out, when, and what a failure means is decided in pieces.h and delivery_rules.h.
//
// At most one delivery of a conversation is in the air: the store gives only the first.
#pragma once

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

/// Where the cards of interactions come from when they are shown or redrawn.
class CardSource {
 public:
  virtual ~CardSource() = default;

  /// As it stands now; nothing when there is no such interaction.
  virtual Task<Result<std::optional<channel::Card>>> card(InteractionId id) = 0;
};

struct DeliverySettings {
  std::string alert_conversation;  // empty: what operators must hear is logged as an error
  channel::Hosts known_hosts;      // that settings name
  int at_once = 16;
};

/// For health, since the start.
struct DeliveryCounts {
  std::int64_t sent = 0;
  std::int64_t tried_again = 0;
  std::int64_t in_doubt = 0;
  std::int64_t cards_as_text = 0;  // refused as cards
  std::int64_t dead = 0;
  std::int64_t alerts_lost = 0;
  std::int64_t store_errors = 0;

  bool operator==(const DeliveryCounts&) const = default;
};

class Deliveries {
 public:
  /// The collaborators outlive this.
  Deliveries(const asio::any_io_executor& executor, store::Store& store, const Channels& channels, CardSource& cards,
             const Clock& clock, DeliverySettings settings);

  /// Until it is cancelled; returns once nothing is being sent.
  Task<> run();

  /// Something may be owed now. On the loop.
  void poke();

  /// Who is told when a delivery has come further, and knows which answers were seen already. Outlives this.
  void tell(Live& live) { live_ = &live; }

  /// Takes and performs, one by one, until nothing is due.
  Task<> run_dry();

  const DeliveryCounts& counts() const { return counts_; }

 private:
  Task<std::vector<store::DeliveryRow>> take(int most);
  Task<> perform_and_tell(store::DeliveryRow row);
  Task<> perform(store::DeliveryRow row);
  Task<Result<DeliveryParts>> pieces_for(store::DeliveryRow row, DeliveryProgress progress,
                                         const channel::Channel& channel);
  Task<Result<channel::Hosts>> hosts_for(store::DeliveryRow row, std::optional<std::vector<std::string>> owed);
  Task<Result<DeliveryParts>> redraws(run::RedrawDelivery body);
  Task<> attempt(store::DeliveryRow row, DeliveryProgress progress, DeliveryParts pieces);
  Task<std::optional<store::DeliveryChange>> look(store::DeliveryRow row, DeliveryProgress& progress,
                                                  DeliveryPart piece, Remaining left, channel::Channel& channel);
  Task<Result<channel::MessageRef>> send(DeliveryPart piece, channel::DeliveryKey key, channel::Channel& channel);
  Task<> record(store::DeliveryRow row, store::DeliveryChange change, Error error);
  Task<> tell_of_death(store::DeliveryRow row, Error error);
  Task<bool> whisper_of_death(store::DeliveryRow row, std::string words);
  Task<> wait();

  asio::steady_timer timer_;
  store::Store& store_;
  const Channels& channels_;
  CardSource& cards_;
  const Clock& clock_;
  DeliverySettings settings_;
  DeliveryCounts counts_;
  store::Patience patience_;
  Live* live_ = nullptr;
  int in_flight_ = 0;
  bool poked_ = false;
  Timestamp last_busy_;
};

}  // namespace deputy::gateway
