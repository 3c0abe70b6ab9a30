#include "app/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>

namespace deputy::app {

namespace {

constexpr const char* kExamples = R"(Examples:
  deputy chat                            talk to it here
  deputy ask "what is failing in prod?"  ask once and get the answer
  deputy runs list                       see what was asked, and how it stands
  deputy interactions list               see what waits for a person
  deputy config init                     begin a settings file
  deputy config check                    find every problem in the settings
  deputy config show                     see what holds, and which file says it
  deputy --set timezone=UTC config show  change one setting for one command

Exit codes: 0 done, 1 failed, 2 usage, 3 refused by policy, 4 waiting for a human.)";

void add_shared_flags(CLI::App& program, Context& context) {
  program.add_option("--config", context.places.config, "The only settings file to read (DEPUTY_CONFIG)")
      ->type_name("FILE");
  program.add_option("--data", context.places.data, "The folder that state is kept in (DEPUTY_DATA)")->type_name("DIR");
  program.add_option("--set", context.settings, "One setting, above files and environment; may be repeated")
      ->type_name("KEY=VALUE")
      ->take_all()
      ->allow_extra_args(false);
  program.add_flag("--json", context.json, "Print JSON, for programs");
}

}  // namespace

ExitCode run_command(std::vector<std::string> arguments, Outside outside) {
  Context context(outside);
  CLI::App program(
      "Deputy, an AI agent for operations teams: it investigates, asks, and changes nothing without a yes.", "deputy");
  program.footer(kExamples);
  program.require_subcommand(1);
  program.fallthrough();
  add_shared_flags(program, context);
  add_chat(program, context);
  add_ask(program, context);
  add_runs(program, context);
  add_interactions(program, context);
  add_grants(program, context);
  add_tools(program, context);
  add_config(program, context);
  add_usage(program, context);
  add_audit(program, context);
  add_forget(program, context);
  add_brake(program, context);
  add_doctor(program, context);
  add_version(program, context);
  try {
    std::ranges::reverse(arguments);  // CLI11 takes them last first
    program.parse(std::move(arguments));
  } catch (const CLI::ParseError& stopped) {
    return program.exit(stopped, outside.out, outside.errors) == 0 ? ExitCode::done : ExitCode::usage;
  }
  return context.action();
}

}  // namespace deputy::app
