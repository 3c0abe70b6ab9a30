#include "run/drive/in_flight.h"

#include <boost/asio/bind_cancellation_slot.hpp>

#include "base/cancel.h"

namespace deputy::run {

struct Works::Work {
  BrokenOff broken_off = BrokenOff::by_anything;
  Cancel cancel;
};

struct Works::Shared {
  std::map<std::string, std::shared_ptr<Work>, std::less<>> running;
  std::vector<Done> done;
  std::function<void()> on_done;
};

Works::Works(asio::any_io_executor executor, std::function<void()> on_done)
    : executor_(std::move(executor)), shared_(std::make_shared<Shared>()) {
  shared_->on_done = std::move(on_done);
}

Works::~Works() {
  shared_->on_done = {};
  cancel_all();
}

void Works::start(std::string key, BrokenOff broken_off, Task<Outcome> task,
                  std::function<Outcome(const std::exception_ptr&)> when_thrown) {
  const auto work = std::make_shared<Work>(broken_off, Cancel(executor_));
  shared_->running.insert_or_assign(key, work);
  auto ended = [shared = shared_, work, key = std::move(key), when_thrown = std::move(when_thrown)](
                   const std::exception_ptr& thrown, Outcome outcome) {
    const auto running = shared->running.find(key);
    if (running != shared->running.end() && running->second == work) shared->running.erase(running);
    shared->done.push_back({key, thrown ? when_thrown(thrown) : std::move(outcome)});
    if (shared->on_done) shared->on_done();
  };
  asio::co_spawn(executor_, std::move(task), asio::bind_cancellation_slot(work->cancel.slot(), std::move(ended)));
}

bool Works::has(std::string_view key) const { return shared_->running.contains(key); }

bool Works::empty() const { return shared_->running.empty(); }

// Emitting may end a task at once, which changes the map: so over a copy.
void Works::cancel_all() {
  const auto running = shared_->running;
  for (const auto& [key, work] : running) work->cancel.emit();
}

void Works::cancel(BrokenOff by) {
  const auto running = shared_->running;
  for (const auto& [key, work] : running) {
    if (work->broken_off == by || work->broken_off == BrokenOff::by_anything) work->cancel.emit();
  }
}

void Works::cancel_only(BrokenOff by) {
  const auto running = shared_->running;
  for (const auto& [key, work] : running) {
    if (work->broken_off == by) work->cancel.emit();
  }
}

std::vector<Works::Done> Works::take_done() { return std::exchange(shared_->done, {}); }

bool Works::any_done() const { return !shared_->done.empty(); }

}  // namespace deputy::run
