#include "tools/sparkline.h"

#include <gmock/gmock.h>

#include <limits>
#include <vector>

#include "base/text.h"

namespace deputy::tools {
namespace {

std::string line(const std::vector<std::optional<double>>& values) { return sparkline(values); }

TEST(Sparkline, GoesFromTheLowestToTheHighest) {
  EXPECT_EQ(line({0, 1, 2, 3, 4, 5, 6, 7}), "▁▂▃▄▅▆▇█");
  EXPECT_EQ(line({-5, std::nullopt, 5}), "▁ █");
  EXPECT_EQ(line({3, 3, 3}), "▄▄▄");
  EXPECT_EQ(line({}), "");
}

TEST(Sparkline, JoinsNeighboursWhereThereAreMany) {
  std::vector<std::optional<double>> values(1000, 1.0);
  values.back() = 1000;
  const std::string drawn = line(values);
  EXPECT_EQ(count_characters(drawn), kSparkline);
  EXPECT_TRUE(drawn.ends_with("▁█"));
}

TEST(Sparkline, DrawsTheLargestNumbersThereAre) {
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(line({-most, 0, most}), "▁▅█");
}

}  // namespace
}  // namespace deputy::tools
