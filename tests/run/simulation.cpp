#include "run/simulation.h"

#include <algorithm>
#include <set>

#include "run/plan/plan_call.h"
#include "run/prompt/prompt.h"
#include "run/prompt/summary.h"

namespace deputy::run {

namespace {

constexpr int kManySteps = 5000;

// What a provider would refuse: roles that do not take turns, a call without its one result right behind it.
std::vector<std::string> problems_of_turns(const std::vector<model::Turn>& turns) {
  std::vector<std::string> problems;
  if (turns.empty() || turns.front().role != model::Role::user || turns.back().role != model::Role::user)
    problems.emplace_back("the turns do not begin and end with the user's");
  std::vector<std::string> awaited;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (i > 0 && turns[i].role == turns[i - 1].role) problems.emplace_back("two turns of one role are neighbours");
    std::vector<std::string> calls;
    std::vector<std::string> results;
    for (const model::Block& block : turns[i].blocks) {
      if (const auto* call = std::get_if<model::Call>(&block)) calls.push_back(call->id);
      if (const auto* result = std::get_if<model::CallResult>(&block)) results.push_back(result->call);
    }
    if (results != awaited) problems.emplace_back("results do not answer the calls before them, in their order");
    awaited = std::move(calls);
  }
  if (!awaited.empty()) problems.emplace_back("a call has no result");
  return problems;
}

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
    mail_.push_back([this, call = id, form = call.asked->kind == AskKind::questions] { answer(call, form); });
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
  under_way_.clear();
  journal_.taken_up(TakenAfter::crash);
}

void Simulation::perform(const Action& action) {
  const RunState state = journal_.state();
  if (std::holds_alternative<Enrich>(action)) {
    journal_.enriched();
  } else if (const auto* call = std::get_if<CallModel>(&action)) {
    for (std::string& problem : problems_of_turns(turns_of(state))) wrong_.push_back(std::move(problem));
    journal_.model_called();
    const int turn = call->calls == model::Calls::allowed ? state.tool_turns : options_.turns;
    later([this, turn] { reply(turn); });
  } else if (const auto* summarise = std::get_if<Summarise>(&action)) {
    const SummaryWork work = summary_work(state, summarise->max_tokens);
    for (std::string& problem : problems_of_turns(summary_request(work, work.characters).turns))
      wrong_.push_back(std::move(problem));
    if (!under_way_.insert("summary").second) return;
    later([this, items = work.items] {
      under_way_.erase("summary");
      journal_.add(Summarised{.text = "What was found.", .items = items, .cost = 5, .tokens = 5});
    });
  } else if (const auto* rule_action = std::get_if<Rule>(&action)) {
    rule(*rule_action);
  } else if (const auto* ask_action = std::get_if<Ask>(&action)) {
    ask(*ask_action);
  } else if (const auto* step = std::get_if<RunStep>(&action)) {
    start(*step);
  } else if (const auto* delegate = std::get_if<AnswerDelegate>(&action)) {
    const std::string key = delegate->call + "/" + delegate->handler;
    if (!under_way_.insert(key).second) return;
    later([this, key, call = delegate->call] {
      under_way_.erase(key);
      journal_.add(DelegateAnswered{call, "an answer", 5, 5});
    });
  } else if (const auto* background = std::get_if<StartBackground>(&action)) {
    start_background(background->call);
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

void Simulation::rule(const Rule& rule) {
  const CallState& call = *journal_.state().find_call(rule.call);
  if (rule.after_gate) {
    // A grant allowed it before, and is spent now.
    const bool ran_out = !call.answered && call.rulings.size() == 1 && scripted("ran out " + rule.call, 3) == 0;
    const bool denied = scripted("second " + rule.call, 8) == 0;
    journal_.ruled_after_gate(rule.call, ran_out ? Verdict::ask : denied ? Verdict::deny : Verdict::allow);
    return;
  }
  const unsigned kind = scripted("rule " + rule.call, 6);
  Ruled ruled{.call = rule.call, .verdict = Verdict::allow, .rule = "mode", .words = "the mode says so"};
  if (kind == 0) {
    ruled.verdict = Verdict::deny;
  } else if (kind == 1) {
    ruled.steps = {{"fetch", true}};
  } else {
    if (kind > 3) ruled.verdict = Verdict::ask;
    ruled.steps = {{"preview", true}, {"act", options_.only_repeatable, scripted("look " + rule.call, 2) == 0}};
    ruled.gate = 1;
  }
  if (kind != 0) {
    ruled.finals = {"clean"};
    ruled.background = scripted("background " + rule.call, 4) == 0;
  }
  journal_.add(std::move(ruled));
}

// All approvals that are asked for at one moment share a card.
void Simulation::ask(const Ask& ask) {
  const auto is_form = [this](const std::string& call) {
    return journal_.state().find_call(call)->request.tool == kAskUser;
  };
  std::vector<std::string> calls{ask.call};
  if (!is_form(ask.call) && order_() % 2 == 0) {
    for (const Action& action : plan(journal_.state())) {
      const auto* other = std::get_if<Ask>(&action);
      if (other != nullptr && other->call != ask.call && !is_form(other->call)) calls.push_back(other->call);
    }
  }
  for (const std::string& call : calls) {
    const bool form = is_form(call);
    journal_.add(Asked{call, "i-" + call, form ? AskKind::questions : AskKind::approval, "d1", "i-" + ask.call});
    mail_.push_back([this, call, form] { answer(call, form); });
  }
  std::set<std::string> cards;
  for (const auto& [id, call] : journal_.state().calls) {
    if (call.asked && !call.answered && !call.finished && call.asked->kind == AskKind::approval)
      cards.insert(call.asked->card);
  }
  if (cards.size() > 3) wrong_.emplace_back("more than three cards are pending");
}

void Simulation::answer(const std::string& call, bool form) {
  const bool yes = scripted("answer " + call, 3) != 0;
  using interaction::State;
  journal_.answered(call, form ? State::answered : yes ? State::approved : State::denied, "bo", {{"reason", "words"}});
}

// What is handed over and the result that says so are one append.
void Simulation::start_background(const std::string& id) {
  const CallState& call = *journal_.state().find_call(id);
  const auto next = std::ranges::find_if(call.steps, [](const StepState& step) { return !step.done; });
  if (call.rulings.front().gate) check_let_through(call);
  ++effects_[id + " in the background"];
  Delegated delegated{
      .call = id, .handler = next->info.name, .kind = DelegateTo::background, .payload = {}, .child = "r-" + id};
  journal_.add(std::move(delegated)).finished_call(id, CallStatus::success, "it works in the background");
  mail_.push_back([this, id] { journal_.add(ChildFinished{"r-" + id, id, RunOutcome::answered, "done", 10}); });
}

void Simulation::check_let_through(const CallState& call) {
  const bool let_through = call.ruling()->after_gate && call.ruling()->verdict == Verdict::allow;
  const bool was_asked =
      std::ranges::any_of(call.rulings, [](const Ruled& ruled) { return ruled.verdict == Verdict::ask; });
  const bool approved = call.answered && call.answered->state == interaction::State::approved;
  if (!let_through || (was_asked && !approved)) wrong_.push_back(call.request.id + " acts without approval");
  if (is_ending(journal_.state())) wrong_.push_back(call.request.id + " acts after a stop");
}

void Simulation::reply(int turn) {
  // What is shown fits again once a summary stands for it.
  const RunState& state = journal_.state();
  const bool has_more_to_sum_up = state.upto_last_turn() > state.summarised;
  if (has_more_to_sum_up && scripted("overflows " + std::to_string(turn), 3) == 0) {
    journal_.add(ModelReplied{.text = "", .calls = {}, .stop = ReplyStop::overflow});
    return;
  }
  if (turn >= options_.turns) {
    journal_.add(ModelReplied{.text = "The end.", .calls = {}, .stop = ReplyStop::end_turn});
    return;
  }
  std::vector<CallRequested> calls;
  const unsigned many = 1 + scripted("calls " + std::to_string(turn), 6);
  for (unsigned i = 0; i < many; ++i) {
    const std::string id = "t" + std::to_string(turn) + "c" + std::to_string(i);
    calls.push_back({id, scripted("form " + id, 6) == 0 ? std::string(kAskUser) : "tool"});
  }
  journal_.add(ModelReplied{.text = "", .calls = std::move(calls), .stop = ReplyStop::calls});
}

void Simulation::start(const RunStep& step) {
  const std::string key = step.call + "/" + step.handler;
  if (step.how != RunStep::How::run) {  // nothing is journalled before it is known
    if (under_way_.insert(key).second) later([this, step] { end(step); });
    return;
  }
  if (step.handler == "act") check_let_through(*journal_.state().find_call(step.call));
  journal_.started(step.call, step.handler);
  // A crash may come before or after the world has changed; nobody knows.
  const bool act = step.handler == "act" && !options_.only_repeatable;
  const bool effect_is_early = order_() % 2 == 0;
  if (act && effect_is_early) ++effects_[step.call];
  later([this, step, act, effect_is_early] {
    if (act && !effect_is_early) ++effects_[step.call];
    end(step);
  });
}

void Simulation::end(const RunStep& step) {
  under_way_.erase(step.call + "/" + step.handler);
  const StepState& before = *journal_.state().find_call(step.call)->find_step(step.handler);
  if (step.handler == "fetch" && !before.answer && scripted("delegates " + step.call, 3) == 0) {
    journal_.add(Delegated{.call = step.call, .handler = step.handler, .kind = DelegateTo::model, .payload = {}});
  } else if (step.how == RunStep::How::unknown) {
    journal_.done(step.call, step.handler, StepOutcome::unknown);
  } else if (step.how == RunStep::How::look) {
    journal_.done(step.call, step.handler, effects_[step.call] > 0 ? StepOutcome::output : StepOutcome::not_done,
                  "looked up");
  } else if (scripted("fails " + step.call + step.handler, 7) == 0) {
    journal_.done(step.call, step.handler, StepOutcome::error, "it failed");
  } else {
    journal_.done(step.call, step.handler, StepOutcome::output, "did " + step.handler);
  }
}

}  // namespace deputy::run
