// Credentials from the endpoints of containers (ECS, EKS) and instances (EC2): JSON with AccessKeyId, SecretAccessKey,
// Token and Expiration. chain.h declares the two links. Used inside clients/aws only.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "clients/aws/chain.h"
#include "config/paths.h"
#include "net/url.h"

namespace deputy::clients::aws {

/// Parses that JSON. Errors are of kind `upstream` and show nothing of the text.
Result<Credentials> read_issued(std::string_view text, std::string origin);

/// The credentials endpoint of a container: AWS_CONTAINER_CREDENTIALS_RELATIVE_URI below the usual address, else
/// AWS_CONTAINER_CREDENTIALS_FULL_URI, which must be https, this machine, or an address that ECS or EKS uses. Any other
/// host would receive the token. Nothing when neither is set.
Result<std::optional<net::Url>> container_address(const config::Environment& environment);

}  // namespace deputy::clients::aws
