// What the inbound half of the gateway works with. All of it outlives whoever holds a reference to this.
#pragma once

#include "base/clock.h"
#include "gateway/channels.h"
#include "run/drive/dependencies.h"
#include "run/plan/rules.h"
#include "store/store.h"
#include "toolkit/registry.h"

namespace deputy::gateway {

struct Parts {
  store::Store& store;
  run::Lookups& people;
  const Channels& channels;
  const toolkit::Registry& registry;
  run::CurrentRules rules;
  run::Redaction redaction;
  const Clock& clock;
};

/// How often a write is decided again because its conversation has moved, before it is given up. Each time somebody
/// else's write went through.
inline constexpr int kTries = 20;

/// The error after that: nothing was stored, and whoever sent it may send it again.
Error too_busy();

/// Takes in what does not depend on how its conversation stands, under a key that makes it happen once.
Task<Result<store::Admitted>> take_in(Parts& parts, store::ConsumedRow what, store::Route route,
                                      store::Effects effects);

/// The interaction of that id, in whatever state; nothing when there is none.
Task<Result<std::optional<store::InteractionRow>>> find_interaction(Parts& parts, InteractionId id);

}  // namespace deputy::gateway
