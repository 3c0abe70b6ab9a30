// Where log entries come from. A backend finds, counts and groups; it knows no person, no settings file and no model.
//
// To add one: a folder under tools/logs/ that implements LogBackend, its settings in tools/logs/settings.h, and its
// case in make_log_backend.
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

namespace deputy::tools {

// What a search looks for, from the text of its `query`:
//
//   connection timeout          entries that hold both words, in any order and any case
//   "connection timeout"        these words one after the other
//   /timeout after \d+ ms/i     a regular expression (RE2), with `i` whatever the case; within one line
//   *                           everything

struct TextQuery {
  std::vector<std::string> words;  // in small letters; all of them must occur
  std::string regex;               // empty: none

  bool operator==(const TextQuery&) const = default;
};

inline constexpr std::size_t kMostWords = 10;

/// The error says what a query looks like, or where its expression breaks.
Result<TextQuery> parse_query(std::string_view text);

struct TimeSpan {
  Timestamp from;  // both belong to it
  Timestamp to;

  bool contains(Timestamp at) const { return from <= at && at <= to; }
  bool operator==(const TimeSpan&) const = default;
};

struct LogQuery {
  std::string environment;                  // one of the known ones
  std::vector<std::string> service_names;   // all that mean the one service; empty: every service
  std::vector<std::string> known_services;  // besides those the backend knows: to suggest from
  bool service_is_known = false;            // then to have nothing of it is no error
  TimeSpan span;
  TextQuery text;
  LogLevel least = LogLevel::none;  // none: entries without a level too
  std::size_t newest = 50;          // how many entries come back whole
};

inline constexpr std::size_t kLongestExample = 400;  // bytes that are shown
inline constexpr std::size_t kLongestShown = 2000;   // bytes of an entry that is shown whole

/// Entries whose messages have one shape.
struct MessageGroup {
  std::string message;  // of the first of them
  std::string service;
  LogLevel level = LogLevel::none;
  std::int64_t count = 0;
  std::optional<Timestamp> first;
  std::optional<Timestamp> last;
  std::string example;  // the first of them, its first line
};

struct FoundEntry {
  std::optional<Timestamp> at;
  std::string service;
  std::string text;  // all its lines
};

/// What was looked through.
struct LogCoverage {
  std::vector<std::string> sources;  // the names of some; what they are the backend knows
  std::int64_t source_count = 0;
  std::int64_t outside = 0;  // sources that hold nothing of the time
  std::int64_t lines = 0;
  std::int64_t bytes = 0;
};

/// Texts are valid UTF-8, as they were logged and longer than they are shown: the report takes secrets out first and
/// then cuts, because half a secret is not known for one.
struct LogFindings {
  std::int64_t matched = 0;
  std::vector<MessageGroup> groups;  // most first
  std::int64_t ungrouped = 0;        // entries of shapes too many to tell apart
  std::vector<FoundEntry> newest;    // oldest of them first
  LogCoverage coverage;
  std::vector<std::string> notes;  // what was left out, cut or not readable, each a sentence
};

inline constexpr std::size_t kMostServices = 2000;

class LogBackend {
 public:
  virtual ~LogBackend() = default;

  virtual std::string_view name() const = 0;
  /// What settings decide of it: part of the digest of what an approval holds for.
  virtual json::object target() const = 0;

  /// Hears cancellation and takes at most `limit`. not_found when there is no such service, with the nearest.
  virtual Task<Result<LogFindings>> search(LogQuery query, std::chrono::milliseconds limit) = 0;

  /// The names of the services it has logs of, sorted, as it writes them; at most kMostServices.
  virtual Task<Result<std::vector<std::string>>> services(std::chrono::milliseconds limit) = 0;

  /// What there is to search, in a few words, by really looking: for `deputy doctor`.
  virtual Task<Result<std::string>> diagnose(std::chrono::milliseconds limit) = 0;
};

}  // namespace deputy::tools
