// The command line: the flags every command shares, and the list of commands. To add a command, write
// commands/<name>.cpp with its `add_<name>` and one line in command_line.cpp.
#pragma once

#include <string>
#include <vector>

#include "app/context.h"

namespace CLI {
class App;
}

namespace deputy::app {

/// Runs one command. `arguments` are without the program's name.
ExitCode run_command(std::vector<std::string> arguments, Outside outside);

void add_ask(CLI::App& program, Context& context);
void add_audit(CLI::App& program, Context& context);
void add_chat(CLI::App& program, Context& context);
void add_config(CLI::App& program, Context& context);
void add_config_init_slack(CLI::App& init, Context& context);
void add_forget(CLI::App& program, Context& context);
void add_grants(CLI::App& program, Context& context);
void add_interactions(CLI::App& program, Context& context);
void add_runs(CLI::App& program, Context& context);
void add_tools(CLI::App& program, Context& context);
void add_usage(CLI::App& program, Context& context);
void add_pause(CLI::App& program, Context& context);
void add_serve(CLI::App& program, Context& context);
void add_doctor(CLI::App& program, Context& context);
void add_version(CLI::App& program, Context& context);

}  // namespace deputy::app
