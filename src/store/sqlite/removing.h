// Removing a little at a time. Every page that is freed is overwritten, and every write of every process waits for the
// commit: so one commit removes no more than this, however much there is.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "store/sqlite/transaction.h"

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

}  // namespace deputy::store
