// Removes rows in small batches, and then the traces they leave. Freed pages are overwritten, and every write of every
// process waits for the commit, so one commit removes only a limited amount.
//
// Removed rows leave traces: their words stay in the search index until its parts are merged, and the log keeps old
// pages until it is emptied. The row `wipes`, written with the removal, records this work; any instance does it later,
// also after a crash.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/sqlite/transaction.h"
#include "store/store.h"

namespace deputy::store {

/// The bytes that one transaction may still remove. The first row goes whatever its size, so that there is always
/// progress.
class Allowance {
 public:
  bool is_spent() const { return bytes_ <= 0; }
  void spend(std::size_t body) { bytes_ -= static_cast<std::int64_t>(kRow + body); }

 private:
  static constexpr std::size_t kRow = 100;
  std::int64_t bytes_ = 256 * 1024;
};

/// Rows to remove.
struct Chosen {
  std::vector<std::int64_t> numbers;
  bool all = true;  // false: there may be more
};

/// Chooses the first of `rows` (a number, and a text or null): at most `most`, until the allowance is spent.
Result<Chosen> choose(sqlite::Statement rows, int most, Allowance& allowance);

/// Runs `sql`, which takes a number, for each of `numbers`.
Result<> each_number(Transaction& in, std::string_view sql, const std::vector<std::int64_t>& numbers);

struct RunKey {
  std::int64_t number = 0;
  std::string id;
};

/// A statement about one run, with the run's number or id as parameter.
struct RunStatement {
  enum class By { number, id };
  By by;
  std::string_view sql;
};

/// Rows of one run that may be many and large: a query for them (a number and a body), and a statement for each.
struct RunPieces {
  RunStatement rows;
  std::string_view change;  // takes the number
};

/// Applies the pieces as far as the allowance allows, and once they are done, the statements. False if there is more.
Result<bool> clear_run(Transaction& in, std::span<const RunPieces> pieces, std::span<const RunStatement> then,
                       const RunKey& run, Allowance& allowance);

/// Why rows were removed; decides which traces must go.
enum class Removal {
  aged,       // merge the index
  forgotten,  // merge the index, then empty the log
};

/// Call it in the transaction that removes.
Result<> owe_wiping(Transaction& in, Removal why);

/// Merges a small part of the index, if needed.
Result<Traces::Left> wipe_step(Transaction& in);

/// The number of the pending request to empty the log; 0 if there is none, or if the index must be merged first.
std::int64_t owed_emptying(sqlite::Connection& database);

/// Records that the log was emptied for request `number`.
Result<> note_emptied(sqlite::Connection& database, std::int64_t number);

}  // namespace deputy::store
