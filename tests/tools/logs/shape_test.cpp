#include "tools/logs/shape.h"

#include <gtest/gtest.h>

namespace deputy::tools {
namespace {

struct ShapeRow {
  std::string message;
  std::string shape;
};
void PrintTo(const ShapeRow& row, std::ostream* out) { *out << row.message; }
class Shape : public testing::TestWithParam<ShapeRow> {};

TEST_P(Shape, LeavesOutWhatDiffers) { EXPECT_EQ(shape_of(GetParam().message), GetParam().shape); }

INSTANTIATE_TEST_SUITE_P(
    Messages, Shape,
    testing::Values(
        ShapeRow{"Connection timeout to payment gateway", "Connection timeout to payment gateway"},
        ShapeRow{"took 31 ms", "took {n} ms"}, ShapeRow{"took 31ms", "took {n}ms"},
        ShapeRow{"took 1.5s, 2,000 rows", "took {n}s, {n} rows"},
        ShapeRow{"worker-3 of pool7", "worker-{n} of pool{n}"}, ShapeRow{"10.0.0.1:5432 refused", "{n} refused"},
        ShapeRow{"order 0a1b2c3d-1111-2222-3333-444455556666 lost", "order {id} lost"},
        ShapeRow{"trace 4bf92f3577b34da6a3ce929d0e0e4736 at 0xDEADBEEF", "trace {id} at {id}"},
        ShapeRow{"commit deadbeef", "commit deadbeef"}, ShapeRow{"commit deadbee1", "commit {id}"},
        ShapeRow{"key AKzz1234abcdZZ99x lost", "key {id} lost"},
        ShapeRow{"since 2026-11-15T04:10:02.123Z", "since {time}"},
        ShapeRow{"since 2026-11-15 04:10:02+01:00 on", "since {time} on"}, ShapeRow{"until 2026/11/15", "until {time}"},
        ShapeRow{R"(user "bob" and 'eve')", R"(user "…" and "…")"}, ShapeRow{"can't, won't", "can't, won't"},
        ShapeRow{"a \"b", "a \"b"}, ShapeRow{"  much \t space ", "much space"}, ShapeRow{"", ""}));

TEST(Shape, IsBounded) {
  EXPECT_EQ(shape_of(std::string(1'000'000, 'x')).size(), kMaxMessage + std::string("…").size());
  EXPECT_LE(shape_of(std::string(1'000'000, '1')).size(), 10u);
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "1 x ";
  EXPECT_LE(shape_of(many).size(), kMaxShape + 10);
}

}  // namespace
}  // namespace deputy::tools
