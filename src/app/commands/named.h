// Finds what people name by the beginning of its id: `01KABCDEFG` is enough where only one starts with it.
#pragma once

#include <string>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "base/task.h"
#include "channel/card.h"
#include "store/store.h"

namespace deputy::app {

/// Not_found if no run starts with it, invalid_input if several do; the error names them.
Task<Result<RunId>> run_named(store::Store& store, std::string text);
/// An active grant.
Task<Result<GrantId>> grant_named(store::Store& store, std::string text);
/// A pending interaction, or the run that waits for it.
Task<Result<InteractionId>> interaction_named(store::Store& store, std::string text);

/// The beginning of an interaction's id that names it alone on these cards: those of one run are often of the same
/// millisecond.
std::string short_id_among(InteractionId id, const std::vector<channel::Card>& cards);

}  // namespace deputy::app
