// A reader thread with its own connection. Queries see committed data and leave no transaction open. Urgent ones go
// first, but not endlessly. On request it also notices commits of other processes.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

#include "base/sqlite.h"
#include "base/task.h"
#include "store/sqlite/transaction.h"

namespace deputy::store {

class Reader {
 public:
  using Job = std::move_only_function<void(sqlite::Connection&)>;

  struct Limits {
    std::size_t queued = 20'000;
    int urgent_in_a_row = 8;                  // then one normal query goes, if any waits
    std::chrono::milliseconds query{10'000};  // then it is interrupted
    std::chrono::milliseconds watch{200};     // how often to look for commits of other processes
  };

  /// `thread` is its name, at most 15 characters.
  Reader(asio::any_io_executor loop, sqlite::Connection connection, Limits limits, OnDamage on_damage,
         const char* thread = "store-reader");
  /// Interrupts the running query; queued ones are answered, mostly with an error.
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /// False if the queue is full; the job was not accepted.
  bool submit(Urgency urgency, Job& job);

  /// Calls `others_committed` on the loop after commits of other processes, from now on.
  void watch(std::function<void()> others_committed);

 private:
  void work(const char* thread);
  bool has_jobs() const { return !urgent_.empty() || !normal_.empty(); }  // with the mutex held
  Job next();                                                             // likewise
  bool others_have_committed();                                           // without the mutex: it queries the database

  asio::any_io_executor loop_;
  sqlite::Connection connection_;
  const Limits limits_;
  OnDamage on_damage_;
  // Used by the thread only.
  std::chrono::steady_clock::time_point query_ends_;
  std::chrono::steady_clock::time_point next_look_;
  std::int64_t data_version_ = 0;  // as of the last look

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> urgent_;
  std::deque<Job> normal_;
  int urgent_taken_ = 0;  // since the last normal query
  std::function<void()> others_committed_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace deputy::store
