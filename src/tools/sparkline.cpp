#include "tools/sparkline.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace deputy::tools {

namespace {

constexpr auto kBars = std::to_array<std::string_view>({"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"});

std::optional<double> mean(std::span<const std::optional<double>> values) {
  double sum = 0;
  int count = 0;
  for (const std::optional<double>& value : values) {
    if (!value) continue;
    // Step by step: the sum of large values may be infinite.
    sum = count == 0 ? *value : sum + (*value / (count + 1) - sum / (count + 1));
    ++count;
  }
  return count == 0 ? std::nullopt : std::optional(sum);
}

}  // namespace

std::string sparkline(std::span<const std::optional<double>> values) {
  const std::size_t width = std::min(values.size(), kSparkline);
  std::vector<std::optional<double>> columns;
  for (std::size_t column = 0; column < width; ++column) {
    const std::size_t begin = column * values.size() / width;
    const std::size_t end = (column + 1) * values.size() / width;
    columns.push_back(mean(values.subspan(begin, end - begin)));
  }
  std::optional<double> low;
  std::optional<double> high;
  for (const std::optional<double>& value : columns) {
    if (!value) continue;
    low = std::min(low.value_or(*value), *value);
    high = std::max(high.value_or(*value), *value);
  }
  std::string line;
  for (const std::optional<double>& value : columns) {
    if (!value) {
      line += ' ';
      continue;
    }
    // Halves, because the difference of two large values may be infinite.
    const double share = *high > *low ? (*value / 2 - *low / 2) / (*high / 2 - *low / 2) : 0.45;
    line += kBars[std::min(static_cast<std::size_t>(share * kBars.size()), kBars.size() - 1)];
  }
  return line;
}

}  // namespace deputy::tools
