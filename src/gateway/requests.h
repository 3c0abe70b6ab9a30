// The API for requests: start one, make one call, answer, stop, watch, list pending interactions, read. The command
// line uses it, and HTTP and MCP will; channels use it as their Receiver.
//
// When a function returns, the request has been authorised, stored and audited; none waits for a model. To follow a
// run, await the events that are returned with its id, or take them in a loop of your own that `on_change` wakes.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gateway/inbound/cards.h"
#include "gateway/inbound/dispatcher.h"
#include "gateway/outbound/live.h"
#include "gateway/run_controls.h"
#include "policy/visibility.h"
#include "run/journal/state.h"

namespace deputy::gateway {

/// The person who acts, and where. The calling code has already verified the identity.
struct Caller {
  policy::Identity identity;
  policy::Place place;
  std::string name;         // as people call them
  bool stays_here = false;  // only this process works on their runs while it lives: a terminal
};

/// `key` makes the request idempotent: the same key again returns the newest run of the conversation. Empty: a new key.
struct NewRequest {
  channel::ConversationKey conversation;
  std::string text;
  std::string key = {};
  std::string piped = {};  // context for it: data, never an answer
};
struct NewCall {
  channel::ConversationKey conversation;
  std::string tool;
  json::object arguments;
  std::string key = {};
};

// ---- Events.

/// The next part of the model's text; only for a run of this process.
struct StreamedText {
  std::string part;
};
/// A call of the run or of its child runs started, made progress or ended; only for a run of this process.
struct Progress {
  channel::ProgressLine line;
};
/// The run has answered; these child runs continue in the background.
struct InBackground {
  std::vector<RunId> runs;
};
/// Deputy is paused; nothing continues until somebody resumes it.
struct PausedBy {
  Error why;
};
/// The run waits for answers from people.
struct Waiting {
  std::vector<channel::Card> cards;
};
/// One call of a run that has ended.
struct CallSummary {
  std::string id;
  std::string tool;
  std::optional<run::CallStatus> status;  // absent: it did not end
  bool denied = false;                    // by a rule, a person, or because nobody answered in time
};
/// The run and its child runs have ended, and every delivery was sent or given up.
struct Ended {
  std::string outcome;
  std::string answer;
  std::vector<CallSummary> calls;
  bool is_one_call = false;  // it was made without a model
};

struct Event {
  RunId run;
  std::variant<StreamedText, Progress, InBackground, PausedBy, Waiting, Ended> what;
};

/// The events of a run, also of one that another process works on. Costs nothing until it is awaited.
class Events {
 public:
  struct State;
  Events() = default;
  explicit Events(std::shared_ptr<State> state) : state_(std::move(state)) {}

  /// The next event; `conflict` after Ended, and an error once the run cannot move any more. Await one at a time.
  Task<Result<Event>> next();
  /// The same without waiting: nothing while there is no event.
  Task<Result<std::optional<Event>>> take();

 private:
  std::shared_ptr<State> state_;
};

// ---- What callers get.

struct Accepted {
  RunId run;
  Events events;
};
using Started = std::variant<Accepted, NotAccepted>;
Error error_of(const NotAccepted& not_accepted);

struct AnswerReceipt {
  channel::Verdict verdict;
  RunId run;
  Events events;
};

/// Selects pending interactions; all of them if nothing is set.
struct PendingFilter {
  std::optional<RunId> run = std::nullopt;
  std::optional<channel::ConversationKey> conversation = std::nullopt;
  int most = 100;  // interactions
};

struct RunView {
  store::RunRow row;
  run::RunState state;
  std::vector<store::EntryRow> entries;
};

/// Pending interactions that the caller may see; the others are counted.
struct PendingCards {
  std::vector<channel::Card> cards;
  std::size_t left_out = 0;  // interactions
};

// These are not authorised: anyone who can open the data folder can read all of it. What is read for somebody over a
// network goes through Requests.

/// not_found when there is no such run, or its text has been forgotten.
Task<Result<store::RunRow>> find_run(store::Store& store, RunId run);
Task<Result<RunView>> read_run(store::Store& store, RunId run);
/// Only its entries, also those that cannot be decoded.
Task<Result<std::vector<store::EntryRow>>> read_journal(store::Store& store, RunId run);
/// Adds to `why` which run's journal cannot be read.
Error cannot_be_read(RunId run, Error why);

/// `permission` when everything is paused.
Task<Result<>> check_not_paused(store::Store& store);

class Requests final : public channel::Receiver {
 public:
  /// The collaborators outlive this; `live` outlives its events too.
  Requests(InboundDependencies& parts, Dispatcher& dispatcher, CardSource& cards, Live& live);

  // ---- As the Receiver of channels.

  Task<Result<>> message(channel::InboundMessage message) override { return dispatcher_.message(std::move(message)); }
  Task<Result<channel::Verdict>> answer(channel::InboundAnswer answer) override;
  Task<Result<channel::Welcome>> welcome(policy::Account account) override;

  Task<Result<std::string>> cursor(std::string channel) override { return dispatcher_.cursor(std::move(channel)); }
  Task<Result<>> set_cursor(std::string channel, std::string cursor) override {
    return dispatcher_.set_cursor(std::move(channel), std::move(cursor));
  }
  Task<Result<std::vector<channel::ConversationKey>>> conversations(std::string channel, Timestamp since,
                                                                    int most) override {
    return dispatcher_.conversations(std::move(channel), since, most);
  }

  // ---- For everybody else.

  /// Starts a new run, or adds the text to the run that is already working in the conversation.
  Task<Result<Started>> start(Caller caller, NewRequest request);
  /// One call without a model, in its own run, under the same policy as any other call.
  Task<Result<Started>> call(Caller caller, NewCall call);
  /// The first valid answer wins; the verdict says which it was. not_found when there is no such interaction.
  Task<Result<AnswerReceipt>> answer(Caller caller, InteractionId interaction, channel::Press press);
  /// Stores a request to stop; the run stops its child runs. conflict when it has ended.
  Task<Result<Accepted>> stop(Caller caller, RunId run);

  // Reading. A run is as visible as its conversation, an interaction also to those who may answer it (behaviour 14).
  // What the caller may not see is not there for them. The local user sees everything: the data folder is theirs. What
  // others see only because they are admins is audited.

  /// The events of an existing run, from its present state on.
  Task<Result<Accepted>> watch(Caller caller, RunId run);
  /// Oldest first. Interactions of one turn share a card.
  Task<Result<PendingCards>> pending(Caller caller, PendingFilter filter);
  /// The card of an interaction in any state; nothing when there is none.
  Task<Result<std::optional<channel::Card>>> card(Caller caller, InteractionId interaction);
  Task<Result<RunView>> read(Caller caller, RunId run);
  Task<Result<>> check_not_paused() { return gateway::check_not_paused(parts_.store); }

  /// Tells of runs that this process does not go on with any more; following one of them then fails.
  void set_given_up(std::function<bool(RunId)> given_up) { given_up_ = std::move(given_up); }

  /// From now on, reports progress of a run that started before this process watched it.
  void show_progress(const RunView& view) { live_.know(view.row.run, view.state); }
  /// For a caller that shows several runs: `changed` is called on the loop whenever something may have changed.
  Following on_change(std::function<void()> changed) { return live_.follow({.changed = std::move(changed)}); }

 private:
  Events events_of(RunId run);
  /// A button under an answer, by somebody who may see its run.
  Task<Result<channel::Verdict>> press_on_run(channel::InboundAnswer answer, RunPress press);
  /// not_found if the caller may not see it. Audits what only an admin sees.
  Task<Result<>> check_sees(Caller caller, RunId run);
  Task<Result<policy::Visible>> sees(Caller caller, RunId run);
  Task<Result<policy::Visible>> sees(Caller caller, store::InteractionRow row);
  Task<Result<>> audit_admin(Caller caller, RunId run, std::string conversation);

  InboundDependencies& parts_;
  Dispatcher& dispatcher_;
  CardSource& cards_;
  Live& live_;
  std::function<bool(RunId)> given_up_;
};

}  // namespace deputy::gateway
