// When a server that refused wants to be asked again. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "net/http.h"

namespace deputy::net {

/// By `retry-after-ms`, else by `retry-after` in seconds or as a date, which counts from the server's own `date` where
/// it gives one. Nothing when neither is there or can be read; at most a day, and never less than no time.
std::optional<std::chrono::milliseconds> retry_after(const std::vector<Header>& headers, Timestamp now);

}  // namespace deputy::net
