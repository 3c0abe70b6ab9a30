#include "store/sqlite/reader.h"

#include <pthread.h>

#include <boost/asio/post.hpp>
#include <utility>

namespace deputy::store {

namespace {

// Steps of SQLite's virtual machine between two checks of the time limit.
constexpr int kStepsBetweenLooks = 10'000;

}  // namespace

Reader::Reader(asio::any_io_executor loop, sqlite::Connection connection, Limits limits, OnDamage on_damage,
               const char* thread)
    : loop_(std::move(loop)), connection_(std::move(connection)), limits_(limits), on_damage_(std::move(on_damage)) {
  sqlite3_progress_handler(
      connection_.handle(), kStepsBetweenLooks,
      [](void* self) {
        const auto* reader = static_cast<Reader*>(self);
        return reader->stopping_ || std::chrono::steady_clock::now() > reader->query_ends_ ? 1 : 0;
      },
      this);
  thread_ = std::thread([this, thread] { work(thread); });
}

Reader::~Reader() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

bool Reader::submit(Urgency urgency, Job& job) {
  {
    const std::lock_guard lock(mutex_);
    if (urgent_.size() + normal_.size() >= limits_.queued) return false;
    (urgency == Urgency::first ? urgent_ : normal_).push_back(std::move(job));
  }
  changed_.notify_one();
  return true;
}

void Reader::watch(std::function<void()> others_committed) {
  const std::lock_guard lock(mutex_);
  others_committed_ = std::move(others_committed);
  changed_.notify_one();
}

Reader::Job Reader::next() {
  const bool is_turn_of_normal = urgent_taken_ >= limits_.urgent_in_a_row && !normal_.empty();
  std::deque<Job>& queue = urgent_.empty() || is_turn_of_normal ? normal_ : urgent_;
  urgent_taken_ = &queue == &urgent_ ? urgent_taken_ + 1 : 0;
  Job job = std::move(queue.front());
  queue.pop_front();
  return job;
}

void Reader::work(const char* thread) {
  pthread_setname_np(pthread_self(), thread);
  std::unique_lock lock(mutex_);
  const auto has_work = [this] { return stopping_ || has_jobs(); };
  for (;;) {
    if (others_committed_) {
      // Look for commits of others even under a constant load of queries.
      changed_.wait_until(lock, next_look_, has_work);
      if (std::chrono::steady_clock::now() >= next_look_) {
        // The look may wait for a busy database; callers of submit must not.
        lock.unlock();
        const bool committed = others_have_committed();
        lock.lock();
        if (committed) asio::post(loop_, others_committed_);
      }
    } else {
      changed_.wait(lock, [&] { return has_work() || others_committed_; });
    }
    if (!has_jobs()) {
      if (stopping_) return;
      continue;
    }
    Job job = next();
    lock.unlock();
    query_ends_ = std::chrono::steady_clock::now() + limits_.query;
    job(connection_);
    job = nullptr;
    // A failed read can be retried; a damaged search index fails only the search.
    if (const auto damage = connection_.take_damage(); damage && damage->of == sqlite::Damage::Of::file) {
      on_damage_(damage->error);
    }
    lock.lock();
  }
}

bool Reader::others_have_committed() {
  next_look_ = std::chrono::steady_clock::now() + limits_.watch;
  query_ends_ = std::chrono::steady_clock::now() + limits_.query;
  sqlite::Statement row = connection_.prepare("PRAGMA data_version");
  const Result<bool> found = row.step();
  if (!found || !*found) return false;
  // The value changes when anybody else commits, including our own writer. The first look always reports a change:
  // something may have been committed before it.
  const std::int64_t version = row.integer(0);
  return std::exchange(data_version_, version) != version;
}

}  // namespace deputy::store
