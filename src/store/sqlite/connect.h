// A connection to the store's file: opening it, waiting for other processes, finding damage, measuring free space
// inside.
#pragma once

#include <filesystem>
#include <span>

#include "base/sqlite.h"
#include "store/sqlite/schema.h"

namespace deputy::store {

/// Opens or creates the file. Refuses a file that is not ours or is newer than `schema`, before changing anything.
Result<sqlite::Connection> connect(const std::filesystem::path& file, std::span<const Migration> schema,
                                   const char* vfs);

/// Bytes of the file that are free and reused before it grows.
Result<std::uint64_t> free_in_file(sqlite::Connection& connection);

/// Checks for damage for at most `limit`; a small file is checked completely.
Result<> look_for_damage(sqlite::Connection& connection, const std::filesystem::path& file,
                         std::chrono::milliseconds limit = std::chrono::milliseconds(200));

/// Says if to wait, briefly, for readers of the log.
enum class Readers { wait_for, leave };

/// Moves the log into the file and empties it. False if somebody still reads from it.
bool empty_log(sqlite::Connection& connection, Readers readers = Readers::wait_for);

}  // namespace deputy::store
