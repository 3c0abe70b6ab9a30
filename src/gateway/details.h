// What a run did, for people: each call with its arguments, rulings, duration and result, page by page. Pure.
#pragma once

#include "channel/channel.h"
#include "run/journal/state.h"
#include "store/rows.h"

namespace deputy::gateway {

/// A page beyond the last is the last.
channel::ShowText details_of(const RunId& run, const run::RunState& state, const std::vector<store::EntryRow>& entries,
                             std::size_t page);

}  // namespace deputy::gateway
