#include "config/paths.h"

#include <fmt/format.h>

namespace deputy::config {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kSystemFolder = "/etc/deputy";

fs::path absolute(const fs::path& path, const fs::path& working_dir) { return (working_dir / path).lexically_normal(); }

// The XDG rule: the variable if it is an absolute path, else a folder under the home.
std::optional<fs::path> xdg_folder(const Environment& environment, std::string_view variable,
                                   std::string_view under_home) {
  if (const std::string* set = find_variable(environment, variable); set != nullptr && fs::path(*set).is_absolute())
    return fs::path(*set);
  if (const std::string* home = find_variable(environment, "HOME")) return fs::path(*home) / under_home;
  return std::nullopt;
}

std::optional<std::string> named_file(const PlaceFlags& flags, const Environment& environment) {
  if (flags.config) return flags.config;
  if (const std::string* variable = find_variable(environment, "DEPUTY_CONFIG")) return *variable;
  return std::nullopt;
}

SettingsFile place_in(Role role, const fs::path& folder) {
  return {role, {folder / "deputy.yaml", folder / "deputy.json"}};
}

std::optional<fs::path> user_folder(const Environment& environment) {
  auto folder = xdg_folder(environment, "XDG_CONFIG_HOME", ".config");
  if (folder) *folder /= "deputy";
  return folder;
}

}  // namespace

const std::string* find_variable(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() || found->second.empty() ? nullptr : &found->second;
}

Result<Places> find_places(LoadMode mode, const PlaceFlags& flags, const Environment& environment,
                           const fs::path& working_dir) {
  Places places{.mode = mode, .files = {}, .trusted_file = {}, .working_dir = working_dir};
  if (const auto named = named_file(flags, environment)) {
    places.files = {{Role::named, {absolute(*named, working_dir)}}};
    return places;
  }
  const auto user = user_folder(environment);
  places.files.push_back(place_in(Role::system, fs::path(kSystemFolder)));
  if (user) places.files.push_back(place_in(Role::user, *user));
  const bool is_own_folder = working_dir == kSystemFolder || (user && working_dir == *user);
  if (mode == LoadMode::command && !is_own_folder) {
    TRY(const fs::path data, data_folder(flags, environment, working_dir));
    places.files.push_back(place_in(Role::project, working_dir));
    places.trusted_file = data / "trusted.json";
  }
  return places;
}

Result<fs::path> data_folder(const PlaceFlags& flags, const Environment& environment, const fs::path& working_dir) {
  if (flags.data) return absolute(*flags.data, working_dir);
  if (const std::string* variable = find_variable(environment, "DEPUTY_DATA")) return absolute(*variable, working_dir);
  if (const auto state = xdg_folder(environment, "XDG_STATE_HOME", ".local/state")) return *state / "deputy";
  return fail(ErrorKind::not_configured, "no folder for state: HOME is not set",
              "set one with --data DIR or DEPUTY_DATA");
}

Result<fs::path> file_to_begin(const PlaceFlags& flags, const Environment& environment, const fs::path& working_dir) {
  if (const auto named = named_file(flags, environment)) return absolute(*named, working_dir);
  if (const auto folder = user_folder(environment)) return *folder / "deputy.yaml";
  return fail(ErrorKind::not_configured, "no folder for settings: HOME is not set", "give a file with --config FILE");
}

}  // namespace deputy::config
