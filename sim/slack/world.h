// All that the parts of the simulator share: the workspace, what happened in it, and what is set to happen.
#pragma once

#include <array>
#include <list>
#include <memory>

#include "sim/slack/events/delivery.h"
#include "sim/slack/faults.h"
#include "sim/slack/limits.h"
#include "sim/slack/record.h"
#include "sim/slack/workspace.h"

namespace deputy::sim::slack {

/// Slack's times. A test may shorten them; they cannot be lengthened, because an app must keep to Slack's.
struct Timing {
  std::chrono::milliseconds acknowledge{3'000};
  std::array<std::chrono::milliseconds, 3> retries = {std::chrono::milliseconds(0), std::chrono::minutes(1),
                                                      std::chrono::minutes(5)};
  std::chrono::milliseconds trigger{3'000};
  std::chrono::milliseconds goodbye{10'000};  // between a disconnect that warns and the end of the socket
  std::chrono::milliseconds ping{10'000};
  std::chrono::milliseconds connection{18'060'000};  // the life of a socket
};

struct World {
  World(const asio::any_io_executor& the_executor, const Clock& clock)
      : executor(the_executor), workspace(clock), record(clock), deliveries(*this) {}

  /// Runs a task that nobody waits for until it ends or `stop` is called.
  void run(std::string name, Task<> task);

  /// Cancels what `run` started and returns when all of it has ended.
  Task<> stop();

  asio::any_io_executor executor;
  Workspace workspace;
  Record record;
  Limits limits;
  Faults faults;
  Timing timing;
  Deliveries deliveries;

 private:
  std::list<std::shared_ptr<Cancel>> running_;
};

}  // namespace deputy::sim::slack
