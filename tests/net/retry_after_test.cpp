// When to ask again, and dates in headers.
#include "net/retry_after.h"

#include <gtest/gtest.h>

namespace deputy::net {
namespace {

using std::chrono::milliseconds;

// Sun, 06 Nov 1994 08:49:37 GMT
constexpr std::int64_t kNow = 784'111'777'000;

struct Row {
  const char* name;
  std::vector<Header> headers;
  std::optional<milliseconds> wait;
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class RetryAfter : public testing::TestWithParam<Row> {};

TEST_P(RetryAfter, IsRead) { EXPECT_EQ(retry_after(GetParam().headers, from_millis(kNow)), GetParam().wait); }

INSTANTIATE_TEST_SUITE_P(
    Rows, RetryAfter,
    testing::Values(
        Row{"None", {{"x", "1"}}, std::nullopt}, Row{"Seconds", {{"Retry-After", "7"}}, milliseconds(7000)},
        Row{"PartsOfASecond", {{"retry-after", "0.25"}}, milliseconds(250)},
        Row{"Milliseconds", {{"retry-after", "7"}, {"retry-after-ms", "1500"}}, milliseconds(1500)},
        Row{"UnreadableMilliseconds", {{"retry-after-ms", "soon"}, {"retry-after", "7"}}, milliseconds(7000)},
        Row{"ADate", {{"retry-after", "Sun, 06 Nov 1994 08:50:07 GMT"}}, milliseconds(30'000)},
        Row{"ADateByTheServersClock",
            {{"date", "Sun, 06 Nov 1994 08:50:00 GMT"}, {"retry-after", "Sun, 06 Nov 1994 08:50:07 GMT"}},
            milliseconds(7000)},
        Row{"ADateThatIsPast", {{"retry-after", "Sun, 06 Nov 1994 08:40:07 GMT"}}, milliseconds(0)},
        Row{"Now", {{"retry-after", "0"}}, milliseconds(0)}, Row{"Negative", {{"retry-after", "-5"}}, std::nullopt},
        Row{"NotANumber", {{"retry-after", "nan"}}, std::nullopt}, Row{"Empty", {{"retry-after", ""}}, std::nullopt},
        Row{"TwoDots", {{"retry-after", "1.2.3"}}, std::nullopt},
        Row{"AtMostADay", {{"retry-after", "99999999999999999"}}, milliseconds(86'400'000)}),
    [](const auto& info) { return info.param.name; });

TEST(HttpDate, AllThreeFormsAreRead) {
  for (const char* text : {"Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
                           "Sun Nov  6 08:49:37 1994", "sun, 6 nov 1994 08:49:37 gmt"}) {
    EXPECT_EQ(parse_http_date(text), from_millis(kNow)) << text;
  }
}

TEST(HttpDate, WhatIsNoDateIsNone) {
  for (const char* text :
       {"", "Sun", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 199 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GMT and much more"}) {
    EXPECT_EQ(parse_http_date(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace deputy::net
