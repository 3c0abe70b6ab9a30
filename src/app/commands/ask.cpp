// deputy ask TEXT
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "app/chat/chat.h"
#include "app/command_line.h"
#include "app/foreground.h"
#include "base/text.h"
#include "gateway/inbound/routing_facts.h"

namespace deputy::app {

namespace {

constexpr const char* kAskExamples = R"(Examples:
  deputy ask "show me errors in checkout prod"
  deputy ask --json "which services are there?"
  tail -n 500 app.log | deputy ask "what is wrong here?"   what is piped in is context, never an answer
  deputy ask --answers FILE "show me errors in checkout"   a line of the file for each question

At a terminal it shows and asks as a chat does; Ctrl-C stops it. For a script, only the answer goes to standard output. A
question that nobody answers is printed with the command that answers it, the exit code is 4, and the run waits.)";

ExitCode ask_in_chat(const Context& context, const std::string& text) {
  const std::string user = os_user();
  const Session session = session_of(channel::terminal_conversation(user, Ulid::make(SystemClock().now()).text()));
  const auto process = Process::open(context, {session.key});
  if (!process) return print_failure(context, process.error());
  Chat chat(context, **process, session, Chat::Begins::anew, text);
  return chat.carry();
}

ExitCode ask(const Context& context, const std::vector<std::string>& words) {
  const std::string text = join(words, " ");
  if (trim(text).empty()) {
    return print_failure(
        context, {ErrorKind::invalid_input, "the request is empty", "write it like deputy ask \"what is failing?\""});
  }
  if (const std::size_t length = count_characters(text); length > gateway::kMaxRequest)
    return print_failure(
        context, {ErrorKind::invalid_input,
                  fmt::format("the request has {} characters, and at most {} are read", length, gateway::kMaxRequest),
                  "pipe long text in: deputy ask \"what is wrong here?\" <file"});
  const bool is_at_a_terminal = terminal_of(context).drawing == channel::Drawing::keys;
  if (is_at_a_terminal && !context.json && context.answers.empty()) return ask_in_chat(context, text);
  return begin_in_foreground(context, [&](Foreground& foreground, std::string conversation) {
    return foreground.ask(std::move(conversation), text);
  });
}

}  // namespace

void add_ask(CLI::App& program, Context& context) {
  CLI::App* command = program.add_subcommand("ask", "Ask once and print the answer");
  command->fallthrough();
  command->footer(kAskExamples);
  add_answers(*command, context);
  auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("TEXT", *words, "What you want to know or have done")->required();
  command->callback([&context, words] { context.action = [&context, words] { return ask(context, *words); }; });
}

}  // namespace deputy::app
