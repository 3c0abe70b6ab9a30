// What one entry of a log says: when, how grave, and in which words. An entry is a line and the lines behind it that
// belong to it: a stack trace, a wrapped text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "tools/logs/files/times.h"
#include "tools/logs/shape.h"

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

// One line of JSON, read as far as a log search needs: its top-level keys and their values as they stand there. It
// makes no tree, follows no depth and takes any bytes: a line that breaks off gives the fields before the break.

struct JsonField {
  std::string_view key;    // as written, escapes and all
  std::string_view value;  // the same, without its quotes
  bool is_text = false;    // it had quotes
};

class JsonLine {
 public:
  explicit JsonLine(std::string_view line);

  /// The next field, or nothing at the end.
  std::optional<JsonField> next();

 private:
  void skip_space();
  std::optional<std::string_view> take_text();
  std::string_view take_other();

  std::string_view line_;
  std::size_t at_ = 0;
};

/// The text that a JSON string means. What is no good escape stays as it is.
std::string unescape(std::string_view raw);

}  // namespace deputy::tools::files
