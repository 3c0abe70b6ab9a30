#include "run/drive/live_run.h"

#include <fmt/format.h>

#include <boost/asio/as_tuple.hpp>

#include "base/failpoint.h"
#include "base/log.h"
#include "run/drive/effects.h"
#include "run/drive/steps.h"
#include "run/journal/delivery.h"
#include "run/plan/budget.h"
#include "run/plan/plan_call.h"

namespace deputy::run {

namespace {

constexpr std::chrono::seconds kMaxEnd{15};
constexpr std::chrono::minutes kLately{10};
constexpr int kRunsARequest = 5;  // with its child runs, which count for nothing

TakenAfter taken_after(store::Lease::After after) {
  switch (after) {
    case store::Lease::After::fresh:
      return TakenAfter::new_run;
    case store::Lease::After::mail:
      return TakenAfter::mail;
    case store::Lease::After::release:
      return TakenAfter::release;
    case store::Lease::After::crash:
      return TakenAfter::crash;
  }
  return TakenAfter::new_run;
}

// A handler that may be repeated was told to stop.
bool was_cancelled(const TaskResult& result) {
  const auto* done = result.entries.empty() ? nullptr : std::get_if<StepDone>(&result.entries.front());
  return done != nullptr && done->outcome == StepOutcome::cancelled;
}

struct Spending {
  std::int64_t cost = 0;
  std::int64_t tokens = 0;
};

// The cost and tokens of all questions to models in these entries.
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

LiveRun::LiveRun(const RunDependencies& dependencies, store::Lease lease, PersonSlots::Slot slot,
                 const asio::any_io_executor& executor)
    : dependencies_(dependencies),
      journal_(dependencies, std::move(lease)),
      slot_(std::move(slot)),
      in_flight_(executor, [this] { wake(); }),
      wake_(executor) {}

void LiveRun::wake() {
  woken_ = true;
  wake_.cancel();
}

void LiveRun::stop() {
  stopping_ = releasing_ = true;
  in_flight_.cancel(CancelOn::shutdown);
  wake();
}

void LiveRun::brake(store::Pause brake) {
  if (brake == store::Pause::all) stop();
  in_flight_.cancel_only(CancelOn::stop);
}

Task<Result<ReleaseReason>> LiveRun::drive() {
  const PersonSlots::Slot slot = std::move(slot_);  // free again when this ends
  Result<> begun = co_await journal_.load();
  if (begun && !state().finished) {
    const Result<bool> may = co_await may_begin(static_cast<bool>(slot));
    if (may && !*may) co_return ReleaseReason::waits;
    if (!may) begun = std::unexpected(may.error());
  }
  if (begun && stopping_) co_return co_await give_back(ReleaseReason::released, {.as = journal_.lease().after});
  if (begun && !state().finished) begun = co_await take_up();
  Result<ReleaseReason> released = ReleaseReason::finished;
  if (!begun) {
    released = std::unexpected(begun.error());
  } else if (!state().finished) {
    released = co_await work();
  }
  if (released) co_return released;
  co_await end_tasks();
  if (journal_.not_understood()) {
    co_await tell_it_is_not_understood();
    co_return ReleaseReason::not_understood;
  }
  if (released.error().kind == ErrorKind::cancelled) co_return ReleaseReason::lost;
  co_return released;
}

Task<Result<std::optional<Timestamp>>> LiveRun::waits_for_earlier() const {
  const int most = dependencies_.rules()->limits.requests_a_person;
  if (most == 0) co_return std::nullopt;
  store::RunFilter filter;
  filter.requester = state().request().requester;
  filter.before = journal_.run();
  filter.most = most * kRunsARequest;
  CO_TRY(const std::vector<store::RunRow> earlier, co_await dependencies_.patience->ask<std::vector<store::RunRow>>(
                                                       [&] { return dependencies_.store.runs(filter); }));
  const Timestamp since = dependencies_.clock.now() - kLately;
  std::vector<Timestamp> lately;
  for (const store::RunRow& run : earlier) {
    if (!run.parent && run.created_at > since) lately.push_back(run.created_at);
  }
  if (std::cmp_less(lately.size(), most)) co_return std::nullopt;
  // Once this one is over, fewer than `most` are left.
  std::ranges::sort(lately, std::greater<>());
  co_return lately[static_cast<std::size_t>(most) - 1] + kLately;
}

std::string LiveRun::message_for_waiting(std::optional<Timestamp> until) const {
  const std::shared_ptr<const Rules> rules = dependencies_.rules();
  if (!until) {
    return fmt::format("{} of your requests are being worked on; this one waits its turn.",
                       rules->limits.runs_a_person);
  }
  return fmt::format("You asked more than {} times in 10 minutes; this one waits until {} (limits.requests_a_person).",
                     rules->limits.requests_a_person,
                     interaction::time_in(rules->zone, std::chrono::ceil<std::chrono::minutes>(*until)));
}

Task<Result<bool>> LiveRun::wait_as_a_row(std::optional<Timestamp> until) {
  const Timestamp now = dependencies_.clock.now();
  store::Effects effects;
  using After = store::Lease::After;
  const After after = journal_.lease().after;
  const bool is_told = state().owner > 0 || (after != After::fresh && after != After::crash);
  if (!is_told) {
    const NoticeDelivery notice{message_for_waiting(until)};
    effects.deliveries.push_back(owe(notice, state().request().conversation, now, journal_.run()));
  }
  if (until) {
    store::MailRow mail{journal_.run(), encode(Woken{WakeUp::turn}, now)};
    effects.dues.push_back({std::string(kTurnDue), journal_.run().text(), *until, std::move(mail)});
    co_return co_await park(std::move(effects));
  }
  if (!effects.deliveries.empty()) {
    CO_TRY(const auto told, co_await journal_.append(store::If::unchanged, {}, std::move(effects)));
    if (told == OpenJournal::Appended::mail_first) co_return false;
  }
  // That it crashed is still to be counted when it is taken up.
  const bool keeps_crash = after == After::crash && state().owner > 0;
  CO_TRY(
      co_await give_back(ReleaseReason::waits, {.as = keeps_crash ? After::crash : After::release, .is_read = true}));
  co_return true;
}

Task<Result<bool>> LiveRun::may_begin(bool has_slot) {
  if (!state().received || state().request().parent) co_return true;
  for (;;) {
    if (is_ending(state()) || stopping_) co_return true;
    std::optional<Timestamp> until;
    if (state().owner == 0) {
      CO_TRY(until, co_await waits_for_earlier());
    }
    if (!until && has_slot) co_return true;
    CO_TRY(const bool waits, co_await wait_as_a_row(until));
    if (waits) co_return false;
  }
}

// Once, whichever instance meets it first: its person would wait for a run that does not go on.
Task<> LiveRun::tell_it_is_not_understood() {
  const RunId run = journal_.run();
  const auto rows = co_await dependencies_.store.runs({.run = run});
  if (!rows || rows->empty()) co_return;
  const std::string& conversation = rows->front().conversation;
  const std::string words = fmt::format(
      "I cannot go on with run `{}`: another version of Deputy wrote part of it. It waits for that version.",
      run.text());
  const Timestamp now = dependencies_.clock.now();
  store::Effects effects;
  effects.consumed.push_back({"not_understood:" + run.text(), conversation});
  effects.deliveries.push_back(owe(NoticeDelivery{words}, conversation, now, run));
  effects.deliveries.push_back(owe(NoticeDelivery{words}, std::string(kAlertConversation), now, run));
  const auto told = co_await dependencies_.patience->ask<store::Appended>(
      [&] { return dependencies_.store.append(journal_.lease(), 0, store::If::held, {}, effects); });
  const bool was_told = !told && told.error().kind == ErrorKind::conflict;
  if (!told && !was_told) log::error("nobody could be told of a run that is not understood", {{"run", run.text()}});
}

Task<> LiveRun::end_tasks() {
  // The executor abandons every handler after its grace, so this ends; the bound is for tasks that ignore the cancel.
  const auto last = std::chrono::steady_clock::now() + kMaxEnd;
  releasing_ = true;
  in_flight_.cancel_all();
  while (!in_flight_.empty() && std::chrono::steady_clock::now() < last) {
    wake_.expires_at(last);
    co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  do {
    const Result<> journalled = co_await journal_results();
    if (!journalled) log::warning("an outcome could not be journalled", {{"run", journal_.run().text()}});
  } while (!results_.empty());
}

Task<Result<ReleaseReason>> LiveRun::give_back(ReleaseReason why, store::GivenBack how) {
  CO_TRY(
      co_await dependencies_.patience->ask<void>([&] { return dependencies_.store.release(journal_.lease(), how); }));
  co_return why;
}

// Waiting for people is not counted: what was worked under earlier owners is, and this one begins now.
store::DueRow LiveRun::deadline() const {
  const LimitSettings limits = dependencies_.rules()->limits;
  const std::chrono::milliseconds limit =
      state().received && is_background(state().request()) ? limits.background_timeout : limits.work;
  const auto worked = state().worked + (state().last_own_at - state().taken_up_at);
  const Timestamp now = dependencies_.clock.now();
  store::DueRow due;
  due.kind = kDeadlineDue;
  due.id = journal_.run().text();
  due.at = now + std::max(limit - worked, std::chrono::milliseconds(0));
  due.mail = store::MailRow{journal_.run(), encode(Woken{WakeUp::deadline}, now)};
  due.stops_while_down = true;
  return due;
}

Task<Result<>> LiveRun::take_up() {
  store::Effects effects;
  effects.run = store::RunChange{store::RunStatus::open};
  effects.dues.push_back(deadline());
  effects.dues_ended.push_back({std::string(kTurnDue), journal_.run().text()});
  TakenUp taken{journal_.lease().instance.text(), taken_after(journal_.lease().after)};
  // An answer that is owed ends the stream by itself.
  if (taken.after == TakenAfter::crash && state().received && !state().request().parent && !state().replied) {
    const Received& received = state().request();
    effects.deliveries.push_back(
        owe(RestartDelivery{received.account}, received.conversation, dependencies_.clock.now(), journal_.run()));
  }
  std::vector<EntryBody> entries;
  entries.emplace_back(std::move(taken));
  failpoint("run.taken_up.before");
  CO_TRY(co_await journal_.append(store::If::held, std::move(entries), std::move(effects)));
  failpoint("run.taken_up.after");
  taken_up_ = true;
  co_return Result<>{};
}

Task<Result<ReleaseReason>> LiveRun::work() {
  for (;;) {
    if (state().finished) co_return ReleaseReason::finished;
    if (is_ending(state()) && !std::exchange(told_to_end_, true)) in_flight_.cancel(CancelOn::stop);
    if (in_flight_.any_done()) {
      CO_TRY(co_await journal_results());
      continue;
    }
    if (!stopping_) {
      const std::int64_t before = journal_.folded();
      CO_TRY(co_await act(plan(state(), plan_limits(dependencies_.rules()->limits))));
      if (journal_.folded() != before) continue;
    } else if (in_flight_.empty()) {
      co_return co_await give_back(ReleaseReason::released, {});
    }
    if (in_flight_.empty() && !in_flight_.any_done() && !woken_) {
      CO_TRY(const bool parked, co_await park({}));
      if (parked) co_return ReleaseReason::waits;
      continue;
    }
    co_await wait();
    CO_TRY(co_await journal_.read_mail());
  }
}

Task<> LiveRun::wait() {
  if (!woken_ && !in_flight_.any_done()) {
    wake_.expires_after(kMaxWait);
    co_await wake_.async_wait(asio::as_tuple(asio::use_awaitable));
  }
  woken_ = false;
}

Task<Result<bool>> LiveRun::park(store::Effects effects) {
  effects.run = store::RunChange{store::RunStatus::parked};
  effects.dues_ended.push_back({std::string(kDeadlineDue), journal_.run().text()});
  failpoint("run.park.before");
  CO_TRY(const auto parked, co_await journal_.append(store::If::unchanged, {}, std::move(effects)));
  failpoint("run.park.after");
  co_return parked == OpenJournal::Appended::stored;
}

// A result that cannot be journalled holds up no other: the rest is kept for `end_tasks`.
Task<Result<>> LiveRun::journal_results() {
  std::ranges::move(in_flight_.take_done(), std::back_inserter(results_));
  while (!results_.empty()) {
    TaskResult next = std::move(results_.front().result);
    results_.pop_front();
    CO_TRY(co_await journal_result(std::move(next)));
  }
  co_return Result<>{};
}

Task<Result<>> LiveRun::journal_result(TaskResult result) {
  // Broken off only because this instance lets go of the run: whoever takes it up begins it again.
  const bool begins_again = releasing_ && !is_ending(state()) && (result.cancelled || was_cancelled(result));
  if (begins_again || result.entries.empty()) co_return Result<>{};
  start_children(result);
  if (result.effects.children.empty()) co_return co_await store_result(std::move(result));
  const Result<> stored = co_await store_result(result);
  if (stored || !refuses_runs(stored.error()) || journal_.not_understood()) co_return stored;
  refuse_children(result, stored.error());
  co_return co_await store_result(std::move(result));
}

Task<Result<>> LiveRun::store_result(TaskResult result) {
  finish_call_of(result);
  co_await add_spending(result);
  failpoint("run.outcome.before");
  CO_TRY(co_await journal_.append(store::If::held, std::move(result.entries), std::move(result.effects)));
  failpoint("run.outcome.after");
  co_return Result<>{};
}

// A delegate that wants a child run gets it in the transaction that journals the delegate. A child run starts none:
// what it wants in the background is not begun, and the handler is told so by an empty task id.
void LiveRun::start_children(TaskResult& result) const {
  const Timestamp now = dependencies_.clock.now();
  for (EntryBody& body : result.entries) {
    auto* delegated = std::get_if<Delegated>(&body);
    const bool wants_run = delegated != nullptr && delegated->kind == DelegateTo::child_run;
    const bool wants_call =
        delegated != nullptr && delegated->kind == DelegateTo::background && !state().request().parent;
    if (!wants_run && !wants_call) continue;
    Result<store::NewRunRow> child = wants_call
                                         ? follow_up_run(journal_.run(), state(), *delegated, now)
                                         : child_run(journal_.run(), state(), *delegated,
                                                     rest_of_budget(state(), dependencies_.rules()->budgets), now);
    if (!child) {
      body = step_failed(delegated->call, delegated->handler, StepOutcome::error, child.error());
      continue;
    }
    delegated->child = child->run.text();
    result.effects.children.push_back(*std::move(child));
  }
}

// A store that takes no new runs ends the calls that wanted them, not the run.
void LiveRun::refuse_children(TaskResult& result, const Error& why) {
  result.effects.children.clear();
  for (EntryBody& body : result.entries) {
    const auto* delegated = std::get_if<Delegated>(&body);
    if (delegated != nullptr && delegated->child)
      body = step_failed(delegated->call, delegated->handler, StepOutcome::error, why);
  }
}

// A call whose last handler has ended is finished in the same append.
void LiveRun::finish_call_of(TaskResult& result) const {
  const auto* done = std::get_if<StepDone>(&result.entries.front());
  if (done == nullptr) return;
  const CallState* call = state().find_call(done->call);
  std::optional<FinishCall> finish = call == nullptr ? std::nullopt : end_with(*call, *done, state());
  if (!finish) return;
  result.effects.add(effects_of_call(journal_.run(), state(), *finish, dependencies_.clock.now()));
  result.entries.emplace_back(CallFinished{std::move(finish->call), finish->status, std::move(finish->text)});
}

Task<> LiveRun::add_spending(TaskResult& result) const {
  const Spending spending = spending_of(result.entries);
  if (spending.cost == 0 && spending.tokens == 0) co_return;
  const BudgetSettings budgets = dependencies_.rules()->budgets;
  const Timestamp now = dependencies_.clock.now();
  const std::optional<std::int64_t> cost = spending.cost > 0 ? std::optional(spending.cost) : std::nullopt;
  if (const auto words = nearly_spent_by_run(state(), budgets, cost, spending.tokens))
    result.effects.deliveries.push_back(
        owe(NoticeDelivery{*words}, state().request().conversation, now, journal_.run()));
  if (!cost) co_return;
  add_spent(result.effects, state().request().requester, *cost, now);
  const auto before = co_await dependencies_.store.spent_on(day_of(now), scopes_of(state().request().requester));
  if (!before) co_return;
  for (const std::string& words : nearly_spent(state(), budgets, *before, *cost))
    result.effects.deliveries.push_back(owe(NoticeDelivery{words}, std::string(kAlertConversation), now));
}

}  // namespace deputy::run
