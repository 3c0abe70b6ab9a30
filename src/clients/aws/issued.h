// Credentials as the endpoints of containers and instances give them out: JSON with AccessKeyId, SecretAccessKey, Token
// and Expiration. Inside this folder only.
#pragma once

#include "clients/aws/chain.h"

namespace deputy::clients::aws {

/// Errors are of kind `upstream` and show nothing of the text.
Result<Credentials> read_issued(std::string_view text, std::string origin);

}  // namespace deputy::clients::aws
