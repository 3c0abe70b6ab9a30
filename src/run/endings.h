// What comes with the end of a call and of a run: rows that appear in the same transaction. Pure.
#pragma once

#include "run/plan.h"
#include "run/state.h"
#include "store/rows.h"

namespace deputy::run {

/// An interaction that nobody answered is closed, children are told to stop, an unknown outcome is remembered and said.
store::Effects effects_of_call(RunId run, const RunState& state, const FinishCall& finish, Timestamp now);

/// The answer is owed to the thread; that of a child run goes to its parent instead.
store::Effects effects_of_reply(RunId run, const RunState& state, const Reply& reply, Timestamp now);

/// Added to those of the reply: the run takes no more entries, its parent hears, search finds it.
void add_effects_of_finish(RunId run, const RunState& state, const Reply& reply, const Finish& finish, Timestamp now,
                           store::Effects& effects);

inline constexpr std::string_view kDeadlineDue = "deadline";
inline constexpr std::string_view kTurnDue = "turn";  // of a run that is not begun yet

/// tools · seconds · cost · run id
std::string footer_of(RunId run, const RunState& state, Timestamp now);

}  // namespace deputy::run
