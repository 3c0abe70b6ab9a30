// Plans the next action of one call: its ruling, its handlers in order up to the gate, an approval, the ruling after
// the gate, the rest of its handlers, those that always run, and its one result.
#pragma once

#include <optional>

#include "run/plan/plan.h"

namespace deputy::run {

constexpr std::string_view kAskUser = "ask_user";
constexpr std::string_view kRespondDirectly = "respond_directly";

/// True for a call that asks people and is not executed. One with a fault has no questions: it is refused like any.
bool is_form(const CallRequested& call);

/// Nothing when the call is finished, waits, or is in flight.
std::optional<Action> plan_call(const CallState& call, const RunState& state);

/// The end of a call with this outcome of one of its handlers; nothing when it goes on. The state is that before it.
std::optional<FinishCall> end_with(CallState call, const StepDone& done, const RunState& state);

/// True when a handler of it runs under this owner.
bool is_in_flight(const CallState& call, OwnerNumber owner);

/// The result of a call that goes no further: what was done is said, never that it was not.
FinishCall finish_as_it_stands(const CallState& call);

/// True when a handler that is not repeatable was started and nobody knows what came of it.
bool may_have_acted(const CallState& call);

}  // namespace deputy::run
