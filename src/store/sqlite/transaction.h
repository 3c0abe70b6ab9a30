// The input of a store operation: the writer's connection inside an open transaction, the time, and who is alive.
// Operations are plain functions over it, so that they can be tested without threads.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/result.h"
#include "base/sqlite.h"
#include "store/rows.h"
#include "store/sqlite/data_folder.h"

namespace deputy::store {

struct Transaction {
  sqlite::Connection& database;
  const InstanceLocks& locks;
  Timestamp now;
  bool wakes = false;  // set by operations that create work: a hint goes out after the commit
};

/// True if an instance with this reach (SqliteOptions) works on the conversation.
inline bool is_within(const std::vector<std::string>& reach, std::string_view conversation) {
  return reach.empty() ||
         std::ranges::any_of(reach, [&](const std::string& one) { return conversation.starts_with(one); });
}

/// The order in which the store's threads serve requests. Neither kind can starve the other.
enum class Urgency {
  first,  // somebody waits for a receipt, or for a click to take effect
  normal,
};

/// Called on the thread that found damage in the file or its disk. If it returns, which happens only in tests, the
/// waiting caller gets the error.
using OnDamage = std::function<void(const Error&)>;

/// Logs the error and ends the process: nobody knows what is on the disk, and continuing would make it worse.
void end_process(const Error& error);

}  // namespace deputy::store
