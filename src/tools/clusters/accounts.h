// Deputy's accounts at clusters, one for each environment: signs in as the kubeconfig says and again when credentials
// change or end. A kubeconfig may name a program that prints credentials; only programs that settings list are run, by
// their whole path and without a shell.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/workers.h"
#include "clients/rest/api.h"
#include "tools/clusters/kubeconfig.h"
#include "tools/clusters/settings.h"

namespace deputy::tools::clusters {

/// The process's own environment variable; empty when it is not set.
using Variable = std::function<std::string(const std::string& name)>;

struct ClusterSetup {
  KubernetesSettings settings;
  KubeFiles files;
  Variable variable;
  Workers* workers = nullptr;
  std::chrono::milliseconds poll = std::chrono::seconds(3);  // between looks at a rollout
};

/// What an ExecCredential gives. Pure.
struct ExecCredential {
  Secret token;
  std::string certificate;
  Secret key;
  std::optional<Timestamp> expires;
};
Result<ExecCredential> parse_exec_credential(std::string_view printed);

/// The listed program that a kubeconfig's command means: its whole path, or its name alone. Pure.
Result<std::string> allowed_program(const std::string& command, const std::vector<std::string>& listed);

class ClusterAccounts {
 public:
  /// Client, clock and workers outlive it.
  ClusterAccounts(ClusterSetup setup, net::HttpClient& http, const Clock& clock);

  const ClusterSetup& setup() const { return setup_; }
  const Clock& clock() const { return clock_; }

  /// `environment` is one of settings' contexts.
  Task<Result<std::shared_ptr<clients::rest::Api>>> api(std::string environment, std::chrono::milliseconds limit);
  /// The next call signs in anew: the cluster did not accept the credentials.
  void forget(const std::string& environment) { accounts_.erase(environment); }

 private:
  struct Account {
    std::shared_ptr<clients::rest::Api> api;
    Timestamp until;
  };

  Task<Result<Timestamp>> run_exec(ClusterAccess& access, std::chrono::milliseconds limit) const;

  ClusterSetup setup_;
  net::HttpClient& http_;
  const Clock& clock_;
  std::map<std::string, Account> accounts_;
};

}  // namespace deputy::tools::clusters
