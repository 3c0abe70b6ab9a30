// Workloads, pods, events and rollouts as the tools speak of them, read from the objects of Kubernetes. Values of
// environment variables, arguments and annotations are never read: they may be secrets. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "tools/clusters/cluster_backend.h"

namespace deputy::tools::clusters {

/// Texts are from outside and of any length.
struct ContainerState {
  std::string name;
  std::string image;
  bool ready = false;
  std::int64_t restarts = 0;
  std::string state;     // "running", or why it is not: "CrashLoopBackOff", "Completed"
  std::string message;   // what the cluster says of it
  std::string last_end;  // "OOMKilled, exit code 137"; empty: it has not ended before
  std::optional<Timestamp> last_ended;
};

struct Pod {
  std::string name;
  std::string name_space;
  std::string status;  // as kubectl's column: "Running", "CrashLoopBackOff", "Evicted", "Terminating"
  std::string node;
  std::string message;
  std::vector<ContainerState> containers;
  std::optional<Timestamp> started;
  bool healthy = false;  // all its containers are ready, or it has done its work

  std::int64_t restarts() const;
  std::size_t ready() const;
  /// The newest end of a container of it; null: none has ended.
  const ContainerState* last_ended() const;
};
Pod pod_of(const json::value& object);

enum class RolloutState { done, progressing, failed, paused };

struct Rollout {
  RolloutState state = RolloutState::done;
  std::string why;  // "2 of 3 replicas are updated"
};

struct Workload {
  ObjectKind kind = ObjectKind::deployment;
  std::string name;
  std::string name_space;
  std::string uid;
  std::string resource_version;
  std::int64_t generation = 0;
  std::int64_t desired = 0;
  std::int64_t updated = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  bool paused = false;
  std::string strategy;
  std::string selector;                 // of its pods, as labels are selected
  std::string revision;                 // of a deployment
  std::vector<std::string> images;      // "app: registry.example/checkout:1.4"
  std::vector<std::string> conditions;  // those that are not well: "Progressing False ProgressDeadlineExceeded: …"
  std::string change_cause;             // what Deputy wrote with its last change
  std::optional<Timestamp> created;
  Rollout rollout;

  bool healthy() const { return rollout.state == RolloutState::done && ready >= desired; }
};
Workload workload_of(const json::value& object, ObjectKind kind);

struct ClusterEvent {
  bool warning = false;
  std::string reason;
  std::string message;
  std::string about;  // "Pod checkout-5d4f"
  std::string name;   // of what it is about
  std::string name_space;
  std::int64_t count = 1;
  std::optional<Timestamp> last;
};
ClusterEvent event_of(const json::value& object);

std::string_view word_of(ObjectKind kind);

}  // namespace deputy::tools::clusters
