// Where the cards of interactions come from when they are shown or redrawn.
#pragma once

#include <optional>

#include "base/ids.h"
#include "base/task.h"
#include "channel/card.h"

namespace deputy::gateway {

class CardSource {
 public:
  virtual ~CardSource() = default;

  /// As it stands now; nothing when there is no such interaction.
  virtual Task<Result<std::optional<channel::Card>>> card(InteractionId id) = 0;
};

}  // namespace deputy::gateway
