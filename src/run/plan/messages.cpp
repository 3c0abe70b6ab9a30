#include "run/plan/messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "run/plan/plan_call.h"
#include "toolkit/cut.h"

namespace deputy::run {

namespace {

std::string tools_used(const RunState& state) {
  std::string tools;
  for (const auto& [id, call] : state.calls) {
    if (call.request.fault) continue;
    const std::string tool = fmt::format("`{}`", call.request.tool);
    if (tools.find(tool) != std::string::npos) continue;
    tools += (tools.empty() ? "" : ", ") + tool;
  }
  return tools;
}

bool has_result(const RunState& state) {
  return std::ranges::any_of(state.calls, [](const auto& one) {
    const std::optional<CallFinished>& finished = one.second.finished;
    return finished && finished->status == CallStatus::success;
  });
}

// One line a call that did something, or may have.
std::string what_was_done(const RunState& state) {
  std::string lines;
  for (const auto& [id, call] : state.calls) {
    if (!call.finished || call.request.fault || call.request.tool == kAskUser) continue;
    const std::string did = what_it_did(call);
    lines +=
        fmt::format("\n- `{}`: {}", call.request.tool,
                    call.finished->status == CallStatus::success   ? "done"
                    : call.finished->status == CallStatus::unknown ? "may have happened; check before doing it again"
                    : did.empty() ? fmt::format("not done ({})", name(call.finished->status))
                                  : "partly done: " + did);
  }
  return lines.empty() ? "\nNothing had been done." : lines;
}

}  // namespace

std::string message_for_answer(const RunState& state) {
  const ModelTurn* turn = state.last_turn();
  std::string text = state.last_text();
  if (turn->stop == ReplyStop::refusal) {
    text += fmt::format("{}The model declined to answer this.{}", text.empty() ? "" : "\n\n", what_was_done(state));
  } else if (trim(text).empty()) {
    const std::string tools = tools_used(state);
    text = has_result(state) ? "I found results but could not summarise them."
                             : "The model gave no answer, and there are no results. Asking again may help.";
    if (!tools.empty()) text += " Tools used: " + tools + ".";
  }
  if (turn->stop == ReplyStop::max_tokens)
    text += "\n\n_(This answer was cut at its length limit, limits.reply_tokens.)_";
  if (state.limited) text += fmt::format("\n\n_({}.)_", state.limited->words);
  return text;
}

std::string message_for_cancel(const RunState& state) {
  return fmt::format("Stopped by {}.{}", state.cancelled ? state.cancelled->by : "", what_was_done(state));
}

std::string message_for_deadline(const RunState& state) {
  return fmt::format("I ran out of time.{}\n{}", what_was_done(state), state.last_text());
}

std::string message_for_budget(const RunState& state) {
  return fmt::format("I stopped at a budget: {}.{}\n{}", state.limited ? state.limited->words : "",
                     what_was_done(state), state.last_text());
}

std::string message_for_model_failure(const RunState& state) {
  const ModelTurn* last = state.last_turn();
  const std::string so_far = last != nullptr && last->goes_on ? state.last_text() + "\n\n" : std::string();
  return fmt::format("{}I could not finish: {}.{}", so_far, state.model_failure.value_or(""), what_was_done(state));
}

std::string message_for_only_call(const RunState& state) {
  const CallState* call = state.open_calls.empty() ? nullptr : state.find_call(state.open_calls.front());
  return call == nullptr || !call->finished ? "There was nothing to do." : toolkit::for_people(call->finished->text);
}

std::string message_for_poison() {
  return "I crashed three times while working on this and give up. The operators have been told.";
}

std::optional<std::string> direct_response(const RunState& state) {
  const ModelTurn* turn = state.last_turn();
  if (turn == nullptr) return std::nullopt;
  for (const std::string& id : turn->calls) {
    const CallState* call = state.find_call(id);
    if (call->request.tool == kRespondDirectly && call->finished && call->finished->status == CallStatus::success)
      return call->finished->text;
  }
  return std::nullopt;
}

std::string name_in_a_line(std::string_view name) {
  std::string line(cut_characters(name, 100));
  std::ranges::replace_if(
      line, [](char c) { return c == '[' || c == ']' || static_cast<unsigned char>(c) < ' '; }, ' ');
  return std::string(trim(line));
}

std::string answered_by(const Answered& answered) {
  const std::string name = text_at(answered.response, "name");
  return name.empty() ? answered.by : name;
}

std::string message_for_denial(const CallState& call) {
  if (!call.answered || call.answered->state == interaction::State::approved)
    return interaction::told_of_rule(call.ruling()->words);
  interaction::Settled settled;
  settled.state = call.answered->state;
  settled.by = answered_by(*call.answered);
  settled.reason = text_at(call.answered->response, "reason");
  return interaction::told_to_model(settled);
}

std::string message_for_unknown() { return "It may have happened; check before doing it again."; }

std::string message_for_void_approval() {
  return "The approval does not hold any more; ask again if it is still needed.";
}

std::string what_it_did(const CallState& call) {
  std::vector<std::string> handlers;
  for (const StepState& step : call.steps) {
    const bool did =
        step.done && (step.done->outcome == StepOutcome::continued || step.done->outcome == StepOutcome::output);
    if (did && !step.info.repeatable) handlers.push_back(step.info.name);
  }
  return list_names(handlers);
}

std::string message_for_cancelled_call(const CallState& call) {
  const std::string did = what_it_did(call);
  if (did.empty()) return "Cancelled before it did anything.";
  return fmt::format("Stopped in the middle: {} had been done, the rest was not.", did);
}

std::string message_for_form_not_answered(std::string_view state) {
  return json::serialize(json::object{
      {"answers", json::array()}, {"completed", false}, {"reason", json::string_view(state.data(), state.size())}});
}

std::string output_of(const CallState& call) {
  for (auto step = call.steps.rbegin(); step != call.steps.rend(); ++step) {
    if (const std::optional<StepDone>& done = step->done; done && done->output) return *done->output;
  }
  return "Done.";
}

FinishCall finish_after_error(const CallState& call, const StepState& step) {
  const StepDone done = step.done.value_or(StepDone{});
  if (done.outcome == StepOutcome::unknown) {
    return {call.request.id, CallStatus::unknown, message_for_unknown() + (done.error ? " " + *done.error : "")};
  }
  // Until the first handler behind the gate starts a call is pending, and what is pending cannot time out.
  const std::optional<int> gate = call.gate();
  const bool pending = gate && &step - call.steps.data() < *gate;
  const CallStatus status = done.outcome == StepOutcome::timeout     ? CallStatus::timeout
                            : done.outcome == StepOutcome::cancelled ? CallStatus::cancelled
                                                                     : CallStatus::error;
  std::string text = done.error.value_or("it failed");
  if (const std::string did = what_it_did(call); !did.empty())
    text += fmt::format(" ({} had been done before that)", did);
  return {call.request.id, pending && status == CallStatus::timeout ? CallStatus::error : status, std::move(text)};
}

}  // namespace deputy::run
