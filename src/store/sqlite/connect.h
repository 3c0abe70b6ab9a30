// A connection to the store's file: how it is opened, how long it waits for other processes, how damage is found.
#pragma once

#include <filesystem>
#include <span>

#include "base/sqlite.h"
#include "store/sqlite/schema.h"

namespace deputy::store {

/// Opens or makes the file. One that is not ours, or newer than `schema`, is refused before anything in it is changed.
Result<sqlite::Connection> connect(const std::filesystem::path& file, std::span<const Migration> schema,
                                   const char* vfs);

/// Looks for damage for at most `limit`: a small file is looked at whole.
Result<> look_for_damage(sqlite::Connection& connection, const std::filesystem::path& file,
                         std::chrono::milliseconds limit = std::chrono::milliseconds(200));

/// Moves the log into the file and empties it. False when somebody still reads from it: waits for that no longer than a
/// moment.
bool empty_log(sqlite::Connection& connection);

}  // namespace deputy::store
