// The only way a person's request becomes a run, whether they wrote it or pressed *Ask again*. Nothing starts while
// Deputy is paused; secrets are redacted; an acknowledgement is sent, and an alert if the request is suspicious.
//
// Nothing is stored here: the caller stores the result, with an audit row that says how it was requested.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "channel/message.h"
#include "gateway/inbound/dependencies.h"
#include "run/journal/entry.h"

namespace deputy::gateway {

/// A run to be stored, and what is stored with it.
struct Begun {
  store::NewRunRow row;
  store::Effects effects;
  std::string text;          // of the request, as stored
  bool held_secret = false;  // its writer must be told
};

/// Deputy is paused; `words` says so to the person.
struct Paused {
  std::string words;
};

using Beginning = std::variant<Begun, Paused>;

/// `received` has the original text, and a suspicion only for a reason other than that text. `sign` is the message that
/// is marked as being worked on; empty if there is none.
Task<Result<Beginning>> begin_run(InboundDependencies& parts, run::Received received, channel::MessageRef sign,
                                  Timestamp at);

/// The alert about a suspicious request or note. It does not quote the text.
store::DeliveryRow alert(std::string_view reason, std::string_view person, std::string_view conversation,
                         const RunId& run, Timestamp at);

}  // namespace deputy::gateway
