#include "channel/plot.h"

#include <cairo/cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include "base/text.h"

namespace deputy::channel {

namespace {

constexpr double kWidth = 960, kHeight = 420, kScale = 2;
constexpr double kEdge = 16, kRight = 36, kTop = 64, kBottom = 30;
constexpr double kLegendLine = 18;
constexpr double kFont = 13, kTitleFont = 15;
constexpr int kMarksUp = 5, kMarksAlong = 8;

struct Colour {
  double red, green, blue;
};
constexpr Colour kText{0.20, 0.22, 0.25}, kFaint{0.87, 0.88, 0.90}, kAxis{0.55, 0.58, 0.62},
    kFaintText{0.38, 0.41, 0.45};
// Told apart also by people who see colours differently (Okabe and Ito).
constexpr auto kLines = std::to_array<Colour>({{0.00, 0.45, 0.70},
                                               {0.84, 0.37, 0.00},
                                               {0.00, 0.62, 0.45},
                                               {0.80, 0.47, 0.65},
                                               {0.34, 0.71, 0.91},
                                               {0.90, 0.62, 0.00},
                                               {0.35, 0.35, 0.35},
                                               {0.60, 0.30, 0.10}});
static_assert(kLines.size() == kMaxLines);

constexpr auto kUnits =
    std::to_array<std::pair<double, const char*>>({{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}});

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

struct Range {
  double low = 0, high = 1;
};

struct Point {
  double seconds, value;
};

std::optional<Point> point_of(const std::vector<double>& pair) {
  if (pair.size() != 2 || !std::isfinite(pair[0]) || !std::isfinite(pair[1])) return std::nullopt;
  return Point{pair[0], pair[1]};
}

std::optional<Range> range_of(const Plot& plot) {
  std::optional<Range> range;
  for (std::size_t line = 0; line < std::min(plot.series.size(), kMaxLines); ++line) {
    for (const std::vector<double>& pair : plot.series[line].points) {
      const auto point = point_of(pair);
      if (!point) continue;
      if (!range) range = Range{point->value, point->value};
      range->low = std::min(range->low, point->value);
      range->high = std::max(range->high, point->value);
    }
  }
  return range;
}

/// The marks of the axis that goes up: from the first to the last, which lie around all values.
struct Marks {
  Range range;
  double distance = 1;

  int count() const { return static_cast<int>(std::lround((range.high - range.low) / distance)) + 1; }
  double at(int mark) const {
    const double value = range.low + mark * distance;
    return std::abs(value) < distance / 1e6 ? 0 : value;
  }
};

/// From one round mark to another, with zero among them where the values come near it or are all the same.
Marks marks_around(Range range) {
  const bool is_flat = range.low == range.high;
  if (range.low > 0 && (is_flat || range.low < range.high * 0.6)) range.low = 0;
  if (range.high < 0 && (is_flat || range.high > range.low * 0.4)) range.high = 0;
  if (range.low == range.high) range.high = range.low + 1;
  const double distance = mark_distance(range.high - range.low, kMarksUp);
  return {{std::floor(range.low / distance + 1e-9) * distance, std::ceil(range.high / distance - 1e-9) * distance},
          distance};
}

class Canvas {
 public:
  explicit Canvas(double height)
      : surface_(cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(kWidth * kScale),
                                            static_cast<int>(height * kScale)),
                 &cairo_surface_destroy),
        context_(cairo_create(surface_.get()), &cairo_destroy) {
    cairo_scale(context_.get(), kScale, kScale);
    cairo_set_source_rgb(context_.get(), 1, 1, 1);
    cairo_paint(context_.get());
    cairo_select_font_face(context_.get(), "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
  }

  void colour(Colour colour) { cairo_set_source_rgb(context_.get(), colour.red, colour.green, colour.blue); }
  void line(double x1, double y1, double x2, double y2) {
    cairo_set_line_width(context_.get(), 1);
    cairo_move_to(context_.get(), x1, y1);
    cairo_line_to(context_.get(), x2, y2);
    cairo_stroke(context_.get());
  }
  /// `align`: 0 begins at x, 0.5 is centred, 1 ends there.
  void text(const std::string& text, double x, double y, double align, double size = kFont) {
    cairo_set_font_size(context_.get(), size);
    cairo_move_to(context_.get(), x - width(text, size) * align, y);
    cairo_show_text(context_.get(), text.c_str());
    cairo_new_path(context_.get());  // text leaves a point behind, from which the next line would be drawn
  }
  double width(const std::string& text, double size = kFont) {
    cairo_set_font_size(context_.get(), size);
    cairo_text_extents_t extents;
    cairo_text_extents(context_.get(), text.c_str(), &extents);
    return extents.x_advance;
  }
  /// As much of the text as fits.
  std::string fit(const std::string& given, double most, double size = kFont) {
    constexpr std::size_t kMost = 300;  // characters
    std::string text = to_valid_utf8(std::string(cut_characters(to_valid_utf8(given), kMost)));
    if (text.size() == given.size() && width(text, size) <= most) return text;
    std::size_t characters = count_characters(text);
    while (characters > 0 && width(fmt::format("{}…", cut_characters(text, characters)), size) > most) --characters;
    return fmt::format("{}…", cut_characters(text, characters));
  }
  void path(const std::vector<std::pair<double, double>>& points) {
    cairo_t* context = context_.get();
    cairo_set_line_width(context, 2);
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND);
    if (points.size() == 1) {
      cairo_arc(context, points[0].first, points[0].second, 3.5, 0, 2 * std::numbers::pi);
      return cairo_fill(context);
    }
    for (const auto& [x, y] : points) cairo_line_to(context, x, y);
    cairo_stroke(context);
  }

  Result<std::string> png() {
    std::string bytes;
    const auto keep = [](void* into, const unsigned char* data, unsigned int size) {
      static_cast<std::string*>(into)->append(reinterpret_cast<const char*>(data), size);
      return CAIRO_STATUS_SUCCESS;
    };
    const bool is_drawn = cairo_status(context_.get()) == CAIRO_STATUS_SUCCESS;
    if (!is_drawn || cairo_surface_write_to_png_stream(surface_.get(), keep, &bytes) != CAIRO_STATUS_SUCCESS)
      return fail(ErrorKind::internal, "the plot could not be drawn");
    return bytes;
  }

 private:
  Surface surface_;
  Context context_;
};

struct Frame {
  Plot const& plot;
  Marks marks;
  double seconds;
  double left = kEdge;

  double x(double at) const { return left + (kWidth - left - kRight) * at / seconds; }
  double y(double value) const {
    const Range& range = marks.range;
    return kHeight - kBottom - (kHeight - kTop - kBottom) * (value - range.low) / (range.high - range.low);
  }
};

/// "2026-11-18 08:00 – 14:00 UTC"
std::string range_text(const Plot& plot) {
  const std::string from = format_timestamp(plot.from), to = format_timestamp(plot.to);
  const auto text = [](const std::string& at) { return fmt::format("{} {}", at.substr(0, 10), at.substr(11, 5)); };
  const bool is_one_day = from.substr(0, 10) == to.substr(0, 10);
  return fmt::format("{} – {} UTC", text(from), is_one_day ? to.substr(11, 5) : text(to));
}

std::string clock_text(Timestamp at, std::int64_t distance) {
  const std::string text = format_timestamp(at);  // 2026-11-15T04:10:02.123Z
  if (distance >= 24 * 3600) return text.substr(5, 5);
  const bool is_midnight = text.substr(11, 5) == "00:00";
  return is_midnight ? text.substr(5, 5) : text.substr(11, distance < 60 ? 8 : 5);
}

void draw_axes(const Frame& frame, Canvas& canvas) {
  for (int mark = 0; mark < frame.marks.count(); ++mark) {
    const double value = frame.marks.at(mark);
    canvas.colour(value == 0 ? kAxis : kFaint);
    canvas.line(frame.left, frame.y(value), kWidth - kRight, frame.y(value));
    canvas.colour(kText);
    canvas.text(mark_text(value, frame.marks.distance), frame.left - 8, frame.y(value) + kFont / 3, 1);
  }
  const auto along = time_mark_distance(static_cast<std::int64_t>(frame.seconds), kMarksAlong);
  const std::int64_t begin = to_millis(frame.plot.from) / 1000;
  for (std::int64_t at = (begin + along - 1) / along * along; at <= begin + static_cast<std::int64_t>(frame.seconds);
       at += along) {
    const double x = frame.x(static_cast<double>(at - begin));
    canvas.colour(kAxis);
    canvas.line(x, kHeight - kBottom, x, kHeight - kBottom + 4);
    canvas.colour(kText);
    canvas.text(clock_text(from_millis(at * 1000), along), x, kHeight - kBottom + 19, 0.5);
  }
  canvas.colour(kAxis);
  canvas.line(frame.left, kHeight - kBottom, kWidth - kRight, kHeight - kBottom);
}

void draw_line(const Frame& frame, const PlotSeries& series, Canvas& canvas) {
  std::vector<std::pair<double, double>> piece;
  double before = 0;
  for (const std::vector<double>& pair : series.points) {
    const auto point = point_of(pair);
    if (!point || point->seconds < 0 || point->seconds > frame.seconds) continue;
    const bool is_apart = frame.plot.gap > 0 && point->seconds - before > frame.plot.gap;
    if (!piece.empty() && is_apart) canvas.path(std::exchange(piece, {}));
    piece.emplace_back(frame.x(point->seconds), frame.y(point->value));
    before = point->seconds;
  }
  if (!piece.empty()) canvas.path(piece);
}

}  // namespace

double mark_distance(double range, int most) {
  const double least = range / most;
  if (!(least > 0) || !std::isfinite(least)) return 1;
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor >= least * (1 - 1e-9)) return power * factor;
  }
  return power * 10;
}

std::int64_t time_mark_distance(std::int64_t seconds, int most) {
  constexpr std::int64_t kMinute = 60, kHour = 3600, kDay = 24 * kHour;
  constexpr auto kDistances =
      std::to_array<std::int64_t>({1,           5,           15,           30,           kMinute,
                                   2 * kMinute, 5 * kMinute, 10 * kMinute, 15 * kMinute, 30 * kMinute,
                                   kHour,       2 * kHour,   3 * kHour,    6 * kHour,    12 * kHour,
                                   kDay,        2 * kDay,    7 * kDay,     14 * kDay,    30 * kDay});
  for (const std::int64_t distance : kDistances) {
    if (seconds / distance <= most) return distance;
  }
  return (seconds / most / kDistances.back() + 1) * kDistances.back();
}

std::string mark_text(double value, double distance) {
  const double size = std::max(std::abs(value), distance);
  if (size >= 1e15 || distance < 1e-4) return fmt::format("{:.6g}", value);
  // The largest unit in which neighbours still differ by their first three decimals.
  for (const auto& [unit, letter] : kUnits) {
    if (std::abs(value) < unit || distance < unit / 1000 * (1 - 1e-9)) continue;
    return fmt::format("{:.10g}{}", value / unit, letter);
  }
  return fmt::format("{:.10g}", value);
}

namespace {

/// Names of the lines, in two columns where they fit.
struct Legend {
  std::size_t lines = 0;  // 0: there is none
  int columns = 1;
  double height = 6;
};

Legend legend_for(const Plot& plot, Canvas& canvas) {
  Legend legend;
  const bool says_more = plot.series.size() > 1 || (plot.series[0].name != plot.title && !plot.series[0].name.empty());
  if (!says_more) return legend;
  legend.lines = std::min(plot.series.size(), kMaxLines);
  const double half = (kWidth - kEdge - kRight) / 2 - 40;
  const auto is_short = [&](const PlotSeries& one) { return canvas.fit(one.name, half) == one.name; };
  if (std::all_of(plot.series.begin(), plot.series.begin() + static_cast<std::ptrdiff_t>(legend.lines), is_short))
    legend.columns = 2;
  const double rows = std::ceil(static_cast<double>(legend.lines) / legend.columns);
  legend.height = kLegendLine * (rows + (plot.series.size() > legend.lines ? 1 : 0)) + 12;
  return legend;
}

void draw_legend(const Plot& plot, const Legend& legend, Canvas& canvas) {
  const double width = (kWidth - kEdge - kRight) / legend.columns;
  double y = kHeight + 12;
  for (std::size_t line = 0; line < legend.lines; ++line) {
    const auto column = static_cast<int>(line) % legend.columns;
    const double x = kEdge + column * width;
    canvas.colour(kLines[line]);
    canvas.path({{x, y - 4}, {x + 20, y - 4}});
    canvas.colour(kText);
    canvas.text(canvas.fit(plot.series[line].name, width - 40), x + 28, y, 0);
    if (column + 1 == legend.columns || line + 1 == legend.lines) y += kLegendLine;
  }
  if (legend.lines > 0 && plot.series.size() > legend.lines)
    canvas.text(fmt::format("and {} more, not drawn", plot.series.size() - legend.lines), kEdge, y, 0);
}

}  // namespace

Result<std::string> draw_plot(const Plot& plot) {
  const auto range = range_of(plot);
  if (!range || !std::isfinite(range->high - range->low))
    return fail(ErrorKind::invalid_input, "the plot has nothing that can be drawn");
  Frame frame{plot, marks_around(*range), std::max(static_cast<double>((plot.to - plot.from).count()) / 1000, 1.0)};
  Canvas measure(1);
  for (int mark = 0; mark < frame.marks.count(); ++mark)
    frame.left = std::max(frame.left, measure.width(mark_text(frame.marks.at(mark), frame.marks.distance)) + kEdge + 8);
  const Legend legend = legend_for(plot, measure);
  Canvas canvas(kHeight + legend.height);
  canvas.colour(kText);
  canvas.text(canvas.fit(plot.title, kWidth - kEdge - kRight, kTitleFont), kEdge, 24, 0, kTitleFont);
  canvas.colour(kFaintText);
  canvas.text(range_text(plot), kEdge, 44, 0);
  draw_axes(frame, canvas);
  for (std::size_t line = 0; line < std::min(plot.series.size(), kMaxLines); ++line) {
    canvas.colour(kLines[line]);
    draw_line(frame, plot.series[line], canvas);
  }
  draw_legend(plot, legend, canvas);
  return canvas.png();
}

}  // namespace deputy::channel
