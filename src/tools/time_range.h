// The time range of a call: the same arguments with the same meaning in every tool that looks at a time.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "toolkit/tool.h"

namespace deputy::tools {

struct TimeSpan {
  Timestamp from;  // inclusive
  Timestamp to;    // inclusive

  bool contains(Timestamp at) const { return from <= at && at <= to; }
  bool operator==(const TimeSpan&) const = default;
};

inline constexpr int kMaxHours = 24 * 366;
inline constexpr int kUsualHours = 4;

/// The parameters of a tool derive from it and call `time_fields` in their list.
struct TimeRangeParams {
  int hours_back = kUsualHours;
  std::optional<Timestamp> from;
  std::optional<Timestamp> to;

  template <class Fields>
  static void time_fields(Fields& f) {
    using P = TimeRangeParams;
    f.optional(&P::hours_back, "hours_back", "How many hours back from now to look")
        .in_range(1, kMaxHours)
        .kind(toolkit::Kind::hours);
    f.optional(&P::from, "from", "Start of the time range, such as 2026-11-15T04:00:00Z; replaces hours_back")
        .kind(toolkit::Kind::from);
    f.optional(&P::to, "to", "End of the time range; now by default").kind(toolkit::Kind::to);
  }
};

/// From `from`, or else `hours_back` before the end, to `to`, or else now.
Result<TimeSpan> span_of(const TimeRangeParams& params, Timestamp now);

/// The shortest round step that divides a span into at most about `points` parts: 15s, 1m, 5m, 1h, a number of days …
std::chrono::milliseconds round_step(const TimeSpan& span, int points);

/// "2026-11-15 04:10:02", in UTC.
std::string moment(Timestamp at);

}  // namespace deputy::tools
