// The one thread that writes. It commits what has queued up: urgent operations first, a bounded number at a time, each
// in a savepoint of its own, so that one that fails takes nobody with it. An operation is answered after its commit.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/task.h"
#include "store/sqlite/transaction.h"

namespace deputy::store {

/// One write, from its request to its answer.
class Operation {
 public:
  virtual ~Operation() = default;
  virtual Result<> run(Transaction& in) = 0;  // on the writer; an error: its savepoint is rolled back
  virtual void fail(Error error) = 0;         // on the writer: instead of what run said
  virtual void answer() = 0;                  // on the loop
};

class Writer {
 public:
  struct Limits {
    std::size_t operations = 128;      // a commit
    std::size_t bytes = 256 * 1024;    // a commit; the first of each urgency goes whatever its size
    std::size_t room_for_normal = 32;  // of the operations, however many urgent ones wait
    std::size_t queued = 20'000;
    std::size_t queued_bytes = 64UL * 1024 * 1024;  // one goes whatever its size, when nothing else waits
  };

  Writer(asio::any_io_executor loop, sqlite::Connection connection, const InstanceLocks& locks, const Clock& clock,
         Limits limits, OnDamage on_damage);
  /// Commits what is queued, then ends.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// False when too much is waiting: the operation was not taken.
  bool submit(Urgency urgency, std::size_t bytes, std::unique_ptr<Operation>& operation);

  /// From now on `wake` is called on the loop after a commit that gave somebody work.
  void on_wake(std::function<void()> wake);

 private:
  struct Queued {
    std::unique_ptr<Operation> operation;
    std::size_t bytes;
  };
  using Batch = std::vector<std::unique_ptr<Operation>>;

  void work();
  Batch take_batch();  // with the mutex held
  void empty(std::int64_t owed);
  void move_log();
  void commit(Batch batch);
  Result<> commit_transaction();
  std::function<void()> wake();
  bool run_all(Batch& batch, Transaction& in);
  void fail_all(Batch& batch, const Error& error);

  asio::any_io_executor loop_;
  sqlite::Connection connection_;
  const InstanceLocks& locks_;
  const Clock& clock_;
  const Limits limits_;
  OnDamage on_damage_;
  int pages_in_log_ = 0;         // the writer's own, after its last commit
  std::int64_t waited_for_ = 0;  // likewise: the last emptying of the log for which readers were waited for

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> wake_;
  std::deque<Queued> urgent_;
  std::deque<Queued> normal_;
  std::size_t queued_bytes_ = 0;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace deputy::store
