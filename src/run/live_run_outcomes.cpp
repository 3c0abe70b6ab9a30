// What comes back from the works of a live run, on its way into the journal.
#include "base/failpoint.h"
#include "run/budget.h"
#include "run/children.h"
#include "run/delivery.h"
#include "run/endings.h"
#include "run/live_run.h"
#include "run/plan_call.h"
#include "run/steps.h"

namespace deputy::run {

namespace {

// A handler that may be repeated was told to stop.
bool was_cancelled(const Outcome& outcome) {
  const auto* done = outcome.entries.empty() ? nullptr : std::get_if<StepDone>(&outcome.entries.front());
  return done != nullptr && done->outcome == StepOutcome::cancelled;
}

struct Spending {
  std::int64_t cost = 0;
  std::int64_t tokens = 0;
};

// What models were paid for these entries, whatever they were asked.
Spending spending_of(const std::vector<EntryBody>& entries) {
  Spending sum;
  const auto add = [&]<class Body>(const Body& body) {
    if constexpr (std::is_same_v<Body, Enriched> || std::is_same_v<Body, ModelReplied> ||
                  std::is_same_v<Body, Summarised> || std::is_same_v<Body, DelegateAnswered>) {
      sum.cost += body.cost;
      sum.tokens += body.tokens;
    }
  };
  for (const EntryBody& body : entries) std::visit(add, body);
  return sum;
}

}  // namespace

// What cannot be journalled holds up no other: the rest is kept for who ends the works.
Task<Result<>> LiveRun::journal_outcomes() {
  std::ranges::move(works_.take_done(), std::back_inserter(outcomes_));
  while (!outcomes_.empty()) {
    Outcome next = std::move(outcomes_.front().outcome);
    outcomes_.pop_front();
    CO_TRY(co_await journal_outcome(std::move(next)));
  }
  co_return Result<>{};
}

Task<Result<>> LiveRun::journal_outcome(Outcome outcome) {
  // Broken off only because this instance lets go of the run: whoever takes it up begins it again.
  const bool begins_again = letting_go_ && !is_ending(state()) && (outcome.broken_off || was_cancelled(outcome));
  if (begins_again || outcome.entries.empty()) co_return Result<>{};
  start_children(outcome);
  if (outcome.effects.children.empty()) co_return co_await store_outcome(std::move(outcome));
  const Result<> stored = co_await store_outcome(outcome);
  if (stored || !refuses_runs(stored.error()) || journal_.not_understood()) co_return stored;
  refuse_children(outcome, stored.error());
  co_return co_await store_outcome(std::move(outcome));
}

Task<Result<>> LiveRun::store_outcome(Outcome outcome) {
  finish_call_of(outcome);
  co_await add_spending(outcome);
  failpoint("run.outcome.before");
  CO_TRY(co_await journal_.append(store::If::held, std::move(outcome.entries), std::move(outcome.effects)));
  failpoint("run.outcome.after");
  co_return Result<>{};
}

// A delegate that wants a child run gets it in the transaction that journals the wish.
void LiveRun::start_children(Outcome& outcome) const {
  for (EntryBody& body : outcome.entries) {
    auto* delegated = std::get_if<Delegated>(&body);
    if (delegated == nullptr || delegated->kind != DelegateTo::child_run) continue;
    Result<store::NewRunRow> child =
        child_run(journal_.run(), state(), *delegated, rest_of_budget(state(), services_.rules()->budgets),
                  services_.clock.now());
    if (!child) {
      body = step_failed(delegated->call, delegated->handler, StepOutcome::error, child.error());
      continue;
    }
    delegated->child = child->run.text();
    outcome.effects.children.push_back(*std::move(child));
  }
}

// What the store takes no new runs for ends the calls that wanted them, not the run.
void LiveRun::refuse_children(Outcome& outcome, const Error& why) {
  outcome.effects.children.clear();
  for (EntryBody& body : outcome.entries) {
    const auto* delegated = std::get_if<Delegated>(&body);
    if (delegated != nullptr && delegated->child)
      body = step_failed(delegated->call, delegated->handler, StepOutcome::error, why);
  }
}

// A call that has its last outcome needs no turn of its own to be finished.
void LiveRun::finish_call_of(Outcome& outcome) const {
  const auto* done = std::get_if<StepDone>(&outcome.entries.front());
  if (done == nullptr) return;
  const CallState* call = state().find_call(done->call);
  std::optional<FinishCall> finish = call == nullptr ? std::nullopt : end_with(*call, *done, state());
  if (!finish) return;
  outcome.effects.add(effects_of_call(journal_.run(), state(), *finish, services_.clock.now()));
  outcome.entries.emplace_back(CallFinished{std::move(finish->call), finish->status, std::move(finish->text)});
}

Task<> LiveRun::add_spending(Outcome& outcome) const {
  const Spending spending = spending_of(outcome.entries);
  if (spending.cost == 0 && spending.tokens == 0) co_return;
  const BudgetSettings budgets = services_.rules()->budgets;
  const Timestamp now = services_.clock.now();
  const std::optional<std::int64_t> cost = spending.cost > 0 ? std::optional(spending.cost) : std::nullopt;
  if (const auto words = nearly_spent_by_run(state(), budgets, cost, spending.tokens))
    outcome.effects.deliveries.push_back(
        owe(NoticeDelivery{*words}, state().request().conversation, now, journal_.run()));
  if (!cost) co_return;
  add_spent(outcome.effects, state().request().requester, *cost, now);
  const std::string today = day_of(now);
  const auto before = co_await services_.store.spent(today, today);
  if (!before) co_return;
  for (const std::string& words : nearly_spent(state(), budgets, *before, *cost))
    outcome.effects.deliveries.push_back(owe(NoticeDelivery{words}, std::string(kAlertConversation), now));
}

}  // namespace deputy::run
