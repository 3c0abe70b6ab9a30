#include "store/sqlite/connect.h"

#include <fmt/format.h>

#include <thread>

namespace deputy::store {

namespace {

// How long a connection waits for other processes. SQLite's own waiting backs off to a tenth of a second, which starves
// a process next to one that commits all the time; these waits are short and uneven.
template <int kMaxLooks>
int wait_for_others(void*, int looks) {
  if (looks >= kMaxLooks) return 0;
  std::this_thread::sleep_for(std::chrono::microseconds(1000 + looks * 7919 % 3000));
  return 1;
}

constexpr auto wait_ten_seconds = wait_for_others<4000>;
constexpr auto wait_a_moment = wait_for_others<40>;

}  // namespace

Result<sqlite::Connection> connect(const std::filesystem::path& file, std::span<const Migration> schema,
                                   const char* vfs) {
  TRY(sqlite::Connection connection, sqlite::Connection::open(file, sqlite::Connection::Mode::read_write, vfs));
  sqlite3_busy_handler(connection.handle(), wait_ten_seconds, nullptr);
  TRY(recognise(connection, file, schema));
  TRY(connection.execute(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON; "
      "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -8000; PRAGMA journal_size_limit = 67108864"));
  return connection;
}

Result<std::uint64_t> free_in_file(sqlite::Connection& connection) {
  std::uint64_t product = 1;
  for (const char* sql : {"PRAGMA freelist_count", "PRAGMA page_size"}) {
    sqlite::Statement row = connection.prepare(sql);
    TRY(const bool found, row.step());
    product *= found ? static_cast<std::uint64_t>(row.integer(0)) : 0;
  }
  return product;
}

Result<> look_for_damage(sqlite::Connection& connection, const std::filesystem::path& file,
                         std::chrono::milliseconds limit) {
  auto ends = std::chrono::steady_clock::now() + limit;
  sqlite3_progress_handler(
      connection.handle(), 1000,
      [](void* until) { return std::chrono::steady_clock::now() > *static_cast<decltype(ends)*>(until) ? 1 : 0; },
      &ends);
  sqlite::Statement check = connection.prepare("PRAGMA quick_check(1)");
  const Result<bool> found = check.step();
  const bool ran_out = !found && found.error().kind == ErrorKind::timeout;
  const bool sound = ran_out || (found && *found && check.text(0) == "ok");
  sqlite3_progress_handler(connection.handle(), 0, nullptr, nullptr);
  if (sound) return {};
  return fail(
      ErrorKind::internal,
      fmt::format("{} is damaged: {}", file.string(), found ? std::string(check.text(0)) : found.error().message),
      "restore it from a copy, or name another data folder with --data");
}

bool empty_log(sqlite::Connection& connection, Readers readers) {
  sqlite3_busy_handler(connection.handle(), readers == Readers::wait_for ? wait_a_moment : nullptr, nullptr);
  const int code =
      sqlite3_wal_checkpoint_v2(connection.handle(), nullptr, SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_busy_handler(connection.handle(), wait_ten_seconds, nullptr);
  return code == SQLITE_OK;
}

}  // namespace deputy::store
