// The interface to where logs are kept. A backend finds, counts and groups log entries; it knows nothing of people,
// settings files and models.
//
// To add one: a folder under tools/logs/ that implements LogBackend, its settings in tools/logs/settings.h, and its
// line in make_log_backends.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/result.h"
#include "base/task.h"
#include "tools/logs/shape.h"
#include "tools/time_range.h"

namespace deputy::tools {

/// What a search looks for, parsed from the text of its `query`:
///
///   connection timeout          entries with both words, in any order, ignoring case
///   "connection timeout"        this phrase, ignoring case
///   /timeout after \d+ ms/i     a regular expression (RE2) within one line; `i` ignores case
///   *                           everything
struct TextQuery {
  std::vector<std::string> words;  // in lower case; all of them must occur
  std::string regex;               // empty: none

  bool operator==(const TextQuery&) const = default;
};

inline constexpr std::size_t kMaxWords = 10;

/// The error says how to write a query, or what is wrong with the regular expression.
Result<TextQuery> parse_query(std::string_view text);

struct LogQuery {
  std::string environment;                     // one of the known ones
  std::vector<std::string> environment_names;  // all its names
  std::vector<std::string> service_names;      // all names of one service; empty: every service
  std::vector<std::string> known_services;     // to suggest from, besides those that the backend knows
  bool service_is_known = false;               // finding no logs of it is then not an error
  TimeSpan span;
  TextQuery text;
  LogLevel least = LogLevel::none;  // none: also entries without a level
  std::size_t newest = 50;          // how many entries to return whole
  bool grouped = true;              // false: neither groups nor the course are shown
};

inline constexpr std::size_t kMaxExample = 400;  // bytes shown of a group's example
inline constexpr std::size_t kMaxShown = 2000;   // bytes shown of an entry

/// Entries whose messages have the same shape.
struct MessageGroup {
  std::string message;  // of the first entry
  std::string service;
  LogLevel level = LogLevel::none;
  std::int64_t count = 0;
  std::optional<Timestamp> first;
  std::optional<Timestamp> last;
  std::string example;  // the first line of the first entry
};

struct FoundEntry {
  std::optional<Timestamp> at;
  std::string service;
  std::string text;  // all its lines
};

/// Those of `there`, the services that a backend knows, that the query asks for, as they are spelt there.
std::vector<std::string> wanted_services(const LogQuery& query, const std::vector<std::string>& there);

/// Suggests the nearest name.
Error unknown_service(const LogQuery& query, const std::vector<std::string>& there);

/// How many entries matched in each step of the time range, the oldest first. Empty: that is not known.
struct LogCourse {
  std::chrono::milliseconds step{};
  std::vector<std::int64_t> counts;

  bool operator==(const LogCourse&) const = default;
  /// Zeros for a time range; the last step may be shorter than the others.
  static LogCourse over(const TimeSpan& span);
  /// The step that a time is in; it must be in the span.
  std::size_t step_of(const TimeSpan& span, Timestamp at) const;
};

/// How much was searched.
struct LogCoverage {
  std::string source = "file";  // what a source is, in the singular and the plural
  std::string plural = "files";
  std::string lines_are = "lines";   // what `lines` counts
  std::vector<std::string> sources;  // the names of some of them
  std::int64_t source_count = 0;
  std::int64_t outside = 0;   // sources with nothing in the time range; they were not read
  bool none_belongs = false;  // no source is of that service and environment
  std::int64_t lines = 0;
  std::int64_t bytes = 0;
  std::string asked;  // in the backend's own language, to go on with there; empty: it has none
};

/// Texts are valid UTF-8, not redacted, and longer than they are shown: the report redacts first and cuts then, because
/// the redactor does not recognize half a secret.
struct LogFindings {
  std::int64_t matched = 0;
  std::vector<MessageGroup> groups;  // most frequent first
  std::int64_t ungrouped = 0;        // entries in no group, because there were too many shapes
  std::vector<FoundEntry> newest;    // oldest first
  LogCourse course;
  LogCoverage coverage;
  std::vector<std::string> notes;  // each says in a sentence what was skipped, cut or unreadable
};

inline constexpr std::size_t kMaxServices = 2000;

class LogBackend {
 public:
  virtual ~LogBackend() = default;

  virtual std::string_view name() const = 0;
  /// What a search costs grows with what it scans: a long time range is for a person to decide.
  virtual bool charges_by_scan() const { return false; }
  /// Where it reads from, as settings say. It is part of the digest that an approval holds for.
  virtual json::object target() const = 0;

  /// Can be cancelled and takes at most `limit`. An unknown service is an error of kind not_found that suggests the
  /// nearest name.
  virtual Task<Result<LogFindings>> search(LogQuery query, std::chrono::milliseconds limit) = 0;

  /// The services that it has logs of, as it spells them, sorted; at most kMaxServices.
  virtual Task<Result<std::vector<std::string>>> services(std::chrono::milliseconds limit) = 0;

  /// Looks at the logs and says in a few words what there is to search, for `deputy doctor`.
  virtual Task<Result<std::string>> diagnose(std::chrono::milliseconds limit) = 0;
};

}  // namespace deputy::tools
