// Migrations: all or nothing, with a copy of what was there.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "store/sqlite/connect.h"
#include "store/sqlite_fixture.h"

namespace deputy::store {
namespace {

using testing::HasSubstr;

class SqliteMigrate : public SqliteTest {
 protected:
  SqliteOptions with(std::span<const Migration> schema) const {
    SqliteOptions options = this->options();
    options.schema = schema;
    return options;
  }
  static int newest() { return migrations().back().version; }
  std::filesystem::path copy() const { return data() / fmt::format("deputy.db.before-v{}", newest() + 1); }
  /// The versions there are, and one more.
  static std::vector<Migration> and_then(const char* sql) {
    std::vector<Migration> list(migrations().begin(), migrations().end());
    list.push_back({newest() + 1, sql});
    return list;
  }
  /// The rows that this test's own version is about.
  Result<std::int64_t> count(const char* sql) {
    TRY(sqlite::Connection connection, sqlite::Connection::open(file(), sqlite::Connection::Mode::read_write));
    sqlite::Statement row = connection.prepare(sql);
    TRY(row.step());
    return row.integer(0);
  }

  const std::vector<Migration> next_ =
      and_then("CREATE TABLE moods (run TEXT); INSERT INTO moods SELECT id FROM runs; ALTER TABLE runs ADD mood TEXT");
  const std::vector<Migration> broken_ =
      and_then("CREATE TABLE moods (run TEXT); INSERT INTO moods SELECT id FROM runs; INSERT INTO nowhere VALUES (1)");
};

TEST_F(SqliteMigrate, AFileWithContentKeepsItsRowsAndLeavesACopyOfTheOldVersion) {
  const RunId run = start(*open(), new_run());
  {
    const auto store = open(with(next_));
    EXPECT_EQ(must(store->journal(run, 1)).size(), 1U);
  }
  EXPECT_EQ(count("SELECT count(*) FROM moods"), 1);
  ASSERT_TRUE(std::filesystem::exists(copy()));
  EXPECT_FALSE(std::filesystem::exists(copy().string() + ".unfinished"));
  struct stat about{};
  ASSERT_EQ(stat(copy().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);

  SqliteOptions old = options();
  old.folder = folder_ / "restored";
  std::filesystem::create_directories(old.folder);
  std::filesystem::copy_file(copy(), old.folder / "deputy.db");
  const auto restored = open(old);
  EXPECT_EQ(must(restored->journal(run, 1)).size(), 1U);
}

TEST_F(SqliteMigrate, VersionThreeKeepsWhatWasSpentAndSaidAndRemovesConversationsOfNothing) {
  std::filesystem::create_directories(data());
  {
    const auto second = migrations().first(2);
    auto connection = connect(file(), second, nullptr);
    ASSERT_OK(connection);
    ASSERT_OK(migrate(*connection, file(), second, Others::none));
    ASSERT_OK(
        connection->execute("INSERT INTO spent VALUES ('all', '2026-11-15', 7), ('person:ana', '2026-11-15', 5);"
                            "INSERT INTO texts VALUES ('abc', 'a prompt');"
                            "INSERT INTO inbox VALUES (1, 'm1', 'kept', 0);"
                            "INSERT INTO conversations VALUES ('kept', 3), ('gone', 17)"));
  }
  const auto store = open();
  EXPECT_EQ(must(store->spent("2026-11-15", "2026-11-15")),
            (std::vector<SpendRow>{{"all", "2026-11-15", 7}, {"person:ana", "2026-11-15", 5}}));
  EXPECT_EQ(must(store->text("abc")), "a prompt");
  EXPECT_EQ(must(store->conversation("kept")).version, 3);
  EXPECT_EQ(must(store->conversation("gone")).version, 0);
  start(*store, new_run("kept"), {.spent = {{"all", "2026-11-15", 1}}});
  EXPECT_EQ(must(store->spent("2026-11-15", "2026-11-15")).at(0).millionths, 8);
  const std::chrono::milliseconds day = std::chrono::days(1);
  EXPECT_EQ(must(store->remove_old({day, day, 1000 * day, day}, 10)).texts, 0) << "a run of then may need it";
}

TEST_F(SqliteMigrate, TheOldVersionRefusesTheNewFile) {
  open();
  open(with(next_));
  EXPECT_FAILS(try_open(options()), not_configured);
}

TEST_F(SqliteMigrate, IsRefusedWhileAnotherInstanceLives) {
  const auto alive = open();
  const auto refused = try_open(with(next_));
  ASSERT_FAILS(refused, conflict);
  EXPECT_EQ(refused.error().hint, "stop the other one first");
  EXPECT_FALSE(std::filesystem::exists(copy()));
  start(*alive, new_run());
}

TEST_F(SqliteMigrate, AFailingStepChangesNothing) {
  const RunId run = start(*open(), new_run());
  EXPECT_FAILS(try_open(with(broken_)), internal);
  EXPECT_EQ(count("SELECT count(*) FROM sqlite_schema WHERE name = 'moods'"), 0);
  const auto store = open();
  EXPECT_EQ(must(store->journal(run, 1)).size(), 1U);
}

TEST_F(SqliteMigrate, AFreshFileIsNotCopied) {
  open(with(next_));
  EXPECT_FALSE(std::filesystem::exists(copy()));
  EXPECT_EQ(count("SELECT count(*) FROM moods"), 0);
}

TEST_F(SqliteMigrate, ThereIsNoCopyWithoutAMigration) {
  open();
  open();
  for (const auto& file : std::filesystem::directory_iterator(data())) {
    EXPECT_THAT(file.path().string(), testing::Not(HasSubstr("before")));
  }
}

TEST_F(SqliteMigrate, ACopyThatCannotBeKeptStopsTheMigration) {
  start(*open(), new_run());
  std::filesystem::create_directories(copy() / "in the way");
  const auto refused = try_open(with(next_));
  ASSERT_FAILS(refused, internal);
  EXPECT_THAT(refused.error().hint, HasSubstr("nothing was changed"));
  EXPECT_EQ(count("PRAGMA user_version"), newest());
}

TEST(Migrations, AreNumberedFromOneWithoutAGap) {
  int expected = 1;
  for (const Migration& step : migrations()) EXPECT_EQ(step.version, expected++);
}

}  // namespace
}  // namespace deputy::store
