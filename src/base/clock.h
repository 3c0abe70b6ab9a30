// Time as a collaborator. Code that needs the hour takes a Clock; tests drive theirs by hand
// (tests/support/manual_clock.h).
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace deputy {

/// Wall-clock time in whole milliseconds since 1970, UTC: what the journal stores.
using Timestamp = std::chrono::sys_time<std::chrono::milliseconds>;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Timestamp now() const = 0;
};

class SystemClock final : public Clock {
 public:
  Timestamp now() const override;
};

inline std::int64_t to_millis(Timestamp at) { return at.time_since_epoch().count(); }
inline Timestamp from_millis(std::int64_t millis) { return Timestamp{std::chrono::milliseconds{millis}}; }

/// "2026-11-15T04:10:02.123Z". What lies outside the years 0 to 9999 is written as the first or the last moment of
/// them.
std::string format_timestamp(Timestamp at);

/// RFC 3339, as format_timestamp writes it or with another zone: "2026-11-15T05:10:02+01:00". What is finer than a
/// millisecond is cut off.
Result<Timestamp> parse_timestamp(std::string_view text);

/// "30d", "1h30m", "90s", "250ms"; a bare number is refused because its unit is not known.
Result<std::chrono::milliseconds> parse_duration(std::string_view text);

/// The shortest exact form that parse_duration reads back: "1h30m", "0s". Nothing takes less than no time: below zero
/// is "0s".
std::string format_duration(std::chrono::milliseconds duration);

}  // namespace deputy
