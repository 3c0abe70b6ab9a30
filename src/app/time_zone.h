// IANA time zones, read from the system's zone database (TZif files, RFC 9636). This tree's standard library has none,
// and localtime() knows one zone a process.
#pragma once

#include <chrono>
#include <filesystem>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "interaction/approval.h"

namespace deputy::app {

inline constexpr std::string_view kZoneDatabase = "/usr/share/zoneinfo";

/// The zone of that name, read whole here: what it says later touches no file. not_found when there is no such zone,
/// not_configured when there is no database; UTC needs none.
Result<interaction::Zone> zone_named(std::string_view name, const std::filesystem::path& database = kZoneDatabase);

/// How far clocks are ahead of UTC at that moment, from the content of a zone's file.
Result<std::chrono::seconds> offset_in_zone_file(std::string_view bytes, Timestamp at);

/// The same from a rule as POSIX writes it in TZ, such as "CET-1CEST,M3.5.0,M10.5.0/3": what a zone's file says of all
/// times after its last transition.
Result<std::chrono::seconds> offset_by_rule(std::string_view rule, Timestamp at);

}  // namespace deputy::app
