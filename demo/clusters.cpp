#include "clusters.h"

#include <fmt/format.h>

#include <fstream>

#include "base/json.h"

namespace deputy::demo {

namespace {

using namespace std::chrono_literals;
using std::chrono::minutes;

constexpr const char* kNamespace = "northlight";

/// A deployment, and what it runs.
struct Deployed {
  std::string name, environment, version;
  std::vector<std::string> containers;
  int replicas = 2;
  minutes since = 0min;  // its last rollout
};

class Cluster {
 public:
  Cluster(const World& world, std::string environment, Chance& chance)
      : world_(world), environment_(std::move(environment)), chance_(chance) {}

  void add(const DemoService& service) {
    const bool is_prod = environment_ == "prod";
    const bool is_ill = is_prod && service.key == "cast-core";
    Deployed deployed{.name = service.key,
                      .environment = environment_,
                      .version = service.key == "tide-billing" ? "4.6.2" : fmt::format("2.{}.0", chance_.below(30)),
                      .containers = {"main"},
                      .replicas = is_prod ? 3 : 1,
                      .since = 24h * (3 + static_cast<int>(chance_.below(20)))};
    if (service.key == "cast-core") deployed.containers.emplace_back("checkout");
    if (is_ill) {
      deployed.version = "3.12.0";
      deployed.since = 150min;
    }
    int ready = deployed.replicas;
    for (int i = 0; i < deployed.replicas; ++i) {
      const bool restarts = is_ill && i > 0;
      // Of the two that restart one is between two tries.
      const bool is_waiting = is_ill && i == 2;
      if (is_waiting) --ready;
      add_pod(deployed, restarts ? 3 * i + static_cast<int>(chance_.below(3)) : 0, is_waiting);
    }
    add_deployment(deployed, ready);
    add_replicaset(deployed, 2, deployed.version, deployed.replicas);
    add_replicaset(deployed, 1, is_ill ? "3.11.4" : "2.0.0", 0);
  }

  json::object list() && { return {{"apiVersion", "v1"}, {"kind", "List"}, {"items", std::move(items_)}}; }

 private:
  std::string ago(minutes before) const { return format_timestamp(world_.now - before); }
  static std::string uid_of(const Deployed& of) { return fmt::format("uid-{}-{}", of.environment, of.name); }
  static json::object labels_of(const Deployed& of) { return {{"app", of.name}}; }
  static std::string image(const std::string& name, const std::string& container, const std::string& version) {
    return fmt::format("registry.northlight.test/{}{}:{}", name, container == "main" ? "" : "-" + container, version);
  }

  static json::object pod_template(const Deployed& of, const std::string& version) {
    json::array containers;
    for (const std::string& name : of.containers)
      containers.push_back(json::object{{"name", name}, {"image", image(of.name, name, version)}});
    return {{"metadata", json::object{{"labels", labels_of(of)}}},
            {"spec", json::object{{"containers", std::move(containers)}}}};
  }

  json::object metadata(const std::string& name, json::object more) const {
    json::object metadata{{"name", name}, {"namespace", kNamespace}};
    for (auto& [key, value] : more) metadata[key] = value;
    return metadata;
  }

  void add_deployment(const Deployed& of, int ready) {
    items_.push_back(json::object{
        {"apiVersion", "apps/v1"},
        {"kind", "Deployment"},
        {"metadata", metadata(of.name, {{"uid", uid_of(of)},
                                        {"generation", 2},
                                        {"labels", labels_of(of)},
                                        {"resourceVersion", "4711"},
                                        {"creationTimestamp", ago(24h * 200)},
                                        {"annotations", json::object{{"deployment.kubernetes.io/revision", "2"}}}})},
        {"spec", json::object{{"replicas", of.replicas},
                              {"selector", json::object{{"matchLabels", labels_of(of)}}},
                              {"strategy", json::object{{"type", "RollingUpdate"}}},
                              {"template", pod_template(of, of.version)}}},
        {"status", json::object{{"observedGeneration", 2},
                                {"replicas", of.replicas},
                                {"updatedReplicas", of.replicas},
                                {"readyReplicas", ready},
                                {"availableReplicas", ready}}}});
  }

  void add_replicaset(const Deployed& of, int revision, const std::string& version, int replicas) {
    const json::object owner{{"kind", "Deployment"}, {"name", of.name}, {"uid", uid_of(of)}};
    items_.push_back(json::object{
        {"apiVersion", "apps/v1"},
        {"kind", "ReplicaSet"},
        {"metadata",
         metadata(fmt::format("{}-{}", of.name, chance_.hex(10)),
                  {{"labels", labels_of(of)},
                   {"creationTimestamp", ago(revision == 2 ? of.since : minutes(24h * 30))},
                   {"ownerReferences", json::array{owner}},
                   {"annotations", json::object{{"deployment.kubernetes.io/revision", std::to_string(revision)}}}})},
        {"spec", json::object{{"replicas", replicas}, {"template", pod_template(of, version)}}},
        {"status", json::object{{"replicas", replicas}}}});
  }

  void add_pod(const Deployed& of, int restarts, bool is_waiting) {
    const std::string name = fmt::format("{}-{}-{}", of.name, chance_.hex(9), chance_.hex(5));
    json::array statuses;
    for (const std::string& container : of.containers) {
      const bool ends = restarts > 0 && container == "checkout";
      json::object status{{"name", container},
                          {"image", image(of.name, container, of.version)},
                          {"ready", !(ends && is_waiting)},
                          {"restartCount", ends ? restarts : 0},
                          {"state", json::object{{"running", json::object{{"startedAt", ago(of.since)}}}}}};
      if (ends) {
        const json::object terminated{{"reason", "Error"}, {"exitCode", 137}, {"finishedAt", ago(9min)}};
        status["lastState"] = json::object{{"terminated", terminated}};
      }
      if (ends && is_waiting) {
        const json::object waiting{{"reason", "CrashLoopBackOff"},
                                   {"message", "back-off 5m0s restarting failed container=checkout"}};
        status["state"] = json::object{{"waiting", waiting}};
      }
      statuses.push_back(std::move(status));
    }
    items_.push_back(json::object{
        {"apiVersion", "v1"},
        {"kind", "Pod"},
        {"metadata", metadata(name, {{"labels", labels_of(of)}, {"creationTimestamp", ago(of.since)}})},
        {"spec", json::object{{"nodeName", fmt::format("node-{}", 1 + chance_.below(5))}}},
        {"status",
         json::object{
             {"phase", "Running"}, {"startTime", ago(of.since)}, {"containerStatuses", std::move(statuses)}}}});
    if (restarts == 0) return;
    add_event(name, "Unhealthy",
              "Liveness probe failed: Get \"http://10.2.0.7:8081/healthz\": context deadline exceeded", restarts * 3,
              10min);
    if (is_waiting) add_event(name, "BackOff", "Back-off restarting failed container checkout", restarts * 2, 2min);
  }

  void add_event(const std::string& pod, const std::string& reason, const std::string& message, int count,
                 minutes before) {
    items_.push_back(
        json::object{{"apiVersion", "v1"},
                     {"kind", "Event"},
                     {"metadata", metadata(fmt::format("{}.{}", pod, chance_.hex(16)), {})},
                     {"type", "Warning"},
                     {"reason", reason},
                     {"message", message},
                     {"count", count},
                     {"lastTimestamp", ago(before)},
                     {"involvedObject", json::object{{"kind", "Pod"}, {"name", pod}, {"namespace", kNamespace}}}});
  }

  const World& world_;
  std::string environment_;
  Chance& chance_;
  json::array items_;
};

}  // namespace

void write_clusters(const World& world, const std::filesystem::path& folder) {
  Chance chance(world.seed + 3);
  std::filesystem::create_directories(folder);
  for (const std::string environment : {"prod", "staging", "dev"}) {
    Cluster cluster(world, environment, chance);
    for (const DemoService& service : services()) cluster.add(service);
    std::ofstream(folder / (environment + ".json")) << json::serialize(std::move(cluster).list()) << "\n";
  }
}

}  // namespace deputy::demo
