// deputy ask TEXT
#include <CLI/CLI.hpp>

#include "app/command_line.h"
#include "app/foreground.h"
#include "base/text.h"
#include "channel/terminal/terminal_channel.h"

namespace deputy::app {

namespace {

constexpr const char* kAskExamples = R"(Examples:
  deputy ask "show me errors in checkout prod"
  deputy ask --json "which services are there?"
  echo prod | deputy ask "show me errors in checkout"   lines of standard input answer what it asks

The answer alone goes to standard output. A question that nobody answers is printed with the command that answers it,
the exit code is 4, and the run waits.)";

ExitCode ask(const Context& context, const std::vector<std::string>& words) {
  const std::string text = join(words, " ");
  if (trim(text).empty()) {
    print_error(context,
                {ErrorKind::invalid_input, "there is no request", "write it like deputy ask \"what is failing?\""});
    return ExitCode::usage;
  }
  const std::string conversation = channel::terminal_conversation(os_user(), Ulid::make(SystemClock().now()).text());
  const auto process = Process::open(context, {conversation});
  if (!process) return print_failure(context, process.error());
  Foreground foreground(context, **process);
  if (const Result<> opened = foreground.open(); !opened) return print_failure(context, opened.error());
  (*process)->start();
  return finish(context, **process, foreground, foreground.ask(conversation, text));
}

}  // namespace

void add_ask(CLI::App& program, Context& context) {
  CLI::App* command = program.add_subcommand("ask", "Ask once and print the answer");
  command->fallthrough();
  command->footer(kAskExamples);
  auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("TEXT", *words, "What you want to know or have done")->required();
  command->callback([&context, words] { context.action = [&context, words] { return ask(context, *words); }; });
}

}  // namespace deputy::app
