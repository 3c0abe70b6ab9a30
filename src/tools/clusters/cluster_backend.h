// The interface to where workloads, pods, events and rollouts are read, and deployments are changed. Objects are those
// of Kubernetes. It has no call for secrets, config maps or commands in containers, and none that deletes.
//
// To add one: a class that implements ClusterBackend, its settings in tools/clusters/settings.h, and its case in
// make_clusters.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/json.h"
#include "base/task.h"

namespace deputy::tools::clusters {

enum class ObjectKind { deployment, statefulset, daemonset, pod, replicaset, event };

/// A place in a cluster. `name_space` is empty for all namespaces.
struct Place {
  std::string environment;
  std::string name_space;
};

struct ListQuery {
  ObjectKind kind = ObjectKind::pod;
  std::string labels = {};  // a label selector, as kubectl takes it
  std::size_t most = 1000;
};

struct Listed {
  json::array items;
  bool has_more = false;
};

struct PodLogQuery {
  std::string pod;
  std::string container;  // empty: the only one
  bool previous = false;  // of the run before the last restart
  std::optional<Timestamp> from, to;
  int lines = 100;  // the newest
};

inline constexpr std::size_t kMaxLogBytes = 512UL * 1024;

/// A patch of a deployment. `body` holds the resourceVersion it was made for: if that moved, nothing happens, and the
/// error is a conflict.
struct DeploymentPatch {
  std::string name;
  enum class Target { deployment, scale } target = Target::deployment;
  json::object body;
  enum class Run { dry, real } run = Run::dry;
};

class ClusterBackend {
 public:
  virtual ~ClusterBackend() = default;

  virtual std::string_view name() const = 0;
  /// Where it reads from, as settings say. It is part of the digest that an approval holds for.
  virtual json::object target() const = 0;
  /// Makes a harmless read and says in a few words what came back, for `deputy doctor`.
  virtual Task<Result<std::string>> diagnose(std::chrono::milliseconds limit) = 0;

  /// Those with a cluster.
  virtual std::vector<std::string> environments() const = 0;
  /// "eks-prod": what settings say for it.
  virtual std::string context_of(const std::string& environment) const = 0;
  virtual const Clock& clock() const = 0;
  /// The time between looks at something that changes.
  virtual std::chrono::milliseconds poll() const = 0;

  virtual Task<Result<Listed>> list(Place place, ListQuery query, std::chrono::milliseconds limit) = 0;
  virtual Task<Result<json::value>> get(Place place, ObjectKind kind, std::string name,
                                        std::chrono::milliseconds limit) = 0;
  virtual Task<Result<std::string>> logs(Place place, PodLogQuery query, std::chrono::milliseconds limit) = 0;
  virtual Task<Result<json::value>> patch(Place place, DeploymentPatch patch, std::chrono::milliseconds limit) = 0;
};

}  // namespace deputy::tools::clusters
