// Reading: lists, results, search. On the reader's connection, outside any transaction.
#pragma once

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

}  // namespace deputy::store
