// Reads the earlier runs of a conversation from the store, for its memory (memory.h).
#pragma once

#include <string>
#include <vector>

#include "run/drive/dependencies.h"
#include "run/prompt/memory.h"

namespace deputy::run {

/// The runs that a new one may be shown, and how the newest of them was shown those before it.
struct Recollection {
  MemoryShown before;
  std::vector<EarlierRun> runs;  // those of `before` first, in their order
};

/// Of runs that have finished and are no child runs. A child run has none: it works on what its parent tells it.
Task<Result<Recollection>> recollect(const RunDependencies& dependencies, RunId run, Received received);

/// In the order of their ids; one that was forgotten, or that this program cannot read, has no state.
Task<Result<std::vector<EarlierRun>>> read_runs(const RunDependencies& dependencies, std::vector<std::string> ids);

}  // namespace deputy::run
