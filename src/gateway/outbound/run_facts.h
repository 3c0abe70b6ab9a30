// What a delivery has to know of the run that owes it, read from the store. What was true when the delivery was owed
// stays true: going on after a crash finds the same.
#pragma once

#include "base/task.h"
#include "channel/outgoing.h"
#include "gateway/outbound/delivery_parts.h"
#include "store/store.h"

namespace deputy::gateway {

/// Hosts that a run knows (run/journal/known_hosts.h), for a row that does not say which of them its links may lead to:
/// an older version owed it. None of a journal that cannot be read.
Task<Result<channel::Hosts>> hosts_of_run(store::Store& store, RunId run);

/// The acknowledgement of the run that owes `answer`, if one was sent. It counts as the thread's last message while no
/// other delivery of the run came between, nobody wrote a note, and no other run began in the conversation: what people
/// write past Deputy is not seen.
Task<Result<std::optional<Acknowledged>>> acknowledgement_of(store::Store& store, store::DeliveryRow answer);

}  // namespace deputy::gateway
