// The only thread that writes. It commits queued operations in groups: urgent ones first, a bounded number at a time,
// each in its own savepoint, so that a failing one does not affect the others. An operation is answered after its
// commit.
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
  virtual Result<> run(Transaction& in) = 0;  // on the writer; an error rolls back its savepoint
  virtual void fail(Error error) = 0;         // on the writer: replaces the result of run
  virtual void answer() = 0;                  // on the loop
};

class Writer {
 public:
  struct Limits {
    std::size_t operations = 128;      // per commit
    std::size_t bytes = 256 * 1024;    // per commit; the first of each urgency goes whatever its size
    std::size_t room_for_normal = 32;  // of the operations, however many urgent ones wait
    std::size_t queued = 20'000;
    std::size_t queued_bytes = 64UL * 1024 * 1024;  // one goes whatever its size if nothing else waits
  };

  Writer(asio::any_io_executor loop, sqlite::Connection connection, const InstanceLocks& locks, const Clock& clock,
         Limits limits, OnDamage on_damage);
  /// Commits what is queued, then ends.
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /// False if the queue is full; the operation was not accepted.
  bool submit(Urgency urgency, std::size_t bytes, std::unique_ptr<Operation>& operation);

  /// Calls `wake` on the loop after a commit that created work, from now on.
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
  int pages_in_log_ = 0;         // the writer thread's own, after its last commit
  std::int64_t waited_for_ = 0;  // likewise: the last request to empty the log for which it waited for readers

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
