#include <CLI/CLI.hpp>

#include "app/command_line.h"
#include "base/json.h"

namespace deputy::app {

namespace {

constexpr const char* kExamples = R"(Examples:
  deputy version         one line
  deputy version --json  for programs)";

ExitCode print_version(const Context& context) {
  std::ostream& out = context.outside.out;
  if (context.json) {
    out << json::serialize(json::object{{"version", DEPUTY_VERSION}}) << "\n";
  } else {
    out << "deputy " << DEPUTY_VERSION << "\n";
  }
  return ExitCode::done;
}

}  // namespace

void add_version(CLI::App& program, Context& context) {
  CLI::App* version = program.add_subcommand("version", "Print the version");
  version->footer(kExamples);
  program.set_version_flag("--version", std::string("deputy ") + DEPUTY_VERSION, "Print the version");
  version->callback([&context] { context.action = [&context] { return print_version(context); }; });
}

}  // namespace deputy::app
