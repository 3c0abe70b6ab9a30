// Opens interactions: binds what is asked to its digest, says who may answer and until when, and makes the rows that
// store it before anyone sees it.
#pragma once

#include <vector>

#include "run/drive/judge.h"

namespace deputy::run {

/// Entries and rows of one append.
struct Opened {
  std::vector<EntryBody> entries;
  store::Effects effects;
};

/// The approvals of calls that came to their gate together: one card, an interaction each.
Task<Opened> ask_approvals(const RunDependencies& dependencies, RunId run, const RunState& state,
                           std::vector<const CallState*> calls);

/// The form of ask_user. One that breaks the rules of forms ends the call with an error that says which.
Task<Opened> ask_questions(const RunDependencies& dependencies, RunId run, const RunState& state,
                           const CallState& call);

/// Closes the interaction of a call that ends before it was answered.
void withdraw(const CallState& call, const Received& received, std::string by, Timestamp now, store::Effects& effects);

}  // namespace deputy::run
