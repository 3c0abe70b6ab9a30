// One handler of one call, from the state to the executor and back to the journal.
#pragma once

#include "run/drive/dependencies.h"
#include "run/drive/in_flight.h"
#include "run/drive/judge.h"
#include "run/journal/state.h"
#include "run/plan/prepare.h"

namespace deputy::run {

/// A handler about to run: everything it needs, as values.
struct StepWork {
  RunId run;
  std::string call;
  std::string handler;
  toolkit::Execution execution;
  redact::Redactor redactor;
  std::chrono::milliseconds wait = {};  // before looking
};

/// Binds a handler to the ruling that lets it run: the paths that were judged, and the rules on what it meets.
void hold_to(StepWork& work, const RunDependencies& dependencies, const RunState& state, const CallState& call,
             std::shared_ptr<const RulingBasis> basis);

/// Composes the call again and takes the handler. An error of kind conflict when the call is not the one that was ruled
/// on; handlers that always run are not held to that.
Result<StepWork> prepare_step(const RunDependencies& dependencies, RunId run, const RunState& state,
                              const CallState& call, const StepState& step);

/// Gives `step_done`, or `delegated`. Cancelling it cancels the handler; it still gives an entry.
Task<TaskResult> run_step(toolkit::Executor& executor, StepWork work);

/// Asks the handler whether it happened: gives `step_done`, with `not_done` when it did not.
Task<TaskResult> look_at_step(toolkit::Executor& executor, StepWork work);

StepDone step_failed(std::string call, std::string handler, StepOutcome outcome, const Error& error);

}  // namespace deputy::run
