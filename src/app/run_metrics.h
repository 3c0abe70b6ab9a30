// Counts what runs do: translates the entries that this process writes into metrics and the summary line.
#pragma once

#include <map>
#include <string>

#include "base/clock.h"
#include "base/ids.h"
#include "gateway/outbound/live.h"
#include "observe/metrics.h"
#include "observe/summary.h"
#include "run/journal/entry.h"
#include "toolkit/registry.h"

namespace deputy::app {

class RunMetrics {
 public:
  /// All arguments outlive it.
  RunMetrics(observe::Metrics& metrics, const Clock& clock, const toolkit::Registry& registry)
      : metrics_(metrics), clock_(clock), registry_(registry) {}

  void on_entry(RunId run, gateway::RunKind kind, const run::EntryBody& body);

 private:
  using CallKey = std::pair<RunId, std::string>;

  void on_replied(RunId run, const run::ModelReplied& replied);
  void on_call_finished(RunId run, const run::CallFinished& finished);
  void on_finished(RunId run, gateway::RunKind kind, const run::Finished& finished);

  observe::Metrics& metrics_;
  const Clock& clock_;
  const toolkit::Registry& registry_;
  observe::RequestSummary summary_;
  std::map<CallKey, std::string> tools_;  // of calls that have not finished
};

}  // namespace deputy::app
