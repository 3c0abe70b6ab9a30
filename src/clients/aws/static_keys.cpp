#include "clients/aws/static_keys.h"

#include <fmt/format.h>

#include "base/text.h"

namespace deputy::clients::aws {

namespace {

// Of the environment or of a section.
std::string value_of(const Section& values, std::string_view key) {
  const auto found = values.find(key);
  return found == values.end() ? std::string() : std::string(trim(found->second));
}

}  // namespace

Result<Found> static_keys(std::string id, std::string secret, std::string token, std::string origin) {
  if (id.empty()) return Found{};
  if (secret.empty()) {
    return fail(ErrorKind::not_configured, fmt::format("{} has an AWS access key id and no secret key", origin),
                "give both, or neither");
  }
  return Credentials{{std::move(id), Secret(std::move(secret)), Secret(std::move(token))}, {}, std::move(origin)};
}

Result<Found> keys_of_environment(const config::Environment& environment) {
  return static_keys(value_of(environment, "AWS_ACCESS_KEY_ID"), value_of(environment, "AWS_SECRET_ACCESS_KEY"),
                     value_of(environment, "AWS_SESSION_TOKEN"), "the environment");
}

Result<Found> keys_of_section(const Sections& sections, std::string_view profile, std::string_view file) {
  const auto section = sections.find(profile);
  if (section == sections.end()) return Found{};
  return static_keys(value_of(section->second, "aws_access_key_id"), value_of(section->second, "aws_secret_access_key"),
                     value_of(section->second, "aws_session_token"),
                     fmt::format("the profile `{}` of the AWS {} file", cut_with_mark(profile, 60), file));
}

Task<Result<Found>> from_environment(const Surroundings& around, const Profiles&) {
  if (is_profile_of_settings(around)) co_return Found{};
  co_return keys_of_environment(around.environment);
}

Task<Result<Found>> from_credentials_file(const Surroundings&, const Profiles& profiles) {
  co_return keys_of_section(profiles.credentials, profiles.chosen, "credentials");
}

Task<Result<Found>> from_config_file(const Surroundings&, const Profiles& profiles) {
  co_return keys_of_section(profiles.config, profiles.chosen, "config");
}

}  // namespace deputy::clients::aws
