// What runs do, told as it happens: to channels that show progress or stream, and to whoever follows runs. It is the
// watcher of the runs of this process; Deliveries and the store tell it of the rest, also of what other processes
// committed. Nothing of it is kept: what must arrive is a delivery. On the loop only.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "gateway/outbound/channels.h"
#include "run/drive/dependencies.h"
#include "run/journal/state.h"
#include "toolkit/registry.h"

namespace deputy::gateway {

/// `shell make test`: the tool and its main argument, cut; not escaped.
std::string call_line(const std::string& tool, const json::object& arguments, const toolkit::Registry& registry);

/// What a follower is called for. All of it may be called too often, and none of it is the only way to know. `root` is
/// the run that people asked for, `run` itself or what began it.
struct Follower {
  std::function<void()> changed;                               // look again
  std::function<void(RunId run, std::string_view)> text = {};  // what its model says
  std::function<void(RunId root, RunId run, const channel::ProgressLine&)> progress = {};
};

/// Ends with its object.
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

  Following follow(Follower follower);
  /// Something may have changed.
  void tell();

  /// A run that began before it was watched, or that is one call which no model asked for.
  void know(RunId run, const run::RunState& state);
  void know_call(RunId run, const run::CallRequested& call);
  /// Whether people have seen the answer of the run already: it streamed, or it is the result of the one call that they
  /// made. True once.
  bool take_shown(RunId run) { return shown_.erase(run) > 0; }

  /// Returns once all that was told so far has gone to the channel of the conversation: what is delivered comes after
  /// it.
  Task<> flush(std::string conversation);

  void on_text(RunId run, std::string_view conversation, std::string_view part) override;
  void on_thinking(RunId run, std::string_view conversation, std::string_view part) override;
  bool hears_thinking() const override;
  void on_delta(RunId run, std::string_view conversation, std::string_view call, std::string_view part) override;
  void on_entry(RunId run, std::string_view conversation, const run::EntryBody& body) override;

 private:
  using State = channel::ProgressLine::State;
  struct Call {
    std::string line;
    bool talks = false;          // asking and answering have no line
    bool in_background = false;  // handed over: its child has the result
    bool of_background = false;  // the one call of such a child
    bool started = false;
    std::string said;  // the end of what it says while it runs
  };
  using CallKey = std::pair<RunId, std::string>;
  /// What is on its way to a channel, in order.
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
  void end_stream(RunId run, std::string_view conversation);

  const Channels& channels_;
  const toolkit::Registry& registry_;
  std::list<std::weak_ptr<Follower>> followers_;
  std::map<CallKey, Call> calls_;
  std::map<RunId, std::string> thinking_;  // the end of what its model thinks
  std::map<RunId, RunId> roots_;           // of runs that another run started
  std::map<RunId, std::string> said_;      // in the last turn, of runs that have not answered
  std::set<RunId> streaming_;
  std::map<RunId, std::string> by_hand_;  // the result, once there is one
  std::set<RunId> shown_;
  std::shared_ptr<Outbox> outbox_;
};

}  // namespace deputy::gateway
