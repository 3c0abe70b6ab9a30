// Draws a plot as a picture for channels that take files. Pure: the same plot gives the same bytes on one machine.
#pragma once

#include <string>

#include "base/plot.h"
#include "base/result.h"

namespace deputy::channel {

/// A PNG of 960 × 420 points in double resolution, dark on white, so that it reads in light and dark themes. Times are
/// in UTC. At most kMaxLines lines are drawn. A plot without a finite point is an error of kind invalid_input.
Result<std::string> draw_plot(const Plot& plot);

inline constexpr std::size_t kMaxLines = 8;

/// A round distance of marks so that `range` has at most `most` of them: 1, 2 or 5 times a power of ten.
double mark_distance(double range, int most);

/// The distance of marks of time, in seconds: one that people read clocks by.
std::int64_t time_mark_distance(std::int64_t seconds, int most);

/// "0.5", "1.2k", "3M": a mark of an axis, with as many digits as tell it from its neighbours.
std::string mark_text(double value, double distance);

}  // namespace deputy::channel
