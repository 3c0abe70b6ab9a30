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
  std::thread::id worker;  // that runs it
  bool done = false;       // or never to be run
  bool left_behind = false;
};

// All members but the constants are guarded by `mutex`. Threads hold it by shared_ptr, so one that was left behind may
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
    } catch (...) {  // there may be no thread to be had
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
      slot->job = nullptr;  // what the job owns dies here, not under the lock
      lock.lock();
      running.erase(slot);
      slot->done = true;
      if (slot->left_behind) {  // another thread has taken this one's place
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
  std::list<std::thread> handles;  // of all but those that were left behind
  int threads = 0;
  int idle = 0;
  int left_behind = 0;
  bool stopping = false;
};

Workers::Workers(std::string name, Limits limits) : shared_(std::make_shared<Shared>(std::move(name), limits)) {}

Workers::~Workers() {
  // What the jobs own, and what they do when asked to stop, is none of our business under the lock.
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
  // What libraries keep for a thread goes with it, which is after its last job.
  std::list<std::thread> handles = std::move(shared_->handles);
  lock.unlock();
  for (std::thread& handle : handles) handle.join();
}

int Workers::left_behind() const {
  const std::lock_guard lock(shared_->mutex);
  return shared_->left_behind;
}

Result<Workers::Ticket> Workers::submit(Job job) {
  auto slot = std::make_shared<Slot>();
  slot->job = std::move(job);
  const std::lock_guard lock(shared_->mutex);
  if (shared_->left_behind >= shared_->limits.left_behind) {
    return fail(ErrorKind::internal, fmt::format("the {} threads are stuck in earlier work", shared_->name),
                "try again when it has ended; when it does not end, restart Deputy");
  }
  if (shared_->queue.size() >= shared_->limits.queued) {
    Error busy{ErrorKind::rate_limit, fmt::format("too much work waits for the {} threads", shared_->name),
               "try again later"};
    busy.retryable = true;
    return std::unexpected(std::move(busy));
  }
  shared_->queue.push_back(slot);
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
