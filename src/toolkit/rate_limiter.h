// How often a tool may be called: a token bucket for each. Kept in memory only; instances share a limit by each taking
// its part of it.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "toolkit/settings.h"

namespace deputy::toolkit {

class RateLimiter {
 public:
  /// Takes one token, or says when there will be one: an error of kind rate_limit with `retry_after`. Limits may differ
  /// from one call to the next: settings are reloaded.
  Result<> take(std::string_view bucket, const RateLimits& limits, Timestamp now);

 private:
  struct Bucket {
    double tokens = 0;
    Timestamp at;
  };
  std::map<std::string, Bucket, std::less<>> buckets_;  // as many as there are tools and environments in settings
};

}  // namespace deputy::toolkit
