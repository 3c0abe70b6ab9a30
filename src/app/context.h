// What a command is given: everything from outside as data, so that a command can be run in a test as it is run by
// main.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "app/settings.h"
#include "base/clock.h"
#include "base/task.h"
#include "config/load.h"

namespace deputy::app {

class Tools;

/// Folders of Deputy's own: tools keep what they can make again in the data folder, and no tool of the workspace sees
/// any of them.
struct OwnFolders {
  std::filesystem::path data;
  std::vector<std::filesystem::path> settings;
};

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

/// Settings as they were read, held against the tools that were made from them.
struct ReadSettings {
  ReadSettings();
  ReadSettings(ReadSettings&&) noexcept;
  ReadSettings& operator=(ReadSettings&&) noexcept;
  ~ReadSettings();

  config::Loaded<Settings> loaded;
  OwnFolders own;                // where settings and Deputy's state are
  std::unique_ptr<Tools> tools;  // of the default settings where those that were read cannot be used
};

/// Reads the settings of these sources. Clock and loop outlive the tools.
ReadSettings read_settings(const config::Sources& sources, const std::filesystem::path& data, const Clock& clock,
                           const asio::any_io_executor& loop);

/// Those of this invocation, with their log settings put to use. Notices go to standard error, problems stay in the
/// report.
Result<ReadSettings> load_settings(const Context& context, const Clock& clock, const asio::any_io_executor& loop);

/// The same for a command that needs them sound: the error names the first problem.
Result<ReadSettings> sound_settings(const Context& context, const Clock& clock, const asio::any_io_executor& loop);

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
