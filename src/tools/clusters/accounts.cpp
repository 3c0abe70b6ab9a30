#include "tools/clusters/accounts.h"

#include <fmt/format.h>

#include <array>

#include "base/json_pointer.h"
#include "base/process.h"
#include "base/text.h"

namespace deputy::tools::clusters {

namespace {

namespace rest = clients::rest;
using std::chrono::milliseconds;

constexpr std::chrono::seconds kReadAgain{60};     // files of tokens are renewed while Deputy runs
constexpr std::chrono::minutes kMaxUnexpired{10};  // of a credential that says no end
constexpr std::chrono::seconds kBeforeEnd{10};
constexpr std::chrono::seconds kMaxExec{20};
constexpr std::string_view kExecSetting = "tools.cluster_tools.kubernetes.exec_programs";

// What programs that sign in to clouds read. Deputy's own tokens are not among them.
constexpr auto kPassedOn = std::to_array<std::string_view>({"PATH",
                                                            "HOME",
                                                            "USER",
                                                            "TMPDIR",
                                                            "HTTPS_PROXY",
                                                            "HTTP_PROXY",
                                                            "NO_PROXY",
                                                            "SSL_CERT_FILE",
                                                            "AWS_PROFILE",
                                                            "AWS_REGION",
                                                            "AWS_DEFAULT_REGION",
                                                            "AWS_ACCESS_KEY_ID",
                                                            "AWS_SECRET_ACCESS_KEY",
                                                            "AWS_SESSION_TOKEN",
                                                            "AWS_CONFIG_FILE",
                                                            "AWS_SHARED_CREDENTIALS_FILE",
                                                            "AWS_ROLE_ARN",
                                                            "AWS_ROLE_SESSION_NAME",
                                                            "AWS_WEB_IDENTITY_TOKEN_FILE",
                                                            "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
                                                            "AWS_CONTAINER_CREDENTIALS_FULL_URI",
                                                            "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE",
                                                            "GOOGLE_APPLICATION_CREDENTIALS",
                                                            "CLOUDSDK_CONFIG",
                                                            "AZURE_CONFIG_DIR",
                                                            "AZURE_CLIENT_ID",
                                                            "AZURE_TENANT_ID",
                                                            "AZURE_FEDERATED_TOKEN_FILE"});

constexpr auto kMeanings = std::to_array<rest::Meaning>({
    {.status = 401,
     .kind = ErrorKind::authentication,
     .message = "the cluster does not accept the credentials",
     .hint = "renew the credentials of the context's user in tools.cluster_tools.kubernetes.kubeconfig (KUBECONFIG)"},
    {.status = 403,
     .kind = ErrorKind::permission,
     .message = "Deputy's account lacks the right for this",
     .hint = "name a namespace that it may read, or grant the right: docs/backends/kubernetes.md has the role"},
    {.status = 404,
     .kind = ErrorKind::not_found,
     .message = "there is no such object",
     .hint = "check namespace, kind and name; list_workloads shows what there is"},
    {.status = 409,
     .kind = ErrorKind::conflict,
     .message = "it changed in the meantime, and nothing was done",
     .hint = "look at it again and ask anew"},
    {.status = 410,
     .kind = ErrorKind::conflict,
     .message = "the list changed while it was read",
     .hint = "try again, or name a namespace or a selector to see fewer"},
    {.status = 422,
     .kind = ErrorKind::invalid_input,
     .message = "the cluster refuses this value",
     .hint = "correct the arguments as the message says"},
});

Result<ClusterAccess> load(const KubeFiles& files, const KubernetesSettings& settings, const std::string& context,
                           const Variable& variable) {
  if (context == kInCluster)
    return load_in_cluster(files, variable("KUBERNETES_SERVICE_HOST"), variable("KUBERNETES_SERVICE_PORT"));
  const std::string usual = variable("HOME") + "/.kube/config";
  return load_access(files, settings.kubeconfig.empty() ? usual : settings.kubeconfig, context);
}

}  // namespace

Result<ExecCredential> parse_exec_credential(std::string_view printed) {
  const auto unusable = [](std::string_view why) {
    return fail(ErrorKind::authentication, fmt::format("the kubeconfig's program printed {}", why),
                "run it by hand to see what it prints; it may need a login");
  };
  const Result<json::value> document = parse_json(printed);
  if (!document || text_in(*document, "/kind") != "ExecCredential") return unusable("no ExecCredential");
  ExecCredential credential{.token = Secret(text_in(*document, "/status/token")),
                            .certificate = text_in(*document, "/status/clientCertificateData"),
                            .key = Secret(text_in(*document, "/status/clientKeyData"))};
  if (credential.token.empty() && (credential.certificate.empty() || credential.key.empty()))
    return unusable("neither a token nor a certificate with its key");
  if (const std::string expires = text_in(*document, "/status/expirationTimestamp"); !expires.empty()) {
    const Result<Timestamp> at = parse_timestamp(expires);
    if (!at) return unusable("an expirationTimestamp that is no time");
    credential.expires = *at;
  }
  return credential;
}

Result<std::string> allowed_program(const std::string& command, const std::vector<std::string>& listed) {
  for (const std::string& program : listed) {
    const bool is_named = !command.contains('/') && std::filesystem::path(program).filename() == command;
    if (program == command || is_named) return program;
  }
  return fail(
      ErrorKind::not_configured,
      fmt::format("the kubeconfig runs `{}` to sign in, which settings do not allow", cut_with_mark(command, 100)),
      fmt::format("if you trust it, add its whole path to {}", kExecSetting));
}

ClusterAccounts::ClusterAccounts(ClusterSetup setup, net::HttpClient& http, const Clock& clock)
    : setup_(std::move(setup)), http_(http), clock_(clock) {}

Task<Result<Timestamp>> ClusterAccounts::run_exec(ClusterAccess& access, milliseconds limit) const {
  const ExecPlugin& plugin = *access.exec;
  ProcessSpec spec;
  CO_TRY(const std::string program, allowed_program(plugin.command, setup_.settings.exec_programs));
  spec.arguments.push_back(program);
  spec.arguments.insert(spec.arguments.end(), plugin.arguments.begin(), plugin.arguments.end());
  for (const std::string_view name : kPassedOn) {
    if (const std::string value = setup_.variable(std::string(name)); !value.empty())
      spec.environment.push_back(fmt::format("{}={}", name, value));
  }
  for (const auto& [name, value] : plugin.environment) spec.environment.push_back(name + "=" + value);
  const json::object info{
      {"apiVersion", plugin.api_version}, {"kind", "ExecCredential"}, {"spec", json::object{{"interactive", false}}}};
  spec.environment.push_back("KUBERNETES_EXEC_INFO=" + json::serialize(info));
  spec.timeout = std::min<milliseconds>(limit, kMaxExec);
  CO_TRY(const ProcessEnd end, co_await run_process(std::move(spec)));
  // What it printed may hold a secret, so no error shows it.
  if (end.timed_out) co_return fail(ErrorKind::timeout, fmt::format("`{}` did not print credentials in time", program));
  if (end.exit_code != 0)
    co_return fail(ErrorKind::authentication,
                   fmt::format("`{}`, which the kubeconfig names, ended with code {}", program, end.exit_code),
                   "run it by hand to see why; it may need a login");
  CO_TRY(ExecCredential credential, parse_exec_credential(end.output));
  if (!credential.token.empty()) access.header = Secret("Bearer " + credential.token.reveal());
  if (!credential.certificate.empty()) {
    access.tls.certificate = credential.certificate;
    access.tls.key = credential.key;
  }
  if (!credential.expires) co_return clock_.now() + kMaxUnexpired;
  co_return *credential.expires - kBeforeEnd;
}

Task<Result<std::shared_ptr<rest::Api>>> ClusterAccounts::api(std::string environment, milliseconds limit) {
  const auto known = accounts_.find(environment);
  if (known != accounts_.end() && clock_.now() < known->second.until) co_return known->second.api;
  const auto context = setup_.settings.contexts.find(environment);
  if (context == setup_.settings.contexts.end())
    co_return fail(ErrorKind::not_configured,
                   fmt::format("no cluster is set up for `{}`", cut_with_mark(environment, 60)),
                   "set tools.cluster_tools.kubernetes.contexts");
  auto read = [files = setup_.files, settings = setup_.settings, name = context->second,
               variable = setup_.variable](const std::stop_token&) { return load(files, settings, name, variable); };
  CO_TRY(ClusterAccess access, co_await on_worker<ClusterAccess>(*setup_.workers, limit, std::move(read)));
  Timestamp until = clock_.now() + kReadAgain;
  if (access.exec) {
    CO_TRY(until, co_await run_exec(access, limit));
  }
  auto api = std::make_shared<rest::Api>(
      rest::Account{.vendor = {.name = "Kubernetes",
                               .address_setting = "tools.cluster_tools.kubernetes.contexts and the kubeconfig",
                               .token_setting = "tools.cluster_tools.kubernetes.kubeconfig (KUBECONFIG)",
                               .meanings = kMeanings},
                    .base_url = access.server,
                    .auth = {"Authorization", access.header},
                    .tls = std::make_shared<const net::HostTls>(access.tls)},
      http_, clock_);
  accounts_[environment] = {api, until};
  co_return api;
}

}  // namespace deputy::tools::clusters
