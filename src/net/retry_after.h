// Reads when a server that refused a request wants it retried, and the dates of HTTP headers. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "net/http.h"

namespace deputy::net {

/// From `retry-after-ms`, else from `retry-after` in seconds or as a date, which is relative to the server's `date` if
/// it sends one. Nothing when neither is present and valid. Between zero and one day.
std::optional<std::chrono::milliseconds> retry_after(const std::vector<Header>& headers, Timestamp now);

/// Parses "Sun, 06 Nov 1994 08:49:37 GMT" and the two obsolete forms that recipients must accept:
/// "Sunday, 06-Nov-94 08:49:37 GMT" and "Sun Nov  6 08:49:37 1994". The day of the week is not checked.
std::optional<Timestamp> parse_http_date(std::string_view text);

}  // namespace deputy::net
