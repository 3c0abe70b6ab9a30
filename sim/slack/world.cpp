#include "sim/slack/world.h"

#include <boost/asio/bind_cancellation_slot.hpp>

#include "base/log.h"

namespace deputy::sim::slack {

void World::run(std::string name, Task<> task) {
  const auto place = running_.insert(running_.end(), std::make_shared<Cancel>(executor));
  const auto ended = [this, place, name = std::move(name)](const std::exception_ptr& thrown) {
    running_.erase(place);
    if (thrown && !is_cancellation(thrown)) log::error("sim_task_failed", {{"task", name}, {"error", what_of(thrown)}});
  };
  asio::co_spawn(executor, std::move(task), asio::bind_cancellation_slot((*place)->slot(), ended));
}

Task<> World::stop() {
  while (!running_.empty()) {
    for (const auto& cancel : std::list(running_)) cancel->emit();
    co_await sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace deputy::sim::slack
