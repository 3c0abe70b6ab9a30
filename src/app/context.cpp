#include "app/context.h"

#include <fmt/format.h>

#include "app/logging.h"
#include "base/log.h"

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
  for (const std::string& notice : loaded.notices) context.outside.errors << "notice: " << notice << "\n";
  apply(loaded.settings.log);
  log::debug("settings loaded", {{"files", loaded.files.size()}, {"problems", loaded.problems.size()}});
  return loaded;
}

void print_error(const Context& context, const Error& error) {
  context.outside.errors << "deputy: " << describe(error) << "\n";
}

ExitCode print_failure(const Context& context, const Error& error) {
  print_error(context, error);
  return ExitCode::failed;
}

}  // namespace deputy::app
