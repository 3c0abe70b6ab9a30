// Settings of the cluster tools, `tools.cluster_tools`: those that every category has, and how clusters are reached.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "toolkit/settings.h"

namespace deputy::tools {

/// The context that means the cluster Deputy itself runs in, by the account of its pod.
inline constexpr std::string_view kInCluster = "in-cluster";

struct KubernetesSettings {
  std::string kubeconfig;
  std::map<std::string, std::string> contexts;
  std::vector<std::string> exec_programs;

  template <class Fields>
  static void fields(Fields& f) {
    using K = KubernetesSettings;
    f.optional(&K::kubeconfig, "kubeconfig",
               "The kubeconfig files, separated by colons; ~/.kube/config where none is named")
        .from_variable("KUBECONFIG");
    f.optional(&K::contexts, "contexts",
               "For each environment its context of the kubeconfig, such as {prod: eks-prod}; the context `in-cluster` "
               "is the cluster that Deputy runs in");
    f.optional(&K::exec_programs, "exec_programs",
               "The programs that a kubeconfig may run to get credentials, by their whole path, such as "
               "/usr/local/bin/aws")
        .check_with(check_programs);
  }

 private:
  static void check_programs(const std::vector<std::string>& programs, FieldReader& reader);
};

/// By environment.
using ClusterFiles = std::map<std::string, std::filesystem::path>;

struct ClusterToolsSettings : toolkit::CategorySettings {
  KubernetesSettings kubernetes;
  ClusterFiles files;

  void check(FieldReader& reader) const;

  template <class Fields>
  static void fields(Fields& f) {
    using S = ClusterToolsSettings;
    f.optional(&S::kubernetes, "kubernetes", "The backend `kubernetes`");
    f.optional(&S::files, "files",
               "The backend `files`, to read only: for each environment a file with what `kubectl get "
               "pods,deployments,statefulsets,daemonsets,replicasets,events -A -o json` prints");
    f.template shared<toolkit::CategorySettings>();
  }
};

}  // namespace deputy::tools
