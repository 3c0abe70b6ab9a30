// Runs that a run starts: a child run with a model, or a background call, which is a child run of one call without one.
// It has its parent's requester, conversation, suspicion and the rest of the budget, at most its tools, and no
// children.
#pragma once

#include "run/rules.h"
#include "run/state.h"
#include "store/rows.h"

namespace deputy::run {

/// From the payload of a `child_run` delegate: {task, tools?, label?, reads_only?, tool_turns?}.
Result<store::NewRunRow> child_run(RunId parent, const RunState& state, const Delegated& delegated,
                                   std::optional<std::int64_t> budget, Timestamp now);

/// `approved_by` is who said yes, or gave the grant; `digest` is of what the call would do.
store::NewRunRow background_run(RunId parent, const RunState& state, const CallState& call, std::string approved_by,
                                std::string digest, Timestamp now);

/// Whether it is a background call. One that people made by hand is a run of one call too, and has no parent.
bool is_background(const Received& received);

/// The children of a call that have not finished, as far as the parent has heard.
std::vector<RunId> open_children(const CallState& call);

}  // namespace deputy::run
