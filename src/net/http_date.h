// Dates as HTTP headers write them. Pure.
#pragma once

#include <optional>
#include <string_view>

#include "base/clock.h"

namespace deputy::net {

/// "Sun, 06 Nov 1994 08:49:37 GMT", and the two old forms that readers must know: "Sunday, 06-Nov-94 08:49:37 GMT" and
/// "Sun Nov  6 08:49:37 1994". The name of the day is not checked.
std::optional<Timestamp> parse_http_date(std::string_view text);

}  // namespace deputy::net
