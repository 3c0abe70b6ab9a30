// Reading: lists, results, search. On the reader's connection, outside any transaction.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/sqlite.h"
#include "store/store.h"

namespace deputy::store {

Result<std::vector<RunRow>> read_runs(sqlite::Connection& database, const RunFilter& filter);
Result<std::vector<GrantRow>> read_grants(sqlite::Connection& database, const GrantFilter& filter, Timestamp now);
Result<std::vector<AuditRow>> read_audit(sqlite::Connection& database, const AuditFilter& filter);
Result<std::vector<SpendRow>> read_spent(sqlite::Connection& database, const std::string& from_day,
                                         const std::string& to_day);
Result<BrakeRow> read_brake(sqlite::Connection& database);
Result<std::string> read_result(sqlite::Connection& database, const RunId& run, const std::string& call);
Result<std::string> read_text_by_digest(sqlite::Connection& database, const std::string& digest);
Result<std::vector<Found>> search(sqlite::Connection& database, const std::string& words, const SearchScope& scope,
                                  int most);

/// More words than these do not narrow a search.
constexpr std::size_t kMostSearchWords = 32;

/// The FTS5 query for what a person typed: each word as a prefix, none of it as syntax. Empty when there is no word in
/// it.
std::string search_query(std::string_view words);

// A SELECT whose conditions come and go with a filter. SQLite picks an index only for a condition that stands in the
// text, not for `(?1 IS NULL OR run = ?1)`; so each combination is a text of its own, all made once.

class FilteredSelect {
 public:
  /// `tail` takes a parameter of a higher number than all conditions, so that those left out may still be bound.
  FilteredSelect(std::string_view head, std::initializer_list<std::string_view> conditions, std::string_view tail);

  /// The text with the conditions that are set, in the order they were given. It lives as long as this does.
  std::string_view with(std::initializer_list<bool> set) const;

 private:
  std::vector<std::string> texts_;  // by the bits of what is set
};

}  // namespace deputy::store
