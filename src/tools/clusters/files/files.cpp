#include "tools/clusters/files/files.h"

#include <fmt/format.h>

#include "base/json_pointer.h"
#include "base/text.h"
#include "tools/clusters/objects.h"
#include "tools/json_file.h"

namespace deputy::tools::clusters {

namespace {

using std::chrono::milliseconds;

constexpr std::string_view kSetting = "tools.cluster_tools.files";

std::string_view kind_name(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::deployment:
      return "Deployment";
    case ObjectKind::statefulset:
      return "StatefulSet";
    case ObjectKind::daemonset:
      return "DaemonSet";
    case ObjectKind::replicaset:
      return "ReplicaSet";
    case ObjectKind::event:
      return "Event";
    case ObjectKind::pod:
      break;
  }
  return "Pod";
}

Result<json::array> read_objects(const std::filesystem::path& file) {
  TRY(json::value document, read_json_file(file, kSetting));
  json::value* items = document.is_object() ? document.get_object().if_contains("items") : nullptr;
  if (items == nullptr || !items->is_array()) return holds_no("list of `items`", file, kSetting);
  return std::move(items->get_array());
}

bool is_in(const Place& place, const json::value& object) {
  return place.name_space.empty() || text_in(object, "/metadata/namespace") == place.name_space;
}

Result<Listed> list_objects(const std::filesystem::path& file, const Place& place, const ListQuery& query) {
  TRY(const json::array objects, read_objects(file));
  Listed listed;
  for (const json::value& object : objects) {
    if (text_in(object, "/kind") != kind_name(query.kind) || !is_in(place, object)) continue;
    TRY(const bool selected, is_selected(object, query.labels));
    if (!selected) continue;
    listed.has_more = listed.items.size() == query.most;
    if (listed.has_more) break;
    listed.items.push_back(object);
  }
  return listed;
}

Result<json::value> find_object_in(const std::filesystem::path& file, const Place& place, ObjectKind kind,
                                   const std::string& name) {
  TRY(const json::array objects, read_objects(file));
  for (const json::value& object : objects) {
    if (text_in(object, "/kind") == kind_name(kind) && is_in(place, object) &&
        text_in(object, "/metadata/name") == name)
      return object;
  }
  return fail(ErrorKind::not_found,
              fmt::format("there is no {} {}/{}", word_of(kind), place.name_space, cut_with_mark(name, 100)),
              "check namespace, kind and name; list_workloads shows what there is");
}

class FileClusterBackend final : public ClusterBackend {
 public:
  FileClusterBackend(ClusterFiles files, Workers& workers, const Clock& clock)
      : files_(std::move(files)), workers_(workers), clock_(clock) {}

  std::string_view name() const override { return "files"; }
  json::object target() const override {
    json::object target;
    for (const auto& [environment, file] : files_) target[environment] = file.string();
    return target;
  }
  Task<Result<std::string>> diagnose(milliseconds limit) override {
    auto job = [files = files_](const std::stop_token&) -> Result<std::string> {
      std::vector<std::string> found;
      for (const auto& [environment, file] : files) {
        TRY(const json::array objects, read_objects(file));
        found.push_back(fmt::format("{}: {} in {}", environment,
                                    count_of(static_cast<std::int64_t>(objects.size()), "object"), file.string()));
      }
      return join(found, ", ");
    };
    co_return co_await on_worker<std::string>(workers_, limit, std::move(job));
  }

  std::vector<std::string> environments() const override {
    std::vector<std::string> names;
    for (const auto& [environment, file] : files_) names.push_back(environment);
    return names;
  }
  std::string context_of(const std::string& environment) const override {
    const auto found = files_.find(environment);
    return found == files_.end() ? std::string() : found->second.string();
  }
  const Clock& clock() const override { return clock_; }
  // Nothing follows a file: whoever waits for a change looks once.
  milliseconds poll() const override { return std::chrono::hours(24); }

  Task<Result<Listed>> list(Place place, ListQuery query, milliseconds limit) override {
    CO_TRY(const std::filesystem::path file, file_of(place));
    auto job = [file, place, query](const std::stop_token&) { return list_objects(file, place, query); };
    co_return co_await on_worker<Listed>(workers_, limit, std::move(job));
  }
  Task<Result<json::value>> get(Place place, ObjectKind kind, std::string name, milliseconds limit) override {
    CO_TRY(const std::filesystem::path file, file_of(place));
    auto job = [file, place, kind, name](const std::stop_token&) { return find_object_in(file, place, kind, name); };
    co_return co_await on_worker<json::value>(workers_, limit, std::move(job));
  }
  Task<Result<std::string>> logs(Place place, PodLogQuery, milliseconds) override {
    co_return fail(ErrorKind::not_configured,
                   fmt::format("the cluster of {} is read from a file, which has no logs", place.environment),
                   "read the service's logs with get_service_logs");
  }
  Task<Result<json::value>> patch(Place place, DeploymentPatch, milliseconds) override {
    co_return fail(ErrorKind::not_configured,
                   fmt::format("the cluster of {} is read from a file, and files are only read", place.environment),
                   "set its context in tools.cluster_tools.kubernetes.contexts");
  }

 private:
  Result<std::filesystem::path> file_of(const Place& place) const {
    const auto found = files_.find(place.environment);
    if (found != files_.end()) return found->second;
    return fail(ErrorKind::not_configured,
                fmt::format("no cluster is set up for `{}`", cut_with_mark(place.environment, 60)),
                fmt::format("set {}", kSetting));
  }

  ClusterFiles files_;
  Workers& workers_;
  const Clock& clock_;
};

}  // namespace

std::shared_ptr<ClusterBackend> make_file_clusters(ClusterFiles files, Workers& workers, const Clock& clock) {
  return std::make_shared<FileClusterBackend>(std::move(files), workers, clock);
}

Result<bool> is_selected(const json::value& object, std::string_view selector) {
  const json::value* labels = find_in(object, "/metadata/labels");
  const auto value_of = [&](std::string_view name) -> std::optional<std::string> {
    const json::value* value =
        labels != nullptr && labels->is_object() ? labels->get_object().if_contains(name) : nullptr;
    return value == nullptr ? std::nullopt : std::optional(as_text(*value));
  };
  for (const std::string_view part : split(selector, ",")) {
    const std::string_view wanted = trim(part);
    if (wanted.empty()) continue;
    if (wanted.find_first_of(" ()") != std::string_view::npos)
      return fail(ErrorKind::invalid_input, "the cluster is read from a file, which knows no selectors with `in`",
                  "give labels such as app=checkout,tier!=web");
    const std::size_t equals = wanted.find('=');
    if (equals == std::string_view::npos) {
      const bool is_negated = wanted.starts_with('!');
      if (value_of(wanted.substr(is_negated ? 1 : 0)).has_value() == is_negated) return false;
      continue;
    }
    const bool is_negated = equals > 0 && wanted[equals - 1] == '!';
    const std::string_view name = wanted.substr(0, is_negated ? equals - 1 : equals);
    std::string_view value = wanted.substr(equals + 1);
    if (value.starts_with('=')) value.remove_prefix(1);
    if ((value_of(name) == std::optional(std::string(value))) == is_negated) return false;
  }
  return true;
}

}  // namespace deputy::tools::clusters
