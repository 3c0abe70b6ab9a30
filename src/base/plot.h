// A line plot as data. A tool puts it into its output as `plot`, the run sends it along with the answer, and channels
// that take files show it as a picture (channel/plot.h).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/fields.h"

namespace deputy {

inline constexpr std::string_view kPlot = "plot";  // the key in the data of an output

struct PlotSeries {
  std::string name;
  std::vector<std::vector<double>> points;  // seconds after the plot's beginning, value; in order of time

  bool operator==(const PlotSeries&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&PlotSeries::name, "name", "What the line is");
    f.required(&PlotSeries::points, "points", "Seconds after the beginning, and value");
  }
};

struct Plot {
  std::string title;
  Timestamp from;
  Timestamp to;
  double gap = 0;  // seconds without a point that break the line
  std::vector<PlotSeries> series;

  bool operator==(const Plot&) const = default;

  template <class Fields>
  static void fields(Fields& f) {
    using P = Plot;
    f.required(&P::title, "title", "What it shows");
    f.required(&P::from, "from", "Beginning");
    f.required(&P::to, "to", "End");
    f.optional(&P::gap, "gap", "Seconds without a point that break the line");
    f.required(&P::series, "series", "The lines");
  }
};

}  // namespace deputy
