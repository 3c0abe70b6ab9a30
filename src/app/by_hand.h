// What the OS user does by hand over a composed process: answer what waits, call one tool, stop a run. Each goes the
// way everybody's does: looked up, judged, stored, audited.
#pragma once

#include <string>

#include "app/answering.h"
#include "app/build.h"

namespace deputy::app {

/// Presses what the words mean. Works also while nothing is started.
Task<Result<>> answer_by_hand(Process& process, std::string user, store::InteractionRow row, Press press);

struct CallByHand {
  RunId run;
  run::CallRequested call;
};
/// A run of one call without a model, under the same rules as any other, in that conversation.
Task<Result<CallByHand>> call_by_hand(Process& process, std::string user, std::string conversation, std::string tool,
                                      json::object arguments);

/// Word to a run that it is to stop.
Task<Result<>> stop_by_hand(Process& process, std::string user, store::RunRow run);

}  // namespace deputy::app
