#include "run/plan/plan_call.h"

#include <algorithm>

#include "run/journal/fold.h"
#include "run/plan/messages.h"

namespace deputy::run {

namespace {

bool in_flight(const StepState& step, OwnerNumber owner) { return !step.done && step.started_under == owner; }

bool waits_for_child(const StepState& step) {
  return !step.done && step.delegated && step.delegated->kind == DelegateTo::child_run && !step.answer;
}

bool went_wrong(const StepState& step) {
  return step.done && step.done->outcome != StepOutcome::continued && step.done->outcome != StepOutcome::output;
}

// A verdict that cannot be read lets nothing run.
bool is_refused(const Ruled& ruling) {
  return ruling.verdict == Verdict::refused || ruling.verdict == Verdict::unknown;
}

const StepState* first_that_went_wrong(const CallState& call) {
  const auto found = std::ranges::find_if(call.steps, went_wrong);
  return found == call.steps.end() ? nullptr : &*found;
}

// The attempt ended without an outcome, by a timeout, a cancel or a lost connection.
std::optional<Action> look_first(const CallState& call) {
  const auto found = std::ranges::find_if(call.steps, is_to_be_looked_at);
  if (found == call.steps.end()) return std::nullopt;
  return RunStep{call.request.id, found->info.name, RunStep::How::look};
}

// The next move of a handler that is not done.
std::optional<Action> advance(const CallState& call, const StepState& step, OwnerNumber owner) {
  const auto run = [&](RunStep::How how) { return RunStep{call.request.id, step.info.name, how}; };
  if (in_flight(step, owner) || waits_for_child(step)) return std::nullopt;
  if (step.delegated && !step.answer) return AnswerDelegate{call.request.id, step.info.name};
  const bool orphaned = step.started_under != 0;
  if (!orphaned || step.info.repeatable) return run(RunStep::How::run);
  return run(step.info.can_look ? RunStep::How::look : RunStep::How::unknown);
}

// Handlers that always run, one after another, and then the result. Their own errors change nothing.
std::optional<Action> wind_up(const CallState& call, OwnerNumber owner, FinishCall finish) {
  for (const StepState& step : call.finals) {
    if (step.done) continue;
    if (in_flight(step, owner)) return std::nullopt;
    return RunStep{call.request.id, step.info.name, RunStep::How::run};
  }
  return finish;
}

std::optional<Action> plan_question(const CallState& call, const RunState& state) {
  if (is_ending(state))
    return FinishCall{call.request.id, CallStatus::cancelled, message_for_form_not_answered("cancelled")};
  if (!call.asked) return Ask{call.request.id};
  if (!call.answered) return std::nullopt;
  const bool has_result = !call.answered->response.empty();
  return FinishCall{call.request.id, CallStatus::success,
                    has_result ? json::serialize(call.answered->response)
                               : message_for_form_not_answered(name(call.answered->state))};
}

// The action that must come before the first handler behind the gate; none when the gate is open.
struct GateMove {
  bool open = false;
  std::optional<Action> action;  // else: wait
};

GateMove pass_gate(const CallState& call, OwnerNumber owner) {
  const std::string& id = call.request.id;
  const Ruled& ruling = *call.ruling();
  const auto denied = [&](CallStatus status, std::string text) {
    return GateMove{false, wind_up(call, owner, {id, status, std::move(text)})};
  };
  // Whoever starts the first handler behind the gate judges again, by the settings and grants of that moment.
  if (ruling.after_gate && ruling.verdict == Verdict::allow) return {.open = true};
  if (ruling.verdict == Verdict::deny) return denied(CallStatus::denied, message_for_denial(call));
  if (is_refused(ruling)) return denied(CallStatus::error, ruling.words);
  if (call.asked && !call.answered) return {};
  if (call.answered && call.answered->state != interaction::State::approved)
    return denied(CallStatus::denied, message_for_denial(call));
  const bool approved = call.answered.has_value();
  if (ruling.verdict == Verdict::ask && !approved) return {false, Ask{id}};
  // An approval turns ask into allow; an "ask" that was said with it means that the judge will not be satisfied.
  const bool judged_with_it = approved && call.rulings.size() > call.rulings_before_answer;
  if (judged_with_it && ruling.verdict == Verdict::ask) return denied(CallStatus::error, message_for_void_approval());
  return {false, Rule{id, true}};
}

// Somebody said stop, or time is up: what runs is waited for, what cannot be told is found out, the rest does not
// start.
std::optional<Action> plan_end(const CallState& call, const RunState& state) {
  for (const StepState& step : call.steps) {
    if (step.done || step.started_under == 0) continue;
    if (in_flight(step, state.owner)) return std::nullopt;
    if (!step.info.repeatable) return advance(call, step, state.owner);
  }
  if (std::optional<Action> look = look_first(call)) return look;
  return wind_up(call, state.owner, finish_as_it_stands(call));
}

}  // namespace

bool is_form(const CallRequested& call) { return call.tool == kAskUser && !call.fault; }

FinishCall finish_as_it_stands(const CallState& call) {
  const std::string& id = call.request.id;
  if (may_have_acted(call)) return {id, CallStatus::unknown, message_for_unknown()};
  if (const StepState* wrong = first_that_went_wrong(call)) return finish_after_error(call, *wrong);
  const bool all_done = !call.steps.empty() &&
                        std::ranges::all_of(call.steps, [](const StepState& step) { return step.done.has_value(); });
  if (all_done) return {id, CallStatus::success, output_of(call)};
  return {id, CallStatus::cancelled, message_for_cancelled_call(call)};
}

bool is_in_flight(const CallState& call, OwnerNumber owner) {
  const auto runs = [&](const StepState& step) { return in_flight(step, owner); };
  return std::ranges::any_of(call.steps, runs) || std::ranges::any_of(call.finals, runs);
}

bool may_have_acted(const CallState& call) {
  return std::ranges::any_of(call.steps, [](const StepState& step) {
    const bool no_outcome = !step.done || step.done->outcome == StepOutcome::unknown;
    return step.started_under != 0 && !step.info.repeatable && no_outcome;
  });
}

std::optional<Action> plan_call(const CallState& call, const RunState& state) {
  const std::string& id = call.request.id;
  if (call.finished) return std::nullopt;
  if (is_form(call.request)) return plan_question(call, state);
  if (call.rulings.empty()) {
    if (is_ending(state)) return FinishCall{id, CallStatus::cancelled, message_for_cancelled_call(call)};
    return Rule{id, false};
  }
  const Ruled& first = call.rulings.front();
  if (first.verdict == Verdict::deny) return FinishCall{id, CallStatus::denied, message_for_denial(call)};
  if (is_refused(first)) return FinishCall{id, CallStatus::error, first.words};
  if (is_ending(state)) return plan_end(call, state);
  if (std::optional<Action> look = look_first(call)) return look;
  if (const StepState* wrong = first_that_went_wrong(call))
    return wind_up(call, state.owner, finish_after_error(call, *wrong));
  const std::optional<int> gate = call.gate();
  if (const Ruled& last = *call.ruling(); !gate && !may_have_acted(call)) {
    // Judged again just before it acted.
    if (last.verdict == Verdict::deny)
      return wind_up(call, state.owner, {id, CallStatus::denied, message_for_denial(call)});
    if (is_refused(last)) return wind_up(call, state.owner, {id, CallStatus::error, last.words});
  }
  for (std::size_t i = 0; i < call.steps.size(); ++i) {
    const StepState& step = call.steps[i];
    if (step.done) continue;
    const bool at_gate = gate && std::cmp_greater_equal(i, *gate);
    if (at_gate) {
      const GateMove move = pass_gate(call, state.owner);
      if (!move.open) return move.action;
    }
    const bool goes_to_background = call.background && (at_gate || !gate);
    if (goes_to_background && !step.delegated) return StartBackground{id};
    return advance(call, step, state.owner);
  }
  return wind_up(call, state.owner, {id, CallStatus::success, output_of(call)});
}

std::optional<FinishCall> end_with(CallState call, const StepDone& done, const RunState& state) {
  fold_step(call, done);
  std::optional<Action> next = plan_call(call, state);
  auto* finish = next ? std::get_if<FinishCall>(&*next) : nullptr;
  return finish == nullptr ? std::nullopt : std::optional(std::move(*finish));
}

}  // namespace deputy::run
