#include "app/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "base/text.h"

namespace deputy::app {

namespace {

constexpr const char* kExamples = R"(Examples:
  deputy chat                            talk to Deputy here
  deputy ask "what is failing in prod?"  ask once and get the answer
  deputy serve                           run the channels that are set up
  deputy runs list                       list requests and their state
  deputy interactions list               list what waits for a person
  deputy config init                     create a settings file
  deputy config check                    find every problem in the settings
  deputy config show                     show every setting and where it comes from
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

/// The innermost command that was recognised: for `deputy runs lst` it is `runs`.
CLI::App& deepest(CLI::App& program) {
  CLI::App* at = &program;
  for (std::vector<CLI::App*> below = at->get_subcommands(); !below.empty(); below = at->get_subcommands())
    at = below.front();
  return *at;
}

std::vector<std::string> command_names(const CLI::App& group) {
  std::vector<std::string> names;
  for (const CLI::App* command : group.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// "there is no command `rusn`; did you mean `runs`?" if a word is used as a command and is none; else nothing.
std::optional<std::string> unknown_command(CLI::App& program) {
  const CLI::App& group = deepest(program);
  const std::vector<std::string> names = command_names(group);
  const std::vector<std::string> left = program.remaining(true);
  const auto word = std::ranges::find_if(left, [](const std::string& one) { return !one.starts_with('-'); });
  if (names.empty() || word == left.end()) return std::nullopt;
  const std::string path = &group == &program ? "deputy" : "deputy " + group.get_name();
  std::string text = fmt::format("there is no command `{} {}`", path, to_valid_utf8(cut_with_mark(*word, 60)));
  if (const std::string_view near = nearest(to_lower(*word), names); !near.empty())
    text += fmt::format("; did you mean `{} {}`?", path, near);
  return fmt::format("{}\nThere are: {}. `{} --help` explains each.\n", text, join(names, ", "), path);
}

// A command whose output was lost has not succeeded.
ExitCode after_output(const Outside& outside, ExitCode code) {
  outside.out.flush();
  if (outside.out) return code;
  outside.errors << "deputy: the output could not be written: it is closed, or the disk is full\n";
  return code == ExitCode::done || code == ExitCode::waiting ? ExitCode::failed : code;
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
  add_serve(program, context);
  add_runs(program, context);
  add_interactions(program, context);
  add_grants(program, context);
  add_tools(program, context);
  add_config(program, context);
  add_usage(program, context);
  add_audit(program, context);
  add_forget(program, context);
  add_pause(program, context);
  add_doctor(program, context);
  add_version(program, context);
  try {
    std::ranges::reverse(arguments);  // CLI11 takes them last first
    program.parse(std::move(arguments));
  } catch (const CLI::ParseError& stopped) {
    const bool failed = stopped.get_exit_code() != 0;
    if (const auto unknown = failed ? unknown_command(program) : std::nullopt) {
      outside.errors << *unknown;
      return ExitCode::usage;
    }
    const int code = program.exit(stopped, outside.out, outside.errors);
    return after_output(outside, code == 0 ? ExitCode::done : ExitCode::usage);
  }
  return after_output(outside, context.action());
}

}  // namespace deputy::app
