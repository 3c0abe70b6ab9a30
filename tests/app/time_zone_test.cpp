// Expected offsets are those of zdump(8) and of the zones' laws.
#include "app/time_zone.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::app {
namespace {

using namespace std::chrono_literals;

Timestamp at(std::string_view text) { return *parse_timestamp(text); }

struct ZoneRow {
  std::string_view zone;
  std::string_view at;
  std::chrono::seconds offset;
};

TEST(TimeZone, HasTheOffsetOfTheMoment) {
  for (const ZoneRow& row : {ZoneRow{"UTC", "2026-11-15T00:00:00Z", 0s},
                             {"Etc/UTC", "2026-11-15T00:00:00Z", 0s},
                             {"Europe/Berlin", "2026-01-15T00:00:00Z", 1h},
                             {"Europe/Berlin", "2026-03-29T00:59:59Z", 1h},
                             {"Europe/Berlin", "2026-03-29T01:00:00Z", 2h},
                             {"Europe/Berlin", "2026-10-25T00:59:59Z", 2h},
                             {"Europe/Berlin", "2026-10-25T01:00:00Z", 1h},
                             {"Europe/Berlin", "1970-07-01T00:00:00Z", 1h},
                             {"Europe/Berlin", "2060-07-01T00:00:00Z", 2h},
                             {"America/New_York", "2026-03-08T06:59:59Z", -5h},
                             {"America/New_York", "2026-03-08T07:00:00Z", -4h},
                             {"Australia/Sydney", "2026-01-15T00:00:00Z", 11h},
                             {"Australia/Sydney", "2060-07-01T00:00:00Z", 10h},
                             {"Australia/Lord_Howe", "2026-07-01T00:00:00Z", 10h + 30min},
                             {"Asia/Kolkata", "2026-07-01T00:00:00Z", 5h + 30min},
                             {"Etc/GMT+5", "2026-07-01T00:00:00Z", -5h}}) {
    const Result<interaction::Zone> zone = zone_named(row.zone);
    ASSERT_OK(zone);
    EXPECT_EQ(zone->utc_offset ? zone->utc_offset(at(row.at)) : 0s, row.offset) << row.zone << " at " << row.at;
  }
}

TEST(TimeZone, IsAnIanaName) {
  for (const std::string_view zone : {"", "Europe", "Mars/Olympus", "../../etc/passwd", "/etc/passwd", "zone.tab",
                                      "leapseconds", "Europe/", "Europe//Berlin/"}) {
    EXPECT_FAILS(zone_named(zone), not_found) << zone;
  }
}

TEST(TimeZone, WithoutADatabaseThereIsUtcOnly) {
  const deputy::test::TemporaryFolder folder;
  EXPECT_OK(zone_named("UTC", folder / "none"));
  EXPECT_FAILS(zone_named("Europe/Berlin", folder / "none"), not_configured);
}

struct RuleRow {
  std::string_view rule;
  std::string_view at;
  std::chrono::seconds offset;
};

TEST(ZoneRule, SaysStandardOrSummerTime) {
  for (const RuleRow& row : {RuleRow{"UTC0", "2026-07-01T00:00:00Z", 0s},
                             {"<+0530>-5:30", "2026-07-01T00:00:00Z", 5h + 30min},
                             {"CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T00:59:59Z", 1h},
                             {"CET-1CEST,M3.5.0,M10.5.0/3", "2026-03-29T01:00:00Z", 2h},
                             {"CET-1CEST,M3.5.0,M10.5.0/3", "2026-10-25T01:00:00Z", 1h},
                             {"EST5EDT,M3.2.0,M11.1.0", "2026-11-01T05:59:59Z", -4h},
                             {"EST5EDT,M3.2.0,M11.1.0", "2026-11-01T06:00:00Z", -5h},
                             {"AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-12-31T00:00:00Z", 11h},
                             {"IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-15T00:00:00Z", 0s},
                             {"IST-1GMT0,M10.5.0,M3.5.0/1", "2026-07-15T00:00:00Z", 1h},
                             {"<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-07-15T00:00:00Z", -1h},
                             {"AAA0BBB,J60/0,J300/0", "2028-03-01T00:00:00Z", 1h},
                             {"AAA0BBB,J60/0,J300/0", "2028-02-29T23:59:59Z", 0s},
                             {"AAA0BBB,59/0,300/0", "2028-02-29T00:00:00Z", 1h}}) {
    EXPECT_EQ(offset_by_rule(row.rule, at(row.at)), row.offset) << row.rule << " at " << row.at;
  }
}

TEST(ZoneRule, RefusesWhatIsNone) {
  for (const std::string_view rule :
       {"", "CET", "1", "<CET", "CET-1CEST", "CET-1CEST,", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
        "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0/3x", "CET-999", "CET--1",
        "CET-1CEST,J0,J366", "CET-99999999999999999999"}) {
    EXPECT_FAILS(offset_by_rule(rule, {}), invalid_input) << rule;
  }
}

TEST(ZoneFile, AnyPartOfOneIsRefusedOrReadAndNeverMore) {
  const std::string whole = deputy::test::read_file("/usr/share/zoneinfo/Europe/Berlin");
  ASSERT_EQ(offset_in_zone_file(whole, at("2026-07-01T00:00:00Z")), 2h);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const std::string part = whole.substr(0, size);
    const auto offset = offset_in_zone_file(part, at("2026-07-01T00:00:00Z"));
    if (offset) EXPECT_EQ(*offset, 2h) << size;
  }
}

TEST(ZoneFile, CountsThatLieAreRefused) {
  const std::string whole = deputy::test::read_file("/usr/share/zoneinfo/Europe/Berlin");
  for (std::size_t i = 4; i < 44; ++i) {
    std::string broken = whole;
    broken[i] = '\xff';
    const auto offset = offset_in_zone_file(broken, at("2026-07-01T00:00:00Z"));
    if (i >= 20) EXPECT_FALSE(offset) << i;
  }
}

TEST(KnownZones, AreThoseOfTheDatabase) {
  KnownZones zones;
  for (int times = 0; times < 2; ++times) {
    const std::optional<interaction::Zone> berlin = zones.find("Europe/Berlin");
    ASSERT_TRUE(berlin);
    EXPECT_EQ(berlin->utc_offset(at("2026-07-01T00:00:00Z")), 2h);
    EXPECT_FALSE(zones.find("Mars/Olympus"));
  }
}

}  // namespace
}  // namespace deputy::app
