// What a command receives: everything from outside as data, so that a test can run a command as main does.
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

struct Accounts;
class Tools;

/// Deputy's own folders. Tools keep caches in the data folder; workspace tools cannot see any of these folders.
struct OwnFolders {
  std::filesystem::path data;
  std::vector<std::filesystem::path> settings;
};

/// Exit codes for the shell (docs/cli.md).
enum class ExitCode { done = 0, failed = 1, usage = 2, refused = 3, waiting = 4 };

struct Outside {
  config::Environment environment;
  std::filesystem::path working_dir;
  std::ostream& out;
  std::ostream& errors;
  int input = 0;  // descriptor of standard input
  bool out_is_terminal = false;
};

/// One invocation: the outside, the flags every command shares, and the chosen command.
struct Context {
  explicit Context(Outside& given) : outside(given) {}

  Outside& outside;
  config::PlaceFlags places;
  std::vector<std::string> settings;  // --set key=value
  bool json = false;
  std::vector<std::string> channel_kinds = {};  // beside those of channels.h: kinds that only this process has
  std::string answers;                          // --answers FILE, of the commands that work on one run
  std::function<ExitCode()> action;             // set by the command that was named
};

/// Where this invocation's settings come from. invalid_input when a --set is not key=value.
Result<config::Sources> sources_of(const Context& context, config::LoadMode mode);

/// The settings that were read, checked against the tools that were made from them.
struct ReadSettings {
  ReadSettings();
  ReadSettings(ReadSettings&&) noexcept;
  ReadSettings& operator=(ReadSettings&&) noexcept;
  ~ReadSettings();

  config::Loaded<Settings> loaded;
  OwnFolders own;  // where settings and Deputy's state are
  // Made from the default settings if those that were read cannot be used.
  std::unique_ptr<Accounts> accounts;
  std::unique_ptr<Tools> tools;
};

/// Reads the settings of these sources. Clock and loop outlive the tools.
ReadSettings read_settings(const config::Sources& sources, const std::filesystem::path& data, const Clock& clock,
                           const asio::any_io_executor& loop, const std::vector<std::string>& channel_kinds = {});

/// Reads the settings of this invocation and applies their log settings. Notices go to standard error; problems stay in
/// the result.
Result<ReadSettings> load_settings(const Context& context, const Clock& clock, const asio::any_io_executor& loop,
                                   config::LoadMode mode = config::LoadMode::command);

/// Like `load_settings`, but an error if there is any problem; it names the first.
Result<ReadSettings> sound_settings(const Context& context, const Clock& clock, const asio::any_io_executor& loop,
                                    config::LoadMode mode = config::LoadMode::command);

/// The stage in which a command failed.
enum class Stage {
  opening,  // while reading arguments and settings and opening the data folder
  working,  // with an open store: here a permission error comes from policy
};

/// The exit code for an error. Something that does not exist is `failed`; `usage` is only for wrong input.
ExitCode exit_code_of(const Error& error, Stage stage);

/// Prints an error for a person, and returns the exit code.
ExitCode print_failure(const Context& context, const Error& error, Stage stage = Stage::opening);

}  // namespace deputy::app
