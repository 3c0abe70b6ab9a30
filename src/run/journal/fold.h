// The state of a run after one more entry. Pure and total: an entry that does not fit (a result of a call nobody made,
// a second answer) changes nothing, because whoever sent it may have been late.
#pragma once

#include <vector>

#include "run/journal/state.h"

namespace deputy::run {

RunState fold(RunState state, const Entry& entry);

/// The state of a stored journal; an error for one that this program cannot read.
Task<Result<RunState>> read_state(std::vector<store::EntryRow> journal);

/// Folds a step's end into its call alone, as `fold` does.
void fold_step(CallState& call, const StepDone& done);

}  // namespace deputy::run
