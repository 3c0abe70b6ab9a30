// One run while this instance owns it: fold, plan, act, journal, until it waits for others or has finished.
//
// Slow work is in flight (in_flight.h) and comes back as a result; others reach the run by mail. Between two awaits of
// `drive` nothing else touches the state.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "run/drive/dependencies.h"
#include "run/drive/images.h"
#include "run/drive/in_flight.h"
#include "run/drive/judge.h"
#include "run/drive/open_journal.h"
#include "run/plan/plan.h"
#include "run/prompt/enrich.h"
#include "run/prompt/prompt.h"

namespace deputy::run {

/// Why this instance released a run.
enum class ReleaseReason {
  waits,           // parked until it has mail, or given back until it is its person's turn
  finished,        // for good
  lost,            // somebody else owns it
  released,        // this instance is stopping
  not_understood,  // an entry of a kind or version that this program does not know; the lease is still held
};

class LiveRun {
 public:
  /// `dependencies` outlives it. Without a slot it waits its person's turn, unless it is a child run or about to end.
  LiveRun(const RunDependencies& dependencies, store::Lease lease, PersonSlots::Slot slot,
          const asio::any_io_executor& executor);

  /// To be called once, and awaited to its end. An error is the store's, and the lease is still held.
  Task<Result<ReleaseReason>> drive();

  /// Mail may have come.
  void wake();
  /// Starts nothing more. Cancels what may be cancelled; the rest ends and is journalled.
  void stop();
  /// Cancels handlers that act; a pause of everything also releases the run.
  void brake(store::Pause brake);
  /// After `drive` has failed or thrown: cancels the tasks in flight, waits until they have ended, and journals their
  /// results where that can be done. Only then may somebody else take the run up.
  Task<> end_tasks();

  const RunState& state() const { return journal_.state(); }
  /// Since this instance took it up after a crash, it has got further: it is not what crashed.
  bool has_got_further() const { return taken_up_ && state().crashes_in_a_row == 0; }

 private:
  /// False while enough runs of the same person work, or were begun lately: then it waits as a row and people are told
  /// once.
  Task<Result<bool>> may_begin(bool has_slot);
  /// Until when this one waits because its requester began enough others lately.
  Task<Result<std::optional<Timestamp>>> waits_for_earlier() const;
  /// False: mail came first, nothing was stored.
  Task<Result<bool>> wait_as_a_row(std::optional<Timestamp> until);
  std::string message_for_waiting(std::optional<Timestamp> until) const;
  Task<Result<>> take_up();
  Task<> tell_it_is_not_understood();
  Task<Result<ReleaseReason>> work();
  Task<Result<ReleaseReason>> give_back(ReleaseReason why, store::GivenBack how);
  /// False: mail came first.
  Task<Result<bool>> park(store::Effects effects);
  Task<> wait();
  store::DueRow deadline() const;

  // Acting. Each journals what it does, and does nothing that a later plan would make void.
  Task<Result<>> act(std::vector<Action> actions);
  Task<Result<>> perform(Action action);
  Task<Result<>> rule(Rule action);
  Task<Result<>> ask(std::vector<std::string> calls);
  Task<Result<>> ask_form(std::string call);
  std::optional<ModelReplied> turn_without_model(model::Calls calls);
  Task<Result<>> call_model(CallModel action);
  Task<Result<>> summarise(Summarise action);
  Task<Result<>> run_step(RunStep action);
  Task<Result<>> start_step(std::string call, std::string handler);
  /// Judges a call anew just before it acts, and before it reads if its ruling is of other rules or another owner.
  /// False: what was said is journalled, and it does not start.
  Task<Result<bool>> may_start(const CallState& call, const StepState& step);
  Task<Result<>> start_background(std::string call);
  Task<Result<>> finish_call(FinishCall action);
  Task<Result<>> limit(Limit action);
  Task<Result<>> reply(Reply action);
  Task<Result<>> finish(Finish action);
  Task<Result<>> enrich();
  Task<Result<std::optional<IntentQuestion>>> intent_question() const;
  Task<Result<std::optional<std::string>>> over_budget_with(const model::Model& model, model::Usage estimate) const;
  Task<Result<>> start_delegate(AnswerDelegate action);
  Task<Result<std::shared_ptr<const Prompt>>> prompt();
  Task<Result<std::shared_ptr<const std::vector<model::Turn>>>> memory();
  /// The same one for as long as it works.
  const std::shared_ptr<model::Model>& model();

  Task<Result<>> journal_results();
  Task<Result<>> journal_result(TaskResult result);
  Task<Result<>> store_result(TaskResult result);
  void start_children(TaskResult& result) const;
  static void refuse_children(TaskResult& result, const Error& why);
  void finish_call_of(TaskResult& result) const;
  Task<> add_spending(TaskResult& result) const;

  const RunDependencies& dependencies_;
  OpenJournal journal_;
  PersonSlots::Slot slot_;  // until it is driven
  InFlight in_flight_;
  std::deque<InFlight::Done> results_;  // to be journalled
  asio::steady_timer wake_;
  std::shared_ptr<RequestImages> images_ = std::make_shared<RequestImages>();
  std::shared_ptr<const Prompt> prompt_;
  std::shared_ptr<const std::vector<model::Turn>> memory_;
  std::shared_ptr<model::Model> model_;                                           // the first one it asked
  MemoryCut memory_cut_ = MemoryCut::none;                                        // that `memory_` was made with
  std::map<std::string, std::shared_ptr<const RulingBasis>, std::less<>> bases_;  // of rulings made here, by call
  bool woken_ = false;
  bool taken_up_ = false;
  bool stopping_ = false;
  bool releasing_ = false;    // tasks in flight are cancelled for that alone
  bool told_to_end_ = false;  // those in flight when the run began to end
};

}  // namespace deputy::run
