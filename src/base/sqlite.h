// A thin wrapper around SQLite: handles that close themselves, statements that bind and read typed values, errors as
// Result. It knows no schema. One connection belongs to one thread at a time.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/result.h"

namespace deputy::sqlite {

inline constexpr std::string_view kFreeSpace = "free some disk space";

/// The Error for SQLite's `code`, with SQLite's message; a full disk is always reported as such. Busy and full are
/// retryable. Busy is `rate_limit`, because it says nothing about what is stored: `conflict` means someone else was
/// first.
Error error_from(int code, sqlite3* connection, std::string_view doing);

/// An error after which the file or its disk cannot be trusted.
struct Damage {
  enum class Of {
    file,   // its content is not what was written
    index,  // a virtual table's index, which holds no data of its own
    disk,   // reading or writing failed
  };

  Of of = Of::file;
  Error error;
};

/// The kind of damage that SQLite's `code` reports, if any.
std::optional<Damage::Of> damaged_by(int code);

/// A prepared statement. Bind by position from 1, step, read columns from 0. It is reset when it goes back to its
/// connection.
class Statement {
 public:
  /// `damage` is where the connection records damage that a step found.
  explicit Statement(sqlite3_stmt* statement, std::optional<Damage>* damage = nullptr)
      : statement_(statement), damage_(damage) {}
  explicit Statement(Error why_not) : why_not_(std::make_unique<Error>(std::move(why_not))) {}
  Statement(Statement&& other) noexcept
      : statement_(std::exchange(other.statement_, nullptr)),
        damage_(other.damage_),
        why_not_(std::move(other.why_not_)) {}
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  /// Bound bytes are not copied: they must live until the statement has been stepped. `run` and `step` report a failed
  /// binding.
  Statement& bind(int at, std::int64_t value);
  Statement& bind(int at, std::string_view text);
  Statement& bind(int at, std::nullptr_t);
  template <class T>
  Statement& bind(int at, const std::optional<T>& value) {
    return value ? bind(at, *value) : bind(at, nullptr);
  }
  Statement& bind(int at, std::string&&) = delete;

  /// True when there is a row.
  Result<bool> step();
  /// For statements that return no row. The statement may then be bound and run again.
  Result<> run();

  int type(int column) const;  // of the current row: SQLITE_INTEGER, SQLITE_TEXT and so on
  bool is_null(int column) const;
  std::int64_t integer(int column) const;
  std::string_view text(int column) const;  // valid until the next step
  std::optional<std::int64_t> optional_integer(int column) const;
  std::optional<std::string> optional_text(int column) const;

 private:
  Statement& note_binding(int code);

  sqlite3_stmt* statement_ = nullptr;
  std::optional<Damage>* damage_ = nullptr;
  std::unique_ptr<Error> why_not_;  // set when it could not be prepared or bound
};

class Connection {
 public:
  enum class Mode { read_only, read_write };

  Connection() = default;
  static Result<Connection> open(const std::string& path, Mode mode, const char* vfs = nullptr);

  /// Prepares a statement once per connection and keeps it: `sql` must be a literal, and only one statement of the same
  /// `sql` may be in use at a time. `run` and `step` report its errors.
  Statement prepare(std::string_view sql);

  /// One or more statements without parameters.
  Result<> execute(const char* sql);

  /// Rows changed by the last statement.
  std::int64_t changes() const { return sqlite3_changes64(handle_.get()); }
  std::int64_t last_row_id() const { return sqlite3_last_insert_rowid(handle_.get()); }
  /// Rolls back the open transaction, if there is one: SQLite may have done so itself.
  void roll_back();
  /// The first damage that a statement has found since the last call, even if its error was ignored.
  std::optional<Damage> take_damage();
  bool in_transaction() const { return sqlite3_get_autocommit(handle_.get()) == 0; }
  sqlite3* handle() const { return handle_.get(); }

 private:
  struct Close {
    void operator()(sqlite3* handle) const { sqlite3_close_v2(handle); }
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  std::unique_ptr<sqlite3, Close> handle_;
  std::unique_ptr<std::optional<Damage>> damage_;  // on the heap, so that statements find it after a move
  std::unordered_map<std::string_view, std::unique_ptr<sqlite3_stmt, Finalize>> prepared_;
};

}  // namespace deputy::sqlite
