// Replay of a stored run without the outside world: every request of its turns, rebuilt from the journal and the
// kept texts alone, and the problems of the journal. Pure.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "model/model.h"
#include "run/journal/state.h"

namespace deputy::run {

struct ReplayedTurn {
  Seq seq = 0;  // of `model_called`
  std::string model;
  model::Request request;  // as it was sent

  bool operator==(const ReplayedTurn&) const = default;
};

struct Replay {
  std::vector<ReplayedTurn> turns;
  std::vector<std::string> problems;  // "entry 7: …"; none in a journal that is consistent
  std::string outcome;                // empty while the run has not finished

  bool operator==(const Replay&) const = default;
};

/// The text kept under a digest: a system prompt or a tool list.
using KeptText = std::function<Result<std::string>(const std::string& digest)>;

/// The turns of the earlier runs that this one was shown.
using Memory = std::function<Result<std::vector<model::Turn>>(const MemoryShown& shown, MemoryCut cut)>;

/// An error for a journal that this program does not understand. A text that is kept no more is a problem, and its turn
/// is left out.
Result<Replay> replay(std::span<const store::EntryRow> journal, const KeptText& text, const Memory& memory);

/// For people: of each request what is new in it, then the outcome and the problems.
std::string print(const Replay& replay);

}  // namespace deputy::run
