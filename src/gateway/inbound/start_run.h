// The one way a request of a person becomes a run, whether they wrote it or pressed *Ask again*: not while Deputy is
// paused, without the secrets it held, with an acknowledgement, and with an alert where it is suspicious.
//
// Nothing is stored here: whoever asks for it takes it in, with an audit row that says how it was asked.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "channel/message.h"
#include "gateway/inbound/dependencies.h"
#include "run/journal/entry.h"

namespace deputy::gateway {

/// A run to be taken in, and what comes with it.
struct Begun {
  store::NewRunRow row;
  store::Effects effects;
  bool held_secret = false;  // whoever wrote it is to be told
};

/// Nothing is begun now.
struct Paused {
  std::string words;
};

using Beginning = std::variant<Begun, Paused>;

/// `received` has its text as it came, and a suspicion only where there is a reason beyond that text. `sign` is the
/// message of its conversation that is shown to be worked on; empty where there is none.
Task<Result<Beginning>> begin_run(InboundDependencies& parts, run::Received received, channel::MessageRef sign,
                                  Timestamp at);

/// What the alert channel hears of a suspicious request or note: no word of it.
store::DeliveryRow alert(std::string_view reason, std::string_view person, std::string_view conversation,
                         const RunId& run, Timestamp at);

}  // namespace deputy::gateway
