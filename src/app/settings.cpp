#include "app/settings.h"

#include <fmt/format.h>

#include "app/channels.h"
#include "app/time_zone.h"
#include "app/tools.h"
#include "base/text.h"
#include "policy/check.h"
#include "toolkit/settings_check.h"

namespace deputy::app {

namespace {

std::vector<std::string> names_of(const EnvironmentNames& environments) {
  std::vector<std::string> names;
  for (const auto& [name, words] : environments) names.push_back(name);
  return names;
}

policy::Known known_beside(const Settings& settings, const toolkit::Registry& registry) {
  policy::Known known;
  for (std::string& name : names_of(settings.environments)) known.environments.insert(std::move(name));
  known.categories.insert(toolkit::known_categories().begin(), toolkit::known_categories().end());
  known.channel_kinds.insert(kChannelKinds.begin(), kChannelKinds.end());
  for (const auto& tool : registry.tools()) {
    const toolkit::ToolSpec& spec = tool->spec();
    known.tools.emplace(spec.name,
                        spec.primary_is_command_line ? policy::ValueKind::command_line : policy::ValueKind::plain);
  }
  return known;
}

}  // namespace

void Settings::check_parts(FieldReader& reader) const {
  const toolkit::Registry registry = known_tools();
  // Other keys name environments, people and roles; while these are not right, what names them cannot be judged.
  if (reader.clean_in({"environments", "people", "roles"})) policy::check(*this, known_beside(*this, registry), reader);
  if (reader.clean_in({"environments", "tools"})) {
    for (Problem& problem : toolkit::check_settings(tools.by_category(), registry, names_of(environments)))
      reader.add(std::move(problem));
  }
}

void check_timezone(const std::string& timezone, FieldReader& reader) {
  const auto offset = utc_offset(timezone, Timestamp{});
  if (!offset) reader.problem(offset.error().message, offset.error().hint);
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
