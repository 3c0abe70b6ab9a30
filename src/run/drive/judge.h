// The ruling on one call, with everything looked up that entries cannot tell: who the people are now, what is granted,
// whether the same call ended unknown before. Policy decides; this only asks it and writes down what it said.
#pragma once

#include <string>

#include "run/drive/dependencies.h"
#include "run/journal/state.h"
#include "run/plan/prepare.h"

namespace deputy::run {

/// A ruling to be journalled, and what its transaction brings along: a use of a grant, a line in the thread, audit.
struct Judged {
  Ruled entry;
  store::Effects effects;
};

enum class When { before_its_first_step, after_its_gate };

/// Whatever is wrong with the call becomes a ruling: `refused`, with the reason for the model.
Task<Judged> judge_call(const RunDependencies& dependencies, RunId run, const RunState& state, const CallState& call,
                        When when);

/// Whose words led to a call: the requester and whoever wrote notes before it. Keys of accounts, the requester's first.
std::vector<std::string> askers_of(const RunState& state, std::string_view call);

/// What the handlers before the gate put out last: what an approval shows and is bound to.
json::value preview_of(const CallState& call);

/// Where a call that ended unknown is remembered, for all runs of its conversation; `wish` as in Ruled.
std::string unknown_key(std::string_view conversation, std::string_view wish);

}  // namespace deputy::run
