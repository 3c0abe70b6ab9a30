#include "tools/time_range.h"

#include <fmt/format.h>

#include <array>

namespace deputy::tools {

namespace {

// Steps people think in; a longer one is a multiple of a day.
constexpr auto kSteps = std::to_array<std::chrono::seconds>(
    {std::chrono::seconds(15), std::chrono::seconds(30), std::chrono::minutes(1), std::chrono::minutes(2),
     std::chrono::minutes(5), std::chrono::minutes(10), std::chrono::minutes(15), std::chrono::minutes(30),
     std::chrono::hours(1), std::chrono::hours(2), std::chrono::hours(6), std::chrono::hours(12),
     std::chrono::hours(24)});

}  // namespace

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

std::chrono::milliseconds round_step(const TimeSpan& span, int points) {
  const std::chrono::milliseconds wanted = (span.to - span.from) / points;
  for (const std::chrono::seconds step : kSteps) {
    if (step >= wanted) return step;
  }
  return kSteps.back() * (wanted / kSteps.back() + 1);
}

std::string moment(Timestamp at) {
  std::string text = format_timestamp(at);  // 2026-11-15T04:10:02.123Z
  text[10] = ' ';
  return text.substr(0, 19);
}

}  // namespace deputy::tools
