// A Slack workspace on a port of loopback: the Web API, Socket Mode, HTTP events and the control API. A program
// (deputy-sim slack) and a library for tests.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/task.h"
#include "sim/slack/world.h"

namespace deputy::sim::slack {

class Relay;

struct SimulatorOptions {
  int port = 0;  // 0: any that is free
};

class Simulator {
 public:
  /// Listens when it returns. `clock` outlives it.
  static Result<std::unique_ptr<Simulator>> start(const asio::any_io_executor& executor, const Clock& clock,
                                                  SimulatorOptions options);
  ~Simulator();

  /// http://127.0.0.1:PORT; the Web API is below it at /api/.
  const std::string& address() const { return world_->workspace.address; }
  World& world() { return *world_; }

  /// Ends every connection and task. Await it before destroying the simulator.
  Task<> stop();

 private:
  Simulator() = default;

  std::unique_ptr<World> world_;
  std::unique_ptr<Relay> relay_;
  std::unique_ptr<net::Server> server_;
};

}  // namespace deputy::sim::slack
