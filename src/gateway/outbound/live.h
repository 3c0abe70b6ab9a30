// Reports what runs do as it happens, to channels that show progress or stream text, and to followers. It watches the
// runs of this process; Deliveries and the store notify it of other changes, also those of other processes. Nothing is
// stored: what must arrive is a delivery. Use it on the loop only.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "gateway/outbound/channels.h"
#include "gateway/outbound/work_signs.h"
#include "run/drive/dependencies.h"
#include "run/journal/state.h"
#include "toolkit/registry.h"

namespace deputy::gateway {

/// `shell make test`: the tool and its main argument, cut; not escaped.
std::string call_line(const std::string& tool, const json::object& arguments, const toolkit::Registry& registry);

/// A result in a few words: its first line if that is all of it or begins with a count ("30 errors, …"), else how many
/// lines it has. Empty for JSON, which says nothing in one line.
std::string headline(std::string_view result);

/// What a call does, in plain words: "Searching logs of checkout…", or its line where the tool has no words.
std::string working_words(const std::string& tool, const json::object& arguments, const toolkit::Registry& registry);

/// The callbacks of a follower. They may be called more often than needed, and the store has everything they report.
/// `root` is the run that people started: `run` itself, or the run above it.
struct Follower {
  std::function<void()> changed;                               // something may have changed
  std::function<void(RunId run, std::string_view)> text = {};  // the next part of its model's text
  std::function<void(RunId root, RunId run, const channel::ProgressLine&)> progress = {};
};

/// Whether people started a run, or another run did.
enum class RunKind { request, child };

/// A subscription; it ends when the object is destroyed.
class Following {
 public:
  Following() = default;
  explicit Following(std::shared_ptr<Follower> follower) : follower_(std::move(follower)) {}

 private:
  std::shared_ptr<Follower> follower_;
};

class Live final : public run::Watcher {
 public:
  /// The references outlive it.
  Live(const Channels& channels, const toolkit::Registry& registry, const asio::any_io_executor& loop);
  ~Live() override;
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  /// For channels without the capability `progress`. Outlives it.
  void show_work(WorkSigns& signs) { signs_ = &signs; }

  Following follow(Follower follower);
  /// Told of each entry that this process writes; may be empty.
  using Observer = std::function<void(RunId run, RunKind kind, const run::EntryBody& body)>;
  void set_observer(Observer observer) { observer_ = std::move(observer); }
  /// Notifies all followers that something may have changed.
  void tell();

  /// Adds the calls of a run that started before it was watched, or the one call of a run without a model.
  void know(RunId run, const run::RunState& state);
  void know_call(RunId run, const run::CallRequested& call);
  /// True if people have already seen the answer of the run: it was streamed, or it is the result of the one call that
  /// they made or that ended in the background. True only the first time.
  bool take_shown(RunId run) { return shown_.erase(run) > 0; }

  /// Returns once everything reported so far has been sent to the channel of the conversation, so that a delivery comes
  /// after it.
  Task<> flush(std::string conversation);

  void on_text(RunId run, std::string_view conversation, std::string_view part) override;
  void on_thinking(RunId run, std::string_view conversation, std::string_view part) override;
  bool hears_thinking() const override;
  void on_delta(RunId run, std::string_view conversation, std::string_view call, std::string_view part) override;
  void on_entry(RunId run, std::string_view conversation, const run::EntryBody& body) override;
  void on_left(RunId run, Left how) override;
  /// A delivery of the run has arrived: its acknowledgement, or the stream that goes on after a restart.
  void on_delivered(RunId run);

 private:
  using State = channel::ProgressLine::State;
  struct Call {
    std::string line;
    std::string words;
    bool talks = false;          // a question or an answer to people: it has no line
    bool in_background = false;  // moved to a child run, which has the result
    bool of_background = false;  // the one call of such a child run
    bool started = false;
    std::string said;   // the end of its output so far
    int exit_code = 0;  // of the command that it ran
  };
  using CallKey = std::pair<RunId, std::string>;
  /// Sends to channels, in order per conversation.
  class Outbox;

  template <class Tell>
  void each(Tell tell);
  void add_call(RunId run, const run::CallRequested& call);
  void show(RunId run, std::string_view conversation, const std::string& call, State state, std::string detail = {});
  void on_turn(RunId run, std::string_view conversation, const run::ModelReplied& replied);
  void on_started(RunId run, std::string_view conversation, const std::string& call);
  void on_delegated(RunId run, std::string_view conversation, const run::Delegated& delegated);
  void on_finished(RunId run, std::string_view conversation, const run::CallFinished& finished);
  void on_replied(RunId run, std::string_view conversation, const run::Replied& replied);
  void on_end(RunId run, std::string_view conversation);
  bool shows_results(std::string_view conversation) const;
  void end_stream(RunId run, std::string_view conversation);
  void show_sign(RunId root, RunId run, const channel::ProgressLine& line);

  const Channels& channels_;
  const toolkit::Registry& registry_;
  std::list<std::weak_ptr<Follower>> followers_;
  Observer observer_;
  std::map<CallKey, Call> calls_;
  std::map<RunId, std::string> thinking_;  // the end of its model's thinking
  std::map<RunId, RunId> roots_;           // of runs that another run started
  std::map<RunId, std::string> said_;      // the model's text in the last turn, until the run answers
  std::set<RunId> streaming_;
  std::map<RunId, std::string> by_hand_;  // runs of one call made by a person: its result, once there is one
  std::set<RunId> shown_;
  std::shared_ptr<Outbox> outbox_;
  WorkSigns* signs_ = nullptr;
};

}  // namespace deputy::gateway
