// Opening: what the files are like, and which ones are refused.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "store/sqlite/data_folder.h"
#include "store/sqlite_fixture.h"
#include "support/fault_vfs.h"

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

TEST_F(SqliteOpen, RefusesAFolderThatOthersCanWrite) {
  using std::filesystem::perms;
  std::filesystem::create_directories(data());
  for (const perms open_to : {perms(0777), perms(0770), perms(0702), perms(01777)}) {
    std::filesystem::permissions(data(), open_to);
    expect_refused(ErrorKind::permission, "others can write");
    EXPECT_FALSE(std::filesystem::exists(file()));
  }
}

TEST_F(SqliteOpen, ClosesAFolderOfOursThatOthersCanEnter) {
  std::filesystem::create_directories(data());
  std::filesystem::permissions(data(), std::filesystem::perms(0755));
  open();
  EXPECT_EQ(mode_of(data()), 0700U);
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
  expect_refused(ErrorKind::not_configured, "is not a Deputy database");
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

TEST_F(SqliteOpen, CallsAFullDiskAFullDisk) {
  open();
  test::install_fault_vfs(test::Fault::room, 1, test::Lasts::from_then_on);
  SqliteOptions full = options();
  full.vfs = test::kFaultVfs;
  const auto refused = try_open(full);
  test::install_fault_vfs(test::Fault::room, 0);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("the disk is full"));
  EXPECT_THAT(refused.error().message, HasSubstr(file().string()));
  EXPECT_EQ(refused.error().hint, "free some disk space");
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
      {0x7461636F, "OCFS2"},
      {0x47504653, "GPFS"},
      {0x19830326, "BeeGFS"},
      {0xEF53, ""},      // ext4
      {0x58465342, ""},  // xfs
      {0x9123683E, ""},  // btrfs
      {0x01021994, ""},  // tmpfs
      {0x794C7630, ""},  // overlayfs
      {0x2FC12FC1, ""},  // zfs
      {0x65735546, ""},  // FUSE, which may be anything
  };
  for (const Row& row : rows) EXPECT_EQ(network_filesystem(row.type), row.name) << std::hex << row.type;
}

TEST(NetworkFilesystem, BehindFuseIsKnownByWhatItIsMountedAs) {
  for (const char* name : {"sshfs", "s3fs", "rclone", "glusterfs", "gcsfuse", "ceph-fuse"}) {
    EXPECT_EQ(network_filesystem("fuse." + std::string(name)), name);
  }
  for (const std::string local : {"fuse", "fuseblk", "fuse.gocryptfs", "fuse.mergerfs", "ext4", "sshfs", "fuse.", ""}) {
    EXPECT_EQ(network_filesystem(local), "") << local;
  }
}

// As proc(5) shows such a file, and lines that are none.
TEST(NetworkFilesystem, TheTypeOfAMountIsReadByItsDevice) {
  const std::string mountinfo =
      "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue\n"
      "40 36 0:45 / /home/ana/with\\040space rw,nosuid shared:7 master:2 - fuse.sshfs ana@far:/data rw,user_id=0\n"
      "\n"
      "41 36 0:46\n"
      "42 36 0:46 / /late rw - \n"
      "43 36 0:47 / /last rw - fuse.rclone";
  EXPECT_EQ(mounted_as(mountinfo, "98:0"), "ext3");
  EXPECT_EQ(mounted_as(mountinfo, "0:45"), "fuse.sshfs");
  EXPECT_EQ(mounted_as(mountinfo, "0:46"), "");
  EXPECT_EQ(mounted_as(mountinfo, "0:47"), "fuse.rclone");
  EXPECT_EQ(mounted_as(mountinfo, "0:4"), "");
  EXPECT_EQ(mounted_as("", "0:45"), "");
}

TEST(Room, IsOnTheDiskAndInsideTheFile) {
  struct Row {
    std::uint64_t on_disk;
    std::uint64_t in_file;
    bool has_room;
  };
  const std::vector<Row> rows{
      {800, 0, true},   {799, 0, false},  {799, 1, true},    {400, 399, false},
      {400, 400, true}, {100, 700, true}, {99, 9000, false},  // the log needs some of the disk itself
  };
  for (const Row& row : rows) EXPECT_EQ(has_room(row.on_disk, row.in_file, 800), row.has_room) << row.on_disk;
}

TEST_F(SqliteTest, WhatIsFreeInsideTheFileIsRoomForNewRuns) {
  SqliteOptions options = this->options();
  options.least_free = 4'000'000;
  options.free_on_disk = [](const std::filesystem::path&) { return 3'000'000U; };
  const auto refused = [&](Store& store, const std::string& key) {
    return !await(store.admit(message(store, key, "elsewhere"), new_run("elsewhere"), {}));
  };
  {
    const auto store = open();
    const Lease lease = working_run(*store, new_run());
    must(store->append(lease, 1, If::unchanged, {entry("step_done")},
                       {.results = {{lease.run, "call-1", std::string(2'000'000, 'r')}}}));
  }
  const auto store = open(options);
  EXPECT_TRUE(refused(*store, "m1"));
  const std::chrono::hours all(-1);
  must(store->remove_old({all, -all * 1000, -all * 1000, -all * 1000}, 100));
  EXPECT_FALSE(refused(*store, "m2"));
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
  EXPECT_TRUE(refused.error().retryable) << "there may be more soon";
  EXPECT_EQ(must(store->admit(message(*store, "m3"), MailRow{run, entry("noted")}, {})).how, Admitted::How::routed);
  EXPECT_EQ(must(store->answer(asked.interaction.id, approved_by("bo"), entry("answered"), {})).how,
            AnswerStored::How::settled);
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

TEST_F(SqliteTest, SearchesAndOtherReadsDoNotWaitForEachOther) {
  SqliteOptions no_reads = options();
  no_reads.reader.queued = 0;
  EXPECT_OK(await(open(no_reads)->search("needle", {}, 1)));
  SqliteOptions no_searches = options();
  no_searches.search.queued = 0;
  const auto store = open(no_searches);
  EXPECT_FAILS(await(store->search("needle", {}, 1)), rate_limit);
  EXPECT_OK(await(store->conversation(kThread)));
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
