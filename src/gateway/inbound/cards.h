// Cards from the store: an interaction, those that share its card, and the controls that may be pressed as it stands.
#pragma once

#include "gateway/inbound/dependencies.h"
#include "gateway/outbound/deliveries.h"

namespace deputy::gateway {

class StoredCards final : public CardSource {
 public:
  explicit StoredCards(InboundDependencies& parts) : parts_(parts) {}

  /// Nothing also for one whose text was forgotten. `was_away` and `key` are for whoever delivers it.
  Task<Result<std::optional<channel::Card>>> card(InteractionId id) override;

 private:
  InboundDependencies& parts_;
};

}  // namespace deputy::gateway
