#include "tools/logs/entry.h"

#include <gtest/gtest.h>
#include <re2/re2.h>

namespace deputy::tools::logs {
namespace {

const TimeRules kRules{std::chrono::minutes(0), *parse_timestamp("2026-11-15T05:00:00Z")};

struct EntryRow {
  std::string line;
  LogLevel level;
  std::string message;
};
void PrintTo(const EntryRow& row, std::ostream* out) { *out << row.line; }
class EntryOf : public testing::TestWithParam<EntryRow> {};

TEST_P(EntryOf, SaysWhenHowGraveAndWhat) {
  EntryReader reader(kRules);
  const Entry entry = reader.read(GetParam().line);
  EXPECT_EQ(entry.at ? format_timestamp(*entry.at) : "", "2026-11-15T04:10:02.000Z");
  EXPECT_EQ(name(entry.level), name(GetParam().level));
  EXPECT_EQ(entry.message, GetParam().message);
  EXPECT_TRUE(entry.level < LogLevel::error || RE2::PartialMatch(GetParam().line, std::string(kMayBeError)));
}

INSTANTIATE_TEST_SUITE_P(
    Lines, EntryOf,
    testing::Values(
        EntryRow{"2026-11-15 04:10:02,000 ERROR [http-1] c.e.Pay - no route", LogLevel::error, "no route"},
        EntryRow{"2026-11-15T04:10:02Z  INFO no ERROR here", LogLevel::info, "no ERROR here"},
        EntryRow{"2026-11-15T04:10:02.000Z ERROR 1 --- [main] c.e.App : no route", LogLevel::error, "no route"},
        EntryRow{"2026-11-15T04:10:02Z [warn] low disk", LogLevel::warning, "low disk"},
        EntryRow{"2026-11-15T04:10:02Z error: low disk", LogLevel::error, "low disk"},
        EntryRow{"2026-11-15T04:10:02Z the last error was hours ago", LogLevel::none, "the last error was hours ago"},
        EntryRow{"WARN 2026-11-15T04:10:02Z low disk", LogLevel::warning, "low disk"},
        EntryRow{"2026/11/15 04:10:02 [error] 7#7: *9 connect() failed", LogLevel::error, "7#7: *9 connect() failed"},
        EntryRow{"time=2026-11-15T04:10:02Z level=error msg=\"no route\" err=\"dial 1\"", LogLevel::error,
                 "no route: dial 1"},
        EntryRow{"Nov 15 04:10:02 host app[7]: low disk", LogLevel::none, "low disk"},
        EntryRow{"Nov 15 04:10:02 host kernel: Out of memory: Killed process 7", LogLevel::error,
                 "Out of memory: Killed process 7"},
        EntryRow{"E1115 04:10:02.000000       1 a.go:12] no route", LogLevel::error, "no route"},
        EntryRow{"W1115 04:10:02.000000       1 a.go:12] slow", LogLevel::warning, "slow"},
        EntryRow{R"(1.2.3.4 - - [15/Nov/2026:04:10:02 +0000] "GET /a/7?b=1 HTTP/1.1" 502 1 "-")", LogLevel::error,
                 "GET /a/7 answered with a server error"},
        EntryRow{R"(1.2.3.4 - - [15/Nov/2026:04:10:02 +0000] "GET /a HTTP/1.1" 200 1)", LogLevel::info,
                 "GET /a answered with success"},
        EntryRow{R"({"time":"2026-11-15T04:10:02Z","level":"error","msg":"no \"route\""})", LogLevel::error,
                 "no \"route\""},
        EntryRow{R"({"ts":1794715802.0,"lvl":"ERR","message":"no route","err":"dial"})", LogLevel::error,
                 "no route: dial"},
        EntryRow{R"({"time":1794715802000,"level":50,"nested":{"msg":"}"},"msg":"no route"})", LogLevel::error,
                 "no route"},
        EntryRow{R"({"log":"ERROR no route\n","stream":"stderr","time":"2026-11-15T04:10:02Z"})", LogLevel::error,
                 "ERROR no route"},
        EntryRow{R"({"@timestamp":"2026-11-15T04:10:02Z","severity":"WARNING","message":"caf\u00e9"})",
                 LogLevel::warning, "café"}));

struct BeginRow {
  std::string line;
  bool begins;
};
class BeginsEntry : public testing::TestWithParam<BeginRow> {};

TEST_P(BeginsEntry, WhereALineHasATimeOfItsOwn) {
  EXPECT_EQ(begins_entry(GetParam().line, Times::in_lines, kRules), GetParam().begins) << GetParam().line;
}

INSTANTIATE_TEST_SUITE_P(Lines, BeginsEntry,
                         testing::Values(BeginRow{"2026-11-15 04:10:02 up", true}, BeginRow{"{\"a\":1}", true},
                                         BeginRow{"\tat a.b.C(C.java:1)", false},
                                         BeginRow{"Caused by: a.b.C: no route", false}, BeginRow{"", false},
                                         BeginRow{"Traceback (most recent call last):", false},
                                         BeginRow{" 2026-11-15 04:10:02 up", false}));

TEST(BeginsEntry, AtEveryLineThatIsNotIndentedWhereNoneHasATime) {
  EXPECT_TRUE(begins_entry("started", Times::none, kRules));
  EXPECT_FALSE(begins_entry("  at x", Times::none, kRules));
}

}  // namespace
}  // namespace deputy::tools::logs
