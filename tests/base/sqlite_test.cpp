#include "base/sqlite.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::sqlite {
namespace {

using namespace std::string_view_literals;
using Mode = Connection::Mode;

Connection in_memory() {
  auto connection = Connection::open(":memory:", Mode::read_write);
  EXPECT_OK(connection);
  EXPECT_OK(connection->execute(
      "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, note TEXT, size INTEGER)"));
  return *std::move(connection);
}

struct Row {
  std::int64_t id;
  std::string name;
  std::optional<std::string> note;
  std::optional<std::int64_t> size;

  bool operator==(const Row&) const = default;
};

Result<> insert(Connection& connection, const Row& row) {
  return connection.prepare("INSERT INTO things VALUES (?, ?, ?, ?)")
      .bind(1, row.id)
      .bind(2, row.name)
      .bind(3, row.note)
      .bind(4, row.size)
      .run();
}

Result<std::vector<Row>> all(Connection& connection) {
  std::vector<Row> rows;
  Statement select = connection.prepare("SELECT id, name, note, size FROM things ORDER BY id");
  for (;;) {
    TRY(const bool has_row, select.step());
    if (!has_row) return rows;
    rows.push_back(
        {select.integer(0), std::string(select.text(1)), select.optional_text(2), select.optional_integer(3)});
  }
}

TEST(Sqlite, GivesBackWhatWasBound) {
  Connection connection = in_memory();
  const std::vector<Row> rows{
      {1, "plain", "note", 7},
      {2, "nulls", std::nullopt, std::nullopt},
      {3, "", "", 0},  // empty text is not NULL
      {4, std::string("a\0b", 3), std::string("\0", 1), std::numeric_limits<std::int64_t>::min()},
      {5, "grüße 😀", std::string(100'000, 'x'), std::numeric_limits<std::int64_t>::max()},
  };
  for (const Row& row : rows) EXPECT_OK(insert(connection, row));
  EXPECT_EQ(all(connection), rows);
  EXPECT_EQ(connection.last_row_id(), 5);
}

TEST(Sqlite, AViewOfNothingIsEmptyTextAndNotNull) {
  Connection connection = in_memory();
  Statement select = connection.prepare("SELECT ? IS NULL, ? IS NULL");
  select.bind(1, std::string_view{}).bind(2, nullptr);
  EXPECT_EQ(select.step(), true);
  EXPECT_EQ(select.integer(0), 0);
  EXPECT_EQ(select.integer(1), 1);
}

TEST(Sqlite, CountsTheRowsThatChanged) {
  Connection connection = in_memory();
  for (std::int64_t id = 1; id <= 3; ++id) EXPECT_OK(insert(connection, {id, std::to_string(id), {}, {}}));
  EXPECT_OK(connection.execute("UPDATE things SET size = 1 WHERE id > 1"));
  EXPECT_EQ(connection.changes(), 2);
}

TEST(Sqlite, AStatementMayBeBoundAndRunAgain) {
  Connection connection = in_memory();
  Statement statement = connection.prepare("INSERT INTO things (id, name) VALUES (?, ?)");
  EXPECT_OK(statement.bind(1, std::int64_t{1}).bind(2, "a"sv).run());
  EXPECT_OK(statement.bind(1, std::int64_t{2}).bind(2, "b"sv).run());
  EXPECT_EQ(all(connection), (std::vector<Row>{{1, "a", {}, {}}, {2, "b", {}, {}}}));
}

TEST(Sqlite, AStatementIsPreparedOnceAndComesBackClean) {
  Connection connection = in_memory();
  const auto sql = "SELECT ?";
  {
    Statement first = connection.prepare(sql);
    EXPECT_EQ(first.bind(1, "a"sv).step(), true);
  }
  sqlite3_stmt* prepared = sqlite3_next_stmt(connection.handle(), nullptr);
  Statement again = connection.prepare(sql);
  EXPECT_EQ(sqlite3_next_stmt(connection.handle(), nullptr), prepared);
  EXPECT_EQ(again.step(), true);
  EXPECT_TRUE(again.is_null(0));
}

TEST(Sqlite, BadSqlIsAnErrorOfTheStep) {
  Connection connection = in_memory();
  Statement statement = connection.prepare("SELEKT 1");
  statement.bind(1, "a"sv).bind(2, std::int64_t{2}).bind(3, nullptr);
  const Error expected{ErrorKind::internal, "database: near \"SELEKT\": syntax error", {}};
  EXPECT_EQ(statement.step(), std::unexpected(expected));
  EXPECT_EQ(statement.run(), std::unexpected(expected));
  EXPECT_TRUE(statement.is_null(0));
  EXPECT_EQ(statement.text(0), "");
  EXPECT_FAILS(connection.prepare("SELEKT 1").run(), internal);
  EXPECT_FAILS(connection.prepare("").run(), internal);
  EXPECT_FAILS(connection.execute("SELEKT 1"), internal);
}

TEST(Sqlite, WhatCannotBeBoundIsAnErrorOfTheStep) {
  Connection connection = in_memory();
  EXPECT_EQ(connection.prepare("SELECT ?").bind(2, "a"sv).step(),
            std::unexpected(Error{ErrorKind::internal, "database: column index out of range", {}}));
}

TEST(Sqlite, ABrokenConstraintIsNotRetried) {
  Connection connection = in_memory();
  EXPECT_OK(insert(connection, {1, "a", {}, {}}));
  EXPECT_EQ(insert(connection, {2, "a", {}, {}}),
            std::unexpected(Error{ErrorKind::internal, "database: UNIQUE constraint failed: things.name", {}, false}));
  EXPECT_OK(insert(connection, {2, "b", {}, {}}));
}

// A conflict would say that somebody was faster, which is another thing than not having been heard.
TEST(Sqlite, ALockedDatabaseIsBusyAndNoConflict) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "store.db";
  auto first = Connection::open(path, Mode::read_write);
  auto second = Connection::open(path, Mode::read_write);
  ASSERT_OK(first);
  ASSERT_OK(second);
  EXPECT_OK(first->execute("CREATE TABLE things (id)"));
  EXPECT_OK(first->execute("BEGIN IMMEDIATE"));
  EXPECT_TRUE(first->in_transaction());
  EXPECT_FALSE(second->in_transaction());
  EXPECT_EQ(second->execute("BEGIN IMMEDIATE"),
            std::unexpected(Error{ErrorKind::rate_limit, "database: database is locked",
                                  "another process holds the database; try again in a moment", true}));
  EXPECT_OK(first->execute("COMMIT"));
  EXPECT_OK(second->execute("BEGIN IMMEDIATE"));
}

TEST(Sqlite, SaysWhichFileCannotBeOpened) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "none.db";
  EXPECT_EQ(Connection::open(path, Mode::read_only).error(),
            (Error{ErrorKind::internal, "cannot open " + path + ": unable to open database file", {}}));
}

TEST(Sqlite, SaysThatAFileIsNoDatabase) {
  const test::TemporaryFolder folder;
  const std::string path = folder.write("text.db", std::string(5'000, 'x'));
  auto connection = Connection::open(path, Mode::read_write);
  ASSERT_OK(connection);
  EXPECT_EQ(connection->prepare("SELECT * FROM sqlite_master").step().error(),
            (Error{ErrorKind::internal, "database: file is not a database",
                   "the database file is damaged; restore it from a copy"}));
}

TEST(Sqlite, WhatIsDamagedIsSaidByTheCode) {
  struct Row {
    int code;
    std::optional<Damage::Of> of;
  };
  const std::vector<Row> rows{
      {SQLITE_CORRUPT, Damage::Of::file},
      {SQLITE_CORRUPT_INDEX, Damage::Of::file},
      {SQLITE_NOTADB, Damage::Of::file},
      {SQLITE_CORRUPT_VTAB, Damage::Of::index},
      {SQLITE_IOERR, Damage::Of::disk},
      {SQLITE_IOERR_WRITE, Damage::Of::disk},
      {SQLITE_BUSY, std::nullopt},
      {SQLITE_LOCKED, std::nullopt},
      {SQLITE_FULL, std::nullopt},
      {SQLITE_INTERRUPT, std::nullopt},
      {SQLITE_CONSTRAINT_UNIQUE, std::nullopt},
      {SQLITE_OK, std::nullopt},
  };
  for (const Row& row : rows) EXPECT_EQ(damaged_by(row.code), row.of) << row.code;
}

TEST(Sqlite, DamageIsRememberedUntilItIsAskedForWhateverBecameOfItsError) {
  const test::TemporaryFolder folder;
  auto opened = Connection::open(folder.write("text.db", std::string(5'000, 'x')), Mode::read_write);
  ASSERT_OK(opened);
  Connection connection = *std::move(opened);
  EXPECT_FALSE(connection.take_damage());
  EXPECT_FAILS(connection.prepare("SELECT * FROM sqlite_master").step(), internal);
  EXPECT_OK(connection.prepare("SELECT 1").step());
  const std::optional<Damage> damage = connection.take_damage();
  if (!damage) FAIL() << "the damage was forgotten";
  EXPECT_EQ(damage->of, Damage::Of::file);
  EXPECT_EQ(damage->error.message, "database: file is not a database");
  EXPECT_FALSE(connection.take_damage());
}

TEST(Sqlite, AReadOnlyConnectionDoesNotWrite) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "store.db";
  EXPECT_OK(Connection::open(path, Mode::read_write)->execute("CREATE TABLE things (id)"));
  EXPECT_FAILS(Connection::open(path, Mode::read_only)->execute("INSERT INTO things VALUES (1)"), internal);
}

TEST(Sqlite, AnInterruptIsATimeout) {
  Connection connection = in_memory();
  sqlite3_progress_handler(connection.handle(), 1'000, [](void*) { return 1; }, nullptr);
  EXPECT_FAILS(
      connection.execute("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"),
      timeout);
}

TEST(Sqlite, AMovedConnectionKeepsItsStatements) {
  Connection first = in_memory();
  EXPECT_OK(insert(first, {1, "a", {}, {}}));
  Connection second = std::move(first);
  EXPECT_OK(insert(second, {2, "b", {}, {}}));
  EXPECT_EQ(all(second)->size(), 2U);
}

}  // namespace
}  // namespace deputy::sqlite
