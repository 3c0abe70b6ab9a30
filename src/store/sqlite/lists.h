// Queries: lists, results, search. They run on the reader's connection, outside any transaction.
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
Result<std::vector<SpendRow>> read_spent_on(sqlite::Connection& database, const std::string& day,
                                            const std::vector<std::string>& scopes);
Result<BrakeRow> read_brake(sqlite::Connection& database);
Result<std::string> read_result(sqlite::Connection& database, const RunId& run, const std::string& call);
Result<std::string> read_text_by_digest(sqlite::Connection& database, const std::string& digest);
Result<std::vector<SearchHit>> search(sqlite::Connection& database, const std::string& words, const SearchScope& scope,
                                      int most);

/// More words do not narrow a search.
constexpr std::size_t kMaxSearchWords = 32;

/// The FTS5 query for typed text: each word as a prefix, nothing as syntax. Empty if there is no word.
std::string search_query(std::string_view words);

/// A SELECT whose conditions depend on a filter. SQLite uses an index only for a condition that is in the text, not for
/// `(?1 IS NULL OR run = ?1)`. So each combination has its own text, all built once.
class FilteredSelect {
 public:
  /// The parameter in `tail` must have a higher number than those of all conditions, so that omitted ones can still be
  /// bound.
  FilteredSelect(std::string_view head, std::initializer_list<std::string_view> conditions, std::string_view tail);

  /// The text with the conditions that are set, in the order given. It lives as long as this object.
  std::string_view with(std::initializer_list<bool> set) const;

 private:
  std::vector<std::string> texts_;  // by the bits of the set conditions
};

}  // namespace deputy::store
