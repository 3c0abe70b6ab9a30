#include "run/simulation.h"

#include "run/plan_call.h"

namespace deputy::run {

namespace {

constexpr int kManySteps = 5000;

template <class T>
T take_random(std::vector<T>& list, std::mt19937& order) {
  const std::size_t at = order() % list.size();
  T taken = std::move(list[at]);
  list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
  return taken;
}

}  // namespace

Simulation::Simulation(unsigned script, unsigned order, SimulationOptions options)
    : Simulation(script, order, options, Journal().received()) {
  journal_.taken_up();
}

Simulation::Simulation(unsigned script, unsigned order, SimulationOptions options, Journal journal)
    : script_(script), order_(order), options_(options), journal_(std::move(journal)) {
  if (options_.notes) mail_.push_back([this] { journal_.add(Noted{"and staging", "ana"}); });
  if (options_.cancel) mail_.push_back([this] { journal_.add(CancelRequested{"ana"}); });
  // Questions that are open in the journal it goes on from are still answered.
  for (const auto& [id, call] : journal_.state().calls) {
    if (!call.asked || call.answered) continue;
    mail_.push_back([this, call = id, kind = call.asked->kind] {
      const bool yes = scripted("answer " + call, 3) != 0;
      journal_.answered(call,
                        kind == "questions" ? "answered"
                        : yes               ? "approved"
                                            : "denied",
                        "bo", {{"reason", "words"}});
    });
  }
}

unsigned Simulation::scripted(const std::string& question, unsigned of) const {
  return static_cast<unsigned>(std::hash<std::string>{}(std::to_string(script_) + question) % of);
}

bool Simulation::run() {
  for (int step = 0; step < kManySteps; ++step) {
    const RunState& state = journal_.state();
    if (state.finished) return true;
    if (options_.crashes && crashes_left_ > 0 && order_() % 12 == 0) {
      crash();
      continue;
    }
    std::vector<Action> actions = plan(state);
    const std::size_t choices = actions.size() + in_flight_.size() + mail_.size();
    if (choices == 0) return false;  // wedged: nothing to do, nothing under way, nothing to come
    const std::size_t chosen = order_() % choices;
    if (chosen < actions.size()) {
      perform(actions[chosen]);
    } else if (chosen < actions.size() + in_flight_.size()) {
      take_random(in_flight_, order_)();
    } else {
      take_random(mail_, order_)();
    }
  }
  return false;
}

void Simulation::crash() {
  --crashes_left_;
  in_flight_.clear();
  journal_.taken_up("crash");
}

void Simulation::perform(const Action& action) {
  const RunState state = journal_.state();
  if (std::holds_alternative<Enrich>(action)) {
    journal_.enriched();
  } else if (const auto* call = std::get_if<CallModel>(&action)) {
    for (const auto& [id, one] : state.calls) {
      if (!one.finished) wrong_.push_back("the model is asked while " + id + " has no result");
    }
    journal_.model_called();
    const int turn = call->with_tools ? state.tool_turns : options_.turns;
    later([this, turn] { reply(turn); });
  } else if (const auto* rule = std::get_if<Rule>(&action)) {
    if (rule->after_gate) {
      journal_.ruled_after_gate(rule->call, scripted("second " + rule->call, 8) == 0 ? "deny" : "allow");
      return;
    }
    const bool repeatable = options_.only_repeatable;
    const std::vector<Link> read{{"fetch", true}};
    const std::vector<Link> write{{"preview", true}, {"act", repeatable, scripted("look " + rule->call, 2) == 0}};
    switch (scripted("rule " + rule->call, 5)) {
      case 0:
        journal_.ruled(rule->call, "deny");
        break;
      case 1:
        journal_.ruled(rule->call, "allow", read, {}, {"clean"});
        break;
      case 2:
        journal_.ruled(rule->call, "allow", write, 1, {"clean"});
        break;
      default:
        journal_.ruled(rule->call, "ask", write, 1, {"clean"});
        break;
    }
  } else if (const auto* ask = std::get_if<Ask>(&action)) {
    const bool form = state.find_call(ask->call)->request.tool == kAskUser;
    journal_.asked(ask->call, form ? "questions" : "approval");
    mail_.push_back([this, call = ask->call, form] {
      const bool yes = scripted("answer " + call, 3) != 0;
      journal_.answered(call, form ? "answered" : yes ? "approved" : "denied", "bo", {{"reason", "words"}});
    });
  } else if (const auto* step = std::get_if<RunStep>(&action)) {
    start(*step);
  } else if (const auto* finish = std::get_if<FinishCall>(&action)) {
    journal_.finished_call(finish->call, finish->status, finish->text);
  } else if (const auto* limit = std::get_if<Limit>(&action)) {
    journal_.add(Limited{limit->what, limit->words});
  } else if (const auto* reply_action = std::get_if<run::Reply>(&action)) {
    journal_.add(Replied{reply_action->text});
  } else if (const auto* end_of_run = std::get_if<Finish>(&action)) {
    journal_.add(Finished{end_of_run->outcome});
  } else {
    wrong_.emplace_back("an action that the script has no use for");
  }
}

void Simulation::reply(int turn) {
  if (turn >= options_.turns) {
    journal_.add(ModelReplied{.text = "The end.", .calls = {}, .stop = "end_turn"});
    return;
  }
  std::vector<CallRequested> calls;
  const unsigned many = 1 + scripted("calls " + std::to_string(turn), 4);
  for (unsigned i = 0; i < many; ++i) {
    const std::string id = "t" + std::to_string(turn) + "c" + std::to_string(i);
    calls.push_back({id, scripted("form " + id, 6) == 0 ? std::string(kAskUser) : "tool"});
  }
  journal_.add(ModelReplied{.text = "", .calls = std::move(calls), .stop = "calls"});
}

void Simulation::start(const RunStep& step) {
  const RunState state = journal_.state();
  const CallState& call = *state.find_call(step.call);
  if (step.handler == "act" && step.how == RunStep::How::run) {
    const bool let_through = call.ruling()->after_gate && call.ruling()->verdict == "allow";
    const bool approved = call.rulings.front().verdict == "allow" ||
                          (call.answered && call.answered->state == interaction::State::approved);
    if (!let_through || !approved) wrong_.push_back(step.call + " acts without approval");
    if (is_ending(state)) wrong_.push_back(step.call + " acts after a stop");
  }
  journal_.started(step.call, step.handler);
  // A crash may come before or after the world has changed; nobody knows.
  const bool act = step.handler == "act" && step.how == RunStep::How::run && !options_.only_repeatable;
  const bool effect_is_early = order_() % 2 == 0;
  if (act && effect_is_early) ++effects_[step.call];
  later([this, step, act, effect_is_early] {
    if (act && !effect_is_early) ++effects_[step.call];
    end(step);
  });
}

void Simulation::end(const RunStep& step) {
  if (step.how == RunStep::How::unknown) {
    journal_.done(step.call, step.handler, "unknown");
  } else if (step.how == RunStep::How::look) {
    // Not done is as good as an error: the model may ask for it again, and then a person is asked again.
    journal_.done(step.call, step.handler, effects_[step.call] > 0 ? "output" : "error", "looked up");
  } else if (scripted("fails " + step.call + step.handler, 7) == 0) {
    journal_.done(step.call, step.handler, "error", "it failed");
  } else {
    journal_.done(step.call, step.handler, "output", "did " + step.handler);
  }
}

}  // namespace deputy::run
