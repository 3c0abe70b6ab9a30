#include "app/context.h"

#include <fmt/format.h>

#include "app/redaction.h"
#include "base/log.h"
#include "channel/terminal/styled_text.h"

namespace deputy::app {

Result<config::Sources> sources_of(const Context& context, config::Mode mode) {
  const Outside& outside = context.outside;
  config::Sources sources;
  TRY(sources.places, config::find_places(mode, context.places, outside.environment, outside.working_dir));
  sources.environment = outside.environment;
  for (const std::string& setting : context.settings) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
      return fail(ErrorKind::invalid_input, "--set takes a setting and its value",
                  "write it like --set log.level=debug");
    }
    sources.flags.push_back({"--set", setting.substr(0, equals), setting.substr(equals + 1)});
  }
  return sources;
}

Result<config::Loaded<Settings>> load_settings(const Context& context, config::Mode mode) {
  TRY(const config::Sources sources, sources_of(context, mode));
  config::Loaded<Settings> loaded = config::load<Settings>(sources);
  for (const std::string& notice : loaded.notices)
    context.outside.errors << "notice: " << channel::one_line(notice) << "\n";
  apply(loaded.settings.log);
  log::debug("settings loaded", {{"files", loaded.files.size()}, {"problems", loaded.problems.size()}});
  return loaded;
}

Result<SoundSettings> sound_settings(const Context& context) {
  TRY(config::Loaded<Settings> loaded, load_settings(context, config::Mode::command));
  if (!loaded.ok()) {
    std::string first = config::describe(loaded.problems.front());
    const std::size_t more = loaded.problems.size() - 1;
    if (more > 0) first += fmt::format(" (and {} more)", more);
    return fail(ErrorKind::not_configured, fmt::format("the settings cannot be used: {}", first),
                "`deputy config check` prints every problem and what to do");
  }
  const Outside& outside = context.outside;
  SoundSettings sound{.settings = std::move(loaded.settings)};
  TRY(sound.own.data, config::data_folder(context.places, outside.environment, outside.working_dir));
  // Those that could count, there or not: who may write one writes the rules of the next start. A project's counts only
  // once it was read and trusted.
  TRY(const config::Sources sources, sources_of(context, config::Mode::command));
  for (const config::Place& place : sources.places.files) {
    if (place.role == config::Role::project) continue;
    for (const std::filesystem::path& name : place.names) sound.own.settings.push_back(name.parent_path());
  }
  for (const config::ReadFile& file : loaded.files) sound.own.settings.push_back(file.path.parent_path());
  return sound;
}

ExitCode exit_code_of(const Error& error, Stage stage) {
  if (error.kind == ErrorKind::invalid_input) return ExitCode::usage;
  if (error.kind == ErrorKind::permission && stage == Stage::working) return ExitCode::refused;
  return ExitCode::failed;
}

ExitCode print_failure(const Context& context, const Error& error, Stage stage) {
  context.outside.errors << channel::shown_lines("deputy: " + describe(error));  // it may repeat what was typed
  return exit_code_of(error, stage);
}

}  // namespace deputy::app
