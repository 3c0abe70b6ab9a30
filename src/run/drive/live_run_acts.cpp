// Performs each action of a live run's plan. Questions to models are in live_run_models.cpp.
#include <fmt/format.h>

#include <span>

#include "base/failpoint.h"
#include "run/drive/ask.h"
#include "run/drive/delegates.h"
#include "run/drive/effects.h"
#include "run/drive/judge.h"
#include "run/drive/live_run.h"
#include "run/drive/steps.h"
#include "run/journal/stored_rows.h"
#include "run/plan/plan_call.h"
#include "toolkit/digest.h"

namespace deputy::run {

namespace {

using Appended = OpenJournal::Appended;

std::string step_key(const std::string& call, const std::string& handler) { return call + "/" + handler; }

template <class... Bodies>
std::vector<EntryBody> entries_of(Bodies... bodies) {
  std::vector<EntryBody> entries;
  (entries.emplace_back(std::move(bodies)), ...);
  return entries;
}

bool is_approval(const Action& action, const RunState& state) {
  const auto* ask = std::get_if<Ask>(&action);
  return ask != nullptr && !is_form(state.find_call(ask->call)->request);
}

}  // namespace

Task<Result<>> LiveRun::act(std::vector<Action> actions) {
  std::vector<std::string> approvals;
  for (Action& action : actions) {
    if (is_approval(action, state())) {
      approvals.push_back(std::get<Ask>(action).call);
      continue;
    }
    const std::int64_t mail = journal_.mail_folded();
    CO_TRY(co_await perform(std::move(action)));
    // A plan holds only for the journal that it was made from.
    if (journal_.mail_folded() != mail || state().finished || stopping_) co_return Result<>{};
  }
  if (approvals.empty()) co_return Result<>{};
  co_return co_await ask(std::move(approvals));
}

Task<Result<>> LiveRun::perform(Action action) {
  struct Performer {
    LiveRun& run;
    Task<Result<>> operator()(Enrich&) const { return run.enrich(); }
    Task<Result<>> operator()(CallModel& call) const { return run.call_model(call); }
    Task<Result<>> operator()(Summarise& summarise) const { return run.summarise(summarise); }
    Task<Result<>> operator()(Rule& rule) const { return run.rule(std::move(rule)); }
    Task<Result<>> operator()(Ask& ask) const { return run.ask_form(std::move(ask.call)); }
    Task<Result<>> operator()(RunStep& step) const { return run.run_step(std::move(step)); }
    Task<Result<>> operator()(StartBackground& start) const { return run.start_background(std::move(start.call)); }
    Task<Result<>> operator()(AnswerDelegate& answer) const { return run.start_delegate(std::move(answer)); }
    Task<Result<>> operator()(FinishCall& finish) const { return run.finish_call(std::move(finish)); }
    Task<Result<>> operator()(Limit& limit) const { return run.limit(std::move(limit)); }
    Task<Result<>> operator()(Reply& reply) const { return run.reply(std::move(reply)); }
    Task<Result<>> operator()(Finish& finish) const { return run.finish(std::move(finish)); }
  };
  co_return co_await std::visit(Performer{*this}, action);
}

Task<Result<>> LiveRun::rule(Rule action) {
  const CallState& call = *state().find_call(action.call);
  const When when = action.after_gate ? When::after_its_gate : When::before_its_first_step;
  constexpr int kTries = 5;  // each time a grant was spent by somebody else in between
  for (int tries = 1;; ++tries) {
    Judged judged = co_await judge_call(dependencies_, journal_.run(), state(), call, when);
    bases_[action.call] = judged.basis;
    failpoint("run.ruled.before");
    const Result<Appended> appended =
        co_await journal_.append(store::If::held, entries_of(std::move(judged.entry)), std::move(judged.effects));
    failpoint("run.ruled.after");
    if (appended) co_return Result<>{};
    const bool grant_is_gone = appended.error().kind == ErrorKind::conflict && !journal_.not_understood();
    if (!grant_is_gone || tries == kTries) co_return std::unexpected(appended.error());
  }
}

Task<Result<>> LiveRun::ask(std::vector<std::string> ids) {
  std::vector<const CallState*> calls;
  calls.reserve(ids.size());
  for (const std::string& id : ids) calls.push_back(state().find_call(id));
  Opened opened = co_await ask_approvals(dependencies_, journal_.run(), state(), std::move(calls));
  failpoint("run.asked.before");
  CO_TRY(co_await journal_.append(store::If::unchanged, std::move(opened.entries), std::move(opened.effects)));
  failpoint("run.asked.after");
  co_return Result<>{};
}

Task<Result<>> LiveRun::ask_form(std::string id) {
  Opened opened = co_await ask_questions(dependencies_, journal_.run(), state(), *state().find_call(id));
  failpoint("run.asked_form.before");
  CO_TRY(co_await journal_.append(store::If::unchanged, std::move(opened.entries), std::move(opened.effects)));
  failpoint("run.asked_form.after");
  co_return Result<>{};
}

Task<Result<>> LiveRun::run_step(RunStep action) {
  if (in_flight_.has(step_key(action.call, action.handler))) co_return Result<>{};
  const CallState& call = *state().find_call(action.call);
  const StepState& step = *call.find_step(action.handler);
  if (action.how == RunStep::How::run) co_return co_await start_step(action.call, action.handler);
  Result<StepWork> work = fail(ErrorKind::internal, "nobody can tell");
  if (action.how == RunStep::How::look) work = prepare_step(dependencies_, journal_.run(), state(), call, step);
  if (!work) {
    StepDone unknown;
    unknown.call = action.call;
    unknown.handler = action.handler;
    unknown.outcome = StepOutcome::unknown;
    if (action.how == RunStep::How::look) unknown.looked = true;
    failpoint("run.unknown.before");
    CO_TRY(co_await journal_.append(store::If::held, entries_of(std::move(unknown)), {}));
    failpoint("run.unknown.after");
    co_return Result<>{};
  }
  const auto when_thrown = [call = action.call, handler = action.handler](const std::exception_ptr& thrown) {
    TaskResult result;
    result.cancelled = is_cancellation(thrown);
    StepDone unknown = step_failed(call, handler, StepOutcome::unknown, Error{ErrorKind::internal, "the look failed"});
    unknown.looked = true;
    result.entries.emplace_back(std::move(unknown));
    return result;
  };
  failpoint("run.look.before");
  in_flight_.start(step_key(action.call, action.handler), CancelOn::shutdown,
                   look_at_step(dependencies_.executor, *std::move(work)), when_thrown);
  co_return Result<>{};
}

// The one place where a call is ruled again before it acts: gate or not, waiting for a slot, a background task or a
// restart.
Task<Result<bool>> LiveRun::may_start(const CallState& call, const StepState& step) {
  const auto acting = std::span(call.steps).subspan(static_cast<std::size_t>(call.gate().value_or(0)));
  const bool is_acting = std::ranges::any_of(acting, [&](const StepState& one) { return &one == &step; });
  const bool has_begun =
      std::ranges::any_of(acting, [](const StepState& one) { return one.done || one.delegated.has_value(); });
  const auto tool = dependencies_.registry.find(call.request.tool);
  const std::shared_ptr<const RulingBasis> basis = bases_[call.request.id];
  const bool only_reads = tool && toolkit::always_reads((*tool)->spec());
  if (!is_acting || (has_begun && (basis != nullptr || !only_reads))) co_return true;
  if (only_reads && basis != nullptr && basis->rules == dependencies_.rules()) co_return true;
  Judged judged = co_await judge_call(dependencies_, journal_.run(), state(), call, When::after_its_gate);
  bases_[call.request.id] = judged.basis;
  const bool still_allowed = judged.entry.verdict == Verdict::allow && judged.effects.grants_used.empty();
  if (still_allowed) co_return true;
  // An ask needs a gate, also where the chain has none; a use of another grant is journalled before it counts.
  CO_TRY(co_await journal_.append(store::If::held, entries_of(std::move(judged.entry)), std::move(judged.effects)));
  co_return false;
}

Task<Result<>> LiveRun::start_step(std::string call_id, std::string handler) {
  const CallState& call = *state().find_call(call_id);
  const StepState& step = *call.find_step(handler);
  CO_TRY(const bool may, co_await may_start(call, step));
  if (!may) co_return Result<>{};
  const bool repeatable = step.info.repeatable;
  const bool cleans_up =
      std::ranges::any_of(call.finals, [&](const StepState& final) { return final.info.name == handler; });
  Result<StepWork> work = prepare_step(dependencies_, journal_.run(), state(), call, step);
  if (!work) {
    StepDone not_run = step_failed(call_id, handler, StepOutcome::error, work.error());
    CO_TRY(co_await journal_.append(store::If::held, entries_of(std::move(not_run)), {}));
    co_return Result<>{};
  }
  if (const auto basis = bases_.find(call_id); basis != bases_.end() && basis->second != nullptr)
    hold_to(*work, dependencies_, state(), call, basis->second);
  if (repeatable) {
    journal_.append_later(StepStarted{call_id, handler});
  } else {
    failpoint("run.step_started.before");
    CO_TRY(const Appended appended,
           co_await journal_.append(store::If::unchanged, entries_of(StepStarted{call_id, handler}), {}));
    failpoint("run.step_started.after");
    if (appended == Appended::mail_first) co_return Result<>{};
  }
  const auto when_thrown = [call_id, handler, repeatable](const std::exception_ptr&) {
    TaskResult result;
    result.entries.emplace_back(step_failed(call_id, handler, repeatable ? StepOutcome::error : StepOutcome::unknown,
                                            Error{ErrorKind::internal, "the handler failed"}));
    return result;
  };
  failpoint("run.handler.before");
  if (stopping_ && repeatable) co_return Result<>{};
  in_flight_.start(step_key(call_id, handler),
                   cleans_up    ? CancelOn::shutdown
                   : repeatable ? CancelOn::anything
                                : CancelOn::stop,
                   run::run_step(dependencies_.executor, *std::move(work)), when_thrown);
  co_return Result<>{};
}

Task<Result<>> LiveRun::start_background(std::string call_id) {
  const CallState& call = *state().find_call(call_id);
  const auto next = std::ranges::find_if(call.steps, [](const StepState& step) { return !step.done; });
  if (next != call.steps.end()) {
    CO_TRY(const bool may, co_await may_start(call, *next));
    if (!may) co_return Result<>{};
  }
  const Timestamp now = dependencies_.clock.now();
  const std::shared_ptr<const Rules> rules = dependencies_.rules();
  const policy::Place place = read_place(state().request().place).value_or(policy::Place{});
  const Result<PreparedCall> prepared = prepare(call.request, dependencies_.registry, *rules, place);
  if (!prepared || prepared->call.digest != call.rulings.front().digest) {
    FinishCall changed{call_id, CallStatus::error, std::string(kChangedWhileItWaited)};
    co_return co_await finish_call(std::move(changed));
  }
  const std::string digest = toolkit::call_digest(
      {prepared->spec().name, prepared->arguments, prepared->mode, prepared->chain, preview_of(call)});
  store::NewRunRow child = background_run(journal_.run(), state(), call, approver_of(state(), call), digest, now);
  const std::string handler = next == call.steps.end() ? std::string() : next->info.name;
  Delegated delegated;
  delegated.call = call_id;
  delegated.handler = handler;
  delegated.kind = DelegateTo::background;
  delegated.child = child.run.text();
  CallFinished finished{call_id, CallStatus::success,
                        fmt::format("It works in the background as task {}. The thread is told when it ends; "
                                    "get_background_task tells how it is getting on.",
                                    child.run.text())};
  store::Effects effects;
  effects.children.push_back(std::move(child));
  failpoint("run.background.before");
  const Result<Appended> appended = co_await journal_.append(
      store::If::unchanged, entries_of(std::move(delegated), std::move(finished)), std::move(effects));
  failpoint("run.background.after");
  if (appended) co_return Result<>{};
  if (!refuses_runs(appended.error()) || journal_.not_understood()) co_return std::unexpected(appended.error());
  // It ends here, after the handlers that always run, with why it could not begin.
  StepDone not_begun = step_failed(call_id, handler, StepOutcome::error, appended.error());
  CO_TRY(co_await journal_.append(store::If::held, entries_of(std::move(not_begun)), {}));
  co_return Result<>{};
}

Task<Result<>> LiveRun::start_delegate(AnswerDelegate action) {
  const std::string key = step_key(action.call, action.handler);
  if (in_flight_.has(key)) co_return Result<>{};
  const StepState& step = *state().find_call(action.call)->find_step(action.handler);
  const auto when_thrown = [call = action.call, handler = action.handler](const std::exception_ptr& thrown) {
    TaskResult result;
    const bool stopped = is_cancellation(thrown);
    result.cancelled = stopped;
    result.entries.emplace_back(
        step_failed(call, handler, stopped ? StepOutcome::cancelled : StepOutcome::error,
                    stopped ? cancelled_error() : Error{ErrorKind::internal, "what it asked for could not be had"}));
    return result;
  };
  const Delegated delegated = step.delegated.value_or(Delegated{});
  if (delegated.kind == DelegateTo::model) {
    const std::shared_ptr<model::Model> model = model_for_delegates(dependencies_);
    const model::Usage estimate = model->estimate(model_question(delegated.payload).value_or(model::Request{}));
    CO_TRY(const std::optional<std::string> over, co_await over_budget_with(*model, estimate));
    if (over) {
      StepDone refused =
          step_failed(action.call, action.handler, StepOutcome::error, Error{ErrorKind::rate_limit, *over});
      CO_TRY(co_await journal_.append(store::If::held, entries_of(std::move(refused)), {}));
      co_return Result<>{};
    }
  }
  DelegateWork work{journal_.run(), state().request().conversation, state().request().requester, delegated};
  work.account = state().request().account;
  work.place = state().request().place;
  work.files = state().request().files.value_or(std::vector<AttachedFile>{});
  in_flight_.start(key, CancelOn::anything, answer_delegate(dependencies_, std::move(work)), when_thrown);
  co_return Result<>{};
}

Task<Result<>> LiveRun::finish_call(FinishCall action) {
  store::Effects effects = effects_of_call(journal_.run(), state(), action, dependencies_.clock.now());
  failpoint("run.call_finished.before");
  CO_TRY(co_await journal_.append(
      store::If::held, entries_of(CallFinished{std::move(action.call), action.status, std::move(action.text)}),
      std::move(effects)));
  failpoint("run.call_finished.after");
  co_return Result<>{};
}

Task<Result<>> LiveRun::limit(Limit action) {
  failpoint("run.limited.before");
  CO_TRY(co_await journal_.append(store::If::held, entries_of(Limited{action.what, std::move(action.words)}), {}));
  failpoint("run.limited.after");
  co_return Result<>{};
}

// The answer and the end are one transaction: nobody sees a run that has answered and might answer again.
Task<Result<>> LiveRun::reply(Reply action) {
  const Timestamp now = dependencies_.clock.now();
  store::Effects effects = effects_of_reply(journal_.run(), state(), action, now);
  Finish finish = ending_of(state(), plan_limits(dependencies_.rules()->limits));
  add_effects_of_finish(journal_.run(), state(), action, finish, now, effects);
  failpoint("run.replied.before");
  CO_TRY(co_await journal_.append(
      store::If::unchanged, entries_of(Replied{std::move(action.text)}, Finished{finish.outcome}), std::move(effects)));
  failpoint("run.replied.after");
  co_return Result<>{};
}

Task<Result<>> LiveRun::finish(Finish action) {
  store::Effects effects;
  const Reply reply{state().replied.value_or(Replied{}).text};
  add_effects_of_finish(journal_.run(), state(), reply, action, dependencies_.clock.now(), effects);
  CO_TRY(co_await journal_.append(store::If::unchanged, entries_of(Finished{action.outcome}), std::move(effects)));
  co_return Result<>{};
}

}  // namespace deputy::run
