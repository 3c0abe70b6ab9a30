// The writer, over scripted operations: what goes into one commit, and what a failure does to whom.
#include "store/sqlite/writer.h"

#include <gmock/gmock.h>

#include <boost/asio/io_context.hpp>
#include <latch>

#include "store/sqlite/connect.h"
#include "support/fault_vfs.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::store {
namespace {

using testing::ElementsAre;
using testing::Pair;

// What happened, by whichever thread: "a" an operation ran, "|" a commit.
class Record {
 public:
  void add(const std::string& what) {
    const std::lock_guard lock(mutex_);
    text_ += what;
  }
  std::string text() {
    const std::lock_guard lock(mutex_);
    return text_;
  }

 private:
  std::mutex mutex_;
  std::string text_;
};

struct Outcomes {
  std::vector<std::string> answered;                          // in order
  std::vector<std::pair<std::string, std::string>> told_why;  // name, hint
};

// Where an operation waits for the test, which first waits for it: what is queued meanwhile makes the next commit.
struct Hold {
  std::latch arrived{1};
  std::latch go{1};
};

// Names of operations that do something besides.
constexpr const char* kFillsTheDiskBeforeTheCommit = "!!";  // with more than the cache holds
constexpr const char* kMeetsDamage = "?";
constexpr const char* kWakes = "w";
constexpr const char* kFillsTheDisk = "!";
constexpr const char* kForgets = "forgets";

// Writes a row under its name, then does what it was told to.
class Scripted final : public Operation {
 public:
  enum class Then { succeed, fail };

  Scripted(std::string name, Then then, Record& record, Outcomes& outcomes, std::shared_ptr<Hold> hold)
      : name_(std::move(name)), then_(then), record_(record), outcomes_(outcomes), hold_(std::move(hold)) {}

  Result<> run(Transaction& in) override {
    record_.add(name_);
    if (hold_) hold_->arrived.count_down();
    if (hold_) hold_->go.wait();
    if (name_ == kWakes) in.wakes = true;
    if (name_ == kForgets) TRY(in.database.execute("UPDATE wipes SET log_owed = log_owed + 1"));
    if (name_ == kFillsTheDisk) test::install_fault_vfs(test::Fault::space, 1);
    if (name_ == kFillsTheDiskBeforeTheCommit) test::install_fault_vfs(test::Fault::space, 1);
    const std::string body(name_ == kFillsTheDiskBeforeTheCommit ? 400'000 : 0, 'b');
    sqlite::Statement insert = in.database.prepare("INSERT INTO texts (digest, body) VALUES (?, ?)");
    TRY(insert.bind(1, name_).bind(2, body).run());
    // An operation may do without what it looked for; the writer may not.
    if (name_ == kMeetsDamage) EXPECT_FALSE(in.database.prepare("SELECT damaged()").step().has_value());
    if (then_ == Then::fail) return deputy::fail(ErrorKind::conflict, "as it was told");
    return {};
  }
  void fail(Error error) override { error_ = std::move(error); }
  void answer() override {
    outcomes_.answered.push_back(name_);
    if (error_) outcomes_.told_why.emplace_back(name_, error_->hint);
  }

 private:
  const std::string name_;
  const Then then_;
  Record& record_;
  Outcomes& outcomes_;
  const std::shared_ptr<Hold> hold_;
  std::optional<Error> error_;
};

class WriterTest : public testing::Test {
 protected:
  using Then = Scripted::Then;

  void start(Writer::Limits limits, const char* vfs = nullptr, const char* settings = "") {
    auto connection = connect(file_, migrations(), vfs);
    ASSERT_OK(connection);
    ASSERT_OK(migrate(*connection, file_, migrations(), Others::none));
    sqlite3_commit_hook(
        connection->handle(),
        [](void* record) {
          static_cast<Record*>(record)->add("|");
          return 0;
        },
        &record_);
    sqlite3_create_function(
        connection->handle(), "damaged", 0, SQLITE_UTF8, nullptr,
        [](sqlite3_context* context, int, sqlite3_value**) { sqlite3_result_error_code(context, SQLITE_CORRUPT); },
        nullptr, nullptr);
    ASSERT_OK(connection->execute(settings));
    writer_ = std::make_unique<Writer>(loop_.get_executor(), *std::move(connection), locks_, clock_, limits,
                                       [this](const Error& error) { damage_.push_back(error); });
  }

  bool submit(std::string name, Urgency urgency = Urgency::normal, std::size_t bytes = 1, Then then = Then::succeed,
              std::shared_ptr<Hold> hold = nullptr) {
    std::unique_ptr<Operation> operation =
        std::make_unique<Scripted>(std::move(name), then, record_, outcomes_, std::move(hold));
    return writer_->submit(urgency, bytes, operation);
  }

  /// Keeps the writer in a commit of its own until `release`.
  void hold(std::string name = "x") {
    hold_ = std::make_shared<Hold>();
    submit(std::move(name), Urgency::normal, 1, Then::succeed, hold_);
    hold_->arrived.wait();
  }
  void release() {
    if (hold_) hold_->go.count_down();
    hold_ = nullptr;
  }

  /// Commits what is queued and hears the answers.
  void finish() {
    release();
    writer_.reset();
    loop_.restart();
    loop_.run();
  }
  void run_until_answered(std::size_t count) {
    test::run_until(loop_, [&] { return outcomes_.answered.size() >= count; });
  }

  std::vector<std::string> rows() {
    auto connection = sqlite::Connection::open(file_, sqlite::Connection::Mode::read_write);
    EXPECT_OK(connection);
    std::vector<std::string> names;
    sqlite::Statement row = connection->prepare("SELECT digest FROM texts ORDER BY digest");
    while (*row.step()) names.emplace_back(row.text(0));
    return names;
  }

  test::TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_ / "deputy.db";
  test::ManualClock clock_;
  const InstanceLocks locks_;
  asio::io_context loop_;
  Record record_;
  Outcomes outcomes_;
  std::shared_ptr<Hold> hold_;
  std::vector<Error> damage_;
  std::unique_ptr<Writer> writer_;
};

TEST_F(WriterTest, CommitsWhatHasQueuedUpTogetherUrgentFirst) {
  start({});
  hold();
  submit("a");
  submit("b");
  submit("c", Urgency::first);
  finish();
  EXPECT_EQ(record_.text(), "x|cab|");
  EXPECT_THAT(outcomes_.answered, ElementsAre("x", "c", "a", "b"));
  EXPECT_THAT(rows(), ElementsAre("a", "b", "c", "x"));
}

TEST_F(WriterTest, KeepsRoomForNormalOnesHoweverManyUrgentOnesWait) {
  start({.operations = 4, .room_for_normal = 1});
  hold();
  for (const char* name : {"A", "B", "C", "D", "E", "F", "G"}) submit(name, Urgency::first);
  for (const char* name : {"a", "b"}) submit(name);
  finish();
  EXPECT_EQ(record_.text(), "x|ABCa|DEFb|G|");
}

TEST_F(WriterTest, TakesNoMoreOperationsACommitThanItsLimit) {
  start({.operations = 3});
  hold();
  for (const char* name : {"a", "b", "c", "d", "e", "f", "g"}) submit(name);
  finish();
  EXPECT_EQ(record_.text(), "x|abc|def|g|");
}

TEST_F(WriterTest, OneOperationACommitHasRoomForNormalOnesToo) {
  start({.operations = 1});
  hold();
  submit("a");
  submit("A", Urgency::first);
  submit("B", Urgency::first);
  finish();
  EXPECT_EQ(record_.text(), "x|A|B|a|");
}

TEST_F(WriterTest, TakesNoMoreBytesACommitThanItsLimit) {
  start({.bytes = 100});
  hold();
  for (const char* name : {"a", "b", "c", "d"}) submit(name, Urgency::normal, 40);
  submit("e", Urgency::normal, 1000);
  submit("f", Urgency::normal, 10);
  finish();
  EXPECT_EQ(record_.text(), "x|ab|cd|e|f|");
}

TEST_F(WriterTest, ALargeNormalOneDoesNotWaitForAsLongAsUrgentOnesKeepComing) {
  start({.bytes = 100});
  hold();
  submit("l", Urgency::normal, 90);
  for (const char* name : {"A", "B", "C", "D"}) submit(name, Urgency::first, 40);
  finish();
  EXPECT_EQ(record_.text(), "x|ABl|CD|");
}

TEST_F(WriterTest, OneThatFailsTakesNobodyWithIt) {
  start({});
  hold();
  submit("a");
  submit("b", Urgency::normal, 1, Then::fail);
  submit("c");
  finish();
  EXPECT_EQ(record_.text(), "x|abc|");
  EXPECT_THAT(rows(), ElementsAre("a", "c", "x"));
  EXPECT_THAT(outcomes_.answered, ElementsAre("x", "a", "b", "c"));
  EXPECT_TRUE(outcomes_.told_why.empty());
}

TEST_F(WriterTest, AFullQueueRefuses) {
  start({.queued = 2});
  hold();
  EXPECT_TRUE(submit("a"));
  EXPECT_TRUE(submit("b", Urgency::first));
  EXPECT_FALSE(submit("c"));
  EXPECT_FALSE(submit("d", Urgency::first));
  finish();
  EXPECT_THAT(outcomes_.answered, ElementsAre("x", "b", "a"));
}

TEST_F(WriterTest, EverythingQueuedIsCommittedBeforeItEnds) {
  start({.operations = 10});
  hold();
  std::vector<std::string> names{"x"};
  for (int i = 0; i < 95; ++i) submit(names.emplace_back("n" + std::to_string(100 + i)));
  finish();
  EXPECT_EQ(outcomes_.answered, names);
  EXPECT_EQ(rows().size(), 96U);
}

TEST_F(WriterTest, ACommitThatFailsOnTheDiskIsDamage) {
  test::install_fault_vfs(test::Fault::sync, 0);
  start({}, test::kFaultVfs);
  hold();
  submit("a");
  submit("b");
  test::install_fault_vfs(test::Fault::sync, 2);  // the first is of the commit that is held
  finish();
  test::install_fault_vfs(test::Fault::sync, 0);
  ASSERT_EQ(damage_.size(), 1U);
  EXPECT_EQ(damage_[0].kind, ErrorKind::internal);
  EXPECT_THAT(outcomes_.answered, ElementsAre("x", "a", "b"));
  EXPECT_EQ(outcomes_.told_why.size(), 2U) << "nobody is told that it was stored";
}

TEST_F(WriterTest, AFullDiskIsToldToEverybodyAndTheNextCommitWorks) {
  test::install_fault_vfs(test::Fault::space, 0);
  start({}, test::kFaultVfs);
  hold();
  submit("a");
  submit(kFillsTheDisk);
  submit("b");
  release();
  run_until_answered(4);
  const std::string hint = "free some disk space";
  EXPECT_THAT(outcomes_.told_why, ElementsAre(Pair("a", hint), Pair(kFillsTheDisk, hint), Pair("b", hint)));
  submit("c");
  finish();
  EXPECT_TRUE(damage_.empty());
  EXPECT_THAT(rows(), ElementsAre("c", "x"));
}

TEST_F(WriterTest, ADiskThatIsFullBeforeTheCommitIsNamedToEverybody) {
  test::install_fault_vfs(test::Fault::space, 0);
  start({}, test::kFaultVfs, "PRAGMA cache_size = 10");
  hold();
  submit("a");
  submit(kFillsTheDiskBeforeTheCommit);
  submit("b");
  release();
  run_until_answered(4);
  test::install_fault_vfs(test::Fault::space, 0);
  const std::string hint = "free some disk space";
  EXPECT_THAT(outcomes_.told_why,
              ElementsAre(Pair("a", hint), Pair(kFillsTheDiskBeforeTheCommit, hint), Pair("b", hint)));
  submit("c");
  finish();
  EXPECT_TRUE(damage_.empty());
  EXPECT_THAT(rows(), ElementsAre("c", "x"));
}

TEST_F(WriterTest, DamageThatAnOperationMeetsEndsAllAlsoWhenItGoesOnWithoutAWord) {
  start({});
  hold();
  submit("a");
  submit(kMeetsDamage);
  submit("b");
  finish();
  ASSERT_EQ(damage_.size(), 1U);
  EXPECT_EQ(damage_[0].hint, "the database file is damaged; restore it from a copy");
  EXPECT_EQ(record_.text(), "x|a?");
  EXPECT_EQ(outcomes_.told_why.size(), 3U) << "nobody is told that it was stored";
  EXPECT_THAT(rows(), ElementsAre("x"));
}

TEST_F(WriterTest, AQueueWithTooManyBytesRefusesThoughOneLargeOneGoes) {
  start({.queued_bytes = 100});
  hold();
  EXPECT_TRUE(submit("a", Urgency::normal, 1000)) << "nothing else waits";
  EXPECT_FALSE(submit("b", Urgency::first, 1));
  release();
  run_until_answered(2);
  hold("y");
  EXPECT_TRUE(submit("c", Urgency::normal, 60));
  EXPECT_TRUE(submit("d", Urgency::first, 40));
  EXPECT_FALSE(submit("e", Urgency::normal, 1));
  finish();
  EXPECT_THAT(outcomes_.answered, ElementsAre("x", "a", "y", "d", "c"));
}

TEST_F(WriterTest, TheLogDoesNotGrowWithoutEnd) {
  start({});
  std::uintmax_t longest = 0;
  for (std::size_t i = 1; i <= 400; ++i) {
    submit("n" + std::to_string(i) + std::string(20'000, 'n'));
    run_until_answered(i);
    longest = std::max(longest, std::filesystem::file_size(folder_ / "deputy.db-wal"));
  }
  EXPECT_GT(longest, 500U * 4096);
  EXPECT_LT(longest, 600U * 4096) << "8 MB were written";
}

TEST_F(WriterTest, WaitsOnceForThoseWhoReadALogThatIsToBeEmptied) {
  test::install_fault_vfs(test::Fault::lock, 0);
  start({}, test::kFaultVfs);
  submit("a");
  run_until_answered(1);
  auto reading = sqlite::Connection::open(file_, sqlite::Connection::Mode::read_only);
  ASSERT_OK(reading);
  ASSERT_OK(reading->execute("BEGIN; SELECT count(*) FROM texts"));
  // How many locks are asked for: each look at whether the readers are gone is one.
  const auto locks_of = [&](const std::string& name) {
    const int before = test::fault_calls();
    for (const char* more : {"", " and one that is answered when the first is through"}) {
      submit(name + more);
      run_until_answered(outcomes_.answered.size() + 1);
    }
    return test::fault_calls() - before;
  };
  EXPECT_GT(locks_of(kForgets), 40);
  EXPECT_LT(locks_of("b"), 40);
  ASSERT_OK(reading->execute("COMMIT"));
  submit("c");
  finish();
  sqlite::Statement row = reading->prepare("SELECT log_owed, log_done FROM wipes");
  ASSERT_EQ(row.step(), true);
  EXPECT_EQ(row.integer(0), 1);
  EXPECT_EQ(row.integer(1), 1);
}

TEST_F(WriterTest, WakesAfterACommitThatGaveSomebodyWorkAndOnlyThen) {
  start({});
  int woken = 0;
  writer_->on_wake([&] { ++woken; });
  submit("a");
  run_until_answered(1);
  EXPECT_EQ(woken, 0);
  submit(kWakes);
  test::run_until(loop_, [&] { return woken > 0; });
  EXPECT_THAT(outcomes_.answered, ElementsAre("a", kWakes)) << "the answer comes first";
}

}  // namespace
}  // namespace deputy::store
