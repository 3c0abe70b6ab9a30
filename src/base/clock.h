// Time: a Clock that code asks and tests set by hand (tests/support/manual_clock.h), and timestamps and durations as
// text.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace deputy {

/// Wall-clock time in whole milliseconds since 1970, UTC, as the journal stores it.
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

/// "2026-11-15T04:10:02.123Z". Times outside the years 0 to 9999 are clamped to them.
std::string format_timestamp(Timestamp at);

/// Parses RFC 3339, as format_timestamp writes it or with another zone: "2026-11-15T05:10:02+01:00". Digits beyond
/// milliseconds are dropped.
Result<Timestamp> parse_timestamp(std::string_view text);

/// Parses "30d", "1h30m", "90s", "250ms". A bare number is refused because its unit is unknown.
Result<std::chrono::milliseconds> parse_duration(std::string_view text);

/// The shortest exact form that parse_duration reads back: "1h30m", "0s". Negative durations are "0s".
std::string format_duration(std::chrono::milliseconds duration);

}  // namespace deputy
