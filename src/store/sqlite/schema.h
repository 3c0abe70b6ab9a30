// The tables, as a list of migrations. A released migration never changes; add new ones at the end of the list.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/sqlite.h"

namespace deputy::store {

struct Migration {
  int version;
  const char* sql;
};

std::span<const Migration> migrations();

/// Says if other instances have the file open.
enum class Others { none, alive };

/// Refuses a file that is not Deputy's or is newer than `list`. Changes nothing.
Result<> recognise(sqlite::Connection& connection, const std::filesystem::path& file, std::span<const Migration> list);

/// Migrates a recognised file to the newest version of `list`, in one transaction. A file with content is copied first
/// (to `deputy.db.before-vN` next to it). Refuses to change a file that others have open. Call it under the
/// OpeningLock, so that nobody opens the file meanwhile.
Result<> migrate(sqlite::Connection& connection, const std::filesystem::path& file, std::span<const Migration> list,
                 Others others);

/// The copies that migrations left next to the file, including unfinished ones.
std::vector<std::string> copies_beside(const std::filesystem::path& file);

}  // namespace deputy::store
