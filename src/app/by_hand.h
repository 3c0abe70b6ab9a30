// What the OS user does by hand over a composed process: answer what waits, call one tool, stop a run. Each goes the
// way everybody's does: looked up, judged, stored, audited.
#pragma once

#include <string>

#include "app/answering.h"
#include "app/build.h"

namespace deputy::app {

policy::Identity local_user(const std::string& user);

/// Whether the answer settled it: permission where it may not, conflict where somebody was first, else invalid_input.
Result<> check_settled(const channel::Verdict& verdict);

/// Presses what the words mean. Works also while nothing is started.
Task<Result<>> answer_by_hand(Process& process, std::string user, store::InteractionRow row, Press press);

/// What is called by hand, in a run of its own that was given its id, so that who watches knows it beforehand.
struct CallByHand {
  RunId run;
  run::CallRequested call;
};
/// permission when everything is paused: no run would go on.
Task<Result<>> check_not_paused(store::Store& store);

CallByHand new_call_by_hand(std::string tool, json::object arguments, Timestamp now);

/// Stores a run of that one call without a model, under the same rules as any other, in that conversation.
Task<Result<>> call_by_hand(Process& process, std::string user, std::string conversation, CallByHand call);

/// Word to a run that it is to stop.
Task<Result<>> stop_by_hand(Process& process, std::string user, store::RunRow run);

}  // namespace deputy::app
