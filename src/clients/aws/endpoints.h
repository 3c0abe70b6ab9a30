// Where AWS services are. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "clients/aws/settings.h"

namespace deputy::clients::aws {

enum class Service { bedrock_runtime, s3, sts };

bool is_region(std::string_view text);

/// "amazonaws.com", or what China has instead.
std::string_view domain_of(std::string_view region);

/// What settings say of this service, else of all; empty where they say nothing. Without a slash at its end.
std::string set_endpoint(const Settings& settings, Service service);

/// The one that is set, else the service's own in this region, which must be one.
Result<std::string> endpoint(const Settings& settings, Service service, std::string_view region);

}  // namespace deputy::clients::aws
