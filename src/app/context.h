// What a command is given: everything from outside as data, so that a command can be run in a test as it is run by
// main.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "app/settings.h"
#include "app/tools.h"
#include "config/load.h"

namespace deputy::app {

/// How a command ends, for the shell (docs/cli.md).
enum class ExitCode { done = 0, failed = 1, usage = 2, refused = 3, waiting = 4 };

struct Outside {
  config::Environment environment;
  std::filesystem::path working_dir;
  std::ostream& out;
  std::ostream& errors;
  int input = 0;                 // descriptor of standard input
  bool out_is_terminal = false;  // whether `out` is one
};

/// One invocation: the outside, the flags every command shares, and what was chosen to run.
struct Context {
  explicit Context(Outside& given) : outside(given) {}

  Outside& outside;
  config::PlaceFlags places;
  std::vector<std::string> settings;  // --set key=value
  bool json = false;
  std::function<ExitCode()> action;  // set by the command that was named
};

/// Where this invocation's settings come from. invalid_input when a --set is not key=value.
Result<config::Sources> sources_of(const Context& context, config::Mode mode);

/// Loads the settings and puts their log settings to use. Notices go to standard error, problems stay in the report.
Result<config::Loaded<Settings>> load_settings(const Context& context, config::Mode mode);

/// Settings that can be used, and where they and Deputy's state are.
struct SoundSettings {
  Settings settings;
  OwnFolders own;
};

/// The same for a command that needs them sound: the error names the first problem.
Result<SoundSettings> sound_settings(const Context& context);

/// How far a command had come when it failed.
enum class Stage {
  opening,  // what was typed, settings and the data folder were looked at
  working,  // over an open store: what is not permitted there, policy does not permit
};

/// How a command ends that failed so. What is not there is `failed`: `usage` is for what is wrong whatever there is.
ExitCode exit_code_of(const Error& error, Stage stage);

/// Prints an error as a person reads it, and says how the command ends.
ExitCode print_failure(const Context& context, const Error& error, Stage stage = Stage::opening);

}  // namespace deputy::app
