// The reader: bounded queries, a bounded queue, and commits of others noticed.
#include "store/sqlite/reader.h"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <future>
#include <latch>

#include "store/sqlite/connect.h"
#include "support/loop.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::store {
namespace {

using namespace std::chrono_literals;

constexpr const char* kEndless =
    "WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT count(*) FROM numbers";

class ReaderTest : public testing::Test {
 protected:
  sqlite::Connection connection() {
    auto connection = connect(file_, migrations(), nullptr);
    EXPECT_OK(connection);
    EXPECT_OK(migrate(*connection, file_, migrations(), Others::none));
    return *std::move(connection);
  }
  std::unique_ptr<Reader> start(Reader::Limits limits) {
    return std::make_unique<Reader>(loop_.get_executor(), connection(), limits,
                                    [this](const Error& error) { damage_.push_back(error); });
  }
  static bool submit(Reader& reader, Reader::Job job, Urgency urgency = Urgency::normal) {
    return reader.submit(urgency, job);
  }

  static Result<std::int64_t> number(sqlite::Connection& database, const char* sql) {
    sqlite::Statement row = database.prepare(sql);
    TRY(row.step());
    return row.integer(0);
  }

  test::TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_ / "deputy.db";
  std::vector<Error> damage_;  // to be looked at when the reader has ended
  asio::io_context loop_;
};

TEST_F(ReaderTest, AQueryOverItsLimitIsInterruptedAndTheNextOneWorks) {
  Result<std::int64_t> endless;
  Result<std::int64_t> next;
  {
    const auto reader = start({.query = 20ms});
    std::latch done(2);
    submit(*reader, [&](sqlite::Connection& database) {
      endless = number(database, kEndless);
      done.count_down();
    });
    submit(*reader, [&](sqlite::Connection& database) {
      next = number(database, "SELECT 7");
      done.count_down();
    });
    done.wait();
  }
  EXPECT_FAILS(endless, timeout);
  EXPECT_EQ(next, 7);
}

TEST_F(ReaderTest, EndsAtOnceWhateverIsRunningAndAnswersWhatIsQueued) {
  Result<std::int64_t> running;
  bool queued_was_answered = false;
  {
    const auto reader = start({.query = 1h});
    std::latch begun(1);
    submit(*reader, [&](sqlite::Connection& database) {
      begun.count_down();
      running = number(database, kEndless);
    });
    submit(*reader, [&](sqlite::Connection&) { queued_was_answered = true; });
    begun.wait();
  }
  EXPECT_FAILS(running, timeout);
  EXPECT_TRUE(queued_was_answered);
}

TEST_F(ReaderTest, AFullQueueRefuses) {
  std::latch begun(1);
  std::latch go(1);
  const auto reader = start({.queued = 1});
  submit(*reader, [&](sqlite::Connection&) {
    begun.count_down();
    go.wait();
  });
  begun.wait();
  EXPECT_TRUE(submit(*reader, [](sqlite::Connection&) {}));
  EXPECT_FALSE(submit(*reader, [](sqlite::Connection&) {}));
  go.count_down();
}

TEST_F(ReaderTest, UrgentJobsGoFirstThoughTheOthersGetTheirTurn) {
  std::string order;
  {
    std::latch begun(1);
    std::latch go(1);
    const auto reader = start({.urgent_in_a_row = 3});
    submit(*reader, [&](sqlite::Connection&) {
      begun.count_down();
      go.wait();
    });
    begun.wait();
    const auto note = [&](char name) { return [&order, name](sqlite::Connection&) { order += name; }; };
    for (const char name : {'a', 'b', 'c'}) submit(*reader, note(name));
    for (const char name : {'A', 'B', 'C', 'D', 'E'}) submit(*reader, note(name), Urgency::first);
    go.count_down();
  }
  EXPECT_EQ(order, "ABCaDEbc");
}

struct Met {
  const char* name;
  int code;
  bool is_damage;
};

class ReaderMeets : public ReaderTest, public testing::WithParamInterface<Met> {};

TEST_P(ReaderMeets, DamageOfTheFileAndNothingElse) {
  {
    const auto reader = start({});
    submit(*reader, [](sqlite::Connection& database) {
      static int code = 0;
      code = GetParam().code;
      sqlite3_create_function(
          database.handle(), "meet", 0, SQLITE_UTF8, &code,
          [](sqlite3_context* context, int, sqlite3_value**) {
            sqlite3_result_error_code(context, *static_cast<int*>(sqlite3_user_data(context)));
          },
          nullptr, nullptr);
      EXPECT_FALSE(number(database, "SELECT meet()"));
    });
  }
  EXPECT_EQ(damage_.size(), GetParam().is_damage ? 1U : 0U);
}

INSTANTIATE_TEST_SUITE_P(Codes, ReaderMeets,
                         testing::Values(Met{"AFileThatIsDamaged", SQLITE_CORRUPT, true},
                                         Met{"AFileThatIsNone", SQLITE_NOTADB, true},
                                         Met{"ASearchIndexThatIsDamaged", SQLITE_CORRUPT_VTAB, false},
                                         Met{"ADiskThatDidNotRead", SQLITE_IOERR_READ, false},
                                         Met{"SomebodyWhoWrites", SQLITE_BUSY, false}),
                         [](const auto& row) { return row.param.name; });

TEST_F(ReaderTest, CommitsOfOthersAreNoticed) {
  sqlite::Connection other = connection();
  const auto reader = start({.watch = 1ms});
  int heard = 0;
  reader->watch([&] { ++heard; });
  for (int i = 1; i <= 3; ++i) {
    const int before = heard;
    ASSERT_OK(other.execute("INSERT OR REPLACE INTO texts (digest, body) VALUES ('d', 'b')"));
    test::run_until(loop_, [&] { return heard > before; });
  }
}

// Holds the reader when it begins to look for commits of others.
struct HeldLook {
  std::latch begun{1};
  std::latch go{1};

  static int on_statement(unsigned, void* self, void*, void* sql) {
    auto* held = static_cast<HeldLook*>(self);
    if (std::string_view(static_cast<const char*>(sql)) != "PRAGMA data_version") return 0;
    if (!held->begun.try_wait()) held->begun.count_down();
    held->go.wait();
    return 0;
  }
};

TEST_F(ReaderTest, WhoeverSubmitsDoesNotWaitForALookAtOthers) {
  HeldLook look;
  const auto reader = start({.watch = 1ms});
  submit(*reader, [&](sqlite::Connection& database) {
    sqlite3_trace_v2(database.handle(), SQLITE_TRACE_STMT, &HeldLook::on_statement, &look);
  });
  std::latch read(1);
  submit(*reader, [&](sqlite::Connection&) { read.count_down(); });
  read.wait();
  reader->watch([] {});
  look.begun.wait();
  auto submitted = std::async(std::launch::async, [&] { return submit(*reader, [](sqlite::Connection&) {}); });
  EXPECT_EQ(submitted.wait_for(10s), std::future_status::ready);
  look.go.count_down();
  EXPECT_TRUE(submitted.get());
}

TEST_F(ReaderTest, CommitsOfOthersAreNoticedAlsoWhileThereIsAlwaysSomethingToRead) {
  sqlite::Connection other = connection();
  int heard = 0;
  std::atomic<bool> enough = false;
  // Two jobs that each leave one more behind: the queue is never empty.
  std::function<void()> read_again;
  const auto reader = start({.watch = 1ms});
  read_again = [&] {
    submit(*reader, [&](sqlite::Connection&) {
      if (!enough) read_again();
    });
  };
  read_again();
  read_again();
  reader->watch([&] { ++heard; });
  test::run_until(loop_, [&] { return heard > 0; });
  const int before = heard;
  ASSERT_OK(other.execute("INSERT INTO texts (digest, body) VALUES ('d', 'b')"));
  test::run_until(loop_, [&] { return heard > before; });
  enough = true;
}

}  // namespace
}  // namespace deputy::store
