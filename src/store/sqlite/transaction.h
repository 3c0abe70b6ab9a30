// What one operation of the store works on: the writer's connection inside an open transaction, the hour, and who is
// alive. Operations are plain functions over it, so that they can be tested without threads.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/sqlite.h"
#include "store/rows.h"
#include "store/sqlite/place.h"

namespace deputy::store {

struct Transaction {
  sqlite::Connection& database;
  const InstanceLocks& locks;
  Timestamp now;
  bool wakes = false;  // set by operations that give somebody work: a hint goes out after the commit
};

/// Whether an instance of that reach (SqliteOptions) works for a conversation.
inline bool is_within(const std::vector<std::string>& reach, std::string_view conversation) {
  return reach.empty() ||
         std::ranges::any_of(reach, [&](const std::string& one) { return conversation.starts_with(one); });
}

}  // namespace deputy::store
