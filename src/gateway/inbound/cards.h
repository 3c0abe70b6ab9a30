// Builds cards from the store: an interaction, those that share its card, and the controls that can be used now.
#pragma once

#include "gateway/inbound/dependencies.h"
#include "gateway/outbound/deliveries.h"

namespace deputy::gateway {

class StoredCards final : public CardSource {
 public:
  explicit StoredCards(InboundDependencies& parts) : parts_(parts) {}

  /// Nothing also for an interaction whose text was forgotten. The delivery sets `was_away` and `key`.
  Task<Result<std::optional<channel::Card>>> card(InteractionId id) override;

 private:
  InboundDependencies& parts_;
};

/// The card of one interaction alone, with nothing folded, to open on a click in this conversation; nothing if its
/// channel opens no cards.
Task<Result<std::optional<channel::Card>>> card_to_open(InboundDependencies& parts, InteractionId id,
                                                        std::string conversation);

}  // namespace deputy::gateway
