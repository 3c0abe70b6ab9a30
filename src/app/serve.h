// The service: runs every network channel that is set up, until it is told to stop. `deputy serve` is this function
// with the channels of channels.h; tests and the chaos host call it with a channel, a model and tools of their own.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "app/build.h"
#include "app/channels.h"
#include "app/context.h"
#include "observe/alerts.h"
#include "observe/health.h"
#include "observe/metrics.h"

namespace deputy::app {

/// A service that runs.
struct Serving {
  Process& process;
  int health_port = 0;
  observe::Metrics& metrics;
  const observe::Health& health;
};

struct ServeSetup {
  std::vector<ChannelKind> channels = network_channels();
  // In place of what settings say; null or empty: as settings say.
  std::shared_ptr<model::Model> model = nullptr;
  std::vector<std::shared_ptr<const toolkit::Tool>> tools = {};
  std::function<void(Settings&)> adjust = {};  // as in ServiceOptions
  /// Serves until this ends; empty: until SIGTERM or SIGINT.
  std::function<Task<>(Serving&)> until = {};
  std::chrono::milliseconds reload_interval{500};
};

/// Blocks. On SIGTERM and SIGINT it stops receiving, starts nothing more, lets handlers that must not be interrupted
/// end, releases its runs, and returns within kLongestStop; a second signal ends the process at once.
inline constexpr std::chrono::seconds kLongestStop{30};
ExitCode serve(const Context& context, ServeSetup setup);

}  // namespace deputy::app
