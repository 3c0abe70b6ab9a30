// The ruling on one call. Looks up what entries cannot tell: who the people are now, the live grants, whether the same
// call ended unknown before. Policy decides; this asks it and writes its ruling down.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "policy/rulings.h"
#include "run/drive/dependencies.h"
#include "run/journal/state.h"
#include "run/plan/prepare.h"

namespace deputy::run {

/// What a ruling rests on. The handlers that it lets run are held to it.
struct RulingBasis {
  std::shared_ptr<const Rules> rules;
  policy::RulingContext situation;
  bool approved = false;                                   // by a person
  std::map<std::string, std::string, std::less<>> led_to;  // where links of path arguments led, by parameter
};

/// A ruling to be journalled, and the rows of its transaction: a use of a grant, a line in the thread, audit.
struct Judged {
  Ruled entry;
  store::Effects effects;
  std::shared_ptr<const RulingBasis> basis = nullptr;  // null: it lets nothing run
};

enum class When { before_its_first_step, after_its_gate };

/// A call that cannot be run as it is gets the ruling `refused`, with the reason for the model.
Task<Judged> judge_call(const RunDependencies& dependencies, RunId run, const RunState& state, const CallState& call,
                        When when);

/// The accounts whose words led to a call: the requester's first, then those of notes before it. Keys of accounts.
std::vector<std::string> askers_of(const RunState& state, std::string_view call);

/// The person who said yes to a call, or the grant it was ruled under; empty if nobody was asked.
std::string approver_of(const RunState& state, const CallState& call);

/// The last output of the handlers before the gate: an approval shows it and is bound to it.
json::value preview_of(const CallState& call);

/// The key under which a call that ended unknown is remembered, for all runs of its conversation; `wish` as in Ruled.
std::string unknown_key(std::string_view conversation, std::string_view wish);

}  // namespace deputy::run
