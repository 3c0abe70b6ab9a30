// All that can be done with requests: start one, make one call, answer, stop, watch, list what waits, read. The command
// line uses it, and HTTP and MCP will; channels use it as their Receiver.
//
// A call has been authorised, stored and audited when it returns, and none waits for a model. Whoever wants to know how
// a run gets on awaits the events that come with its id: nothing is polled.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "gateway/inbound/cards.h"
#include "gateway/inbound/dispatcher.h"
#include "gateway/outbound/live.h"
#include "run/journal/state.h"

namespace deputy::gateway {

/// Who acts, and from where. Whoever calls has made sure that it is them.
struct Caller {
  policy::Identity identity;
  policy::Place place;
  std::string name;         // as people call them
  bool stays_here = false;  // their runs belong to this process while it lives: a terminal
};

/// `key` makes it happen once: the same key again gives the newest run of its conversation. Empty: a key of its own.
struct NewRequest {
  channel::ConversationKey conversation;
  std::string text;
  std::string key = {};
};
struct NewCall {
  channel::ConversationKey conversation;
  std::string tool;
  json::object arguments;
  std::string key = {};
};

// ---- Events.

/// More of what the model of the run says; only for a run of this process.
struct StreamedText {
  std::string part;
};
/// A call of the run, or of one that it started, began, moved on or ended; only for a run of this process.
struct Progress {
  channel::ProgressLine line;
};
/// The run has answered; these work on in the background.
struct InBackground {
  std::vector<RunId> runs;
};
/// Nothing goes on until somebody ends the pause.
struct PausedBy {
  Error why;
};
/// Only people can move it now.
struct Waiting {
  std::vector<channel::Card> cards;
};
/// One call of a run that has ended.
struct CallSummary {
  std::string id;
  std::string tool;
  std::optional<run::CallStatus> status;  // absent: it did not end
  bool denied = false;                    // by policy
};
/// It and what it began have ended, and all of it was delivered or given up.
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

/// What becomes of a run, also of one that another process works on. It costs nothing until it is awaited.
class Events {
 public:
  struct State;
  Events() = default;
  explicit Events(std::shared_ptr<State> state) : state_(std::move(state)) {}

  /// The next event; after Ended there is none: conflict. Not more than one at a time.
  Task<Result<Event>> next();

 private:
  std::shared_ptr<State> state_;
};

// ---- What callers get.

struct Accepted {
  RunId run;
  Events events;
};
using Started = std::variant<Accepted, NotAccepted>;
/// For a command that ends with it.
Error error_of(const NotAccepted& not_accepted);

struct AnswerReceipt {
  channel::Verdict verdict;
  RunId run;
  Events events;
};

/// What waits for people; all of it where nothing is set.
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

// Reading is not authorised here: whoever may open the data folder may read all of it. Who reads for somebody over a
// network asks policy/visibility.h first.

/// not_found when there is no such run, or what was said in it has been forgotten.
Task<Result<store::RunRow>> find_run(store::Store& store, RunId run);
Task<Result<RunView>> read_run(store::Store& store, RunId run);
/// Its entries alone, whether or not they can be understood.
Task<Result<std::vector<store::EntryRow>>> read_journal(store::Store& store, RunId run);
/// Names the run whose journal cannot be read.
Error cannot_be_read(RunId run, Error why);

/// permission when everything is paused: nothing would go on.
Task<Result<>> check_not_paused(store::Store& store);

class Requests final : public channel::Receiver {
 public:
  /// The collaborators outlive this; `live` outlives its events too.
  Requests(InboundDependencies& parts, Dispatcher& dispatcher, CardSource& cards, Live& live);

  // ---- As the Receiver of channels.

  Task<Result<>> message(channel::InboundMessage message) override { return dispatcher_.message(std::move(message)); }
  Task<Result<channel::Verdict>> answer(channel::InboundAnswer answer) override {
    return dispatcher_.answer(std::move(answer));
  }

  // ---- For everybody else.

  /// A new run, or the run that takes the text.
  Task<Result<Started>> start(Caller caller, NewRequest request);
  /// One call without a model, in a run of its own, ruled like any other.
  Task<Result<Started>> call(Caller caller, NewCall call);
  /// The first valid answer wins; the verdict says which it was. not_found when there is no such interaction.
  Task<Result<AnswerReceipt>> answer(Caller caller, InteractionId interaction, channel::Press press);
  /// A request to stop is stored; its child runs are told by it. conflict when it has ended.
  Task<Result<Accepted>> stop(Caller caller, RunId run);
  /// From how it stands now.
  Task<Result<Accepted>> watch(RunId run);
  /// Oldest first. Interactions of one turn share a card.
  Task<Result<std::vector<channel::Card>>> pending(PendingFilter filter);
  /// One card, whatever its state; nothing when there is none.
  Task<Result<std::optional<channel::Card>>> card(InteractionId interaction) { return cards_.card(interaction); }
  Task<Result<RunView>> read(RunId run) { return read_run(parts_.store, run); }
  Task<Result<>> check_not_paused() { return gateway::check_not_paused(parts_.store); }

  /// Shows from here on what a run does that began before this process watched it.
  void show_progress(const RunView& view) { live_.know(view.row.run, view.state); }
  /// For who shows more than one run: called on the loop whenever something may have changed.
  Following on_change(std::function<void()> changed) { return live_.follow({.changed = std::move(changed)}); }

 private:
  Events events_of(RunId run);

  InboundDependencies& parts_;
  Dispatcher& dispatcher_;
  CardSource& cards_;
  Live& live_;
};

}  // namespace deputy::gateway
