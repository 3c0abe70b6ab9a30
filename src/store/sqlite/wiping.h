// What removed text leaves behind, and how it goes: the words of removed rows stay in the search index until its parts
// are merged, and the log keeps pages as they were until it is emptied. Both are owed by the row `wipes`, which is
// written with what removes; whoever comes next does it, after a crash too.
#pragma once

#include "store/sqlite/transaction.h"
#include "store/store.h"

namespace deputy::store {

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
