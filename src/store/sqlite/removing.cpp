#include "store/sqlite/removing.h"

#include <limits>

namespace deputy::store {

namespace {

sqlite::Statement about(Transaction& in, const RunStatement& statement, const RunKey& run) {
  sqlite::Statement prepared = in.database.prepare(statement.sql);
  statement.by == RunStatement::By::number ? prepared.bind(1, run.number) : prepared.bind(1, run.id);
  return prepared;
}

// States of the index: clean -> words (of removed rows are in it) -> merging -> clean.
constexpr std::string_view kClean = "clean";
constexpr std::string_view kWords = "words";
constexpr std::string_view kMerging = "merging";

struct Wipes {
  std::string search;
  std::int64_t log_owed = 0;
  std::int64_t log_done = 0;
};

Result<Wipes> read_wipes(sqlite::Connection& database) {
  sqlite::Statement row = database.prepare("SELECT search, log_owed, log_done FROM wipes WHERE one = 1");
  TRY(const bool found, row.step());
  if (!found) return Wipes{std::string(kClean)};
  return Wipes{std::string(row.text(0)), row.integer(1), row.integer(2)};
}

Result<> set_search(Transaction& in, std::string_view state) {
  sqlite::Statement set = in.database.prepare("UPDATE wipes SET search = ? WHERE one = 1");
  return set.bind(1, state).run();
}

// A negative size starts to merge all parts into one, a positive one continues; the size is in pages. FTS5 reports
// fewer than two changed rows when nothing is left to do.
Result<bool> merge(Transaction& in, std::int64_t pages) {
  const std::int64_t before = sqlite3_total_changes64(in.database.handle());
  sqlite::Statement merge = in.database.prepare("INSERT INTO search (search, rank) VALUES ('merge', ?)");
  TRY(merge.bind(1, pages).run());
  return sqlite3_total_changes64(in.database.handle()) - before < 2;
}

constexpr std::int64_t kPagesAtOnce = 64;

}  // namespace

Result<Chosen> choose(sqlite::Statement rows, int most, Allowance& allowance) {
  Chosen chosen;
  while (static_cast<int>(chosen.numbers.size()) < most && !allowance.is_spent()) {
    TRY(const bool has_row, rows.step());
    if (!has_row) return chosen;
    allowance.spend(rows.text(1).size());
    chosen.numbers.push_back(rows.integer(0));
  }
  chosen.all = false;
  return chosen;
}

Result<> each_number(Transaction& in, std::string_view sql, const std::vector<std::int64_t>& numbers) {
  sqlite::Statement change = in.database.prepare(sql);
  for (const std::int64_t number : numbers) TRY(change.bind(1, number).run());
  return {};
}

Result<bool> clear_run(Transaction& in, std::span<const RunPieces> pieces, std::span<const RunStatement> then,
                       const RunKey& run, Allowance& allowance) {
  for (const RunPieces& piece : pieces) {
    TRY(const Chosen chosen, choose(about(in, piece.rows, run), std::numeric_limits<int>::max(), allowance));
    TRY(each_number(in, piece.change, chosen.numbers));
    if (!chosen.all) return false;
  }
  for (const RunStatement& statement : then) TRY(about(in, statement, run).run());
  return true;
}

Result<> owe_wiping(Transaction& in, Removal why) {
  sqlite::Statement owe = in.database.prepare("UPDATE wipes SET search = ?, log_owed = log_owed + ? WHERE one = 1");
  return owe.bind(1, kWords).bind(2, std::int64_t{why == Removal::forgotten ? 1 : 0}).run();
}

Result<Traces::Left> wipe_step(Transaction& in) {
  TRY(const Wipes wipes, read_wipes(in.database));
  if (wipes.search == kClean) return wipes.log_done < wipes.log_owed ? Traces::Left::being_read : Traces::Left::none;
  if (wipes.search == kWords) {
    TRY(merge(in, -kPagesAtOnce));
    TRY(set_search(in, kMerging));
    return Traces::Left::more;
  }
  TRY(const bool is_merged, merge(in, kPagesAtOnce));
  if (is_merged) TRY(set_search(in, kClean));
  return Traces::Left::more;
}

std::int64_t owed_emptying(sqlite::Connection& database) {
  const Result<Wipes> wipes = read_wipes(database);
  return wipes && wipes->search == kClean && wipes->log_done < wipes->log_owed ? wipes->log_owed : 0;
}

Result<> note_emptied(sqlite::Connection& database, std::int64_t number) {
  sqlite::Statement note = database.prepare("UPDATE wipes SET log_done = ?1 WHERE one = 1 AND log_done < ?1");
  return note.bind(1, number).run();
}

}  // namespace deputy::store
