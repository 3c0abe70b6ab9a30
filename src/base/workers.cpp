#include "base/workers.h"

#include <fmt/format.h>
#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <list>
#include <set>
#include <thread>

#include "base/log.h"

namespace deputy {

struct Workers::Slot {
  Job job;
  std::stop_source stop;
  std::thread::id worker;  // the thread that runs it
  bool done = false;       // it has ended, or will never run
  bool left_behind = false;
};

// `mutex` guards all members but the constants. Threads hold this by shared_ptr, so one that was left behind may
// outlive the pool.
struct Workers::Shared : std::enable_shared_from_this<Workers::Shared> {
  Shared(std::string pool_name, Limits pool_limits) : name(std::move(pool_name)), limits(pool_limits) {}

  void start_thread_if_needed() {
    if (queue.empty() || idle >= static_cast<int>(queue.size()) || threads >= limits.threads) return;
    std::thread& handle = handles.emplace_back();
    try {
      handle = std::thread([self = shared_from_this()] {
        pthread_setname_np(pthread_self(), self->name.substr(0, 15).c_str());
        self->work();
      });
    } catch (...) {  // the system may be out of threads
      handles.pop_back();
      throw;
    }
    ++threads;
  }

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      ++idle;
      changed.wait(lock, [&] { return stopping || !queue.empty(); });
      --idle;
      if (queue.empty()) break;
      const std::shared_ptr<Slot> slot = std::move(queue.front());
      queue.pop_front();
      running.insert(slot);
      slot->worker = std::this_thread::get_id();
      lock.unlock();
      slot->job(slot->stop.get_token());
      slot->job = nullptr;  // destroys what the job owns, outside the lock
      lock.lock();
      running.erase(slot);
      slot->done = true;
      if (slot->left_behind) {  // another thread has replaced this one
        --left_behind;
        return;
      }
    }
    --threads;
    changed.notify_all();
  }

  const std::string name;
  const Limits limits;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::shared_ptr<Slot>> queue;
  std::set<std::shared_ptr<Slot>> running;
  std::list<std::thread> handles;  // of all threads except those left behind
  int threads = 0;
  int idle = 0;
  int left_behind = 0;
  std::int64_t taken = 0;
  bool stopping = false;
};

Workers::Workers(std::string name, Limits limits) : shared_(std::make_shared<Shared>(std::move(name), limits)) {}

Workers::~Workers() {
  // Do not hold the lock while jobs are destroyed or react to the stop request.
  std::deque<std::shared_ptr<Slot>> dropped;
  std::unique_lock lock(shared_->mutex);
  shared_->stopping = true;
  dropped.swap(shared_->queue);
  for (const auto& slot : dropped) slot->done = true;
  const std::set<std::shared_ptr<Slot>> running = shared_->running;
  lock.unlock();
  for (const auto& slot : running) slot->stop.request_stop();
  lock.lock();
  shared_->changed.notify_all();
  shared_->changed.wait(lock, [&] { return shared_->threads == 0; });
  // Join: libraries free what they keep per thread only when it ends, which is after its last job.
  std::list<std::thread> handles = std::move(shared_->handles);
  lock.unlock();
  for (std::thread& handle : handles) handle.join();
}

int Workers::left_behind() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->left_behind;
}

std::int64_t Workers::taken() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->taken;
}

Workers& large_text_workers() {
  static Workers workers("large texts", {.threads = 2});
  return workers;
}

Result<Workers::Ticket> Workers::submit(Job job) {
  auto slot = std::make_shared<Slot>();
  slot->job = std::move(job);
  const std::lock_guard lock(shared_->mutex);
  if (shared_->left_behind >= shared_->limits.left_behind) {
    return fail(ErrorKind::internal, fmt::format("all {} threads are stuck in earlier jobs", shared_->name),
                "try again later; if it does not help, restart Deputy");
  }
  if (shared_->queue.size() >= shared_->limits.queued) {
    Error busy{ErrorKind::rate_limit, fmt::format("the queue of the {} threads is full", shared_->name),
               "try again later"};
    busy.retryable = true;
    return std::unexpected(std::move(busy));
  }
  shared_->queue.push_back(slot);
  ++shared_->taken;
  shared_->start_thread_if_needed();
  shared_->changed.notify_one();
  return Ticket(shared_, slot);
}

void Workers::Ticket::leave_behind() {
  slot_->stop.request_stop();
  const std::lock_guard lock(shared_->mutex);
  if (std::erase(shared_->queue, slot_) > 0 || slot_->done) return;
  slot_->left_behind = true;
  ++shared_->left_behind;
  --shared_->threads;
  const auto handle = std::ranges::find(shared_->handles, slot_->worker, &std::thread::get_id);
  handle->detach();
  shared_->handles.erase(handle);
  log::warning("job left behind", {{"workers", shared_->name}, {"left_behind", shared_->left_behind}});
  shared_->start_thread_if_needed();
}

}  // namespace deputy
