#include "store/sqlite/writer.h"

#include <pthread.h>

#include <boost/asio/post.hpp>

#include "base/failpoint.h"
#include "base/log.h"
#include "store/sqlite/connect.h"
#include "store/sqlite/removing.h"

namespace deputy::store {

namespace {

// The size of the log at which its pages move into the file. Half of SQLite's default: the next write waits for the
// move, and 1,000 pages took 20 ms on a disk that syncs in 4.
constexpr int kMaxPagesInLog = 500;

bool is_damage(int code) { return sqlite::damaged_by(code).has_value(); }

}  // namespace

Writer::Writer(asio::any_io_executor loop, sqlite::Connection connection, const InstanceLocks& locks,
               const Clock& clock, Limits limits, OnDamage on_damage)
    : loop_(std::move(loop)),
      connection_(std::move(connection)),
      locks_(locks),
      clock_(clock),
      limits_(limits),
      on_damage_(std::move(on_damage)) {
  // Replaces SQLite's own hook, which would move the log before anybody gets an answer.
  sqlite3_wal_hook(
      connection_.handle(),
      [](void* self, sqlite3*, const char*, int pages) {
        static_cast<Writer*>(self)->pages_in_log_ = pages;
        return SQLITE_OK;
      },
      this);
  thread_ = std::thread([this] { work(); });
}

Writer::~Writer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

bool Writer::submit(Urgency urgency, std::size_t bytes, std::unique_ptr<Operation>& operation) {
  {
    const std::lock_guard lock(mutex_);
    const std::size_t queued = urgent_.size() + normal_.size();
    if (queued >= limits_.queued || (queued > 0 && queued_bytes_ + bytes > limits_.queued_bytes)) return false;
    queued_bytes_ += bytes;
    (urgency == Urgency::first ? urgent_ : normal_).push_back({std::move(operation), bytes});
  }
  changed_.notify_one();
  return true;
}

void Writer::on_wake(std::function<void()> wake) {
  const std::lock_guard lock(mutex_);
  wake_ = std::move(wake);
}

std::function<void()> Writer::wake() {
  const std::lock_guard lock(mutex_);
  return wake_;
}

void Writer::work() {
  pthread_setname_np(pthread_self(), "store-writer");
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return stopping_ || !urgent_.empty() || !normal_.empty(); });
    if (urgent_.empty() && normal_.empty()) return;
    Batch batch = take_batch();
    lock.unlock();
    commit(std::move(batch));
    lock.lock();
  }
}

Writer::Batch Writer::take_batch() {
  Batch batch;
  std::size_t bytes = 0;
  const auto take_from = [&](std::deque<Queued>& queue, std::size_t most) {
    // The first goes whatever its size: a large one would otherwise wait as long as others keep coming.
    for (bool first = true; !queue.empty() && batch.size() < most; first = false) {
      if (!first && bytes + queue.front().bytes > limits_.bytes) return;
      bytes += queue.front().bytes;
      queued_bytes_ -= queue.front().bytes;
      batch.push_back(std::move(queue.front().operation));
      queue.pop_front();
    }
  };
  const std::size_t reserved = std::min({normal_.size(), limits_.room_for_normal, limits_.operations / 2});
  take_from(urgent_, limits_.operations - reserved);
  take_from(normal_, limits_.operations);
  return batch;
}

void Writer::commit(Batch batch) {
  Transaction in{connection_, locks_, clock_.now()};
  std::int64_t emptying = 0;
  Result<> begun = connection_.execute("BEGIN IMMEDIATE");
  if (!begun) {
    // Nothing was written, so a disk error here loses nothing; a damaged file stays damaged.
    if (const auto damage = connection_.take_damage(); damage && damage->of == sqlite::Damage::Of::file) {
      on_damage_(damage->error);
    }
    fail_all(batch, begun.error());
  } else if (run_all(batch, in)) {
    emptying = owed_emptying(connection_);
    failpoint("store.before_commit");
    if (const Result<> committed = commit_transaction(); !committed) {
      emptying = 0;
      fail_all(batch, committed.error());
    }
    failpoint("store.after_commit");
  }
  asio::post(loop_, [batch = std::move(batch), wake_somebody = in.wakes ? wake() : nullptr]() mutable {
    for (auto& operation : batch) operation->answer();
    if (wake_somebody) wake_somebody();
  });
  if (emptying != 0) empty(emptying);
  move_log();
}

Result<> Writer::commit_transaction() {
  const int code = sqlite3_exec(connection_.handle(), "COMMIT", nullptr, nullptr, nullptr);
  if (code == SQLITE_OK) return {};
  const Error error = sqlite::error_from(code, connection_.handle(), "commit");
  if (is_damage(code)) on_damage_(error);
  connection_.roll_back();
  return std::unexpected(error);
}

// What is in the log is durable. If this fails or somebody still reads there, the next commit tries again.
void Writer::move_log() {
  if (pages_in_log_ < kMaxPagesInLog) return;
  sqlite3_wal_checkpoint_v2(connection_.handle(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
  pages_in_log_ = 0;
}

// Forgotten text stays in the log until it is emptied. Readers are waited for once; after that it is tried again after
// each commit. The result is recorded for the other processes.
void Writer::empty(std::int64_t owed) {
  const Readers readers = owed > waited_for_ ? Readers::wait_for : Readers::leave;
  waited_for_ = owed;
  if (!empty_log(connection_, readers)) return;
  pages_in_log_ = 0;
  failpoint("store.log_emptied");
  Result<> noted = connection_.execute("BEGIN IMMEDIATE");
  if (noted) noted = note_emptied(connection_, owed);
  if (noted) noted = commit_transaction();
  if (noted) return;
  connection_.roll_back();
  log::warning("could not record that the log was emptied", {{"error", describe(noted.error())}});
}

// False if SQLite rolled back the whole transaction by itself, as it does on a full disk or damaged data; every caller
// gets the error.
bool Writer::run_all(Batch& batch, Transaction& in) {
  for (auto& operation : batch) {
    Result<> begun = connection_.execute("SAVEPOINT operation");
    const Result<> ran = begun ? operation->run(in) : begun;
    const auto damage = connection_.take_damage();
    if (damage) on_damage_(damage->error);
    if (begun && !damage && connection_.in_transaction()) {
      if (!ran) begun = connection_.execute("ROLLBACK TO operation");
      if (begun) begun = connection_.execute("RELEASE operation");
    }
    if (begun && !damage && connection_.in_transaction()) continue;
    const Error error = damage   ? damage->error
                        : !begun ? begun.error()
                        : !ran   ? ran.error()
                               : Error{ErrorKind::internal, "the database rolled back a failed transaction", "", true};
    connection_.roll_back();
    fail_all(batch, error);
    return false;
  }
  return true;
}

void Writer::fail_all(Batch& batch, const Error& error) {
  log::error("a commit failed", {{"operations", batch.size()}, {"error", describe(error)}});
  for (auto& operation : batch) operation->fail(error);
}

}  // namespace deputy::store
