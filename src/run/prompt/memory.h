// A conversation's memory: the runs before a new one, shown to it as turns. A run appears as it was last sent,
// so that each request begins with the one before it, which prompt caches and thinking need. When that
// becomes too much it is compacted in one step to half: older results shortened, then the oldest runs in a line each.
// Pure: built from journals; the journal of a run holds which runs it was shown and how (MemoryShown).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/model.h"
#include "run/journal/entry_run.h"
#include "run/journal/state.h"

namespace deputy::run {

/// An earlier run of the conversation that has ended.
struct EarlierRun {
  std::string id;
  std::shared_ptr<const RunState> state;  // null: its journal is gone
};

/// Chooses what a run is shown: the memory of the newest run before it, that run, and those that ended since.
/// `earlier` holds all of them in that order, those of `before.runs` first; `most` is in characters.
MemoryShown remember(const MemoryShown& before, const std::vector<EarlierRun>& earlier, std::size_t most);

/// The turns of it, from the states of `shown.runs` in their order; less where a model could not take all of it.
std::vector<model::Turn> memory_turns(MemoryShown shown, const std::vector<EarlierRun>& earlier,
                                      MemoryCut cut = MemoryCut::none);

/// Leaves out of a thread what memory has already: requests, notes and quoted messages, and all that Deputy wrote.
std::vector<ThreadLine> not_in_memory(std::vector<ThreadLine> thread, const std::vector<EarlierRun>& earlier);

}  // namespace deputy::run
