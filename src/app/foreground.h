// One run carried by this process, in the foreground of a terminal or a pipe. The commands `ask`, `runs resume`,
// `tools call` and `interactions answer --run` are this with another beginning.
//
// The answer goes to standard output, notices to standard error. What the run asks is answered by lines of standard
// input, in order; where there is none the run stays parked, and what is asked is the output, with the command that
// answers it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/answering.h"
#include "app/build.h"
#include "app/context.h"
#include "app/input_lines.h"
#include "channel/terminal/terminal_channel.h"
#include "run/journal/state.h"

namespace deputy::app {

/// The run of that id, as lists show it; not_found also when it has been forgotten.
Task<Result<store::RunRow>> find_run(store::Store& store, RunId run);
/// Its entries; not_found when there is no such run, or what was said in it has been forgotten.
Task<Result<std::vector<store::EntryRow>>> read_journal(store::Store& store, RunId run);
Task<Result<run::RunState>> read_state(store::Store& store, RunId run);
/// What entries of this run fold to.
Result<run::RunState> state_in(const std::vector<store::EntryRow>& journal, RunId run);
/// Why an entry of its journal does not decode, with the run it is of.
Error cannot_be_read(RunId run, Error why);

/// Whether nothing more comes of it: it was sent, or nobody tries any longer.
bool is_over(const store::DeliveryRow& delivery);

/// How a finished run ends the command: refused when policy denied what it wanted and nothing else was done.
ExitCode exit_code_of(const run::RunState& state);

class Foreground {
 public:
  Foreground(const Context& context, Process& process);

  /// Composes the engine with this terminal as its only channel.
  Result<> open();

  /// One request in that conversation, to its end or to a question nobody answers here. The end is that of what it
  /// began in the background, too: it would go with this process.
  Task<Result<ExitCode>> ask(std::string conversation, std::string text);
  /// One call without a model, under the same rules as any other. Its result is the output.
  Task<Result<ExitCode>> call(std::string conversation, std::string tool, json::object arguments);
  /// The same for a run that is there already.
  Task<Result<ExitCode>> carry(store::RunRow run);
  /// For a run that is one call: its result is the output, whole, in place of the answer.
  void print_result() { prints_result_ = true; }

  const std::string& user() const { return user_; }
  /// The run that is carried, once there is one.
  const std::optional<RunId>& run() const { return run_; }

 private:
  struct Resting {
    store::RunRow run;
    std::vector<store::InteractionRow> pending;  // none once it has finished
  };

  Task<Result<Resting>> until_it_rests(store::RunRow run);
  Task<Result<bool>> all_is_delivered(std::vector<store::RunRow> runs);
  void say_what_it_waits_for(const std::vector<store::RunRow>& family);
  /// False when nobody answers it here.
  Task<Result<bool>> answer_from_input(store::InteractionRow row);
  Task<Result<ExitCode>> print_end(store::RunRow run);
  ExitCode print_waiting(const Resting& resting);

  const Context& context_;
  Process& process_;
  std::string user_;
  std::shared_ptr<channel::TerminalChannel> channel_;
  InputLines input_;
  std::optional<RunId> run_;
  std::string answer_;          // Markdown, as it was delivered
  bool prints_result_ = false;  // of the one call, in place of the answer
  bool said_it_waits_ = false;  // for what works in the background
};

/// A conversation of its own, begun by that task in a process that works for nothing else.
using BeginConversation = std::function<Task<Result<ExitCode>>(Foreground& foreground, std::string conversation)>;
ExitCode begin_in_foreground(const Context& context, const BeginConversation& begin);

/// A run that is there already, carried by a process of its own reach.
ExitCode carry_in_foreground(const Context& context, const store::RunRow& run);

}  // namespace deputy::app
