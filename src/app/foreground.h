// Follows one run in the foreground of a terminal or a pipe. The commands `ask` (at a terminal with keys it is a
// chat), `runs resume`, `tools call` and `interactions answer --run` differ only in how they start.
//
// The answer goes to standard output, notices to standard error. At a terminal it asks the run's questions; elsewhere
// the lines of `--answers FILE` answer them in order. Text that is piped in is context for a request and never an
// answer. What nobody answers stays parked, and the output is the question and the command that answers it.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/build.h"
#include "app/context.h"
#include "channel/terminal/input.h"
#include "channel/terminal/screen.h"
#include "channel/terminal/terminal_channel.h"
#include "gateway/requests.h"

namespace CLI {
class App;
}

namespace deputy::app {

/// An error if the answer was not accepted: `permission` if it was refused, `conflict` if somebody else answered first,
/// else `invalid_input`.
Result<> check_settled(const channel::Verdict& verdict);

/// `deputy … interactions answer ID`, with the flags this invocation was given, quoted for a shell.
std::string answering_command(const Context& context, std::string_view interaction);
/// How this invocation may draw on standard output.
channel::TerminalKind terminal_of(const Context& context);
/// The width to wrap at on standard output.
std::size_t width_of(const Context& context);
/// Text that explains how to answer it later, with that command.
std::string how_to_answer(const channel::ShownInteraction& shown, const std::string& command);
json::object waiting_json(const channel::Card& card, const channel::ShownInteraction& shown,
                          const std::string& command);

/// The exit code for a request that made no run; a notice has said why.
ExitCode exit_code_of(const gateway::NotAccepted& not_accepted);
/// The exit code for a run that has ended: `refused` if what it wanted was denied and nothing else was done, `failed`
/// if all its calls failed.
ExitCode exit_code_of(const gateway::Ended& ended);

class Foreground {
 public:
  Foreground(const Context& context, Process& process);

  /// Composes the engine with this terminal as its only channel.
  Result<> open();

  /// Makes one request, and follows it to its end or to a question that nobody answers here. It also waits for its
  /// background calls, because they would end with this process.
  Task<Result<ExitCode>> ask(std::string conversation, std::string text);
  /// Makes one call without a model, under the same policy as any other. Its result is the output.
  Task<Result<ExitCode>> call(std::string conversation, std::string tool, json::object arguments);
  /// Follows an existing run in the same way.
  Task<Result<ExitCode>> follow(RunId run);
  /// For a run of one call: prints its whole result instead of the answer.
  void print_result() { prints_result_ = true; }

  /// The run that is followed, once there is one.
  const std::optional<RunId>& run() const { return run_; }

 private:
  /// The answer to standard output, everything else to standard error.
  class View final : public channel::TerminalView {
   public:
    explicit View(Foreground& foreground) : foreground_(foreground) {}
    void message(const channel::Message& message) override;
    void card(const channel::Card&) override {}  // asked when the run waits for it

   private:
    Foreground& foreground_;
  };

  Task<std::string> read_piped();
  Result<> open_answers();
  Task<Result<ExitCode>> follow_events(gateway::Accepted accepted);
  void print_background(const gateway::InBackground& background);
  void print_progress(const channel::ProgressLine& line);
  std::string answer_text(std::string_view markdown) const;
  /// While a prompt is shown, everything else waits.
  void set_asking(bool asking);
  void say(std::ostream& to, std::string text);
  std::string prompt_text(const channel::Card& card, const channel::ShownInteraction& shown,
                          const interaction::Draft& draft) const;
  /// False when nobody answers it here.
  Task<Result<bool>> answer_here(channel::Card card, channel::ShownInteraction shown);
  /// The next typed line, or line of the file; nothing at its end, or once the interaction is settled elsewhere.
  Task<Result<std::optional<std::string>>> next_answer(InteractionId id);
  Task<Result<bool>> is_pending(InteractionId id);
  Task<Result<ExitCode>> print_end(RunId run, gateway::Ended ended);
  ExitCode print_waiting(RunId run, const gateway::Waiting& waiting);

  const Context& context_;
  Process& process_;
  View view_{*this};
  channel::InputLines input_;
  FileDescriptor answers_file_;
  std::optional<channel::InputLines> answers_;  // the lines of --answers
  std::optional<RunId> run_;
  bool asking_ = false;
  std::vector<std::pair<std::ostream*, std::string>> held_;  // what waits while it asks
  std::string answer_;                                       // Markdown, as it was delivered
  bool prints_result_ = false;                               // of the one call, instead of the answer
};

/// Adds the flag --answers to a command that works on one run.
void add_answers(CLI::App& command, Context& context);

/// Runs `begin` in a new conversation, in a process that works on nothing else.
using BeginConversation = std::function<Task<Result<ExitCode>>(Foreground& foreground, std::string conversation)>;
ExitCode begin_in_foreground(const Context& context, const BeginConversation& begin);

/// Follows an existing run, in a process that works only on its conversation. While another process works on that, it
/// fails, or prints `when_held` and is done.
ExitCode follow_in_foreground(const Context& context, const store::RunRow& run, std::string_view when_held = {});

}  // namespace deputy::app
