// deputy ask TEXT
#include <CLI/CLI.hpp>

#include "app/command_line.h"
#include "app/foreground.h"
#include "base/text.h"

namespace deputy::app {

namespace {

constexpr const char* kAskExamples = R"(Examples:
  deputy ask "show me errors in checkout prod"
  deputy ask --json "which services are there?"
  echo prod | deputy ask "show me errors in checkout"   lines of standard input answer its questions

Only the answer goes to standard output. A question that nobody answers is printed with the command that answers it,
the exit code is 4, and the run waits.)";

ExitCode ask(const Context& context, const std::vector<std::string>& words) {
  const std::string text = join(words, " ");
  if (trim(text).empty()) {
    return print_failure(
        context, {ErrorKind::invalid_input, "the request is empty", "write it like deputy ask \"what is failing?\""});
  }
  return begin_in_foreground(context, [&](Foreground& foreground, std::string conversation) {
    return foreground.ask(std::move(conversation), text);
  });
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
