#include "clients/aws/chain.h"

#include <array>

#include "base/text.h"
#include "clients/aws/left_out.h"

namespace deputy::clients::aws {

namespace {

template <LeftOut way>
Task<Result<Found>> refuse_left_out(const Surroundings&, const Profiles& profiles) {
  CO_TRY(refuse(way, profiles, profiles.chosen));
  co_return Found{};
}

constexpr auto kChain = std::to_array<Link>({
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

}  // namespace

bool is_profile_of_settings(const Surroundings& around) {
  const std::string& profile = around.settings.profile;
  const std::string* variable = config::find_variable(around.environment, "AWS_PROFILE");
  return !profile.empty() && (variable == nullptr || profile != trim(*variable));
}

Task<Result<Credentials>> find_credentials(const Surroundings& around) {
  CO_TRY(const Profiles profiles, read_profiles(around.environment, around.settings));
  for (const Link& link : kChain) {
    CO_TRY(Found found, co_await link.find(around, profiles));
    if (found) co_return *std::move(found);
  }
  co_return fail(ErrorKind::not_configured, "no AWS credentials were found",
                 "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile with keys or a role, or run where a "
                 "container or an instance has a role");
}

}  // namespace deputy::clients::aws
