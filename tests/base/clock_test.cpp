#include "base/clock.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "support/manual_clock.h"
#include "support/results.h"

namespace deputy {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;

TEST(ParseDuration, ReadsEachUnitAndTheirSum) {
  struct Row {
    std::string_view text;
    milliseconds expected;
  };
  for (const auto& [text, expected] : {
           Row{"0s", 0ms},
           Row{"250ms", 250ms},
           Row{"90s", 90s},
           Row{"5m", 5min},
           Row{"1h", 1h},
           Row{"30d", 24h * 30},
           Row{"1h30m", 90min},
           Row{"1d2h3m4s5ms", 24h + 2h + 3min + 4s + 5ms},
           Row{"1m5ms", 1min + 5ms},
           Row{"007s", 7s},
           Row{"9223372036854775807ms", milliseconds::max()},
       }) {
    EXPECT_EQ(parse_duration(text), expected) << text;
  }
}

TEST(ParseDuration, RefusesWhatIsNone) {
  for (const std::string_view text : {"",
                                      " ",
                                      "5",
                                      "s",
                                      "5 s",
                                      " 5s",
                                      "5s ",
                                      "5x",
                                      "5S",
                                      "-5s",
                                      "-0s",
                                      "+5s",
                                      "1.5h",
                                      "5m1h",
                                      "5s5s",
                                      "1ms1s",
                                      "1h-3m",
                                      "1h+3m",
                                      "0x5s",
                                      "5mm",
                                      "1hm",
                                      "1d2",
                                      "９s",
                                      "9223372036854775808ms",
                                      "106751991168d",
                                      "106751991167d24h",
                                      "99999999999999999999999d"}) {
    EXPECT_EQ(parse_duration(text), fail(ErrorKind::invalid_input, "`" + std::string(text) + "` is not a duration",
                                         "write it like 30d, 1h30m, 90s or 250ms"))
        << text;
  }
}

TEST(ParseDuration, ShowsOnlyTheBeginningOfLongGarbage) {
  EXPECT_EQ(parse_duration(std::string(1'000'000, 'x')).error().message,
            "`" + std::string(40, 'x') + "… [999960 more characters]` is not a duration");
}

TEST(FormatDuration, IsTheShortestExactForm) {
  EXPECT_EQ(format_duration(0ms), "0s");
  EXPECT_EQ(format_duration(250ms), "250ms");
  EXPECT_EQ(format_duration(90s), "1m30s");
  EXPECT_EQ(format_duration(24h), "1d");
  EXPECT_EQ(format_duration(25h + 1ms), "1d1h1ms");
  EXPECT_EQ(format_duration(-5s), "0s");
}

RC_GTEST_PROP(DurationProperty, WhatIsFormattedReadsBack, ()) {
  const milliseconds duration{*rc::gen::inRange<std::int64_t>(0, std::numeric_limits<std::int64_t>::max())};
  RC_ASSERT(parse_duration(format_duration(duration)).value() == duration);
}

RC_GTEST_PROP(DurationProperty, AnyTextIsReadOrRefused, (const std::string& text)) {
  const auto read = parse_duration(text);
  RC_ASSERT(read.has_value() || read.error().kind == ErrorKind::invalid_input);
}

TEST(FormatTimestamp, WritesUtcWithMilliseconds) {
  struct Row {
    std::int64_t millis;
    std::string_view expected;
  };
  for (const auto& [millis, expected] : {
           Row{0, "1970-01-01T00:00:00.000Z"},
           Row{-1, "1969-12-31T23:59:59.999Z"},
           Row{1'700'000'000'123, "2023-11-14T22:13:20.123Z"},
           Row{951'782'400'000, "2000-02-29T00:00:00.000Z"},
           Row{253'402'300'799'999, "9999-12-31T23:59:59.999Z"},
           Row{253'402'300'800'000, "9999-12-31T23:59:59.999Z"},
           Row{std::numeric_limits<std::int64_t>::max(), "9999-12-31T23:59:59.999Z"},
           Row{std::numeric_limits<std::int64_t>::min(), "0000-01-01T00:00:00.000Z"},
       }) {
    EXPECT_EQ(format_timestamp(from_millis(millis)), expected) << millis;
  }
}

TEST(Timestamp, CountsMillisecondsSince1970) {
  EXPECT_EQ(to_millis(from_millis(1'700'000'000'123)), 1'700'000'000'123);
  EXPECT_EQ(to_millis(Timestamp{}), 0);
}

TEST(ManualClock, StandsStillUntilMoved) {
  test::ManualClock clock(from_millis(1'000));
  EXPECT_EQ(clock.now(), from_millis(1'000));
  clock.advance(5ms);
  EXPECT_EQ(clock.now(), from_millis(1'005));
}

TEST(SystemClock, DoesNotStandStillForLong) {
  const SystemClock clock;
  const Timestamp first = clock.now();
  while (clock.now() <= first) {
  }
  EXPECT_GT(clock.now(), from_millis(1'700'000'000'000));
}

TEST(ParseTimestamp, ReadsRfc3339InAnyZone) {
  struct Row {
    std::string_view text;
    std::string_view expected;
  };
  for (const auto& [text, expected] : {
           Row{"2026-11-15T04:10:02.123Z", "2026-11-15T04:10:02.123Z"},
           Row{"2026-11-15T04:10:02Z", "2026-11-15T04:10:02.000Z"},
           Row{"2026-11-15T04:10:02.5Z", "2026-11-15T04:10:02.500Z"},
           Row{"2026-11-15T04:10:02.123999999Z", "2026-11-15T04:10:02.123Z"},
           Row{"2026-11-15T05:10:02+01:00", "2026-11-15T04:10:02.000Z"},
           Row{"2026-11-14T22:40:02-05:30", "2026-11-15T04:10:02.000Z"},
           Row{"2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"},
       }) {
    const auto at = parse_timestamp(text);
    ASSERT_TRUE(at) << text;
    EXPECT_EQ(format_timestamp(*at), expected) << text;
  }
}

TEST(ParseTimestamp, RefusesWhatIsNone) {
  for (const std::string_view text :
       {"", "2026", "2026-11-15", "2026-11-15T04:10Z", "2026-11-15 04:10:02Z", "2026-11-15T04:10:02",
        "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-11-15T24:00:00Z", "2026-11-15T04:60:00Z",
        "2026-11-15T04:10:60Z", "2026-11-15T04:10:02.Z", "2026-11-15T04:10:02.1234567890Z", "2026-11-15T04:10:02+1:00",
        "2026-11-15T04:10:02+24:00", "2026-11-15T04:10:02Z ", "-026-11-15T04:10:02Z", "2026-11-15T04:10:02z",
        "2026-11-15T04:10:02+01"}) {
    EXPECT_FAILS(parse_timestamp(text), invalid_input);
  }
}

}  // namespace
}  // namespace deputy
