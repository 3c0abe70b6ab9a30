// The store under violence: killed from outside at random, killed at every failpoint, and on a disk that fails every
// call in turn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <random>
#include <thread>

#include "chaos/store_invariants.h"
#include "store/sqlite/sqlite_store.h"
#include "support/child.h"
#include "support/loop.h"
#include "support/results.h"
#include "support/source_failpoints.h"
#include "support/temporary_folder.h"

namespace deputy::store {
namespace {

using testing::IsEmpty;

constexpr int kKilled = 128 + SIGKILL;

std::vector<std::string> writer(const test::TemporaryFolder& folder, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{STORE_WRITER, "--data", folder.path().string()};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

void collect(Confirmed& confirmed, std::vector<std::string> lines) {
  confirmed.insert(confirmed.end(), std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end()));
}

// Opens the store as the next process would, and takes up whatever the dead have left.
std::int64_t owned_by_the_dead_after_one_claim(const test::TemporaryFolder& folder) {
  const SystemClock clock;
  asio::io_context loop;
  auto store = SqliteStore::open(loop.get_executor(), clock, {.folder = folder.path()});
  EXPECT_OK(store);
  if (!store) return -1;
  const Result<Claimed> claimed = test::run_on(loop, (*store)->claim(100'000, {}));
  EXPECT_OK(claimed);
  auto database = sqlite::Connection::open(folder / "deputy.db", sqlite::Connection::Mode::read_only);
  const std::string self = (*store)->instance().text();
  sqlite::Statement row = database->prepare("SELECT count(*) FROM runs WHERE owner IS NOT NULL AND owner <> ?");
  EXPECT_OK(row.bind(1, self).step());
  return row.integer(0);
}

TEST(StoreChaos, KilledAtRandomNothingConfirmedIsLostAndNothingIsHalfThere) {
  constexpr int kRounds = 50;
  constexpr int kWritersAtOnce = 4;
  const test::TemporaryFolder folder;
  std::mt19937 random(20261115);
  std::size_t confirmed_in_all = 0;
  int kills = 0;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::unique_ptr<test::Child>> writers;
    writers.reserve(kWritersAtOnce);
    for (int i = 0; i < kWritersAtOnce; ++i) {
      writers.push_back(std::make_unique<test::Child>(
          writer(folder, {"--coroutines", "3", "--seed", std::to_string(round * 10 + i)})));
    }
    Confirmed confirmed;
    for (auto& killed : writers) {
      const unsigned lines_first = random() % 60;
      for (unsigned i = 0; i < lines_first; ++i) {
        const auto line = killed->read_line();
        ASSERT_TRUE(line) << "a writer ended by itself";
        confirmed.push_back(line.value_or(""));
      }
      killed->kill();
      EXPECT_EQ(killed->wait(), kKilled);
      collect(confirmed, killed->read_rest());
      ++kills;
    }
    confirmed_in_all += confirmed.size();
    ASSERT_THAT(broken_invariants(folder.path(), confirmed), IsEmpty()) << "round " << round;
    ASSERT_EQ(owned_by_the_dead_after_one_claim(folder), 0) << "round " << round;
  }
  std::cout << kills << " kills, " << confirmed_in_all << " confirmed writes, none lost\n";
}

TEST(StoreChaos, KilledAtEveryFailpointNothingConfirmedIsLostAndNothingIsHalfThere) {
  for (const std::string& point : test::failpoints_in_source("store")) {
    for (const char* occurrence : {"1", "4"}) {
      const test::TemporaryFolder folder;
      const bool migrates = point.starts_with("store.migrate.");
      if (migrates && std::string_view(occurrence) == "4") continue;  // there is one migration
      if (migrates) {
        test::Child first(writer(folder, {"--rounds", "3"}));
        first.read_rest();
        ASSERT_EQ(first.wait(), 0);
      }
      std::vector<std::string> more{"--rounds", "200", "--coroutines", "4"};
      if (migrates) more.emplace_back("--newer");
      test::Child doomed(writer(folder, more), {"DEPUTY_FAILPOINT=" + point + ":" + occurrence});
      const Confirmed confirmed = doomed.read_rest();
      ASSERT_EQ(doomed.wait(), kKilled) << point << " was never reached";
      std::vector<std::string> after{"--rounds", "2"};
      if (migrates) after.emplace_back("--newer");
      test::Child next(writer(folder, after));
      Confirmed all = confirmed;
      collect(all, next.read_rest());
      ASSERT_EQ(next.wait(), 0) << point;
      ASSERT_THAT(broken_invariants(folder.path(), all), IsEmpty()) << point;
    }
    std::cout << "killed at " << point << "\n";
  }
}

// A store with some content, so that the load below is about using one and not about making one.
void make_store(const test::TemporaryFolder& folder) {
  test::Child first(writer(folder, {"--rounds", "2"}));
  first.read_rest();
  ASSERT_EQ(first.wait(), 0);
}

struct Tried {
  Confirmed confirmed;
  int code = 0;
};

enum class Lasts { once, from_then_on };

// The load over a copy of `made`, with one call failing, or all from that one on.
Tried load_with_fault(const test::TemporaryFolder& made, const test::TemporaryFolder& folder, const std::string& fault,
                      int nth, Lasts lasts) {
  std::filesystem::copy(made.path(), folder.path(), std::filesystem::copy_options::recursive);
  std::vector<std::string> more{"--rounds", "1", "--coroutines", "2", "--fault", fault, "--nth", std::to_string(nth)};
  if (lasts == Lasts::from_then_on) more.emplace_back("--lasting");
  test::Child faulty(writer(folder, more));
  Confirmed confirmed = faulty.read_rest();
  return {std::move(confirmed), faulty.wait()};
}

// Fails each call of a kind in turn, or every `stride`-th; ends when the load makes fewer calls than that. Two loads
// run at once: they wait for the disk mostly.
void fail_each(const std::string& fault, Lasts lasts = Lasts::once, int stride = 1) {
  const test::TemporaryFolder made;
  ASSERT_NO_FATAL_FAILURE(make_store(made));
  std::atomic<int> next = 0;
  std::atomic<int> tried = 0;
  std::atomic<int> ended_itself = 0;
  std::atomic<bool> over = false;
  const auto take_turns = [&] {
    while (!over) {
      const int nth = 1 + stride * next++;
      const test::TemporaryFolder folder;
      const Tried outcome = load_with_fault(made, folder, fault, nth, lasts);
      // 0: it went on; 3: it could not open; 70: it ended itself because nothing could be trusted any more.
      EXPECT_TRUE(outcome.code == 0 || outcome.code == 3 || outcome.code == 70)
          << fault << " " << nth << " ended with " << outcome.code;
      ended_itself += outcome.code == 70 ? 1 : 0;
      EXPECT_EQ(owned_by_the_dead_after_one_claim(folder), 0) << fault << " " << nth;
      EXPECT_THAT(broken_invariants(folder.path(), outcome.confirmed), IsEmpty()) << fault << " " << nth;
      const auto calls =
          std::ranges::find_if(outcome.confirmed, [](const std::string& line) { return line.starts_with("calls "); });
      const bool not_reached = calls != outcome.confirmed.end() && std::stoi(calls->substr(6)) < nth;
      if (not_reached || testing::Test::HasFailure()) {
        over = true;
      } else {
        ++tried;
      }
    }
  };
  std::thread second(take_turns);
  take_turns();
  second.join();
  std::cout << fault << ": " << tried << " calls failed in turn, " << ended_itself << " ended the process\n";
  // A write or sync that fails at a commit must not be survived; a full disk must be.
  if (fault == "write" || fault == "sync") EXPECT_GT(ended_itself, 0);
  if (fault == "space") EXPECT_EQ(ended_itself, 0);
  EXPECT_GE(tried, 5);
}

constexpr int kStride = 5;

TEST(StoreFaults, EveryWriteFailsInTurn) { fail_each("write"); }
TEST(StoreFaults, EverySyncFailsInTurn) { fail_each("sync"); }
TEST(StoreFaults, EveryLockFailsInTurn) { fail_each("lock"); }
TEST(StoreFaults, EveryRequestForSpaceFailsInTurn) { fail_each("space"); }

TEST(StoreFaults, ADiskThatTakesNoMoreWrites) { fail_each("write", Lasts::from_then_on, kStride); }
TEST(StoreFaults, ADiskThatSyncsNoMore) { fail_each("sync", Lasts::from_then_on, kStride); }
TEST(StoreFaults, AFileThatCanNoMoreBeLocked) { fail_each("lock", Lasts::from_then_on, kStride); }
TEST(StoreFaults, ADiskThatStaysFull) { fail_each("space", Lasts::from_then_on, kStride); }

}  // namespace
}  // namespace deputy::store
