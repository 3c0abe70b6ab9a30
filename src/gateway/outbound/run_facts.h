// What a delivery needs to know of its run, read from the store. The result does not change after the delivery was
// created, so that resuming after a crash sends the same parts.
#pragma once

#include <optional>
#include <span>

#include "base/task.h"
#include "channel/safe_markdown.h"
#include "gateway/outbound/delivery_parts.h"
#include "store/store.h"

namespace deputy::gateway {

/// The hosts that a run knows (run/journal/known_hosts.h). For rows of an older version, which do not store the hosts
/// that links may lead to. Empty if the journal cannot be read.
Task<Result<channel::Hosts>> hosts_of_run(store::Store& store, RunId run);

/// The stream that these deliveries of one run, oldest first, have left open. A restart that found none changed
/// nothing.
std::optional<channel::MessageRef> stream_in(std::span<const store::DeliveryRow> rows);

/// The stream of its run that was open when the run was taken up again; nothing if there is none.
Task<Result<std::optional<channel::MessageRef>>> stream_before(store::Store& store, store::DeliveryRow restart);

/// The acknowledgement of the run that `answer` belongs to, if one was sent. It counts as the thread's last message if
/// no other delivery of the run came between, nobody wrote a note, and no other run started in the conversation.
/// Messages that people write to each other are not seen.
Task<Result<std::optional<Acknowledged>>> acknowledgement_of(store::Store& store, store::DeliveryRow answer);

}  // namespace deputy::gateway
