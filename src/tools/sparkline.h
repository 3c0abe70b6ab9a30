// A course of values as a line of text: ▁▂▃▅▇█. For channels that take no pictures, and for models.
#pragma once

#include <optional>
#include <span>
#include <string>

namespace deputy::tools {

inline constexpr std::size_t kSparkline = 40;  // characters

/// One character a value, or the mean of neighbours where there are more than kSparkline; a space where there is none.
/// The lowest value is the lowest bar; values that are all the same are drawn in the middle. Pure.
std::string sparkline(std::span<const std::optional<double>> values);

}  // namespace deputy::tools
