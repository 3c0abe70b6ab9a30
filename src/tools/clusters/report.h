// Writes what the cluster tools found: the verdict first, then one line each. Pure.
#pragma once

#include <vector>

#include "toolkit/cut.h"
#include "toolkit/step.h"
#include "tools/clusters/objects.h"

namespace deputy::tools::clusters {

inline constexpr std::size_t kMaxTold = 30;
inline constexpr std::size_t kMaxLogText = 6000;  // characters

struct FoundWorkloads {
  Place place;
  std::string name = {};  // that was asked for; empty: all
  std::string kind = {};  // the same
  std::vector<Workload> workloads;
  std::vector<Pod> pods;
  std::vector<std::string> notes;
};

/// Texts that are cut are redacted first: of half a secret nobody can tell that it is one.
toolkit::Output report(const FoundWorkloads& found, Timestamp now, const toolkit::Redact& redact);

/// A workload or a pod with what belongs to it. `workload` is empty for a pod, which is the only one of `pods`.
struct WorkloadDetails {
  Place place;
  std::optional<Workload> workload;
  std::vector<Pod> pods;
  std::vector<ClusterEvent> events;
  std::vector<std::string> notes;
};
toolkit::Output report(const WorkloadDetails& details, const toolkit::Redact& redact);

struct FoundEvents {
  Place place;
  std::string name;
  std::vector<ClusterEvent> events;
  std::vector<std::string> notes;
};
toolkit::Output report(const FoundEvents& found, const toolkit::Redact& redact);

/// `pods` are those that are not well; `before` the images of the revision before this one.
struct RolloutReport {
  Place place;
  Workload deployment;
  std::vector<Pod> pods;
  std::vector<std::string> before;
  std::string previous_revision;
};
toolkit::Output report(const RolloutReport& rollout, const toolkit::Redact& redact);

/// `text` is redacted already. The newest lines that fit are kept.
toolkit::Output report_logs(const Place& place, const PodLogQuery& query, std::string_view text);

}  // namespace deputy::tools::clusters
