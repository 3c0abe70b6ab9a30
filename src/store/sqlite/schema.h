// The tables, as a list of migrations. A released migration never changes; a new one goes to the end of the list.
#pragma once

#include <filesystem>
#include <functional>
#include <span>

#include "base/sqlite.h"

namespace deputy::store {

struct Migration {
  int version;
  const char* sql;
};

std::span<const Migration> migrations();

/// Brings the file to the newest version of `list`. A file with content is copied first (`deputy.db.before-vN` beside
/// it); all steps are one transaction. Refuses a file that is newer than this program, that is not Deputy's, or that
/// others have open while it would change.
Result<> migrate(sqlite::Connection& connection, const std::filesystem::path& file, std::span<const Migration> list,
                 const std::function<bool()>& others_are_alive);

}  // namespace deputy::store
