// Opening: what the files are like, and which ones are refused.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "store/sqlite_fixture.h"

namespace deputy::store {
namespace {

using testing::HasSubstr;

class SqliteOpen : public SqliteTest {
 protected:
  /// Makes a database with the sqlite library alone.
  void make_database(const char* sql) {
    std::filesystem::create_directories(data());
    auto connection = sqlite::Connection::open(file(), sqlite::Connection::Mode::read_write);
    ASSERT_OK(connection);
    ASSERT_OK(connection->execute(sql));
  }

  void expect_refused(ErrorKind kind, const std::string& message) {
    const auto refused = try_open(options());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().kind, kind);
    EXPECT_THAT(refused.error().message, HasSubstr(message));
    EXPECT_THAT(refused.error().message, HasSubstr(data().string()));
    EXPECT_NE(refused.error().hint, "");
  }
};

unsigned mode_of(const std::filesystem::path& path) {
  struct stat about{};
  EXPECT_EQ(stat(path.c_str(), &about), 0) << path;
  return about.st_mode & 0777U;
}

TEST_F(SqliteOpen, MakesAFolderAndFilesThatOnlyTheirOwnerReads) {
  const auto store = open();
  start(*store, new_run());
  EXPECT_EQ(mode_of(data()), 0700U);
  EXPECT_EQ(mode_of(data() / "instances"), 0700U);
  for (const char* name : {"deputy.db", "deputy.db-wal", "deputy.db-shm"}) EXPECT_EQ(mode_of(data() / name), 0600U);
}

TEST_F(SqliteOpen, WhatWasWrittenIsThereTheNextTime) {
  const NewRunRow run = new_run();
  start(*open(), run);
  const auto again = open();
  EXPECT_EQ(must(again->journal(run.run, 1)).size(), 1U);
}

TEST_F(SqliteOpen, RefusesAFileThatIsNoDatabase) {
  folder_.write("data/deputy.db", std::string(8192, 'x'));
  expect_refused(ErrorKind::internal, "file is not a database");
  EXPECT_EQ(test::read_file(file()), std::string(8192, 'x'));
}

TEST_F(SqliteOpen, RefusesADatabaseOfAnotherProgramAndLeavesItAsItIs) {
  make_database("PRAGMA application_id = 7; CREATE TABLE songs (title TEXT)");
  const std::string before = test::read_file(file());
  expect_refused(ErrorKind::not_configured, "is not a database of Deputy");
  EXPECT_EQ(test::read_file(file()), before);
}

TEST_F(SqliteOpen, RefusesADatabaseOfANewerDeputyAndLeavesItAsItIs) {
  open();
  make_database("PRAGMA user_version = 99");
  const std::string before = test::read_file(file());
  expect_refused(ErrorKind::not_configured, "was written by a newer Deputy (schema 99, this one knows ");
  EXPECT_EQ(test::read_file(file()), before);
}

TEST_F(SqliteOpen, RefusesADamagedFile) {
  {
    const auto store = open();
    for (int i = 0; i < 100; ++i) start(*store, new_run("thread-" + std::to_string(i), "ana", std::string(2000, 'b')));
  }
  {
    std::fstream bytes(file(), std::ios::in | std::ios::out | std::ios::binary);
    const auto half = static_cast<std::streamoff>(std::filesystem::file_size(file()) / 2 / 4096 * 4096);
    bytes.seekp(half);
    bytes << std::string(16 * 4096, '\xA5');
  }
  expect_refused(ErrorKind::internal, "is damaged");
}

TEST_F(SqliteOpen, RefusesAFolderThatCannotBeMade) {
  folder_.write("data", "a file in its place");
  expect_refused(ErrorKind::not_configured, "cannot use the data folder");
}

TEST_F(SqliteOpen, WaitsForAnotherOneThatOpensThoughNotForEver) {
  std::filesystem::create_directories(data());
  {
    const auto opening = OpeningLock::take(data());
    ASSERT_OK(opening);
    EXPECT_FAILS(OpeningLock::take(data(), std::chrono::milliseconds(5)), conflict);
  }
  EXPECT_OK(OpeningLock::take(data(), std::chrono::milliseconds(5)));
}

TEST(NetworkFilesystem, IsKnownByItsStatfsType) {
  struct Row {
    std::int64_t type;
    std::string name;
  };
  // Types as statfs(2) and linux/magic.h list them.
  const std::vector<Row> rows{
      {0x6969, "NFS"},
      {0xFF534D42, "CIFS"},
      {static_cast<std::int32_t>(0xFF534D42), "CIFS"},  // as a signed 32-bit field gives it
      {0xFE534D42, "SMB2"},
      {0x517B, "SMB"},
      {0x01021997, "9P"},
      {0x00C36400, "Ceph"},
      {0x0BD00BD0, "Lustre"},
      {0x5346414F, "AFS"},
      {0xEF53, ""},      // ext4
      {0x58465342, ""},  // xfs
      {0x9123683E, ""},  // btrfs
      {0x01021994, ""},  // tmpfs
      {0x794C7630, ""},  // overlayfs
      {0x2FC12FC1, ""},  // zfs
  };
  for (const Row& row : rows) EXPECT_EQ(network_filesystem(row.type), row.name) << std::hex << row.type;
}

TEST_F(SqliteTest, WithLittleDiskLeftNoRunStartsWhileWhatRunsGoesOn) {
  NewInteractionRow asked;
  RunId run;
  {
    const auto store = open();
    const Lease lease = working_run(*store, new_run());
    run = lease.run;
    asked = question(run);
    must(store->append(lease, 1, If::unchanged, {entry("asked")}, {.interactions = {asked}}));
  }
  SqliteOptions options = this->options();
  options.least_free = std::numeric_limits<std::uint64_t>::max();
  const auto store = open(options);
  const auto refused = await(store->admit(message(*store, "m2", "elsewhere"), new_run("elsewhere"), {}));
  ASSERT_FAILS(refused, not_configured);
  EXPECT_THAT(refused.error().hint, HasSubstr("free some disk space"));
  EXPECT_EQ(must(store->admit(message(*store, "m3"), MailRow{run, entry("noted")}, {})).how, Admitted::How::routed);
  EXPECT_TRUE(must(store->answer(asked.interaction.id, approved_by("bo"), entry("answered"), {})).settled);
}

TEST_F(SqliteTest, AStoreWithTooMuchToDoRefusesInsteadOfQueueing) {
  SqliteOptions options = this->options();
  options.writer.queued = 0;
  options.reader.queued = 0;
  const auto store = open(options);
  for (const Error& error : {await(store->claim(1, {})).error(), await(store->conversation(kThread)).error()}) {
    EXPECT_EQ(error.kind, ErrorKind::rate_limit);
    EXPECT_TRUE(error.retryable);
  }
}

TEST_F(SqliteTest, ALoopThatHasStoppedDoesNotHoldUpItsStore) {
  auto store = open();
  bool answered = false;
  asio::co_spawn(loop_, store->admit({"m1", kThread, 0}, new_run(), {}),
                 [&](const std::exception_ptr&, const Result<Admitted>&) { answered = true; });
  while (loop_.poll_one() > 0) loop_.stop();
  store.reset();
  EXPECT_FALSE(answered);
}

}  // namespace
}  // namespace deputy::store
