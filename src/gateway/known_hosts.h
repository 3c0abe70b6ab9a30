// Which hosts the links of an answer may lead to, as the journal of its run tells: those that people or the outside
// named. What a model says makes no host known.
//
// Tools repeat what they were asked for, in their results and in their errors. So a host that stood in what a model
// wanted done is learned from no result after that; one that was known before, or that people name later, is known.
#pragma once

#include <span>

#include "channel/outgoing.h"
#include "store/rows.h"

namespace deputy::gateway {

/// Of the entries before the run answered, in their order, beside those that were `known` before them. Entries that
/// cannot be read, and kinds that a newer program wrote, name nothing.
channel::Hosts known_hosts(std::span<const store::EntryRow> journal, channel::Hosts known = {});

}  // namespace deputy::gateway
