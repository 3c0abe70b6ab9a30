// The backend `kubernetes`: the API of Kubernetes, as far as the cluster tools use it.
#pragma once

#include <string>
#include <vector>

#include "tools/clusters/accounts.h"
#include "tools/clusters/cluster_backend.h"

namespace deputy::tools::clusters {

class Kubernetes final : public ClusterBackend {
 public:
  /// What `setup` points to, client and clock outlive it.
  Kubernetes(ClusterSetup setup, net::HttpClient& http, const Clock& clock);

  std::string_view name() const override { return "kubernetes"; }
  json::object target() const override;
  /// Asks each cluster for its version.
  Task<Result<std::string>> diagnose(std::chrono::milliseconds limit) override;

  std::vector<std::string> environments() const override;
  std::string context_of(const std::string& environment) const override;
  const Clock& clock() const override { return accounts_.clock(); }
  std::chrono::milliseconds poll() const override { return accounts_.setup().poll; }

  Task<Result<Listed>> list(Place place, ListQuery query, std::chrono::milliseconds limit) override;
  Task<Result<json::value>> get(Place place, ObjectKind kind, std::string name,
                                std::chrono::milliseconds limit) override;
  Task<Result<std::string>> logs(Place place, PodLogQuery query, std::chrono::milliseconds limit) override;
  Task<Result<json::value>> patch(Place place, DeploymentPatch patch, std::chrono::milliseconds limit) override;

 private:
  Task<Result<Listed>> list_once(Place place, ListQuery query, std::chrono::milliseconds limit);
  Task<Result<std::string>> version_of(std::string environment, std::chrono::milliseconds limit);
  /// The error as it is. After a refusal of the credentials the next call signs in anew.
  std::unexpected<Error> refused(const std::string& environment, Error error);

  ClusterAccounts accounts_;
};

}  // namespace deputy::tools::clusters
