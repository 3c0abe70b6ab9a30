// When a server that refused wants to be asked again. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "net/http.h"

namespace deputy::net {

/// By `retry-after-ms`, else by `retry-after` in seconds or as a date, which counts from the server's own `date` where
/// it gives one. Nothing when neither is there or can be read; at most a day, and never less than no time.
std::optional<std::chrono::milliseconds> retry_after(const std::vector<Header>& headers, Timestamp now);

// Dates as HTTP headers write them. Pure.

/// "Sun, 06 Nov 1994 08:49:37 GMT", and the two old forms that readers must know: "Sunday, 06-Nov-94 08:49:37 GMT" and
/// "Sun Nov  6 08:49:37 1994". The name of the day is not checked.
std::optional<Timestamp> parse_http_date(std::string_view text);

}  // namespace deputy::net
