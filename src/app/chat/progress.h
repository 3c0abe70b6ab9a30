// What runs do, as a chat shows it: the line of each call that ended, with its mark and its folded result, and what is
// running now and for how long. Fed with entries as they are stored. It knows no clock, prints nothing and decides
// nothing.
//
// Marks: ⚙ running, ✓ done, ✗ failed, ⊘ denied or skipped; [bg] for a background call. (? is the prompt's.)
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "channel/terminal/ansi_text.h"
#include "run/journal/state.h"
#include "toolkit/registry.h"

namespace deputy::app {

/// `shell make test`: the tool and its main argument, on one line, escaped and cut.
std::string call_line(const std::string& tool, const json::object& arguments, const toolkit::Registry& registry);

/// Whether a call of that tool has a line: asking and answering have not.
bool has_line(std::string_view tool);

/// "0.4 s", "12 s", "3 min 5 s".
std::string elapsed(std::chrono::milliseconds time);

class Progress {
 public:
  /// The registry outlives it.
  Progress(const toolkit::Registry& registry, channel::Colours colours) : registry_(registry), colours_(colours) {}

  /// A run that began before it was watched, or whose one call no model asked for.
  void know(RunId run, const run::RunState& state);
  void know_call(RunId run, const run::CallRequested& call);

  /// Lines to print, each with its end; often none.
  std::string on_entry(RunId run, const run::EntryBody& body, Timestamp now);

  /// What a call says while it runs; the last line of it is part of the status.
  void on_delta(RunId run, std::string_view call, std::string_view part);

  /// A summary of what its model thinks; the last line of it is part of the status.
  void on_thinking(RunId run, std::string_view part);

  /// Started by another run: what its model says is not for people.
  bool is_child(RunId run) const { return children_.contains(run); }
  /// "⚙ shell make test · 3 s", or empty when nothing works.
  std::string status(Timestamp now) const;

 private:
  using CallKey = std::pair<RunId, std::string>;
  struct Call {
    std::string line;
    bool talks = false;          // ask_user and the like have no line
    bool in_background = false;  // handed over: its child has the result
    bool of_background = false;  // the one call of such a child
    std::optional<Timestamp> since;
    std::string said;  // the end of what it says while it runs
  };

  void add_call(RunId run, const run::CallRequested& call);
  std::string on_delegated(RunId run, const run::Delegated& delegated, Timestamp now);
  std::string on_finished(RunId run, const run::CallFinished& finished, Timestamp now);

  const toolkit::Registry& registry_;
  channel::Colours colours_;
  std::map<CallKey, Call> calls_;
  struct Thinking {
    Timestamp since;
    std::string summary;  // the end of it
  };
  std::map<RunId, Thinking> thinking_;
  std::set<RunId> children_;
};

}  // namespace deputy::app
