#include "clients/aws/chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/text.h"

namespace deputy::clients::aws {

namespace {

template <LeftOut way>
Task<Result<MaybeCredentials>> refuse_left_out(const AwsContext&, const Profiles& profiles) {
  CO_TRY(refuse(way, profiles, profiles.chosen));
  co_return MaybeCredentials{};
}

constexpr auto kChain = std::to_array<CredentialLink>({
    {"environment", from_environment},
    {"role", from_role},
    {"web identity", from_web_identity},
    {"single sign-on", refuse_left_out<LeftOut::single_sign_on>},
    {"credentials file", from_credentials_file},
    {"login", refuse_left_out<LeftOut::login>},
    {"process", refuse_left_out<LeftOut::process>},
    {"config file", from_config_file},
    {"container", from_container},
    {"instance", from_instance},
});

// A value of the environment or of a section.
std::string value_of(const Section& values, std::string_view key) {
  const auto found = values.find(key);
  return found == values.end() ? std::string() : std::string(trim(found->second));
}

struct Signs {
  std::vector<std::string_view> keys;
  std::string_view name;
};

Signs signs_of(LeftOut way) {
  switch (way) {
    case LeftOut::single_sign_on:
      return {{"sso_session", "sso_start_url", "sso_account_id"}, "single sign-on"};
    case LeftOut::login:
      return {{"login_session"}, "`aws login`"};
    case LeftOut::process:
      break;
  }
  return {{"credential_process"}, "`credential_process`"};
}

}  // namespace

bool is_profile_of_settings(const AwsContext& around) {
  const std::string& profile = around.settings.profile;
  const std::string* variable = config::find_variable(around.environment, "AWS_PROFILE");
  return !profile.empty() && (variable == nullptr || profile != trim(*variable));
}

Task<Result<Credentials>> find_credentials(const AwsContext& around) {
  CO_TRY(const Profiles profiles, read_profiles(around.environment, around.settings));
  for (const CredentialLink& link : kChain) {
    CO_TRY(MaybeCredentials found, co_await link.find(around, profiles));
    if (found) co_return *std::move(found);
  }
  co_return fail(ErrorKind::not_configured, "no AWS credentials were found",
                 "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile with keys or a role, or run where a "
                 "container or an instance has a role");
}

Result<MaybeCredentials> static_keys(std::string id, std::string secret, std::string token, std::string origin) {
  if (id.empty()) return MaybeCredentials{};
  if (secret.empty()) {
    return fail(ErrorKind::not_configured, fmt::format("{} has an AWS access key id but no secret key", origin),
                "set both or neither");
  }
  return Credentials{{std::move(id), Secret(std::move(secret)), Secret(std::move(token))}, {}, std::move(origin)};
}

Result<MaybeCredentials> keys_of_environment(const config::Environment& environment) {
  return static_keys(value_of(environment, "AWS_ACCESS_KEY_ID"), value_of(environment, "AWS_SECRET_ACCESS_KEY"),
                     value_of(environment, "AWS_SESSION_TOKEN"), "the environment");
}

Result<MaybeCredentials> keys_of_section(const Sections& sections, std::string_view profile, std::string_view file) {
  const auto section = sections.find(profile);
  if (section == sections.end()) return MaybeCredentials{};
  return static_keys(value_of(section->second, "aws_access_key_id"), value_of(section->second, "aws_secret_access_key"),
                     value_of(section->second, "aws_session_token"),
                     fmt::format("the profile `{}` of the AWS {} file", cut_with_mark(profile, 60), file));
}

Task<Result<MaybeCredentials>> from_environment(const AwsContext& around, const Profiles&) {
  if (is_profile_of_settings(around)) co_return MaybeCredentials{};
  co_return keys_of_environment(around.environment);
}

Task<Result<MaybeCredentials>> from_credentials_file(const AwsContext&, const Profiles& profiles) {
  co_return keys_of_section(profiles.credentials, profiles.chosen, "credentials");
}

Task<Result<MaybeCredentials>> from_config_file(const AwsContext&, const Profiles& profiles) {
  co_return keys_of_section(profiles.config, profiles.chosen, "config");
}

Result<> refuse(LeftOut way, const Profiles& profiles, std::string_view profile) {
  const Signs signs = signs_of(way);
  const bool asks =
      std::ranges::any_of(signs.keys, [&](std::string_view key) { return !profiles.value(profile, key).empty(); });
  if (!asks) return {};
  return fail(ErrorKind::not_configured,
              fmt::format("the AWS profile `{}` uses {}, which Deputy does not support", cut_with_mark(profile, 60),
                          signs.name),
              "use a profile with keys or a role, or set keys in the environment");
}

}  // namespace deputy::clients::aws
