// What one entry of a log says: when, how grave, and in which words. An entry is a line and the lines behind it that
// belong to it: a stack trace, a wrapped text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "tools/logs/files/times.h"
#include "tools/logs/level.h"

namespace deputy::tools::files {

/// Whether the lines of a file have times at all.
enum class Times { in_lines, none };

/// The time of a line, of text or of JSON.
std::optional<Timestamp> time_of(std::string_view line, const TimeRules& rules);

/// Whether an entry begins with this line. Needs no more than the line's first kJudgedWithin bytes.
bool begins_entry(std::string_view line, Times times, const TimeRules& rules);
inline constexpr std::size_t kJudgedWithin = 512;

struct Entry {
  std::optional<Timestamp> at;
  LogLevel level = LogLevel::none;
  std::string_view message;  // what counts for its shape: in the line, or in the reader
};

/// Reads the first line of an entry. One reader serves many lines, one after the other.
class EntryReader {
 public:
  explicit EntryReader(TimeRules rules) : rules_(rules) {}

  /// Any bytes. The message is good until the next call.
  Entry read(std::string_view line);
  const TimeRules& rules() const { return rules_; }

 private:
  Entry read_json(std::string_view line);
  Entry read_text(std::string_view line);
  Entry read_access(std::string_view line, const FoundTime& time);

  TimeRules rules_;
  std::string message_;
};

}  // namespace deputy::tools::files
