// The role of a profile: taken on with the keys of another profile (source_profile), which may itself have a role, or
// with those of the environment, the container or the instance (credential_source).
#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "base/contains.h"
#include "base/text.h"
#include "clients/aws/left_out.h"
#include "clients/aws/static_keys.h"
#include "clients/aws/sts.h"

namespace deputy::clients::aws {

namespace {

constexpr std::size_t kMostRoles = 5;

std::unexpected<Error> wrong(std::string_view profile, std::string_view what) {
  return fail(ErrorKind::not_configured, fmt::format("the AWS profile `{}` {}", cut_with_mark(profile, 60), what),
              "see the AWS config file");
}

Result<Role> role_of(const Surroundings& around, const Profiles& profiles, const std::string& profile) {
  Role role{.arn = profiles.value(profile, "role_arn"),
            .session_name = profiles.value(profile, "role_session_name"),
            .external_id = profiles.value(profile, "external_id")};
  if (role.session_name.empty()) role.session_name = usual_session_name();
  if (const std::string text = profiles.value(profile, "duration_seconds"); !text.empty()) {
    std::int64_t seconds = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (code != std::errc() || end != text.data() + text.size())
      return wrong(profile, "has no proper duration_seconds");
    role.duration_seconds = seconds;
  }
  if (!profiles.value(profile, "mfa_serial").empty()) {
    return wrong(profile, "wants a code of a person's device, which nobody could give at night");
  }
  TRY(role.region, find_region(around.environment, around.settings));
  return role;
}

bool has_keys(const Profiles& profiles, const std::string& profile) {
  return !profiles.value(profile, "aws_access_key_id").empty();
}

// The profiles whose roles are taken on, the chosen one first; the last one has keys or a credential_source.
Result<std::vector<std::string>> roles_from(const Profiles& profiles) {
  std::vector<std::string> way{profiles.chosen};
  for (;;) {
    const std::string source = profiles.value(way.back(), "source_profile");
    const bool has_other = !profiles.value(way.back(), "credential_source").empty();
    if (source.empty() == !has_other) {
      return wrong(way.back(), "has a role and needs either source_profile or credential_source");
    }
    if (source.empty()) return way;
    if (!profiles.has(source)) return wrong(way.back(), "names a source_profile that is not there");
    // A profile may name itself when it has keys of its own.
    const bool ends =
        profiles.value(source, "role_arn").empty() || (source == way.back() && has_keys(profiles, source));
    if (!ends && (contains(way, source) || way.size() >= kMostRoles)) {
      return wrong(way.back(), "goes round in circles, or over too many profiles");
    }
    if (ends) return way;
    way.push_back(source);
  }
}

Result<Found> source_keys(const Profiles& profiles, const std::string& source) {
  TRY(Found found, keys_of_section(profiles.credentials, source, "credentials"));
  if (!found) {
    TRY(found, keys_of_section(profiles.config, source, "config"));
  }
  if (found) return found;
  for (const LeftOut way : kAllLeftOut) TRY(refuse(way, profiles, source));
  return found;
}

Task<Result<Found>> first_keys(const Surroundings& around, const Profiles& profiles, std::string profile) {
  const std::string kind = profiles.value(profile, "credential_source");
  if (kind == "Environment") co_return keys_of_environment(around.environment);
  if (kind == "EcsContainer") co_return co_await from_container(around, profiles);
  if (kind == "Ec2InstanceMetadata") co_return co_await from_instance(around, profiles);
  if (!kind.empty()) co_return wrong(profile, "has a credential_source that is not known");
  co_return source_keys(profiles, profiles.value(profile, "source_profile"));
}

}  // namespace

Task<Result<Found>> from_role(const Surroundings& around, const Profiles& profiles) {
  if (profiles.value(profiles.chosen, "role_arn").empty() ||
      !profiles.value(profiles.chosen, "web_identity_token_file").empty()) {
    co_return Found{};
  }
  CO_TRY(const std::vector<std::string> way, roles_from(profiles));
  CO_TRY(Found held, co_await first_keys(around, profiles, way.back()));
  if (!held) co_return wrong(way.back(), "finds no keys to take on its role with");
  for (auto profile = way.rbegin(); profile != way.rend(); ++profile) {
    CO_TRY(Role role, role_of(around, profiles, *profile));
    net::SigningKey key = held->key;
    CO_TRY(held, co_await assume_role(around, std::move(key), std::move(role)));
  }
  co_return held;
}

}  // namespace deputy::clients::aws
