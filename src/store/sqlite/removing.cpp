#include "store/sqlite/removing.h"

#include <limits>

namespace deputy::store {

namespace {

sqlite::Statement about(Transaction& in, const RunStatement& statement, const RunKey& run) {
  sqlite::Statement prepared = in.database.prepare(statement.sql);
  statement.by == RunStatement::By::number ? prepared.bind(1, run.number) : prepared.bind(1, run.id);
  return prepared;
}

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

}  // namespace deputy::store
