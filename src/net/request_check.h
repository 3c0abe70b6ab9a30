// Whether a request can be sent as it is: nothing in it may end a line early and begin another. Pure.
#pragma once

#include "net/http.h"

namespace deputy::net {

/// Method and headers; the URL is parse_url's matter. Errors name a header, never its value.
Result<> check_request(const Request& request);

}  // namespace deputy::net
