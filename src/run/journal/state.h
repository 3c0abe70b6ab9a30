// The state of a run: its journal, folded. It holds facts; plan says what to do about them.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "run/journal/entry.h"

namespace deputy::run {

/// The number of an owner, counted from 1. A step that an earlier owner started and that has no outcome is orphaned.
using OwnerNumber = int;

/// One handler of one call.
struct StepState {
  StepInfo info;
  OwnerNumber started_under = 0;  // 0: never
  Timestamp begun_at = {};        // the first time
  Timestamp attempted_at = {};    // begun, or ended without an outcome
  std::optional<StepDone> done;
  std::optional<Delegated> delegated;
  std::optional<std::string> answer;  // of the delegate
};

/// Whether it happened is still to be found out: it was attempted, and nobody has looked.
bool is_to_be_looked_at(const StepState& step);

/// One call, from the model's request to its one result.
struct CallState {
  CallRequested request;
  std::vector<Ruled> rulings;  // the first has the chain
  std::optional<Asked> asked;
  std::optional<Answered> answered;
  std::size_t rulings_before_answer = 0;
  bool background = false;
  std::vector<StepState> steps;
  std::vector<StepState> finals;
  std::optional<CallFinished> finished;

  const Ruled* ruling() const { return rulings.empty() ? nullptr : &rulings.back(); }
  /// How many steps come before a person is asked: the chain's own gate, or one that a ruling put at its front.
  std::optional<int> gate() const {
    const auto found = std::ranges::find_if(rulings, [](const Ruled& ruled) { return ruled.gate.has_value(); });
    return found == rulings.end() ? std::nullopt : found->gate;
  }
  StepState* find_step(std::string_view handler);
  const StepState* find_step(std::string_view handler) const;
};

/// A turn of the model, and the calls it made in order.
struct ModelTurn {
  std::string text;
  ReplyStop stop = ReplyStop::unknown;
  std::vector<std::string> calls;
  std::optional<ReplyThinking> thinking = {};
  bool thinking_refused = false;  // of the turns before it none is sent back any more
  bool without_tools = false;     // it was told that no more calls are possible
  bool goes_on = false;           // it was cut, and the next turn goes on where it stopped
};

/// Memory that did not fit the model is shown shorter than `enriched` says.
enum class MemoryCut { none, shortened, summed_up, left_out };

/// An item that the model is shown, in the order it happened.
using TranscriptItem = std::variant<Noted, ModelTurn>;

struct RunState {
  std::optional<Received> received;
  std::optional<Enriched> enriched;
  std::vector<TranscriptItem> transcript;
  std::map<std::string, CallState, std::less<>> calls;
  std::vector<std::string> open_calls;  // of the last turn, in call order

  OwnerNumber owner = 0;
  std::chrono::milliseconds worked{};  // under earlier owners
  Timestamp taken_up_at;
  Timestamp last_own_at;     // of what its owners wrote
  int crashes_in_a_row = 0;  // taken up after a crash, with no progress between

  OwnerNumber model_called_under = 0;  // 0: it owes no reply
  int tool_turns = 0;
  bool reply_was_lost = false;  // cut inside a call, or before it said anything
  bool note_unread = false;     // a note that no model call has seen
  bool called_without_tools = false;
  std::size_t shown = 0;  // how much of the transcript the last model call saw: its reply comes after that
  int overflows = 0;      // how often what the model was shown did not fit, since the last summary
  // Results of the transcript that are shown shorter since then: those before these items. What comes later is whole
  // until it does not fit either, so that a request begins with the one before it.
  std::size_t shortened_before = 0;
  std::size_t cut_before = 0;
  MemoryCut memory_cut = MemoryCut::none;  // for the rest of the run
  bool thinking_refused = false;           // by a reply that was lost: the next turn stands behind none
  bool summary_is_due = false;
  std::string summary;         // stands for the first items of the transcript
  std::size_t summarised = 0;  // how many
  std::string prompt;          // digests of the first system prompt and tool list: kept to the end
  std::string tools;
  std::int64_t cost = 0;  // millionths of a dollar
  std::int64_t tokens = 0;
  std::int64_t unpriced_tokens = 0;  // those of them that no price is known for
  std::int64_t estimate = 0;         // of the model call that is owed a reply
  std::int64_t estimated_tokens = 0;
  std::int64_t lost_cost = 0;  // estimates of calls whose reply died with its owner: paid for all the same
  std::int64_t lost_tokens = 0;

  int forms_asked = 0;
  std::map<std::string, std::pair<std::string, int>, std::less<>>
      last_errors;  // by tool: the error and how often in a row
  std::set<std::string, std::less<>> withdrawn;

  std::optional<CancelRequested> cancelled;
  bool deadline_passed = false;
  std::optional<Limited> limited;
  std::optional<std::string> model_failure;
  std::optional<Replied> replied;
  std::optional<Finished> finished;
  Seq last = 0;

  /// The request; an empty one of a journal that has none yet.
  const Received& request() const;

  CallState* find_call(std::string_view id);
  const CallState* find_call(std::string_view id) const;
  /// The earlier runs of the conversation that are shown; null when there are none.
  const MemoryShown* memory() const {
    return enriched.has_value() && enriched->memory.has_value() ? &*enriched->memory : nullptr;
  }
  const ModelTurn* last_turn() const;
  /// The text of the last turn; of one that goes on where others were cut, with theirs before it.
  std::string last_text() const;
  /// The number of items of the transcript up to and with the model's last turn.
  std::size_t upto_last_turn() const;
};

}  // namespace deputy::run
