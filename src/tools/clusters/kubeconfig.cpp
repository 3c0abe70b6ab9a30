#include "tools/clusters/kubeconfig.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "base/json_pointer.h"
#include "base/text.h"
#include "net/url.h"

namespace deputy::tools::clusters {

namespace {

constexpr std::string_view kCheck = "check tools.cluster_tools.kubernetes.kubeconfig (KUBECONFIG)";
constexpr std::string_view kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

/// The entry of this name in `clusters`, `users` or `contexts`, and the folder of its file.
struct Entry {
  const json::value* value = nullptr;  // null: there is none
  std::filesystem::path folder;
};

Entry find_entry(std::span<const Kubeconfig> files, std::string_view list, std::string_view inner,
                 std::string_view name) {
  for (const Kubeconfig& file : files) {
    const json::value* entries = file.document.if_contains(list);
    if (entries == nullptr || !entries->is_array()) continue;
    for (const json::value& entry : entries->get_array()) {
      if (text_in(entry, "/name") != name) continue;
      if (const json::value* value = find_in(entry, fmt::format("/{}", inner))) return {value, file.folder};
    }
  }
  return {};
}

std::vector<std::string> context_names(std::span<const Kubeconfig> files) {
  std::vector<std::string> names;
  for (const Kubeconfig& file : files) {
    const json::value* entries = file.document.if_contains("contexts");
    if (entries == nullptr || !entries->is_array()) continue;
    for (const json::value& entry : entries->get_array()) {
      std::string name = cut_with_mark(text_in(entry, "/name"), 60);
      if (!name.empty() && !contains(names, name) && names.size() < 20) names.push_back(std::move(name));
    }
  }
  return names;
}

std::unexpected<Error> cannot_use(std::string message, std::string hint = std::string(kCheck)) {
  return fail(ErrorKind::not_configured, std::move(message), std::move(hint));
}

/// `key-data` in base64 comes before `key`, which is a path.
Result<Material> material(const Entry& entry, std::string_view key) {
  if (const std::string encoded = text_in(*entry.value, fmt::format("/{}-data", key)); !encoded.empty()) {
    std::optional<std::string> text = from_base64(encoded);
    if (!text) return cannot_use(fmt::format("`{}-data` of the kubeconfig is not base64", key));
    return Material{*std::move(text), {}};
  }
  const std::string path = text_in(*entry.value, fmt::format("/{}", key));
  if (path.empty()) return Material{};
  return Material{"", entry.folder / path};
}

Result<> take_cluster(const Entry& cluster, KubeContext& into) {
  into.server = text_in(*cluster.value, "/server");
  if (const Result<> allowed = net::allow_base_url(into.server); into.server.empty() || !allowed)
    return cannot_use("the `server` of the kubeconfig's cluster is not an address that Deputy talks to",
                      "write https://…; plain http is for this machine only");
  const bool is_plain = into.server.starts_with("http://");
  if (!is_plain && text_in(*cluster.value, "/insecure-skip-tls-verify") == "true")
    return cannot_use("the kubeconfig says insecure-skip-tls-verify, and Deputy always checks who answers",
                      "give the cluster its certificate-authority instead");
  for (const std::string_view key : {"tls-server-name", "proxy-url"}) {
    if (!text_in(*cluster.value, fmt::format("/{}", key)).empty())
      return cannot_use(fmt::format("the kubeconfig sets `{}`, which Deputy does not support", key));
  }
  TRY(into.authorities, material(cluster, "certificate-authority"));
  return {};
}

ExecPlugin exec_of(const json::value& exec) {
  ExecPlugin plugin{.api_version = text_in(exec, "/apiVersion"), .command = text_in(exec, "/command")};
  for (const json::value& argument : items_in(exec, "/args")) plugin.arguments.push_back(as_text(argument));
  for (const json::value& variable : items_in(exec, "/env"))
    plugin.environment.emplace_back(text_in(variable, "/name"), text_in(variable, "/value"));
  return plugin;
}

Result<> take_user(const Entry& user, KubeContext& into) {
  TRY(into.certificate, material(user, "client-certificate"));
  TRY(into.key, material(user, "client-key"));
  if (into.certificate.empty() != into.key.empty())
    return cannot_use("the kubeconfig's user has a client certificate without its key, or a key alone");
  into.token.text = text_in(*user.value, "/token");
  // As kubectl: the file is the newer of the two.
  if (const std::string file = text_in(*user.value, "/tokenFile"); !file.empty()) into.token = {"", user.folder / file};
  into.user = text_in(*user.value, "/username");
  into.password = Secret(text_in(*user.value, "/password"));
  if (find_in(*user.value, "/auth-provider") != nullptr)
    return cannot_use("the kubeconfig's user has an `auth-provider`, which Kubernetes has removed",
                      "write the user anew with an exec plugin");
  const json::value* exec = find_in(*user.value, "/exec");
  if (exec != nullptr && exec->is_object()) into.exec = exec_of(*exec);
  return {};
}

Result<std::string> text_of(const KubeFiles& files, const Material& material) {
  return material.file.empty() ? Result<std::string>(material.text) : files.text(material.file);
}

}  // namespace

Result<KubeContext> find_context(std::span<const Kubeconfig> files, std::string_view context) {
  const Entry chosen = find_entry(files, "contexts", "context", context);
  if (chosen.value == nullptr) {
    return cannot_use(
        fmt::format("the kubeconfig has no context `{}`", cut_with_mark(context, 60)),
        fmt::format("set tools.cluster_tools.kubernetes.contexts to one of {}", list_names(context_names(files))));
  }
  const std::string cluster_name = text_in(*chosen.value, "/cluster");
  const std::string user_name = text_in(*chosen.value, "/user");
  const Entry cluster = find_entry(files, "clusters", "cluster", cluster_name);
  if (cluster.value == nullptr)
    return cannot_use(fmt::format("the kubeconfig has no cluster `{}`", cut_with_mark(cluster_name, 60)));
  const Entry user = find_entry(files, "users", "user", user_name);
  if (user.value == nullptr && !user_name.empty())
    return cannot_use(fmt::format("the kubeconfig has no user `{}`", cut_with_mark(user_name, 60)));
  KubeContext found;
  TRY(take_cluster(cluster, found));
  if (user.value != nullptr) TRY(take_user(user, found));
  return found;
}

Result<ClusterAccess> load_access(const KubeFiles& files, std::string_view paths, std::string_view context) {
  std::vector<Kubeconfig> read;
  for (const std::string_view part : split(paths, ":")) {
    if (trim(part).empty()) continue;
    const std::filesystem::path path(trim(part));
    Result<json::object> document = files.document(path);
    if (document)
      read.push_back({*std::move(document), path.parent_path()});
    else if (document.error().kind != ErrorKind::not_found)
      return std::unexpected(std::move(document).error());
  }
  if (read.empty()) return cannot_use("there is no kubeconfig file");
  TRY(const KubeContext found, find_context(read, context));
  ClusterAccess access{.server = found.server, .exec = found.exec};
  TRY(access.tls.authorities, text_of(files, found.authorities));
  TRY(access.tls.certificate, text_of(files, found.certificate));
  TRY(const std::string key, text_of(files, found.key));
  access.tls.key = Secret(key);
  TRY(const std::string token, text_of(files, found.token));
  if (!trim(token).empty()) {
    access.header = Secret(fmt::format("Bearer {}", trim(token)));
  } else if (!found.user.empty()) {
    access.header = Secret("Basic " + to_base64(found.user + ":" + found.password.reveal()));
  }
  return access;
}

Result<ClusterAccess> load_in_cluster(const KubeFiles& files, std::string_view host, std::string_view port) {
  if (host.empty() || port.empty())
    return cannot_use("Deputy does not run in a cluster: KUBERNETES_SERVICE_HOST is not set",
                      "name a context of a kubeconfig in tools.cluster_tools.kubernetes.contexts");
  const std::filesystem::path folder(kServiceAccount);
  const std::string in_url = host.contains(':') ? fmt::format("[{}]", host) : std::string(host);
  ClusterAccess access{.server = fmt::format("https://{}:{}", in_url, port)};
  TRY(const std::string token, files.text(folder / "token"));
  access.header = Secret(fmt::format("Bearer {}", trim(token)));
  TRY(access.tls.authorities, files.text(folder / "ca.crt"));
  return access;
}

}  // namespace deputy::tools::clusters
