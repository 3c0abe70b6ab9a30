#include "clients/aws/profiles.h"

#include <fmt/format.h>

#include "base/text.h"
#include "clients/aws/settings.h"
#include "config/files.h"

namespace deputy::clients::aws {

namespace {

constexpr std::size_t kMaxFile = 1024UL * 1024;

std::string_view without_comment(std::string_view line) {
  const std::size_t comment = std::min(line.find(" #"), line.find(" ;"));
  return trim(line.substr(0, comment));
}

// The profile named by a section's title, or nothing.
std::optional<std::string> profile_of(std::string_view title, ProfileFile file) {
  constexpr std::string_view kPrefix = "profile";
  if (file == ProfileFile::credentials || title == "default") return std::string(title);
  const bool is_profile = title.starts_with(kPrefix) && title.size() > kPrefix.size() &&
                          (title[kPrefix.size()] == ' ' || title[kPrefix.size()] == '\t');
  if (!is_profile) return std::nullopt;
  std::string_view name = trim(title.substr(kPrefix.size()));
  if (name.size() >= 2 && name.front() == name.back() && (name.front() == '"' || name.front() == '\'')) {
    name = name.substr(1, name.size() - 2);
  }
  return std::string(name);
}

Result<Sections> read_file(const std::filesystem::path& path, ProfileFile file) {
  if (path.empty()) return Sections{};
  const auto content = config::read_bounded(path, kMaxFile);
  if (!content && content.error().kind == ErrorKind::not_found) return Sections{};
  if (!content) return std::unexpected(content.error());
  auto sections = parse_profiles(content->text, file);
  if (!sections) sections.error().message = fmt::format("{}: {}", path.string(), sections.error().message);
  return sections;
}

std::filesystem::path file_at(const config::Environment& environment, std::string_view variable,
                              std::string_view usual) {
  const std::string* home = config::find_variable(environment, "HOME");
  const std::string* named = config::find_variable(environment, variable);
  const std::filesystem::path folder = home == nullptr ? std::filesystem::path() : std::filesystem::path(*home);
  if (named != nullptr) return named->starts_with("~/") ? folder / named->substr(2) : std::filesystem::path(*named);
  return home == nullptr ? std::filesystem::path() : folder / ".aws" / usual;
}

std::string value_in(const Sections& sections, std::string_view profile, std::string_view key) {
  const auto section = sections.find(profile);
  if (section == sections.end()) return {};
  const auto found = section->second.find(key);
  return found == section->second.end() ? std::string() : found->second;
}

}  // namespace

Result<Sections> parse_profiles(std::string_view text, ProfileFile file) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  Sections sections;
  std::optional<std::string> current;
  bool in_section = false;
  int number = 0;
  for (const std::string_view raw : split(text, "\n")) {
    ++number;
    const std::string_view line = trim(raw);
    if (line.empty() || line.starts_with('#') || line.starts_with(';')) continue;
    const bool is_indented = raw.starts_with(' ') || raw.starts_with('\t');
    if (line.starts_with('[') && !is_indented) {
      const std::size_t end = line.find(']');
      if (end == std::string_view::npos) {
        return fail(ErrorKind::invalid_input, fmt::format("line {} begins a section that has no `]`", number));
      }
      current = profile_of(trim(line.substr(1, end - 1)), file);
      if (current) sections.try_emplace(*current);
      in_section = true;
      continue;
    }
    if (is_indented || (in_section && !current)) continue;
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || !current) {
      return fail(ErrorKind::invalid_input,
                  fmt::format("line {} is neither a section nor a `key = value` inside one", number));
    }
    sections[*current].insert_or_assign(to_lower(trim(line.substr(0, equals))),
                                        std::string(without_comment(line.substr(equals + 1))));
  }
  return sections;
}

bool Profiles::has(std::string_view profile) const {
  return credentials.find(profile) != credentials.end() || config.find(profile) != config.end();
}

std::string Profiles::value(std::string_view profile, std::string_view key) const {
  std::string found = value_in(credentials, profile, key);
  return found.empty() ? value_in(config, profile, key) : found;
}

Result<Profiles> read_profiles(const config::Environment& environment, const Settings& settings) {
  Profiles profiles;
  TRY(profiles.credentials,
      read_file(file_at(environment, "AWS_SHARED_CREDENTIALS_FILE", "credentials"), ProfileFile::credentials));
  TRY(profiles.config, read_file(file_at(environment, "AWS_CONFIG_FILE", "config"), ProfileFile::config));
  profiles.is_named = !settings.profile.empty();
  profiles.chosen = profiles.is_named ? settings.profile : "default";
  if (profiles.is_named && !profiles.has(profiles.chosen)) {
    return fail(ErrorKind::not_configured,
                fmt::format("the AWS files have no profile `{}`", cut_with_mark(profiles.chosen, 60)),
                "check `aws.profile` or AWS_PROFILE");
  }
  return profiles;
}

Result<std::string> find_region(const config::Environment& environment, const Settings& settings) {
  if (!settings.region.empty()) return settings.region;
  std::string region;
  if (const std::string* usual = config::find_variable(environment, "AWS_DEFAULT_REGION")) {
    region = *usual;
  } else {
    TRY(const Profiles profiles, read_profiles(environment, settings));
    region = profiles.value(profiles.chosen, "region");
  }
  if (is_region(region)) return region;
  return fail(ErrorKind::not_configured, region.empty() ? "no AWS region is set" : "the AWS region is not a valid name",
              "set `aws.region`, AWS_REGION, or a region in the AWS profile");
}

}  // namespace deputy::clients::aws
