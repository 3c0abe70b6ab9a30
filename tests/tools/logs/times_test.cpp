#include "tools/logs/times.h"

#include <gtest/gtest.h>

#include "support/held.h"

namespace deputy::tools::logs {
namespace {

const TimeRules kRules{std::chrono::minutes(0), *parse_timestamp("2026-11-15T05:00:00Z")};

struct TimeRow {
  std::string line;
  std::string at;  // empty: none
};
void PrintTo(const TimeRow& row, std::ostream* out) { *out << row.line; }

class FindTime : public testing::TestWithParam<TimeRow> {};

TEST_P(FindTime, InALine) {
  const auto found = find_time(GetParam().line, kRules);
  EXPECT_EQ(found ? format_timestamp(found->at) : "", GetParam().at);
}

INSTANTIATE_TEST_SUITE_P(
    Formats, FindTime,
    testing::Values(
        TimeRow{"2026-11-15T04:10:02Z up", "2026-11-15T04:10:02.000Z"},
        TimeRow{"2026-11-15T04:10:02.123456789Z up", "2026-11-15T04:10:02.123Z"},
        TimeRow{"2026-11-15T05:10:02+01:00 up", "2026-11-15T04:10:02.000Z"},
        TimeRow{"2026-11-15T03:40:02-0030 up", "2026-11-15T04:10:02.000Z"},
        TimeRow{"2026-11-15 04:10:02,123 INFO up", "2026-11-15T04:10:02.123Z"},
        TimeRow{"2026-11-15 04:10:02.5 up", "2026-11-15T04:10:02.500Z"},
        TimeRow{"2026-11-15 04:10:02 +0200 up", "2026-11-15T02:10:02.000Z"},
        TimeRow{"2026-11-15 04:10:02 UTC up", "2026-11-15T04:10:02.000Z"},
        TimeRow{"[2026-11-15 04:10:02] up", "2026-11-15T04:10:02.000Z"},
        TimeRow{"2026/11/15 04:10:02 [error] 7#7: up", "2026-11-15T04:10:02.000Z"},
        TimeRow{"ERROR 2026-11-15 04:10:02 up", "2026-11-15T04:10:02.000Z"},
        TimeRow{"time=2026-11-15T04:10:02Z level=info", "2026-11-15T04:10:02.000Z"},
        TimeRow{"level=info time=\"2026-11-15T04:10:02Z\" msg=up", "2026-11-15T04:10:02.000Z"},
        TimeRow{"level=info ts=1794715802.25 msg=up", "2026-11-15T04:10:02.250Z"},
        TimeRow{"Nov 15 04:10:02 host app[7]: up", "2026-11-15T04:10:02.000Z"},
        TimeRow{"Nov  5 04:10:02 host app[7]: up", "2026-11-05T04:10:02.000Z"},
        TimeRow{"<34>Nov 15 04:10:02 host app: up", "2026-11-15T04:10:02.000Z"},
        TimeRow{"<34>1 2026-11-15T04:10:02Z host app - - up", "2026-11-15T04:10:02.000Z"},
        TimeRow{"Dec 31 23:59:59 host app: last year's", "2025-12-31T23:59:59.000Z"},
        TimeRow{"Nov 16 04:00:00 host app: a clock ahead", "2026-11-16T04:00:00.000Z"},
        TimeRow{"Feb 29 10:00:00 host app: a leap day", "2024-02-29T10:00:00.000Z"},
        TimeRow{"[Sun Nov 15 04:10:02.123456 2026] [core:error] up", "2026-11-15T04:10:02.123Z"},
        TimeRow{"E1115 04:10:02.123456       1 a.go:12] up", "2026-11-15T04:10:02.123Z"},
        TimeRow{R"(10.0.0.1 - - [15/Nov/2026:04:10:02 +0000] "GET / HTTP/1.1" 200 1)", "2026-11-15T04:10:02.000Z"},
        TimeRow{R"(10.0.0.1 - ana [15/Nov/2026:05:10:02 +0100] "GET / HTTP/1.1" 200 1)", "2026-11-15T04:10:02.000Z"},
        TimeRow{"1794715802 up", "2026-11-15T04:10:02.000Z"}, TimeRow{"1794715802.123 up", "2026-11-15T04:10:02.123Z"},
        TimeRow{"1794715802123 up", "2026-11-15T04:10:02.123Z"}));

INSTANTIATE_TEST_SUITE_P(NoTimes, FindTime,
                         testing::Values(TimeRow{"", ""}, TimeRow{"[", ""}, TimeRow{"<", ""}, TimeRow{"<34>", ""},
                                         TimeRow{"Caused by: java.io.IOException", ""},
                                         TimeRow{"2026-13-15 04:10:02", ""}, TimeRow{"2026-02-30 04:10:02", ""},
                                         TimeRow{"2026-11-15 24:10:02", ""}, TimeRow{"order 17947158021 of 2026", ""},
                                         TimeRow{"9999999999999999999 up", ""}, TimeRow{"12345 up", ""},
                                         TimeRow{"1794715802-abc", ""}, TimeRow{"November", ""}, TimeRow{"E11", ""},
                                         TimeRow{"\tat a.b.C(C.java:2026)", ""}));

TEST(FindTime, TakesTheZoneOfTheFileWhereTheLineHasNone) {
  const TimeRules rules{std::chrono::minutes(60), kRules.newest};
  EXPECT_EQ(format_timestamp(test::held(find_time("2026-11-15 04:10:02 up", rules)).at), "2026-11-15T03:10:02.000Z");
  EXPECT_EQ(format_timestamp(test::held(find_time("Nov 15 04:10:02 up", rules)).at), "2026-11-15T03:10:02.000Z");
  EXPECT_EQ(format_timestamp(test::held(find_time("2026-11-15T04:10:02Z up", rules)).at), "2026-11-15T04:10:02.000Z");
}

TEST(ParseTime, WantsNothingButATime) {
  EXPECT_TRUE(parse_time("1794715802", kRules));
  EXPECT_TRUE(parse_time("2026-11-15T04:10:02Z", kRules));
  EXPECT_FALSE(parse_time("2026-11-15T04:10:02Z and more", kRules));
  EXPECT_FALSE(parse_time("true", kRules));
}

}  // namespace
}  // namespace deputy::tools::logs
