// Kubeconfig files: which cluster a context means and how to sign in to it. Names are looked up in the files in their
// order, and the first that has a name counts. Pure, but for `load_access`.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/secret.h"
#include "net/http.h"

namespace deputy::tools::clusters {

/// One file, parsed. Relative paths in it start at its folder.
struct Kubeconfig {
  json::object document;
  std::filesystem::path folder;
};

/// A program that prints an ExecCredential.
struct ExecPlugin {
  std::string api_version;
  std::string command;
  std::vector<std::string> arguments;
  std::vector<std::pair<std::string, std::string>> environment;

  bool operator==(const ExecPlugin&) const = default;
};

/// Text that a kubeconfig holds itself, or the file it is in.
struct Material {
  std::string text;
  std::filesystem::path file;

  bool empty() const { return text.empty() && file.empty(); }
};

/// A context as the files describe it.
struct KubeContext {
  std::string server;
  Material authorities;
  Material certificate;
  Material key;
  Material token;
  std::string user;
  Secret password;
  std::optional<ExecPlugin> exec;
};

/// Errors are of kind not_configured: an unknown context (names the known ones), a cluster or user that is missing, and
/// what Deputy does not do: to skip the check of certificates, a proxy or a TLS name of the context's own, plain http
/// to another machine.
Result<KubeContext> find_context(std::span<const Kubeconfig> files, std::string_view context);

/// What is needed to send a request; `exec`, if any, still has to run.
struct ClusterAccess {
  std::string server;
  Secret header;  // "Bearer …", "Basic …"; empty: none
  net::HostTls tls;
  std::optional<ExecPlugin> exec;
};

/// Reads files for the tools. They block and are called on workers. Each bounds what it reads.
struct KubeFiles {
  std::function<Result<std::string>(const std::filesystem::path&)> text;
  std::function<Result<json::object>(const std::filesystem::path&)> document;
};

/// Reads the kubeconfig files of a list separated by colons, and what the context names. Files that do not exist are
/// skipped, unless none does.
Result<ClusterAccess> load_access(const KubeFiles& files, std::string_view paths, std::string_view context);

/// The cluster that Deputy runs in; `host` and `port` are the pod's variables KUBERNETES_SERVICE_HOST and _PORT.
Result<ClusterAccess> load_in_cluster(const KubeFiles& files, std::string_view host, std::string_view port);

}  // namespace deputy::tools::clusters
