// Reads the times that programs write into their logs. Pure: the caller gives the zone and the year that a line leaves
// out.
//
// To add a format: a function in times.cpp that reads it at the beginning of a text, its row in find_time, and its rows
// in tests/tools/logs/times_test.cpp.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/clock.h"

namespace deputy::tools::logs {

struct TimeRules {
  std::chrono::minutes utc_offset{0};  // of times that name no zone
  Timestamp newest{};  // a time without a year gets the last year in which it is at most a day after this
};

enum class TimeFormat { iso, clf, syslog, klog, epoch, ctime };

struct FoundTime {
  Timestamp at;
  std::size_t begin = 0;  // position in the text
  std::size_t end = 0;
  TimeFormat format = TimeFormat::iso;
};

/// The time of a line of text, near its beginning:
///
///   2026-11-15T04:10:02.123Z …      [2026-11-15 04:10:02,123] …    ERROR 2026/11/15 04:10:02 …   time=2026-11-15T…
///   Nov 15 04:10:02 host …          <34>Nov 15 04:10:02 …          [Sun Nov 15 04:10:02.1 2026] …
///   E1115 04:10:02.123456 1 a.go:1] …                              1.2.3.4 - - [15/Nov/2026:04:10:02 +0000] …
///   1763179802.123 …                1763179802123 …                ts=1763179802.123
std::optional<FoundTime> find_time(std::string_view line, const TimeRules& rules);

/// The time in a text that is a time and nothing else, such as a value of a JSON line. Also a number of seconds,
/// milli-, micro- or nanoseconds.
std::optional<Timestamp> parse_time(std::string_view text, const TimeRules& rules);

/// The number of bytes of a line that find_time looks at.
inline constexpr std::size_t kTimeWithin = 256;

}  // namespace deputy::tools::logs
