#include "run/drive/in_flight.h"

#include <boost/asio/bind_cancellation_slot.hpp>

#include "base/task.h"

namespace deputy::run {

struct InFlight::Work {
  CancelOn cancel_on = CancelOn::anything;
  Cancel cancel;
};

struct InFlight::Shared {
  std::map<std::string, std::shared_ptr<Work>, std::less<>> running;
  std::vector<Done> done;
  std::function<void()> on_done;
};

InFlight::InFlight(asio::any_io_executor executor, std::function<void()> on_done)
    : executor_(std::move(executor)), shared_(std::make_shared<Shared>()) {
  shared_->on_done = std::move(on_done);
}

InFlight::~InFlight() {
  shared_->on_done = {};
  cancel_all();
}

void InFlight::start(std::string key, CancelOn cancel_on, Task<TaskResult> task,
                     std::function<TaskResult(const std::exception_ptr&)> when_thrown) {
  const auto work = std::make_shared<Work>(cancel_on, Cancel(executor_));
  shared_->running.insert_or_assign(key, work);
  auto ended = [shared = shared_, work, key = std::move(key), when_thrown = std::move(when_thrown)](
                   const std::exception_ptr& thrown, TaskResult result) {
    const auto running = shared->running.find(key);
    if (running != shared->running.end() && running->second == work) shared->running.erase(running);
    shared->done.push_back({key, thrown ? when_thrown(thrown) : std::move(result)});
    if (shared->on_done) shared->on_done();
  };
  asio::co_spawn(executor_, std::move(task), asio::bind_cancellation_slot(work->cancel.slot(), std::move(ended)));
}

bool InFlight::has(std::string_view key) const { return shared_->running.contains(key); }

bool InFlight::empty() const { return shared_->running.empty(); }

// Emitting may end a task at once, which changes the map: so over a copy.
void InFlight::cancel_all() {
  const auto running = shared_->running;
  for (const auto& [key, work] : running) work->cancel.emit();
}

void InFlight::cancel(CancelOn by) {
  const auto running = shared_->running;
  for (const auto& [key, work] : running) {
    if (work->cancel_on == by || work->cancel_on == CancelOn::anything) work->cancel.emit();
  }
}

void InFlight::cancel_only(CancelOn by) {
  const auto running = shared_->running;
  for (const auto& [key, work] : running) {
    if (work->cancel_on == by) work->cancel.emit();
  }
}

std::vector<InFlight::Done> InFlight::take_done() { return std::exchange(shared_->done, {}); }

bool InFlight::any_done() const { return !shared_->done.empty(); }

}  // namespace deputy::run
