#include "toolkit/rate_limiter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace deputy::toolkit {

Result<> RateLimiter::take(std::string_view name, const RateLimits& limits, Timestamp now) {
  constexpr double kMillisecondsAMinute = 60'000;
  const double burst = std::max(1, limits.burst);
  const double per_millisecond = std::max(1, limits.per_minute) / kMillisecondsAMinute;
  auto found = buckets_.find(name);
  if (found == buckets_.end()) found = buckets_.emplace(std::string(name), Bucket{burst, now}).first;
  Bucket& bucket = found->second;
  // A clock that was set back gives nothing and takes nothing.
  const auto elapsed = std::max(std::chrono::milliseconds(0), now - bucket.at);
  bucket.tokens = std::min(burst, bucket.tokens + static_cast<double>(elapsed.count()) * per_millisecond);
  bucket.at = now;
  // Sums of fractions fall a hair short of the whole token they stand for.
  constexpr double kOneToken = 1 - 1e-9;
  if (bucket.tokens >= kOneToken) {
    bucket.tokens -= 1;
    return {};
  }
  const std::chrono::milliseconds wait(
      static_cast<std::int64_t>(std::ceil((kOneToken - bucket.tokens) / per_millisecond)));
  return std::unexpected(
      Error{ErrorKind::rate_limit,
            fmt::format("this tool may be called {} times a minute, {} at once", limits.per_minute, limits.burst),
            fmt::format("try again in {}", format_duration(wait)), true, wait});
}

}  // namespace deputy::toolkit
