// Messages to people and to the model at the turns of a run. Pure functions of the state.
#pragma once

#include <optional>
#include <string>

#include "run/plan/plan.h"

namespace deputy::run {

// For people.
std::string message_for_answer(const RunState& state);
std::string message_for_cancel(const RunState& state);
std::string message_for_deadline(const RunState& state);
std::string message_for_budget(const RunState& state);
std::string message_for_model_failure(const RunState& state);
std::string message_for_only_call(const RunState& state);
std::string message_for_poison();

/// The message of respond_directly, when a call of the last turn was one.
std::optional<std::string> direct_response(const RunState& state);

// For the model.
/// A name is somebody's own choice: it must not be able to begin a line of its own. Empty if nothing is left.
std::string name_in_a_line(std::string_view name);
/// The name of the person, as settings or else their platform have it.
std::string answered_by(const Answered& answered);
std::string message_for_denial(const CallState& call);
std::string message_for_void_approval();
std::string message_for_unknown();
std::string message_for_cancelled_call(const CallState& call);
/// The handlers that changed something and are known to have: `restart`, `scale`. Empty: none did.
std::string what_it_did(const CallState& call);
std::string message_for_form_not_answered(std::string_view state);
/// The last output of its handlers.
std::string output_of(const CallState& call);
FinishCall finish_after_error(const CallState& call, const StepState& step);

}  // namespace deputy::run
