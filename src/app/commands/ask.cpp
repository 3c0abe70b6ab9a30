// deputy ask TEXT
#include <fmt/format.h>

#include <CLI/CLI.hpp>

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

Only the answer goes to standard output. A question that nobody answers is printed with the command that answers it,
the exit code is 4, and the run waits.)";

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
