// What a failed transfer is called. Inside this folder only.
#pragma once

#include <string>

#include "net/multi.h"

namespace deputy::net {

/// `code` is a CURLcode, `place` the host and port that were asked. Nothing else of the request is named.
Error describe_failure(int code, CurlEasy* easy, const std::string& place, bool through_proxy);

}  // namespace deputy::net
