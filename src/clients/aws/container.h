// The credentials endpoint of a container: which addresses it may have. Inside this folder, and for its tests.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "config/places.h"
#include "net/url.h"

namespace deputy::clients::aws {

/// AWS_CONTAINER_CREDENTIALS_RELATIVE_URI below the usual address, else AWS_CONTAINER_CREDENTIALS_FULL_URI: https, this
/// machine, or an address that ECS and EKS use for it. Anything else would be given the token. Nothing when neither is
/// set.
Result<std::optional<net::Url>> container_address(const config::Environment& environment);

}  // namespace deputy::clients::aws
