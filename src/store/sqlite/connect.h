// A connection to the store's file: how it is opened, how long it waits for other processes, how damage is found, how
// much room is inside.
#pragma once

#include <filesystem>
#include <span>

#include "base/sqlite.h"
#include "store/sqlite/schema.h"

namespace deputy::store {

/// Opens or makes the file. One that is not ours, or newer than `schema`, is refused before anything in it is changed.
Result<sqlite::Connection> connect(const std::filesystem::path& file, std::span<const Migration> schema,
                                   const char* vfs);

/// Bytes of the file that hold nothing any more and are filled before it grows.
Result<std::uint64_t> free_in_file(sqlite::Connection& connection);

/// Looks for damage for at most `limit`: a small file is looked at whole.
Result<> look_for_damage(sqlite::Connection& connection, const std::filesystem::path& file,
                         std::chrono::milliseconds limit = std::chrono::milliseconds(200));

/// Whether to wait for those who read from the log: a moment at most.
enum class Readers { wait_for, leave };

/// Moves the log into the file and empties it. False when somebody still reads from it.
bool empty_log(sqlite::Connection& connection, Readers readers = Readers::wait_for);

}  // namespace deputy::store
