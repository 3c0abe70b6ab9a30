// Roles: temporary keys from AWS STS. chain.h declares the links for the role of a profile and for web identities. Each
// call sends one request; SignedClient may send a signed one a second time.
#pragma once

#include "clients/aws/chain.h"

namespace deputy::clients::aws {

struct Role {
  std::string arn;
  std::string session_name;
  std::string external_id = {};                       // empty: none
  std::optional<std::int64_t> duration_seconds = {};  // none: the role's default
  std::string region;
};

/// The role's keys for the holder of `key`. Their expiry is in our clock's time, however wrong that clock is.
Task<Result<Credentials>> assume_role(const AwsContext& around, net::SigningKey key, Role role);

/// The role's keys for the identity in the token; the request is not signed.
Task<Result<Credentials>> assume_role_with_web_identity(const AwsContext& around, Role role, Secret token);

/// "deputy-" and random characters of this process, so that the account's audit trail shows who it was.
std::string usual_session_name();

}  // namespace deputy::clients::aws
