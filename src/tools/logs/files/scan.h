// Reads one unit of work, a file or a part of one, and hands the entries that match to a collector. An entry belongs to
// the unit in which it begins. Memory is bounded by kBuffer: of an entry longer than kMaxEntry only the beginning is
// searched, and it is counted as cut.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>

#include "base/result.h"
#include "tools/logs/collector.h"
#include "tools/logs/entry.h"
#include "tools/logs/files/sources.h"
#include "tools/logs/log_backend.h"
#include "tools/logs/matcher.h"

namespace deputy::tools::files {

inline constexpr std::size_t kMaxEntry = 256 * 1024;
inline constexpr std::size_t kBuffer = 2 * kMaxEntry;

struct Unit {
  std::size_t number = 0;   // its position among all units
  std::size_t service = 0;  // for the collector
  std::uint64_t begin = 0;  // where in the file; the source starts one byte before, unless this is its beginning
  std::uint64_t end = std::numeric_limits<std::uint64_t>::max();
  std::optional<logs::Times> times;  // nothing: found out from the first lines
};

struct Wanted {
  TimeSpan span;
  LogLevel least = LogLevel::none;
};

struct Scanned {
  std::int64_t lines = 0;
  std::int64_t bytes = 0;
  std::int64_t cut_entries = 0;
};

/// Tells from the first lines of a file, at most 200, if its lines have times.
logs::Times times_in(std::string_view beginning, const logs::TimeRules& rules);

class Scanner {
 public:
  Scanner(const logs::Matcher& matcher, Wanted wanted, logs::Collector& into);

  /// Adds to `scanned`, also if it ends with an error: one of the source, or cancelled.
  Result<> scan(ByteSource& source, const Unit& unit, const logs::TimeRules& rules, const std::stop_token& stop,
                Scanned& scanned);

 private:
  struct Work;

  const logs::Matcher& matcher_;
  Wanted wanted_;
  logs::Collector& into_;
  std::vector<char> buffer_;
};

}  // namespace deputy::tools::files
