#include "run/plan/consistency.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "run/plan/plan.h"
#include "run/plan/plan_call.h"

namespace deputy::run {

namespace {

bool has_open_call(const RunState& state) {
  return std::ranges::any_of(state.open_calls, [&](const std::string& id) { return !state.find_call(id)->finished; });
}

// An allow that was made after the gate.
bool gate_is_open(const CallState& call) {
  const Ruled* ruling = call.ruling();
  return ruling != nullptr && ruling->after_gate && ruling->verdict == Verdict::allow;
}

bool is_behind_gate(const CallState& call, std::string_view handler) {
  const std::optional<int> gate = call.gate();
  const auto found = std::ranges::find_if(call.steps, [&](const StepState& step) { return step.info.name == handler; });
  return gate && found != call.steps.end() && found - call.steps.begin() >= *gate;
}

bool is_let_in(const CallState& call) {
  return !call.rulings.empty() &&
         (call.rulings.front().verdict == Verdict::allow || call.rulings.front().verdict == Verdict::ask);
}

class Check {
 public:
  explicit Check(const RunState& state) : state_(state) {}

  void operator()(const Received&) {
    if (state_.received) say("a second request");
  }
  void operator()(const Noted&) {}
  void operator()(const Answered&) {}
  void operator()(const ChildFinished&) {}
  void operator()(const Woken&) {}
  void operator()(const CancelRequested&) {}
  void operator()(const TakenUp&) {
    if (!state_.received) say("taken up without a request");
  }

  void operator()(const Enriched&) { expect_owner(); }

  void operator()(const ModelCalled& called) {
    expect_owner();
    if (state_.model_called_under == state_.owner && state_.owner != 0) say("the model is asked twice at once");
    if (has_open_call(state_)) say("the model is asked while a call has no result");
    if (is_ending(state_)) say("the model is asked after a stop");
    if (!state_.prompt.empty() && called.prompt != state_.prompt) say("the system prompt changed within the run");
    if (state_.summary_is_due) say("the model is asked although what it is shown does not fit");
  }

  void operator()(const Summarised& summarised) {
    expect_owner();
    if (has_open_call(state_)) say("a summary while a call has no result");
    if (!state_.summary_is_due) say("a summary that nobody needed");
    if (!summarised.error && (summarised.items <= state_.summarised || summarised.items > state_.upto_last_turn()))
      say("a summary of turns that are not there");
  }

  void operator()(const ModelReplied& replied) {
    expect_owner();
    const bool is_asked_for = state_.model_called_under != 0 && state_.model_called_under == state_.owner;
    if (!is_asked_for && !state_.request().first_calls) say("a reply that nobody asked for");
    std::set<std::string_view> ids;
    for (const CallRequested& call : replied.calls) {
      if (state_.find_call(call.id) != nullptr || !ids.insert(call.id).second)
        say(fmt::format("two calls have the id {}", call.id));
    }
  }

  void operator()(const Ruled& ruled) {
    expect_owner();
    const CallState* call = open_call(ruled.call, "is ruled");
    if (call == nullptr) return;
    if (call->request.fault && ruled.verdict != Verdict::refused)
      say(fmt::format("{} is let in with its fault", ruled.call));
    if (call->rulings.empty() && ruled.after_gate && ruled.verdict != Verdict::refused)
      say(fmt::format("{} is judged anew and never was before", ruled.call));
    if (!call->rulings.empty() && !ruled.after_gate) say(fmt::format("{} is given a second chain", ruled.call));
  }

  void operator()(const Asked& asked) {
    expect_owner();
    const CallState* call = open_call(asked.call, "is asked about");
    if (call == nullptr) return;
    if (call->asked) say(fmt::format("{} is asked about twice", asked.call));
    const bool asks_people = is_form(call->request);
    if (asks_people != (asked.kind == AskKind::questions))
      say(fmt::format("{} is asked about in the wrong way", asked.call));
    if (!asks_people && (call->rulings.empty() || call->ruling()->verdict != Verdict::ask))
      say(fmt::format("{} is asked about although no ruling says so", asked.call));
  }

  void operator()(const StepStarted& started) {
    expect_owner();
    const auto [call, step] = step_of(started.call, started.handler, "starts");
    if (step == nullptr) return;
    const std::string what = fmt::format("{}/{}", started.call, started.handler);
    if (step->done) say(what + " starts although it is done");
    if (!is_let_in(*call)) say(what + " starts although the call was not let in");
    if (is_behind_gate(*call, step->info.name) && !gate_is_open(*call))
      say(what + " starts behind a gate that is shut");
    if (step->info.repeatable) return;
    if (step->started_under != 0 && !step->info.can_look) say(what + " starts twice and is not repeatable");
    if (is_ending(state_)) say(what + " starts after a stop");
  }

  void operator()(const StepDone& done) {
    expect_owner();
    if (is_late(done.call)) return;
    const auto [call, step] = step_of(done.call, done.handler, "ends");
    if (step == nullptr) return;
    const std::string what = fmt::format("{}/{}", done.call, done.handler);
    const bool was_looked_at = is_to_be_looked_at(*step) && done.looked;
    if (step->done && !was_looked_at) say(what + " ends twice");
    // A call that can no longer be composed is refused before it starts.
    if (step->started_under == 0 && !step->delegated && done.outcome != StepOutcome::error)
      say(what + " ends and never started");
  }

  void operator()(const Delegated& delegated) {
    expect_owner();
    const auto [call, step] = step_of(delegated.call, delegated.handler, "delegates");
    if (step == nullptr) return;
    const std::string what = fmt::format("{}/{}", delegated.call, delegated.handler);
    if (delegated.kind != DelegateTo::background && step->started_under == 0)
      say(what + " delegates and never started");
    if (is_behind_gate(*call, step->info.name) && !gate_is_open(*call))
      say(what + " delegates behind a gate that is shut");
  }

  void operator()(const DelegateAnswered& answered) {
    expect_owner();
    if (is_late(answered.call)) return;
    const CallState* call = open_call(answered.call, "gets an answer");
    const auto waits = [](const StepState& step) { return step.delegated && !step.answer && !step.done; };
    if (call != nullptr && std::ranges::none_of(call->steps, waits))
      say(fmt::format("{} gets an answer and asked for none", answered.call));
  }

  void operator()(const CallFinished& finished) {
    expect_owner();
    const CallState* call = open_call(finished.call, "gets a result");
    if (call == nullptr) return;
    const auto not_done = [](const StepState& step) { return !step.done; };
    if (is_let_in(*call) && !call->background && !is_poison(state_) && std::ranges::any_of(call->finals, not_done))
      say(fmt::format("{} gets a result before what always runs", finished.call));
    if (finished.status != CallStatus::success || is_form(call->request)) return;
    if (call->rulings.empty()) say(fmt::format("{} succeeds and was never ruled", finished.call));
    if (!call->background && std::ranges::any_of(call->steps, not_done))
      say(fmt::format("{} succeeds with a handler that did not end", finished.call));
  }

  void operator()(const Limited&) { expect_owner(); }

  void operator()(const Replied&) {
    expect_owner();
    if (has_open_call(state_)) say("an answer while a call has no result");
    if (state_.replied) say("a second answer");
    if (state_.note_unread && !is_ending(state_) && !is_poison(state_) && !state_.model_failure && !state_.limited)
      say("an answer over a note that was not read");
  }

  void operator()(const Finished& finished) {
    expect_owner();
    const std::vector<Action> planned = plan(state_);
    const Action expected = Finish{finished.outcome};
    if (planned != std::vector<Action>{expected})
      say(fmt::format("it finishes as {} out of turn", name(finished.outcome)));
  }

  std::vector<std::string> take() { return std::move(problems_); }

 private:
  struct Found {
    const CallState* call = nullptr;
    const StepState* step = nullptr;
  };

  void say(std::string problem) { problems_.push_back(std::move(problem)); }

  void expect_owner() {
    if (state_.owner == 0) say("something is done before anyone has taken the run up");
  }

  // A handler that a stop cancelled may end after the call had its result.
  bool is_late(const std::string& id) const {
    const CallState* call = state_.find_call(id);
    return is_ending(state_) && call != nullptr && call->finished;
  }

  const CallState* open_call(const std::string& id, std::string_view what) {
    const CallState* call = state_.find_call(id);
    if (call == nullptr) say(fmt::format("{} {} and nobody made that call", id, what));
    if (call == nullptr || !call->finished) return call;
    say(fmt::format("{} {} after its result", id, what));
    return nullptr;
  }

  Found step_of(const std::string& id, const std::string& handler, std::string_view what) {
    const CallState* call = open_call(id, what);
    if (call == nullptr) return {};
    const StepState* step = call->find_step(handler);
    if (step == nullptr) say(fmt::format("{}/{} {} and is not in the chain", id, handler, what));
    return {call, step};
  }

  const RunState& state_;
  std::vector<std::string> problems_;
};

}  // namespace

std::vector<std::string> problems_of(const RunState& before, const Entry& entry) {
  if (before.finished) return {fmt::format("`{}` stands after the end", kind_of(entry.body))};
  Check check(before);
  std::visit(check, entry.body);
  return check.take();
}

std::vector<std::string> problems_at_end(const RunState& state) {
  std::vector<std::string> problems;
  if (!state.received) problems.emplace_back("there is no request");
  if (!state.finished) return problems;
  for (const auto& [id, call] : state.calls) {
    if (!call.finished) problems.push_back(fmt::format("{} has no result", id));
  }
  return problems;
}

}  // namespace deputy::run
