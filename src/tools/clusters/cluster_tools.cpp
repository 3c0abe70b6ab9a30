#include "tools/clusters/cluster_tools.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "tools/clusters/files/files.h"
#include "tools/clusters/kubernetes.h"

namespace deputy::tools::clusters {

namespace {

class WithEnvironment final : public toolkit::Tool {
 public:
  WithEnvironment(clusters::Tool tool, std::vector<std::string> known)
      : tool_(std::move(tool)), known_(std::move(known)) {}

  const toolkit::ToolSpec& spec() const override { return tool_->spec(); }
  Result<json::object> complete_arguments(const json::object& arguments) const override {
    // Nothing is set up: that is said when the call starts.
    if (known_.empty()) return tool_->complete_arguments(arguments);
    json::object given = arguments;
    const json::value* environment = given.if_contains("environment");
    const bool is_missing = environment == nullptr || environment->is_null() ||
                            (environment->is_string() && trim(as_view(environment->get_string())).empty());
    if (is_missing && known_.size() == 1) given["environment"] = known_.front();
    if (is_missing && known_.size() != 1)
      return fail(ErrorKind::invalid_input,
                  "ENVIRONMENT_REQUIRED: name one of the environments with a cluster: " + join(known_, ", "));
    TRY(json::object complete, tool_->complete_arguments(given));
    const std::string name = text_at(complete, "environment");
    if (!contains(known_, name))
      return fail(ErrorKind::invalid_input,
                  fmt::format("ENVIRONMENT_REQUIRED: no cluster is set up for `{}`; known: {}", cut_with_mark(name, 60),
                              join(known_, ", ")),
                  "a cluster is set up in tools.cluster_tools.kubernetes.contexts or tools.cluster_tools.files");
    return complete;
  }
  std::vector<Problem> problems_of(const json::object& some_arguments) const override {
    return tool_->problems_of(some_arguments);
  }

 private:
  Result<toolkit::Pipeline> chain_for(const json::object& arguments) const override {
    return tool_->compose(arguments);
  }

  clusters::Tool tool_;
  std::vector<std::string> known_;
};

}  // namespace

Clusters make_clusters(ClusterSetup setup, const ClusterFiles& files, net::HttpClient& http, const Clock& clock) {
  std::vector<std::shared_ptr<ClusterBackend>> set_up;
  if (!files.empty()) set_up.push_back(make_file_clusters(files, *setup.workers, clock));
  if (!setup.settings.contexts.empty()) set_up.push_back(std::make_shared<Kubernetes>(std::move(setup), http, clock));
  return Clusters({.family = "clusters",
                   .category = "cluster_tools",
                   .usual = "",
                   .missing = "tools.cluster_tools.kubernetes.contexts, such as {prod: eks-prod}, with the kubeconfig "
                              "that has them in tools.cluster_tools.kubernetes.kubeconfig (KUBECONFIG)"},
                  std::move(set_up));
}

std::vector<Tool> cluster_tools(const Clusters& clusters) {
  return {list_workloads(clusters),      get_workload(clusters), get_pod_logs(clusters),
          list_cluster_events(clusters), get_rollout(clusters),  restart_deployment(clusters),
          scale_deployment(clusters)};
}

toolkit::ToolSpec cluster_spec(const Clusters& clusters, std::string name, std::string description,
                               toolkit::Effect effect) {
  return {.name = std::move(name),
          .version = 1,
          .description = std::move(description),
          .category = "cluster_tools",
          .effect = effect,
          .pins = {"environment", "namespace"},
          .timeout = std::chrono::seconds(60),
          .target = clusters.target(),
          .missing = clusters.missing()};
}

Tool with_environment(Tool tool, const Clusters& clusters) {
  std::vector<std::string> known;
  for (const auto& cluster : clusters.all()) std::ranges::move(cluster->environments(), std::back_inserter(known));
  return std::make_shared<WithEnvironment>(std::move(tool), std::move(known));
}

Result<std::shared_ptr<ClusterBackend>> choose_cluster(const Clusters& clusters, const std::string& environment) {
  for (const auto& cluster : clusters.all()) {
    if (contains(cluster->environments(), environment)) return cluster;
  }
  return clusters.choose();
}

Task<Result<Workload>> read_deployment(ClusterBackend& cluster, Place place, std::string name,
                                       std::chrono::milliseconds limit) {
  CO_TRY(const json::value object, co_await cluster.get(place, ObjectKind::deployment, name, limit));
  co_return workload_of(object, ObjectKind::deployment);
}

}  // namespace deputy::tools::clusters
