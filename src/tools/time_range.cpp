#include "tools/time_range.h"

#include <fmt/format.h>

namespace deputy::tools {

Result<TimeSpan> span_of(const TimeRangeParams& params, Timestamp now) {
  const Timestamp to = params.to.value_or(now);
  const Timestamp from = params.from.value_or(to - std::chrono::hours(params.hours_back));
  if (from > to) {
    return fail(ErrorKind::invalid_input,
                fmt::format("the range ends before it begins: {} to {}", format_timestamp(from), format_timestamp(to)),
                "give `from` before `to`");
  }
  return TimeSpan{from, to};
}

std::string moment(Timestamp at) {
  std::string text = format_timestamp(at);  // 2026-11-15T04:10:02.123Z
  text[10] = ' ';
  return text.substr(0, 19);
}

}  // namespace deputy::tools
