// Credentials as the endpoints of containers and instances give them out: JSON with AccessKeyId, SecretAccessKey, Token
// and Expiration. Inside this folder only.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "clients/aws/chain.h"
#include "config/paths.h"
#include "net/url.h"

namespace deputy::clients::aws {

/// Errors are of kind `upstream` and show nothing of the text.
Result<Credentials> read_issued(std::string_view text, std::string origin);

// The credentials endpoint of a container: which addresses it may have. Inside this folder, and for its tests.

/// AWS_CONTAINER_CREDENTIALS_RELATIVE_URI below the usual address, else AWS_CONTAINER_CREDENTIALS_FULL_URI: https, this
/// machine, or an address that ECS and EKS use for it. Anything else would be given the token. Nothing when neither is
/// set.
Result<std::optional<net::Url>> container_address(const config::Environment& environment);

}  // namespace deputy::clients::aws
