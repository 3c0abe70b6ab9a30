#include "app/context.h"

#include <fmt/format.h>

#include "app/connections.h"
#include "app/redaction.h"
#include "app/tools.h"
#include "base/log.h"
#include "channel/terminal/styled_text.h"

namespace deputy::app {

Result<config::Sources> sources_of(const Context& context, config::LoadMode mode) {
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

ReadSettings::ReadSettings() = default;
ReadSettings::ReadSettings(ReadSettings&&) noexcept = default;
ReadSettings& ReadSettings::operator=(ReadSettings&&) noexcept = default;
ReadSettings::~ReadSettings() = default;

ReadSettings read_settings(const config::Sources& sources, const std::filesystem::path& data, const Clock& clock,
                           const asio::any_io_executor& loop, const std::vector<std::string>& channel_kinds) {
  ReadSettings read;
  read.own.data = data;
  // All files that would be read, also those that do not exist: whoever can write one controls the next start. A
  // project's file is added only once it was read, which requires trust.
  for (const config::SettingsFile& place : sources.places.files) {
    if (place.role == config::Role::project) continue;
    for (const std::filesystem::path& name : place.names) read.own.settings.push_back(name.parent_path());
  }
  read.loaded = config::load<Settings>(
      sources, [&](const Settings& settings, const std::vector<config::ReadFile>& files, FieldReader& reader) {
        for (const config::ReadFile& file : files) read.own.settings.push_back(file.path.parent_path());
        const Settings usable = reader.clean() ? settings : Settings{};
        read.accounts = std::make_unique<Accounts>(usable, sources.environment, clock, loop);
        read.tools = std::make_unique<Tools>(usable, read.own, *read.accounts, clock, loop);
        check(settings, read.tools->registry(), channel_kinds, reader);
      });
  return read;
}

Result<ReadSettings> load_settings(const Context& context, const Clock& clock, const asio::any_io_executor& loop,
                                   config::LoadMode mode) {
  const Outside& outside = context.outside;
  TRY(const config::Sources sources, sources_of(context, mode));
  // A missing data folder is reported by the code that needs it.
  const auto data = config::data_folder(context.places, outside.environment, outside.working_dir);
  ReadSettings read =
      read_settings(sources, data.value_or(std::filesystem::path()), clock, loop, context.channel_kinds);
  for (const std::string& notice : read.loaded.notices)
    outside.errors << "notice: " << channel::one_line(notice) << "\n";
  apply(read.loaded.settings.log);
  log::debug("settings loaded", {{"files", read.loaded.files.size()}, {"problems", read.loaded.problems.size()}});
  return read;
}

Result<ReadSettings> sound_settings(const Context& context, const Clock& clock, const asio::any_io_executor& loop,
                                    config::LoadMode mode) {
  TRY(ReadSettings read, load_settings(context, clock, loop, mode));
  const config::Loaded<Settings>& loaded = read.loaded;
  if (loaded.ok()) {
    const Outside& outside = context.outside;
    TRY(read.own.data, config::data_folder(context.places, outside.environment, outside.working_dir));
    return read;
  }
  std::string first = config::describe(loaded.problems.front());
  const std::size_t more = loaded.problems.size() - 1;
  if (more > 0) first += fmt::format(" (and {} more)", more);
  return fail(ErrorKind::not_configured, fmt::format("the settings cannot be used: {}", first),
              "`deputy config check` prints every problem and what to do");
}

ExitCode exit_code_of(const Error& error, Stage stage) {
  if (error.kind == ErrorKind::invalid_input) return ExitCode::usage;
  if (error.kind == ErrorKind::permission && stage == Stage::working) return ExitCode::refused;
  return ExitCode::failed;
}

ExitCode print_failure(const Context& context, const Error& error, Stage stage) {
  context.outside.errors << channel::shown_lines(
      channel::with_short_ids("deputy: " + describe(error)));  // it may repeat what was typed
  return exit_code_of(error, stage);
}

}  // namespace deputy::app
