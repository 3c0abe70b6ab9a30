// AWS STS: the temporary keys of a role. One request each; a signed one once more where SignedClient does that.
#pragma once

#include "clients/aws/chain.h"

namespace deputy::clients::aws {

struct Role {
  std::string arn;
  std::string session_name;
  std::string external_id = {};                       // empty: none
  std::optional<std::int64_t> duration_seconds = {};  // none: the role's own
  std::string region;
};

/// The keys of the role for whoever holds `key`. When they expire is told by our clock, however far off it is.
Task<Result<Credentials>> assume_role(const Surroundings& around, net::SigningKey key, Role role);

/// The keys of the role for whom the token names; the request is not signed.
Task<Result<Credentials>> assume_role_with_web_identity(const Surroundings& around, Role role, Secret token);

/// "deputy-" and some characters that are this process's: who looks into the account's trail sees who it was.
std::string usual_session_name();

}  // namespace deputy::clients::aws
