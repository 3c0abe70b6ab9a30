// The search of a backend that is asked for entries page by page, the newest first: which service is meant, reading in
// bounded memory and time, counting what was not read, and explaining why nothing was found. What each vendor adds is
// how to ask.
//
// To add one: derive from it in a folder under tools/logs/, and implement `there`, `page`, `count` and `diagnose`.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tools/logs/fetched.h"
#include "tools/logs/log_backend.h"

namespace deputy::tools::logs {

class PagedBackend : public LogBackend {
 public:
  Task<Result<LogFindings>> search(LogQuery query, std::chrono::milliseconds limit) final;
  Task<Result<std::vector<std::string>>> services(std::chrono::milliseconds limit) final;

 protected:
  struct Vendor {
    std::string name;    // "Loki"
    std::string source;  // what holds entries, in the singular and the plural: "stream", "streams"
    std::string plural;
    bool names_sources = true;      // in the report
    std::size_t page = 1000;        // entries
    std::int64_t ticks = 1;         // of its times in a millisecond
    bool matches_regex = false;     // else entries are matched here
    bool finds_substrings = false;  // else whole words only
  };
  /// `clock` outlives it.
  PagedBackend(Vendor vendor, const Clock& clock) : vendor_(std::move(vendor)), clock_(clock) {}

  using Deadline = std::chrono::steady_clock::time_point;
  static std::chrono::milliseconds left_until(Deadline deadline);

  /// One search. Its hooks are called one after the other.
  struct Search {
    LogQuery query;
    std::vector<std::string> services;  // as they are spelt there; none: all of them
    Deadline deadline;
    std::vector<std::string> notes;
    std::string asked;  // LogCoverage::asked, for `page` to set
  };
  using SearchPointer = std::shared_ptr<Search>;

  struct Known {
    std::vector<std::string> services;
    std::vector<std::string> environments;
  };
  struct PageEntry {
    std::int64_t at = 0;  // in ticks
    std::string key;      // tells it from others of the same time
    FetchedEntry entry;
  };
  struct Page {
    std::vector<PageEntry> entries;  // newest first
    std::size_t count = 0;           // that came, also those that could not be read
    std::set<std::string> sources;   // that they came from
  };

  /// The names that entries of a time range have. With a query, those of its environment. Without one an error
  /// (not_configured) where there are entries and the settings name what none of them has.
  virtual Task<Result<Known>> there(TimeSpan span, const LogQuery* query, Deadline deadline) = 0;
  /// The newest `most` entries not newer than `until`, in ticks.
  virtual Task<Result<Page>> page(SearchPointer search, std::int64_t until, std::size_t most) = 0;
  /// Counts all that match; without a total where that cannot be told without reading them.
  virtual Task<Result<Unfetched>> count(SearchPointer search) = 0;

  const Clock& clock() const { return clock_; }

 private:
  struct Reading;

  Task<Result<std::vector<std::string>>> services_meant(SearchPointer search);
  Task<Result<>> read_pages(SearchPointer search, std::shared_ptr<Reading> reading);
  Task<Result<>> explain_nothing(SearchPointer search);
  void name_sources(const std::set<std::string>& sources, LogCoverage& coverage) const;

  Vendor vendor_;
  const Clock& clock_;
};

inline constexpr std::chrono::hours kDay{24};

/// A name as people and programs write it: as it is, in small letters, in capitals, with one capital.
std::set<std::string> spellings(const std::vector<std::string>& names);

}  // namespace deputy::tools::logs
