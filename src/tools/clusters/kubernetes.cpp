#include "tools/clusters/kubernetes.h"

#include <fmt/format.h>

#include "base/json_pointer.h"
#include "base/text.h"
#include "clients/rest/pages.h"

namespace deputy::tools::clusters {

namespace {

namespace rest = clients::rest;
using std::chrono::milliseconds;

constexpr std::string_view kPageSize = "250";
constexpr std::size_t kMaxPage = 16UL * 1024 * 1024;

std::string_view group_of(ObjectKind kind) {
  return kind == ObjectKind::pod || kind == ObjectKind::event ? "api/v1" : "apis/apps/v1";
}

std::string_view plural_of(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::deployment:
      return "deployments";
    case ObjectKind::statefulset:
      return "statefulsets";
    case ObjectKind::daemonset:
      return "daemonsets";
    case ObjectKind::replicaset:
      return "replicasets";
    case ObjectKind::event:
      return "events";
    case ObjectKind::pod:
      break;
  }
  return "pods";
}

Result<std::string> path_of_list(const Place& place, ObjectKind kind) {
  if (place.name_space.empty()) return fmt::format("{}/{}", group_of(kind), plural_of(kind));
  TRY(const std::string inside, rest::path_of({"namespaces", place.name_space, plural_of(kind)}));
  return fmt::format("{}/{}", group_of(kind), inside);
}

Result<std::string> path_of_object(const Place& place, ObjectKind kind, std::string_view name) {
  TRY(const std::string inside, rest::path_of({"namespaces", place.name_space, plural_of(kind), name}));
  return fmt::format("{}/{}", group_of(kind), inside);
}

}  // namespace

Kubernetes::Kubernetes(ClusterSetup setup, net::HttpClient& http, const Clock& clock)
    : accounts_(std::move(setup), http, clock) {}

json::object Kubernetes::target() const {
  json::object contexts;
  for (const auto& [environment, context] : accounts_.setup().settings.contexts) contexts[environment] = context;
  json::object target{{"contexts", std::move(contexts)}};
  if (const std::string& files = accounts_.setup().settings.kubeconfig; !files.empty()) target["kubeconfig"] = files;
  return target;
}

std::vector<std::string> Kubernetes::environments() const {
  std::vector<std::string> names;
  for (const auto& [environment, context] : accounts_.setup().settings.contexts) names.push_back(environment);
  return names;
}

std::string Kubernetes::context_of(const std::string& environment) const {
  const auto& contexts = accounts_.setup().settings.contexts;
  const auto found = contexts.find(environment);
  return found == contexts.end() ? std::string() : found->second;
}

std::unexpected<Error> Kubernetes::refused(const std::string& environment, Error error) {
  if (error.kind == ErrorKind::authentication) accounts_.forget(environment);
  return std::unexpected(std::move(error));
}

Task<Result<std::string>> Kubernetes::version_of(std::string environment, milliseconds limit) {
  CO_TRY(const std::shared_ptr<rest::Api> api, co_await accounts_.api(environment, limit));
  Result<json::value> version = co_await api->call({.path = "version", .limit = limit});
  if (!version) co_return refused(environment, std::move(version).error());
  co_return fmt::format("{} {}", environment, cut_with_mark(text_in(*version, "/gitVersion"), 40));
}

Task<Result<std::string>> Kubernetes::diagnose(milliseconds limit) {
  std::vector<std::string> found;
  for (const std::string& environment : environments()) {
    CO_TRY(std::string version, co_await version_of(environment, limit));
    found.push_back(std::move(version));
  }
  co_return join(found, ", ");
}

Task<Result<Listed>> Kubernetes::list_once(Place place, ListQuery query, milliseconds limit) {
  CO_TRY(const std::string path, path_of_list(place, query.kind));
  CO_TRY(const std::shared_ptr<rest::Api> api, co_await accounts_.api(place.environment, limit));
  rest::Call first{.path = path,
                   .query = {{"limit", std::string(kPageSize)}, {"labelSelector", query.labels}},
                   .limit = limit,
                   .most = kMaxPage};
  Result<rest::Pages> pages = co_await rest::read_pages(
      *api, std::move(first), "/items", rest::next_by_cursor("/metadata/continue", "continue"), query.most);
  if (!pages) co_return refused(place.environment, std::move(pages).error());
  co_return Listed{std::move(pages->items), pages->has_more};
}

Task<Result<Listed>> Kubernetes::list(Place place, ListQuery query, milliseconds limit) {
  Result<Listed> listed = co_await list_once(place, query, limit);
  // The continue token is older than the cluster keeps: only a new list helps.
  if (!listed && listed.error().kind == ErrorKind::conflict) listed = co_await list_once(place, query, limit);
  co_return listed;
}

Task<Result<json::value>> Kubernetes::get(Place place, ObjectKind kind, std::string name, milliseconds limit) {
  CO_TRY(const std::string path, path_of_object(place, kind, name));
  CO_TRY(const std::shared_ptr<rest::Api> api, co_await accounts_.api(place.environment, limit));
  Result<json::value> object = co_await api->call({.path = path, .limit = limit});
  if (!object) co_return refused(place.environment, std::move(object).error());
  if (!object->is_object()) co_return std::unexpected(rest::unusable(api->vendor(), "answered without an object"));
  co_return object;
}

Task<Result<std::string>> Kubernetes::logs(Place place, PodLogQuery query, milliseconds limit) {
  CO_TRY(const std::string path, path_of_object(place, ObjectKind::pod, query.pod));
  CO_TRY(const std::shared_ptr<rest::Api> api, co_await accounts_.api(place.environment, limit));
  rest::Call call{
      .path = path + "/log",
      .query = {{"container", query.container}, {"limitBytes", std::to_string(kMaxLogBytes)}, {"timestamps", "true"}},
      .headers = {{"Accept", "text/plain, application/json"}},
      .limit = limit,
      .most = kMaxLogBytes + 64UL * 1024};
  if (query.previous) call.query.push_back({"previous", "true"});
  if (query.from) call.query.push_back({"sinceTime", format_timestamp(*query.from).substr(0, 19) + "Z"});
  // Kubernetes knows no end of a range: the last lines may all be after it.
  if (!query.to) call.query.push_back({"tailLines", std::to_string(query.lines)});
  Result<net::Response> response = co_await api->send(std::move(call));
  if (!response) co_return refused(place.environment, std::move(response).error());
  co_return std::move(response->body);
}

Task<Result<json::value>> Kubernetes::patch(Place place, DeploymentPatch patch, milliseconds limit) {
  CO_TRY(std::string path, path_of_object(place, ObjectKind::deployment, patch.name));
  CO_TRY(const std::shared_ptr<rest::Api> api, co_await accounts_.api(place.environment, limit));
  const bool scales = patch.target == DeploymentPatch::Target::scale;
  const bool dry = patch.run == DeploymentPatch::Run::dry;
  rest::Call call{
      .method = "PATCH",
      .path = scales ? path + "/scale" : path,
      .query = {{"dryRun", dry ? "All" : ""}, {"fieldManager", "deputy"}, {"fieldValidation", "Strict"}},
      .body = std::move(patch.body),
      .headers = {{"Content-Type", scales ? "application/merge-patch+json" : "application/strategic-merge-patch+json"}},
      .only_reads = dry,
      .limit = limit};
  Result<json::value> patched = co_await api->call(std::move(call));
  if (!patched) co_return refused(place.environment, std::move(patched).error());
  co_return patched;
}

}  // namespace deputy::tools::clusters
