#include "run/plan/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "run/plan/messages.h"
#include "run/plan/plan_call.h"

namespace deputy::run {

namespace {

RunOutcome outcome_of(const RunState& state, const PlanLimits& limits) {
  if (state.cancelled) return RunOutcome::cancelled;
  if (is_poison(state, limits) || state.model_failure || state.deadline_passed) return RunOutcome::failed;
  return RunOutcome::answered;
}

// Cards of approvals that nobody has answered. Calls beyond so many wait, and then share some.
int cards_pending(const RunState& state) {
  std::set<std::string_view> cards;
  for (const std::string& id : state.open_calls) {
    const CallState* call = state.find_call(id);
    if (!call->finished && call->asked && !call->answered && call->asked->kind == AskKind::approval)
      cards.insert(call->asked->card.empty() ? call->asked->interaction : call->asked->card);
  }
  return static_cast<int>(cards.size());
}

// The actions of the open calls, as many at once as may be.
std::vector<Action> plan_calls(const RunState& state, const PlanLimits& limits, bool& all_finished) {
  std::vector<Action> actions;
  all_finished = true;
  int running = 0;
  for (const std::string& id : state.open_calls) {
    const CallState* call = state.find_call(id);
    if (call->finished) continue;
    all_finished = false;
    if (is_in_flight(*call, state.owner)) ++running;
  }
  // What does not fit on this card is planned next, for another.
  int may_ask = cards_pending(state) < limits.cards_pending ? limits.approvals_a_card : 0;
  for (const std::string& id : state.open_calls) {
    const CallState* call = state.find_call(id);
    std::optional<Action> action = plan_call(*call, state);
    if (!action) continue;
    if (std::holds_alternative<RunStep>(*action) && ++running > limits.calls_at_once) continue;
    if (std::holds_alternative<Ask>(*action) && !is_form(call->request) && --may_ask < 0) continue;
    actions.push_back(*std::move(action));
  }
  return actions;
}

// A run that crashes whatever process takes it up gets its results without running anything: that may be what crashes.
std::vector<Action> give_up(const RunState& state) {
  std::vector<Action> actions;
  for (const std::string& id : state.open_calls) {
    const CallState* call = state.find_call(id);
    if (call->finished) continue;
    actions.emplace_back(finish_as_it_stands(*call));
  }
  if (actions.empty()) actions.emplace_back(Reply{message_for_poison()});
  return actions;
}

}  // namespace

Finish ending_of(const RunState& state, const PlanLimits& limits) { return Finish{outcome_of(state, limits)}; }

bool is_poison(const RunState& state, const PlanLimits& limits) {
  return state.crashes_in_a_row >= limits.crashes_in_a_row;
}

model::Calls calls_possible(const RunState& state) {
  return state.limited ? model::Calls::none : model::Calls::allowed;
}

bool is_ending(const RunState& state) { return state.cancelled || state.deadline_passed; }

std::vector<Action> plan(const RunState& state, const PlanLimits& limits) {
  if (state.finished || !state.received || state.owner == 0) return {};
  if (is_poison(state, limits) && !state.replied) return give_up(state);
  if (state.replied) return {ending_of(state, limits)};

  bool all_finished = true;
  std::vector<Action> actions = plan_calls(state, limits, all_finished);
  if (!all_finished) return actions;
  if (state.model_called_under == state.owner) return {};  // in flight; cancelled when the run is ending

  if (is_ending(state)) return {Reply{state.cancelled ? message_for_cancel(state) : message_for_deadline(state)}};
  if (state.request().only_call) return {Reply{message_for_only_call(state)}};
  if (state.model_failure) return {Reply{message_for_model_failure(state)}};
  if (!state.enriched) return {Enrich{}};

  const bool owed_a_reply = state.model_called_under != 0;  // it was asked by an owner that died
  const ModelTurn* last = state.last_turn();
  const bool model_is_done =
      last != nullptr && last->calls.empty() && !last->goes_on && !state.reply_was_lost && !owed_a_reply;
  if (!state.note_unread) {
    if (const std::optional<std::string> direct = direct_response(state)) return {Reply{*direct}};
    if (model_is_done) return {Reply{message_for_answer(state)}};
  }
  if (state.limited && state.limited->what == LimitKind::budget) return {Reply{message_for_budget(state)}};
  const int max_turns = std::min(limits.tool_turns, state.received->tool_turns.value_or(limits.tool_turns));
  if (state.tool_turns >= max_turns && !state.limited) {
    return {Limit{LimitKind::turns, fmt::format("I stopped after {} rounds of tool calls", state.tool_turns)}};
  }
  if (state.summary_is_due) return {Summarise{limits.reply_tokens}};
  return {CallModel{limits.reply_tokens, calls_possible(state)}};
}

}  // namespace deputy::run
