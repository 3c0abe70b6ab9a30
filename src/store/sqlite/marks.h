// Cursors of channels, marks, and the conversations that a channel reads back.
#pragma once

#include <string>
#include <vector>

#include "store/sqlite/transaction.h"
#include "store/store.h"

namespace deputy::store {

Result<> put_mark(Transaction& in, const MarkRow& mark);
Result<> end_mark(Transaction& in, const MarkKey& mark);
Result<> set_cursor(Transaction& in, const std::string& channel, const std::string& cursor);

Result<std::vector<MarkRow>> read_marks(sqlite::Connection& database, const MarkFilter& filter, Timestamp now);
Result<std::string> read_cursor(sqlite::Connection& database, const std::string& channel);
Result<std::vector<std::string>> read_active_conversations(sqlite::Connection& database, const std::string& channel,
                                                           Timestamp since, int most);

}  // namespace deputy::store
