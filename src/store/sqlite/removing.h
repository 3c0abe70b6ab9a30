// Removing a little at a time. Every page that is freed is overwritten, and every write of every process waits for the
// commit: so one commit removes no more than this, however much there is.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/sqlite/transaction.h"
#include "store/store.h"

namespace deputy::store {

/// The bytes that one transaction may still remove. The first row goes whatever its size, so that each gets on.
class Allowance {
 public:
  bool is_spent() const { return bytes_ <= 0; }
  void spend(std::size_t body) { bytes_ -= static_cast<std::int64_t>(kRow + body); }

 private:
  static constexpr std::size_t kRow = 100;
  std::int64_t bytes_ = 256 * 1024;
};

/// Rows that have to go.
struct Chosen {
  std::vector<std::int64_t> numbers;
  bool all = true;  // false: there may be more
};

/// The first rows of `rows` (a number and a text or null), at most `most` of them and while there is something to
/// spend.
Result<Chosen> choose(sqlite::Statement rows, int most, Allowance& allowance);

/// Runs `sql`, which takes a number, for each of `numbers`.
Result<> each_number(Transaction& in, std::string_view sql, const std::vector<std::int64_t>& numbers);

struct RunKey {
  std::int64_t number = 0;
  std::string id;
};

/// A statement about one run, which takes the run's number or its id.
struct RunStatement {
  enum class By { number, id };
  By by;
  std::string_view sql;
};

/// Rows of one run that may be many and large: which (a number and a body), and what becomes of each.
struct RunPieces {
  RunStatement rows;
  std::string_view change;  // takes the number
};

/// The pieces, as far as the allowance goes, and when they are through, the statements. False when there is more.
Result<bool> clear_run(Transaction& in, std::span<const RunPieces> pieces, std::span<const RunStatement> then,
                       const RunKey& run, Allowance& allowance);

// What removed text leaves behind, and how it goes: the words of removed rows stay in the search index until its parts
// are merged, and the log keeps pages as they were until it is emptied. Both are owed by the row `wipes`, which is
// written with what removes; whoever comes next does it, after a crash too.

enum class Removal {
  aged,       // the index is merged
  forgotten,  // and then the log emptied
};

/// To be called in the transaction that removes.
Result<> owe_wiping(Transaction& in, Removal why);

/// One small merge of the index, if it is owed.
Result<Traces::Left> wipe_step(Transaction& in);

/// The emptying of the log that is owed, by its number; 0 when none is, or not before the index is merged.
std::int64_t owed_emptying(sqlite::Connection& database);

/// The log was emptied after `number` had been read.
Result<> note_emptied(sqlite::Connection& database, std::int64_t number);

}  // namespace deputy::store
