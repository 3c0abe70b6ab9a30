// Finds AWS credentials: tries the sources (links) that every AWS tool knows, in their usual order.
//
//   environment, role of a profile, web identity, credentials file, config file, container, instance
//
// A profile named in settings comes before the environment's keys and web identity; one named by AWS_PROFILE comes
// after them.
//
// To add a link: a function of the type of Link::find and a line in the table of chain.cpp. Single sign-on, `aws login`
// and credential_process are not supported: a profile that needs one of them is an error that says so.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "clients/aws/credentials.h"
#include "clients/aws/profiles.h"
#include "clients/aws/settings.h"
#include "config/paths.h"
#include "net/http.h"

namespace deputy::clients::aws {

/// The chain's inputs. The environment is passed in: nothing reads the process's own.
struct AwsContext {
  net::HttpClient& http;
  const Clock& clock;
  config::Environment environment;
  Settings settings;
};

/// Nothing when this link does not apply; an error when it applies and fails.
using MaybeCredentials = std::optional<Credentials>;

struct CredentialLink {
  std::string_view name;
  Task<Result<MaybeCredentials>> (*find)(const AwsContext&, const Profiles&);
};

Task<Result<MaybeCredentials>> from_environment(const AwsContext& around, const Profiles& profiles);
Task<Result<MaybeCredentials>> from_role(const AwsContext& around, const Profiles& profiles);
Task<Result<MaybeCredentials>> from_web_identity(const AwsContext& around, const Profiles& profiles);
Task<Result<MaybeCredentials>> from_credentials_file(const AwsContext& around, const Profiles& profiles);
Task<Result<MaybeCredentials>> from_config_file(const AwsContext& around, const Profiles& profiles);
Task<Result<MaybeCredentials>> from_container(const AwsContext& around, const Profiles& profiles);
Task<Result<MaybeCredentials>> from_instance(const AwsContext& around, const Profiles& profiles);

/// True when settings name the profile: it is then used, whatever the environment contains. AWS_PROFILE beside keys or
/// a web identity is only a fallback for when there are none.
bool is_profile_of_settings(const AwsContext& around);

/// The first credentials found. `around` outlives the call. An error of kind `not_configured` when there are none.
Task<Result<Credentials>> find_credentials(const AwsContext& around);

// The rest is used inside clients/aws only.

/// Keys from the environment or a profile: nothing without an id; an error with an id and no secret.
Result<MaybeCredentials> static_keys(std::string id, std::string secret, std::string token, std::string origin);
Result<MaybeCredentials> keys_of_environment(const config::Environment& environment);
/// The keys of one file's section.
Result<MaybeCredentials> keys_of_section(const Sections& sections, std::string_view profile, std::string_view file);

/// Ways to get credentials that Deputy does not support, recognised by the keys of a profile.
enum class LeftOut { single_sign_on, login, process };

inline constexpr std::array kAllLeftOut{LeftOut::single_sign_on, LeftOut::login, LeftOut::process};

/// An error of kind `not_configured` when the profile needs this way: it must not silently fall through to another
/// identity, such as the machine's own role.
Result<> refuse(LeftOut way, const Profiles& profiles, std::string_view profile);

}  // namespace deputy::clients::aws
