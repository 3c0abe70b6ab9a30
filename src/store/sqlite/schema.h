// The tables, as a list of migrations. A released migration never changes; a new one goes to the end of the list.
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

/// Whether other instances have the file open.
enum class Others { none, alive };

/// Refuses a file that is not Deputy's or is newer than `list`; changes nothing.
Result<> recognise(sqlite::Connection& connection, const std::filesystem::path& file, std::span<const Migration> list);

/// Brings a recognised file to the newest version of `list`. A file with content is copied first (`deputy.db.before-vN`
/// beside it); all steps are one transaction. Refuses to change what others have open. To be called under the
/// OpeningLock, so that nobody opens the file meanwhile.
Result<> migrate(sqlite::Connection& connection, const std::filesystem::path& file, std::span<const Migration> list,
                 Others others);

/// The copies that migrations left beside the file, unfinished ones among them.
std::vector<std::string> copies_beside(const std::filesystem::path& file);

}  // namespace deputy::store
