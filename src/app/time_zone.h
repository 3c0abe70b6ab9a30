// IANA time zones, read from the system's zone database (TZif files, RFC 9636). The standard library used here has
// none, and localtime() supports only one zone per process.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "interaction/approval.h"

namespace deputy::app {

inline constexpr std::string_view kZoneDatabase = "/usr/share/zoneinfo";

/// Reads the whole zone now; using it later reads no file. not_found when there is no such zone, not_configured when
/// there is no database; UTC needs none.
Result<interaction::Zone> zone_named(std::string_view name, const std::filesystem::path& database = kZoneDatabase);

/// Zones of people's profiles, each read once. Files of zones are small, and there are a few hundred.
class KnownZones {
 public:
  /// Nothing when there is no such zone.
  std::optional<interaction::Zone> find(std::string_view name);

 private:
  std::map<std::string, std::optional<interaction::Zone>, std::less<>> zones_;
};

/// The offset from UTC at that time, from the content of a zone's file.
Result<std::chrono::seconds> offset_in_zone_file(std::string_view bytes, Timestamp at);

/// The same from a POSIX TZ rule, such as "CET-1CEST,M3.5.0,M10.5.0/3". A zone's file has one for all times after its
/// last transition.
Result<std::chrono::seconds> offset_by_rule(std::string_view rule, Timestamp at);

}  // namespace deputy::app
