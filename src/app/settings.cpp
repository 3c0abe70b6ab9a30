#include "app/settings.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/text.h"

namespace deputy::app {

namespace {

constexpr std::string_view kZones = "/usr/share/zoneinfo";

// Without a zone database (a bare container) any name of the right shape is believed.
bool is_time_zone(std::string_view name) {
  const auto allowed = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '/' || c == '_' || c == '-' || c == '+';
  };
  if (name.empty() || name.size() > 64 || name.front() == '/' || !std::ranges::all_of(name, allowed)) return false;
  std::error_code failed;
  const std::filesystem::path zones(kZones);
  if (!std::filesystem::is_directory(zones, failed)) return true;
  return std::filesystem::is_regular_file(zones / name, failed);
}

}  // namespace

void check_timezone(const std::string& timezone, FieldReader& reader) {
  if (is_time_zone(timezone)) return;
  reader.problem(fmt::format("there is no time zone `{}`", cut_with_mark(timezone, 60)),
                 "write an IANA name such as Europe/Berlin or UTC");
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
