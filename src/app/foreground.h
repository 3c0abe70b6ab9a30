// One run followed by this process, in the foreground of a terminal or a pipe. The commands `ask`, `runs resume`,
// `tools call` and `interactions answer --run` are this with another beginning.
//
// The answer goes to standard output, notices to standard error. What the run asks is answered by lines of standard
// input, in order; where there is none the run stays parked, and what is asked is the output, with the command that
// answers it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/build.h"
#include "app/context.h"
#include "channel/terminal/input.h"
#include "channel/terminal/terminal_channel.h"
#include "gateway/requests.h"

namespace deputy::app {

/// Whether the answer settled it: permission where it may not, conflict where somebody was first, else invalid_input.
Result<> check_settled(const channel::Verdict& verdict);

/// `deputy … interactions answer ID`, with the flags this invocation was given, quoted for a shell.
std::string answering_command(const Context& context, InteractionId interaction);
/// How to answer it later, with that command.
std::string how_to_answer(const channel::ShownInteraction& shown, const std::string& command);
json::object waiting_json(const channel::Card& card, const channel::ShownInteraction& shown,
                          const std::string& command);

/// How a run that has ended ends the command: refused when policy denied what it wanted and nothing else was done.
ExitCode exit_code_of(const gateway::Ended& ended);

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
  Task<Result<ExitCode>> follow(RunId run);
  /// For a run that is one call: its result is the output, whole, in place of the answer.
  void print_result() { prints_result_ = true; }

  /// The run that is followed, once there is one.
  const std::optional<RunId>& run() const { return run_; }

 private:
  /// The answer to standard output, everything else to standard error.
  class View final : public channel::TerminalView {
   public:
    explicit View(Foreground& foreground) : foreground_(foreground) {}
    void message(const channel::Message& message) override;
    void card(const channel::Card&) override {}  // asked when the run can only wait

   private:
    Foreground& foreground_;
  };

  Task<Result<ExitCode>> follow_events(gateway::Accepted accepted);
  void print_background(const gateway::InBackground& background);
  /// False when nobody answers it here.
  Task<Result<bool>> answer_from_input(channel::Card card, channel::ShownInteraction shown);
  Task<Result<ExitCode>> print_end(gateway::Ended ended);
  ExitCode print_waiting(const gateway::Waiting& waiting);

  const Context& context_;
  Process& process_;
  View view_{*this};
  channel::InputLines input_;
  std::optional<RunId> run_;
  std::string answer_;          // Markdown, as it was delivered
  bool prints_result_ = false;  // of the one call, in place of the answer
};

/// A conversation of its own, begun by that task in a process that works for nothing else.
using BeginConversation = std::function<Task<Result<ExitCode>>(Foreground& foreground, std::string conversation)>;
ExitCode begin_in_foreground(const Context& context, const BeginConversation& begin);

/// A run that is there already, followed by a process of its own reach.
ExitCode follow_in_foreground(const Context& context, const store::RunRow& run);

}  // namespace deputy::app
