// Rows that appear in the same transaction as an entry: those that come with the end of a call and of a run, and the
// runs that a run starts. Pure.
//
// A run starts a child run with a model, or a background call, which is a child run of one call without one. It has its
// parent's requester, conversation, suspicion and the rest of the budget, at most its tools, and no children.
#pragma once

#include "run/journal/state.h"
#include "run/plan/plan.h"
#include "run/plan/rules.h"
#include "store/rows.h"

namespace deputy::run {

/// Closes an interaction that nobody answered, tells children to stop, remembers and announces an unknown outcome.
store::Effects effects_of_call(RunId run, const RunState& state, const FinishCall& finish, Timestamp now);

/// Owes the answer to the thread; that of a child run goes to its parent instead.
store::Effects effects_of_reply(RunId run, const RunState& state, const Reply& reply, Timestamp now);

/// Added to those of the reply: closes the run, tells its parent, makes it searchable.
void add_effects_of_finish(RunId run, const RunState& state, const Reply& reply, const Finish& finish, Timestamp now,
                           store::Effects& effects);

inline constexpr std::string_view kDeadlineDue = "deadline";
inline constexpr std::string_view kTurnDue = "turn";  // of a run that is not begun yet

/// tools · seconds · cost · run id
std::string footer_of(RunId run, const RunState& state, Timestamp now);

/// From the payload of a `child_run` delegate: {task, tools?, label?, reads_only?, tool_turns?, first_calls?}.
Result<store::NewRunRow> child_run(RunId parent, const RunState& state, const Delegated& delegated,
                                   std::optional<std::int64_t> budget, Timestamp now);

/// `approved_by` approved the call or gave the grant; `digest` binds what the call would do.
store::NewRunRow background_run(RunId parent, const RunState& state, const CallState& call, std::string approved_by,
                                std::string digest, Timestamp now);

/// From the payload of a `background` delegate: {tool, arguments}. It may only read: nobody approved the call.
Result<store::NewRunRow> follow_up_run(RunId parent, const RunState& state, const Delegated& delegated, Timestamp now);

/// True for the run of a background call. A call that people made by hand is a run of one call too, but has no parent.
bool is_background(const Received& received);

/// The children of a call that have not finished, as far as the parent has heard.
std::vector<RunId> open_children(const CallState& call);

}  // namespace deputy::run
