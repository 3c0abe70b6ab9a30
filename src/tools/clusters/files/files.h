// Clusters in JSON files of this machine, to read only: for each environment what `kubectl get
// pods,deployments,statefulsets,daemonsets,replicasets,events -A -o json` prints. The file is read at each call. Other
// kinds of objects in it are not looked at.
#pragma once

#include <memory>

#include "base/workers.h"
#include "tools/clusters/cluster_backend.h"
#include "tools/clusters/settings.h"

namespace deputy::tools::clusters {

/// Workers and clock outlive it.
std::shared_ptr<ClusterBackend> make_file_clusters(ClusterFiles files, Workers& workers, const Clock& clock);

/// Whether an object has the labels of a selector as kubectl takes it: `app=checkout,tier!=web,canary,!old`. Errors:
/// invalid_input for `in` and `notin`, which are not known here. Pure.
Result<bool> is_selected(const json::value& object, std::string_view selector);

}  // namespace deputy::tools::clusters
