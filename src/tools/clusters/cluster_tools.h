// The tools that look at clusters and change deployments. `environment` chooses the cluster; where it is left out and
// only one is set up, that one is filled in before policy judges the call.
//
// To add one: its parameters and a function that makes it in read_tools.cpp or write_tools.cpp, and its line in
// cluster_tools().
#pragma once

#include <memory>
#include <vector>

#include "toolkit/tool.h"
#include "tools/backend_choice.h"
#include "tools/clusters/accounts.h"
#include "tools/clusters/cluster_backend.h"
#include "tools/clusters/objects.h"

namespace deputy::tools::clusters {

using Clusters = Backends<ClusterBackend>;
using Tool = std::shared_ptr<const toolkit::Tool>;

/// What `setup` points to, client and clock outlive it.
Clusters make_clusters(ClusterSetup setup, const ClusterFiles& files, net::HttpClient& http, const Clock& clock);

std::vector<Tool> cluster_tools(const Clusters& clusters);

Tool list_workloads(const Clusters& clusters);
Tool get_workload(const Clusters& clusters);
Tool get_pod_logs(const Clusters& clusters);
Tool list_cluster_events(const Clusters& clusters);
Tool get_rollout(const Clusters& clusters);
Tool restart_deployment(const Clusters& clusters);
Tool scale_deployment(const Clusters& clusters);

// For the tools themselves.

toolkit::ToolSpec cluster_spec(const Clusters& clusters, std::string name, std::string description,
                               toolkit::Effect effect);

/// The same tool, but a call without an environment gets the only one, or an error that lists them.
Tool with_environment(Tool tool, const Clusters& clusters);

/// The backend with the cluster of the environment.
Result<std::shared_ptr<ClusterBackend>> choose_cluster(const Clusters& clusters, const std::string& environment);

/// The deployment as it is now.
Task<Result<Workload>> read_deployment(ClusterBackend& cluster, Place place, std::string name,
                                       std::chrono::milliseconds limit);

template <class Fields, class Params>
void environment_field(Fields& f, std::string Params::* field) {
  f.optional(field, "environment", "Whose cluster, such as prod; needed where several are set up")
      .characters(0, 60)
      .kind(toolkit::Kind::environment);
}

}  // namespace deputy::tools::clusters
