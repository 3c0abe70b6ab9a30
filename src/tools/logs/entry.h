// Reads the time, level and message of a log entry, from text or JSON. An entry is a line and the lines after it that
// belong to it, such as a stack trace or wrapped text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "tools/logs/shape.h"
#include "tools/logs/times.h"

namespace deputy::tools::logs {

/// Says if the lines of a file have times at all.
enum class Times { in_lines, none };

/// The time of a line, of text or of JSON.
std::optional<Timestamp> time_of(std::string_view line, const TimeRules& rules);

/// True if an entry begins with this line. Looks at the first kJudgedWithin bytes of the line only.
bool begins_entry(std::string_view line, Times times, const TimeRules& rules);
inline constexpr std::size_t kJudgedWithin = 512;

struct Entry {
  std::optional<Timestamp> at;
  LogLevel level = LogLevel::none;
  std::string_view message;  // the text its shape is taken of; points into the line or into the reader
};

/// Reads the first line of an entry. One reader serves many lines, one after the other.
class EntryReader {
 public:
  explicit EntryReader(TimeRules rules) : rules_(rules) {}

  /// Takes any bytes. The message is valid until the next call.
  Entry read(std::string_view line);
  const TimeRules& rules() const { return rules_; }

 private:
  Entry read_json(std::string_view line);
  Entry read_text(std::string_view line);
  Entry read_access(std::string_view line, const FoundTime& time);

  TimeRules rules_;
  std::string message_;
};

struct JsonField {
  std::string_view key;    // as written, with its escapes
  std::string_view value;  // the same, without its quotes
  bool is_text = false;    // it had quotes
};

/// Reads the top-level keys and values of one line of JSON, as they are written. It builds no tree and takes any bytes;
/// of a line that is cut off it gives the fields before the cut.
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

/// Decodes the escapes of a JSON string. Invalid escapes stay as they are.
std::string unescape(std::string_view raw);

}  // namespace deputy::tools::logs
