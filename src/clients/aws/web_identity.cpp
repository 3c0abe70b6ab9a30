// A role for whom a token file names: Kubernetes service accounts and the like. Of the environment, unless settings
// name a profile, else of the profile. The file is read each time: whoever writes it changes it.
#include <fmt/format.h>

#include "base/text.h"
#include "clients/aws/sts.h"
#include "config/files.h"

namespace deputy::clients::aws {

namespace {

constexpr std::size_t kMostToken = 20'000;

struct Identity {
  std::string token_file, role_arn, session_name;
};

Identity identity_of(const Surroundings& around, const Profiles& profiles) {
  const auto variable = [&](std::string_view name) {
    const std::string* value = config::find_variable(around.environment, name);
    return value == nullptr ? std::string() : *value;
  };
  if (Identity set{variable("AWS_WEB_IDENTITY_TOKEN_FILE"), variable("AWS_ROLE_ARN"),
                   variable("AWS_ROLE_SESSION_NAME")};
      !set.token_file.empty() && !is_profile_of_settings(around)) {
    return set;
  }
  const auto value = [&](std::string_view key) { return profiles.value(profiles.chosen, key); };
  return {value("web_identity_token_file"), value("role_arn"), value("role_session_name")};
}

}  // namespace

Task<Result<Found>> from_web_identity(const Surroundings& around, const Profiles& profiles) {
  Identity identity = identity_of(around, profiles);
  if (identity.token_file.empty()) co_return Found{};
  if (identity.role_arn.empty()) {
    co_return fail(ErrorKind::not_configured, "there is a web identity token for AWS and no role",
                   "set AWS_ROLE_ARN beside AWS_WEB_IDENTITY_TOKEN_FILE");
  }
  CO_TRY(const config::FileContent content, config::read_bounded(identity.token_file, kMostToken));
  Secret token{std::string(trim(content.text))};
  if (token.empty()) {
    co_return fail(ErrorKind::not_configured, fmt::format("{} is empty", identity.token_file),
                   "AWS_WEB_IDENTITY_TOKEN_FILE names a file with a token in it");
  }
  Role role{.arn = identity.role_arn,
            .session_name = identity.session_name.empty() ? usual_session_name() : identity.session_name};
  CO_TRY(role.region, find_region(around.environment, around.settings));
  co_return co_await assume_role_with_web_identity(around, std::move(role), std::move(token));
}

}  // namespace deputy::clients::aws
