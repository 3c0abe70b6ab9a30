// The runs this instance works on: claims what is free, drives each, tells them of mail, and lets go of them when it
// stops. Everything of it is on the loop.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "run/drive/live_run.h"

namespace deputy::run {

/// What health says of runs.
struct RunnerHealth {
  std::size_t live = 0;
  std::vector<RunId> not_understood;  // given back and not claimed again: another version wrote them
  std::vector<RunId> failing;         // the store or a bug keeps them from going on
};

class Runner {
 public:
  /// `dependencies` outlives it. Whoever composes this lets the store's hint `wake` it.
  Runner(const RunDependencies& dependencies, const asio::any_io_executor& executor);

  /// Runner and drives until `stop` has been called and every run is let go of.
  Task<> run();

  /// Something may have changed.
  void wake();

  /// Starts nothing more; `run` returns once handlers that must not be broken off have ended, or after `grace`. The
  /// brake is obeyed meanwhile, and cancels those too.
  void stop(std::chrono::milliseconds grace = std::chrono::seconds(30));

  RunnerHealth health() const;

 private:
  Task<> claim_once();
  Task<> obey_brake();
  Task<> drive(std::shared_ptr<LiveRun> run, store::Lease lease);
  Task<> count_failure(const LiveRun& run, store::Lease lease);
  Task<> give_back(store::Lease lease);
  void begin(const store::Lease& lease);
  std::vector<RunId> except() const;

  const RunDependencies& dependencies_;
  asio::any_io_executor executor_;
  asio::steady_timer wake_;
  std::map<RunId, std::shared_ptr<LiveRun>> live_;
  std::set<RunId> not_understood_;
  std::map<RunId, int> failures_;
  bool woken_ = false;
  bool stopping_ = false;
  std::chrono::steady_clock::time_point stop_at_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace deputy::run
