// Findings out of entries that a backend has fetched from elsewhere: read, judged, counted, grouped and kept by the
// same rules as those of files (entry.h, collector.h), in bounded memory.
//
//   auto fetched = std::make_shared<logs::Fetched>(query);
//   … for each page, newest first: fetched->add({at, service, line}); until fetched->is_full() or there are no more
//   LogFindings findings = fetched->findings({.more = there_are_more});
#pragma once

#include <string>
#include <vector>

#include "tools/logs/collector.h"
#include "tools/logs/entry.h"
#include "tools/logs/log_backend.h"
#include "tools/logs/matcher.h"

namespace deputy::tools::logs {

inline constexpr std::size_t kMaxFetched = 10'000;  // entries that one search reads
inline constexpr std::size_t kMaxFetchedBytes = 24UL << 20;

/// Texts are of any bytes.
struct FetchedEntry {
  std::optional<Timestamp> at;
  std::string service;
  std::string text;                 // all its lines
  LogLevel level = LogLevel::none;  // none: the text says it
};

/// What is known of the entries that match and were not fetched.
struct Unfetched {
  bool more = false;                                 // there are some, or may be
  std::optional<std::int64_t> total = std::nullopt;  // all that match, those that were fetched too
  LogCourse course = {};                             // of all that match
};

class Fetched {
 public:
  /// With `match_here` it leaves out entries that do not match the text of the query, because the backend could not.
  enum class Match { by_backend, here };
  explicit Fetched(const LogQuery& query, Match match = Match::by_backend);

  /// Leaves out what is not in the time range, too harmless or does not match. Pages may come in any order; of entries
  /// of the same time the one that was added first is the newest.
  void add(FetchedEntry entry);

  /// How many entries it takes at most: no more than are shown whole, if nothing is grouped and none is left out here.
  std::size_t wanted() const { return wanted_; }
  bool is_full() const { return added_ >= wanted_ || bytes_ >= kMaxFetchedBytes; }
  std::size_t added() const { return added_; }
  /// The time of the oldest entry that was added.
  std::optional<Timestamp> oldest() const { return oldest_; }

  /// The coverage counts entries; its sources are for the backend to name.
  LogFindings findings(const Unfetched& rest) const;

 private:
  std::size_t number_of(std::string service);

  LogQuery query_;
  std::optional<Matcher> matcher_;
  std::size_t wanted_;
  EntryReader reader_;
  Collector collector_;
  std::vector<std::string> services_;
  std::size_t added_ = 0;
  std::size_t bytes_ = 0;
  std::optional<Timestamp> oldest_;
};

}  // namespace deputy::tools::logs
