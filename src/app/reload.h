// Hot reload of a service: follows the settings files and hands a change to the process that works. A file that is bad,
// half-written or gone changes nothing; operators are told once.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "app/build.h"
#include "app/settings.h"
#include "base/workers.h"
#include "config/live.h"
#include "observe/alerts.h"
#include "observe/metrics.h"

namespace deputy::app {

struct ReloadSetup {
  Process& process;
  config::Sources sources;
  std::vector<std::string> channel_kinds;  // beside those of channels.h
  std::vector<std::string> fixed;          // paths that channels read at the start only
  observe::Alerts& alerts;
  observe::Metrics& metrics;
  std::function<void()> taken;  // called when a change counts
};

class Reload {
 public:
  /// The references outlive it.
  explicit Reload(ReloadSetup setup);

  /// Follows the files until it is cancelled. A change counts after two to three intervals.
  Task<> run(std::chrono::milliseconds interval);

 private:
  Task<> take(config::Change<Settings> change);
  void refuse(const std::vector<config::LocatedProblem>& problems);

  ReloadSetup setup_;
  Workers workers_;
  config::Live<Settings> live_;
  std::deque<config::Change<Settings>> changes_;  // not yet taken
};

}  // namespace deputy::app
