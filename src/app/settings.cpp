#include "app/settings.h"

#include <fmt/format.h>

#include "app/channels.h"
#include "app/time_zone.h"
#include "app/tools.h"
#include "base/text.h"
#include "policy/check.h"
#include "toolkit/registry.h"

namespace deputy::app {

namespace {

std::vector<std::string> names_of(const EnvironmentNames& environments) {
  std::vector<std::string> names;
  for (const auto& [name, words] : environments) names.push_back(name);
  return names;
}

policy::Known known_beside(const EnvironmentNames& environments, const toolkit::Registry& registry) {
  policy::Known known;
  for (std::string& name : names_of(environments)) known.environments.insert(std::move(name));
  known.categories.insert(toolkit::known_categories().begin(), toolkit::known_categories().end());
  known.channel_kinds.insert(kChannelKinds.begin(), kChannelKinds.end());
  known.later_kinds.insert(kLaterKinds.begin(), kLaterKinds.end());
  for (const auto& tool : registry.tools()) {
    const toolkit::ToolSpec& spec = tool->spec();
    known.tools.emplace(spec.name,
                        spec.primary_is_command_line ? policy::ValueKind::command_line : policy::ValueKind::plain);
  }
  return known;
}

/// A backend that nobody chooses between would be taken in silence. The family of the logs checks its own.
void check_backends(const ToolsSettings& tools, FieldReader& reader) {
  const FieldReader::Deeper in_tools(reader, "tools");
  for (const auto& [category, settings] : tools.by_category()) {
    if (category == "log_tools" || settings.backend.empty()) continue;
    const FieldReader::Deeper in_category(reader, category);
    const FieldReader::Deeper in_backend(reader, "backend");
    reader.problem(fmt::format("`{}` has no backends to choose from", category), "leave `backend` out");
  }
}

}  // namespace

void Settings::check_parts(FieldReader& reader) const {
  const toolkit::Registry registry = known_tools();
  // Other keys name environments; while these are not right, what names them cannot be judged.
  const bool environments_are_read = reader.clean_in({"environments"});
  policy::check(*this, known_beside(environments_are_read ? environments : EnvironmentNames(), registry), reader);
  if (environments_are_read && reader.clean_in({"tools"})) {
    for (Problem& problem : toolkit::check_settings(tools.by_category(), registry, names_of(environments)))
      reader.add(std::move(problem));
    check_backends(tools, reader);
  }
}

void check_timezone(const std::string& timezone, FieldReader& reader) {
  const auto zone = zone_named(timezone);
  if (!zone) reader.problem(zone.error().message, zone.error().hint);
}

void check_environments(const EnvironmentNames& environments, FieldReader& reader) {
  std::map<std::string, std::string> taken;  // word to the environment it means
  const auto take = [&](const std::string& word, const std::string& environment) {
    if (trim(word).empty()) return reader.problem("a name is empty");
    const auto [at, is_new] = taken.emplace(to_lower(word), environment);
    if (is_new) return;
    reader.problem(at->second == environment ? fmt::format("`{}` stands here twice", word)
                                             : fmt::format("`{}` already means the environment `{}`", word, at->second),
                   "give each name to one environment only");
  };
  if (environments.empty()) reader.problem("at least one environment is needed");
  for (const auto& [environment, words] : environments) {
    const FieldReader::Deeper inside(reader, environment);
    take(environment, environment);
  }
  for (const auto& [environment, words] : environments) {
    const FieldReader::Deeper inside(reader, environment);
    for (const std::string& word : words) take(word, environment);
  }
}

}  // namespace deputy::app
