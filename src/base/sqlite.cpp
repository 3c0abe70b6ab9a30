#include "base/sqlite.h"

#include <fmt/format.h>

#include <cerrno>

namespace deputy::sqlite {

namespace {

// SQLite reports an I/O error when the disk is too full to grow the shared memory file. Nothing is lost then, unlike
// when a write or a sync runs out of space.
bool lacks_shared_space(int code, sqlite3* connection) {
  if (code != SQLITE_IOERR_SHMSIZE && code != SQLITE_IOERR_SHMMAP && code != SQLITE_IOERR_SHMOPEN) return false;
  if (connection == nullptr) return false;
  const int cause = sqlite3_system_errno(connection);
  return cause == ENOSPC || cause == EDQUOT;
}

Error noted(std::optional<Damage>* damage, int code, sqlite3* connection) {
  Error error = error_from(code, connection, "database");
  const auto of = lacks_shared_space(code, connection) ? std::nullopt : damaged_by(code);
  if (of && damage != nullptr && !*damage) *damage = Damage{*of, error};
  return error;
}

}  // namespace

Error error_from(int code, sqlite3* connection, std::string_view doing) {
  if (lacks_shared_space(code, connection)) {
    return {.kind = ErrorKind::internal,
            .message = fmt::format("{}: the disk is full", doing),
            .hint = std::string(kFreeSpace),
            .retryable = true};
  }
  const char* detail = connection == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(connection);
  Error error{ErrorKind::internal, fmt::format("{}: {}", doing, detail), {}};
  switch (code & 0xFF) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      error.kind = ErrorKind::rate_limit;
      error.hint = "another process holds the database; try again in a moment";
      error.retryable = true;
      break;
    case SQLITE_FULL:
      error.hint = kFreeSpace;
      error.retryable = true;
      break;
    case SQLITE_INTERRUPT:
      error.kind = ErrorKind::timeout;
      break;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      error.hint = "the database file is damaged; restore it from a copy";
      break;
    default:
      break;
  }
  return error;
}

std::optional<Damage::Of> damaged_by(int code) {
  if (code == SQLITE_CORRUPT_VTAB) return Damage::Of::index;
  switch (code & 0xFF) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return Damage::Of::file;
    case SQLITE_IOERR:
      return Damage::Of::disk;
    default:
      return std::nullopt;
  }
}

Statement::~Statement() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

Statement& Statement::note_binding(int code) {
  if (code != SQLITE_OK && !why_not_) {
    why_not_ = std::make_unique<Error>(
        error_from(code, statement_ == nullptr ? nullptr : sqlite3_db_handle(statement_), "database"));
  }
  return *this;
}

Statement& Statement::bind(int at, std::int64_t value) {
  return note_binding(sqlite3_bind_int64(statement_, at, value));
}

Statement& Statement::bind(int at, std::string_view text) {
  // An empty view may have a null address, which SQLite would store as NULL.
  return note_binding(
      sqlite3_bind_text64(statement_, at, text.empty() ? "" : text.data(), text.size(), SQLITE_STATIC, SQLITE_UTF8));
}

Statement& Statement::bind(int at, std::nullptr_t) { return note_binding(sqlite3_bind_null(statement_, at)); }

Result<bool> Statement::step() {
  if (why_not_) return std::unexpected(*why_not_);
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return std::unexpected(noted(damage_, code, sqlite3_db_handle(statement_)));
}

Result<> Statement::run() {
  const Result<bool> stepped = step();
  sqlite3_reset(statement_);
  TRY(stepped);
  return {};
}

int Statement::type(int column) const { return sqlite3_column_type(statement_, column); }
bool Statement::is_null(int column) const { return type(column) == SQLITE_NULL; }
std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

std::string_view Statement::text(int column) const {
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes == nullptr ? std::string_view{} : std::string_view(bytes, static_cast<std::size_t>(size));
}

std::optional<std::int64_t> Statement::optional_integer(int column) const {
  if (is_null(column)) return std::nullopt;
  return integer(column);
}

std::optional<std::string> Statement::optional_text(int column) const {
  if (is_null(column)) return std::nullopt;
  return std::string(text(column));
}

Result<Connection> Connection::open(const std::string& path, Mode mode, const char* vfs) {
  const int flags = (mode == Mode::read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) |
                    SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, vfs);
  Connection connection;
  connection.handle_.reset(handle);
  connection.damage_ = std::make_unique<std::optional<Damage>>();
  if (code != SQLITE_OK) return std::unexpected(error_from(code, handle, fmt::format("cannot open {}", path)));
  return connection;
}

Statement Connection::prepare(std::string_view sql) {
  auto& kept = prepared_[sql];
  if (!kept) {
    sqlite3_stmt* statement = nullptr;
    const int code = sqlite3_prepare_v3(handle_.get(), sql.data(), static_cast<int>(sql.size()),
                                        SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) return Statement(noted(damage_.get(), code, handle_.get()));
    kept.reset(statement);
  }
  return Statement(kept.get(), damage_.get());
}

std::optional<Damage> Connection::take_damage() {
  return damage_ ? std::exchange(*damage_, std::nullopt) : std::nullopt;
}

void Connection::roll_back() {
  if (in_transaction()) sqlite3_exec(handle_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
}

Result<> Connection::execute(const char* sql) {
  const int code = sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return std::unexpected(noted(damage_.get(), code, handle_.get()));
  return {};
}

}  // namespace deputy::sqlite
