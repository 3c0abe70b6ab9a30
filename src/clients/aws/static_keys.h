// Keys that stand somewhere as they are: in the environment, in a profile. Inside this folder only.
#pragma once

#include "clients/aws/chain.h"

namespace deputy::clients::aws {

/// Nothing without an id; an error with an id and no secret.
Result<Found> static_keys(std::string id, std::string secret, std::string token, std::string origin);
Result<Found> keys_of_environment(const config::Environment& environment);
/// Of one file's section.
Result<Found> keys_of_section(const Sections& sections, std::string_view profile, std::string_view file);

}  // namespace deputy::clients::aws
