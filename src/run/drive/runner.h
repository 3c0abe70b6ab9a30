// Claims runs that nobody owns, drives each, tells them of mail, and releases them when this instance stops. On the
// loop only.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "run/drive/live_run.h"

namespace deputy::run {

/// The health of runs.
struct RunnerHealth {
  std::size_t live = 0;
  std::vector<RunId> not_understood;  // given back and not claimed again: another version wrote them
  std::vector<RunId> failing;         // the store or a bug keeps them from going on
};

class Runner {
 public:
  /// `dependencies` outlives it. The store's hint of a change must call `wake`.
  Runner(const RunDependencies& dependencies, const asio::any_io_executor& executor);

  /// Claims and drives runs until `stop` has been called and every run is released.
  Task<> run();

  /// Something may have changed.
  void wake();

  /// Starts nothing more; `run` returns once handlers that must not be cancelled have ended, or after `grace`. A pause
  /// is obeyed meanwhile, and cancels those too.
  void stop(std::chrono::milliseconds grace = std::chrono::seconds(30));

  RunnerHealth health() const;
  /// This process does not go on with the run any more: it failed too often, or is not understood.
  bool has_given_up(RunId run) const;

 private:
  Task<> claim_once();
  store::ClaimFilter claim_filter();
  bool works_on_a_suspect() const;
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
  using Since = std::chrono::steady_clock::time_point;
  std::map<RunId, Since> after_crash_;  // taken up after a crash, and not yet further
  std::optional<RunId> suspect_;        // the last one taken up alone
  Since suspect_since_;
  bool woken_ = false;
  bool stopping_ = false;
  std::chrono::steady_clock::time_point stop_at_ = std::chrono::steady_clock::time_point::max();
};

}  // namespace deputy::run
