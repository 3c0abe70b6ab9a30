// What one operation of the store works on: the writer's connection inside an open transaction, the hour, and who is
// alive. Operations are plain functions over it, so that they can be tested without threads.
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
  bool wakes = false;  // set by operations that give somebody work: a hint goes out after the commit
};

/// Whether an instance of that reach (SqliteOptions) works for a conversation.
inline bool is_within(const std::vector<std::string>& reach, std::string_view conversation) {
  return reach.empty() ||
         std::ranges::any_of(reach, [&](const std::string& one) { return conversation.starts_with(one); });
}

// Who is served first by the threads of the store. Neither kind keeps the other out.

enum class Urgency {
  first,  // somebody waits for a receipt, or for a click to be seen
  normal,
};

// What happens when the file or its disk cannot be trusted any more.

/// Called on the thread that met the damage. When it returns, which only those of tests do, whoever waited gets the
/// error.
using OnDamage = std::function<void(const Error&)>;

/// Logs and ends the process: nobody knows what the disk has, and working on would make it worse.
void end_process(const Error& error);

}  // namespace deputy::store
