#include "channel/plot.h"

#include <cairo/cairo.h>
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "support/results.h"

namespace deputy::channel {
namespace {

using testing::StartsWith;

constexpr std::string_view kPngBegins = "\x89PNG\r\n\x1a\n";

Plot plot_with(std::vector<PlotSeries> series) {
  const Timestamp from = *parse_timestamp("2026-11-18T08:00:00Z");
  return {"rate(shop_requests_total[5m])", from, from + std::chrono::hours(6), 150, std::move(series)};
}

PlotSeries wave(std::string name, double height) {
  PlotSeries series{std::move(name), {}};
  for (int minute = 0; minute <= 360; ++minute) {
    if (minute > 200 && minute < 230) continue;  // nothing was recorded
    series.points.push_back({minute * 60.0, height * (1.2 + std::sin(minute / 40.0))});
  }
  return series;
}

TEST(PlotPicture, IsAPngThatDependsOnTheDataOnly) {
  const Plot plot = plot_with({wave(R"({code="200"})", 120), wave(R"({code="500"})", 14), wave("{code=\"404\"}", 60)});
  const auto picture = draw_plot(plot);
  ASSERT_OK(picture);
  EXPECT_THAT(*picture, StartsWith(std::string(kPngBegins)));
  EXPECT_LT(picture->size(), 300'000U);
  EXPECT_EQ(draw_plot(plot), picture);
  EXPECT_NE(draw_plot(plot_with({wave("{}", 121)})), picture);
}

TEST(PlotPicture, DrawsWhateverCanBeDrawn) {
  const double most = std::numeric_limits<double>::max();
  const double none = std::numeric_limits<double>::quiet_NaN();
  EXPECT_OK(draw_plot(plot_with({{"one point", {{60, 5}}}})));
  EXPECT_OK(draw_plot(plot_with({{"flat", {{0, 0}, {60, 0}}}})));
  EXPECT_OK(draw_plot(plot_with({{"below zero", {{0, -7}, {60, -3}}}})));
  EXPECT_OK(
      draw_plot(plot_with({{"bad points", {{0}, {}, {1, 2, 3}, {none, 1}, {1, none}, {-60, 3}, {1e12, 3}, {60, 4}}}})));
  EXPECT_OK(draw_plot(plot_with({{"tiny", {{0, 1e-300}, {60, 3e-300}}}})));
  EXPECT_OK(draw_plot(plot_with({{std::string(10'000, '\xff'), {{0, 1}}}})));
  Plot instant = plot_with({{"x", {{0, 1}}}});
  instant.to = instant.from;
  EXPECT_OK(draw_plot(instant));
  EXPECT_FAILS(draw_plot(plot_with({})), invalid_input);
  EXPECT_FAILS(draw_plot(plot_with({{"empty", {}}})), invalid_input);
  EXPECT_FAILS(draw_plot(plot_with({{"too wide", {{0, -most}, {1, most}}}})), invalid_input);
}

/// How many pixels of about this colour, 0xRRGGBB, there are from one row to another, counted from 0 to 1.
int count_pixels(const std::string& png, std::uint32_t colour, double from, double to) {
  struct Source {
    std::string_view rest;
  } source{png};
  const auto read = [](void* closure, unsigned char* into, unsigned int size) {
    std::string_view& rest = static_cast<Source*>(closure)->rest;
    if (rest.size() < size) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(into, rest.data(), size);
    rest.remove_prefix(size);
    return CAIRO_STATUS_SUCCESS;
  };
  cairo_surface_t* picture = cairo_image_surface_create_from_png_stream(read, &source);
  const int height = cairo_image_surface_get_height(picture), width = cairo_image_surface_get_width(picture);
  const unsigned char* bytes = cairo_image_surface_get_data(picture);
  int found = 0;
  for (int row = static_cast<int>(height * from); row < static_cast<int>(height * to); ++row) {
    for (int column = 0; column < width; ++column) {
      std::uint32_t pixel = 0;
      std::memcpy(&pixel, bytes + row * cairo_image_surface_get_stride(picture) + column * 4, 4);
      const auto differs = [&](int shift) {
        return std::abs(static_cast<int>(pixel >> shift & 0xFF) - static_cast<int>(colour >> shift & 0xFF)) > 2;
      };
      if (!differs(0) && !differs(8) && !differs(16)) ++found;
    }
  }
  cairo_surface_destroy(picture);
  return found;
}

TEST(PlotPicture, HasNothingButItsLinesBetweenTheAxes) {
  constexpr std::uint32_t kSecond = 0xD65E00;
  const Plot plot = plot_with({{"low", {{0, 0}, {21600, 0}}}, {"high", {{0, 10}, {21600, 10}}}});
  const Result<std::string> png = draw_plot(plot);
  ASSERT_OK(png);
  EXPECT_GT(count_pixels(*png, kSecond, 0.05, 0.3), 100) << "the line";
  EXPECT_EQ(count_pixels(*png, kSecond, 0.3, 0.85), 0);
  EXPECT_GT(count_pixels(*png, kSecond, 0.85, 1), 20) << "in the legend";
}

TEST(PlotMarks, AreRound) {
  EXPECT_EQ(mark_distance(100, 5), 20);
  EXPECT_EQ(mark_distance(101, 5), 50);
  EXPECT_DOUBLE_EQ(mark_distance(0.003, 5), 0.001);
  EXPECT_EQ(mark_distance(0, 5), 1);
  EXPECT_EQ(time_mark_distance(6 * 3600, 8), 3600);
  EXPECT_EQ(time_mark_distance(60, 8), 15);
  EXPECT_EQ(time_mark_distance(7 * 24 * 3600, 8), 24 * 3600);
  EXPECT_EQ(time_mark_distance(366 * 24 * 3600, 8), 60 * 24 * 3600);
}

TEST(PlotMarks, AreToldApartByTheirText) {
  EXPECT_EQ(mark_text(0.5, 0.5), "0.5");
  EXPECT_EQ(mark_text(1250, 250), "1.25k");
  EXPECT_EQ(mark_text(-3e6, 1e6), "-3M");
  EXPECT_EQ(mark_text(0, 1e6), "0");
  EXPECT_EQ(mark_text(5.2005e9, 5e5), "5200.5M");
  EXPECT_EQ(mark_text(1'000'002, 2), "1000.002k");
  EXPECT_EQ(mark_text(1'000'000'002, 2), "1000000.002k");
  EXPECT_EQ(mark_text(1e20, 1e19), "1e+20");
  EXPECT_EQ(mark_text(2e-300, 1e-300), "2e-300");
}

}  // namespace
}  // namespace deputy::channel
