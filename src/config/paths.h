// Locations of settings files and state. Pure: it turns flags and the environment into paths and touches no disk.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace deputy::config {

/// The environment as data. Nothing in config reads the process's own.
using Environment = std::map<std::string, std::string, std::less<>>;

/// The value of a variable that is set and not empty, else null.
const std::string* find_variable(const Environment& environment, std::string_view name);

enum class LoadMode {
  command,  // system, user and project file, merged
  serve,    // the first of user and system that exists; never the project file
};

enum class Role { system, user, project, named };

/// One location of a settings file. The first of its names that exists is used.
struct SettingsFile {
  Role role = Role::named;
  std::vector<std::filesystem::path> names;

  bool operator==(const SettingsFile&) const = default;
};

struct Places {
  LoadMode mode = LoadMode::command;
  std::vector<SettingsFile> files;     // lowest precedence first
  std::filesystem::path trusted_file;  // lists the trusted project files; see trust.h
  std::filesystem::path working_dir;
};

struct PlaceFlags {
  std::optional<std::string> config;  // --config
  std::optional<std::string> data;    // --data
};

Result<Places> find_places(LoadMode mode, const PlaceFlags& flags, const Environment& environment,
                           const std::filesystem::path& working_dir);

/// --data, else DEPUTY_DATA, else $XDG_STATE_HOME/deputy, else ~/.local/state/deputy.
Result<std::filesystem::path> data_folder(const PlaceFlags& flags, const Environment& environment,
                                          const std::filesystem::path& working_dir);

/// The file that `deputy config init` writes: the one that --config or DEPUTY_CONFIG names, else the user's.
Result<std::filesystem::path> file_to_begin(const PlaceFlags& flags, const Environment& environment,
                                            const std::filesystem::path& working_dir);

}  // namespace deputy::config
