#include "tools/clusters/objects.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/json_pointer.h"
#include "base/text.h"

namespace deputy::tools::clusters {

namespace {

constexpr std::size_t kMaxContainers = 30;
constexpr std::string_view kRevision = "/metadata/annotations/deployment.kubernetes.io~1revision";
constexpr std::string_view kChangeCause = "/metadata/annotations/kubernetes.io~1change-cause";

std::optional<Timestamp> time_in(const json::value& document, std::string_view pointer) {
  const Result<Timestamp> at = parse_timestamp(text_in(document, pointer));
  return at ? std::optional(*at) : std::nullopt;
}

std::int64_t count_in(const json::value& document, std::string_view pointer) {
  return whole_in(document, pointer).value_or(0);
}

ContainerState container_of(const json::value& status) {
  ContainerState container{.name = text_in(status, "/name"),
                           .image = text_in(status, "/image"),
                           .ready = is_true_in(status, "/ready"),
                           .restarts = count_in(status, "/restartCount")};
  if (find_in(status, "/state/waiting") != nullptr) {
    container.state = text_in(status, "/state/waiting/reason");
    if (container.state.empty()) container.state = "waiting";
    container.message = text_in(status, "/state/waiting/message");
  } else if (find_in(status, "/state/terminated") != nullptr) {
    container.state = text_in(status, "/state/terminated/reason");
    if (container.state.empty())
      container.state = fmt::format("ended with code {}", count_in(status, "/state/terminated/exitCode"));
    container.message = text_in(status, "/state/terminated/message");
  } else if (find_in(status, "/state/running") != nullptr) {
    container.state = "running";
  } else {
    container.state = "unknown";
  }
  if (find_in(status, "/lastState/terminated") != nullptr) {
    const std::string reason = text_in(status, "/lastState/terminated/reason");
    container.last_end = fmt::format("{}, exit code {}", reason.empty() ? "ended" : reason,
                                     count_in(status, "/lastState/terminated/exitCode"));
    container.last_ended = time_in(status, "/lastState/terminated/finishedAt");
  }
  return container;
}

bool has_failed(const ContainerState& container) {
  return container.state != "running" && container.state != "Completed";
}

std::string unschedulable(const json::value& pod) {
  for (const json::value& condition : items_in(pod, "/status/conditions")) {
    if (text_in(condition, "/type") == "PodScheduled" && text_in(condition, "/status") == "False")
      return text_in(condition, "/message");
  }
  return {};
}

std::string selector_of(const json::value& object) {
  std::vector<std::string> parts;
  const json::value* labels = find_in(object, "/spec/selector/matchLabels");
  if (labels != nullptr && labels->is_object()) {
    for (const auto& [name, value] : labels->get_object())
      parts.push_back(fmt::format("{}={}", as_view(name), as_text(value)));
  }
  return join(parts, ",");
}

// In the order of `kubectl rollout status`.
Rollout rollout_of_deployment(const json::value& object, const Workload& workload) {
  const std::int64_t replicas = count_in(object, "/status/replicas");
  const auto progressing = [](std::string why) { return Rollout{RolloutState::progressing, std::move(why)}; };
  if (workload.paused) return {RolloutState::paused, "it is paused: no change of it is rolled out"};
  if (workload.generation > count_in(object, "/status/observedGeneration"))
    return progressing("the cluster has not seen the change yet");
  for (const json::value& condition : items_in(object, "/status/conditions")) {
    if (text_in(condition, "/type") == "Progressing" && text_in(condition, "/reason") == "ProgressDeadlineExceeded")
      return {RolloutState::failed, "it did not progress within its deadline"};
  }
  if (workload.updated < workload.desired)
    return progressing(fmt::format("{} of {} replicas are updated", workload.updated, workload.desired));
  if (replicas > workload.updated)
    return progressing(fmt::format("{} old replicas are still to end", replicas - workload.updated));
  if (workload.available < workload.updated)
    return progressing(fmt::format("{} of {} updated replicas are available", workload.available, workload.updated));
  return {RolloutState::done,
          fmt::format("{} of {} replicas are updated and available", workload.available, workload.desired)};
}

Rollout rollout_of_set(const json::value& object, const Workload& workload) {
  if (workload.generation > count_in(object, "/status/observedGeneration"))
    return {RolloutState::progressing, "the cluster has not seen the change yet"};
  if (workload.updated < workload.desired)
    return {RolloutState::progressing, fmt::format("{} of {} pods are updated", workload.updated, workload.desired)};
  return {RolloutState::done, fmt::format("{} of {} pods are updated", workload.updated, workload.desired)};
}

}  // namespace

std::string_view word_of(ObjectKind kind) {
  switch (kind) {
    case ObjectKind::deployment:
      return "deployment";
    case ObjectKind::statefulset:
      return "statefulset";
    case ObjectKind::daemonset:
      return "daemonset";
    case ObjectKind::replicaset:
      return "replicaset";
    case ObjectKind::event:
      return "event";
    case ObjectKind::pod:
      break;
  }
  return "pod";
}

std::int64_t Pod::restarts() const {
  std::int64_t sum = 0;
  for (const ContainerState& container : containers) sum += std::clamp<std::int64_t>(container.restarts, 0, 1'000'000);
  return sum;
}

std::size_t Pod::ready() const {
  return static_cast<std::size_t>(std::ranges::count_if(containers, &ContainerState::ready));
}

const ContainerState* Pod::last_ended() const {
  const ContainerState* newest = nullptr;
  for (const ContainerState& container : containers) {
    if (container.last_end.empty()) continue;
    if (newest == nullptr || container.last_ended > newest->last_ended) newest = &container;
  }
  return newest;
}

Pod pod_of(const json::value& object) {
  Pod pod{.name = text_in(object, "/metadata/name"),
          .name_space = text_in(object, "/metadata/namespace"),
          .status = text_in(object, "/status/phase"),
          .node = text_in(object, "/spec/nodeName"),
          .message = text_in(object, "/status/message"),
          .started = time_in(object, "/status/startTime")};
  const bool is_over = pod.status == "Succeeded";
  if (const std::string reason = text_in(object, "/status/reason"); !reason.empty()) pod.status = reason;
  for (const json::value& status : items_in(object, "/status/containerStatuses")) {
    if (pod.containers.size() < kMaxContainers) pod.containers.push_back(container_of(status));
  }
  // A crash-looping pod has the phase Running; what its containers say is more.
  for (const ContainerState& container : pod.containers) {
    if (!has_failed(container) || is_over) continue;
    pod.status = container.state;
    if (!container.message.empty()) pod.message = container.message;
    break;
  }
  for (const json::value& status : items_in(object, "/status/initContainerStatuses")) {
    const ContainerState container = container_of(status);
    // Its restart policy keeps a sidecar running beside the others: that is well.
    if (!has_failed(container) || container.state == "PodInitializing" || is_over) continue;
    pod.status = fmt::format("Init:{}", container.state);
    pod.message = container.message;
    break;
  }
  if (const std::string why = unschedulable(object); !why.empty()) {
    pod.status = "Unschedulable";
    pod.message = why;
  }
  if (find_in(object, "/metadata/deletionTimestamp") != nullptr) pod.status = "Terminating";
  const bool all_ready = !pod.containers.empty() && pod.ready() == pod.containers.size();
  pod.healthy = is_over || (pod.status == "Running" && all_ready);
  return pod;
}

Workload workload_of(const json::value& object, ObjectKind kind) {
  Workload workload{.kind = kind,
                    .name = text_in(object, "/metadata/name"),
                    .name_space = text_in(object, "/metadata/namespace"),
                    .uid = text_in(object, "/metadata/uid"),
                    .resource_version = text_in(object, "/metadata/resourceVersion"),
                    .generation = count_in(object, "/metadata/generation"),
                    .paused = is_true_in(object, "/spec/paused"),
                    .strategy = text_in(object, "/spec/strategy/type"),
                    .selector = selector_of(object),
                    .revision = text_in(object, kRevision),
                    .change_cause = text_in(object, kChangeCause),
                    .created = time_in(object, "/metadata/creationTimestamp")};
  if (kind == ObjectKind::daemonset) {
    workload.desired = count_in(object, "/status/desiredNumberScheduled");
    workload.updated = count_in(object, "/status/updatedNumberScheduled");
    workload.ready = count_in(object, "/status/numberReady");
    workload.available = count_in(object, "/status/numberAvailable");
  } else {
    workload.desired = whole_in(object, "/spec/replicas").value_or(1);
    workload.updated = count_in(object, "/status/updatedReplicas");
    workload.ready = count_in(object, "/status/readyReplicas");
    workload.available = count_in(object, "/status/availableReplicas");
  }
  for (const json::value& container : items_in(object, "/spec/template/spec/containers")) {
    if (workload.images.size() < kMaxContainers)
      workload.images.push_back(fmt::format("{}: {}", text_in(container, "/name"), text_in(container, "/image")));
  }
  for (const json::value& condition : items_in(object, "/status/conditions")) {
    const std::string type = text_in(condition, "/type");
    const bool is_well = (text_in(condition, "/status") == "True") != (type == "ReplicaFailure");
    if (is_well || workload.conditions.size() >= kMaxContainers) continue;
    workload.conditions.push_back(fmt::format("{} {} {}: {}", type, text_in(condition, "/status"),
                                              text_in(condition, "/reason"), text_in(condition, "/message")));
  }
  workload.rollout =
      kind == ObjectKind::deployment ? rollout_of_deployment(object, workload) : rollout_of_set(object, workload);
  return workload;
}

ClusterEvent event_of(const json::value& object) {
  ClusterEvent event{
      .warning = text_in(object, "/type") == "Warning",
      .reason = text_in(object, "/reason"),
      .message = text_in(object, "/message"),
      .about = fmt::format("{} {}", text_in(object, "/involvedObject/kind"), text_in(object, "/involvedObject/name")),
      .name = text_in(object, "/involvedObject/name"),
      .name_space = text_in(object, "/metadata/namespace")};
  // Any of them may be null; a series counts on after its first event.
  event.count = std::max<std::int64_t>({1, count_in(object, "/count"), count_in(object, "/series/count")});
  for (const std::string_view pointer :
       {"/series/lastObservedTime", "/lastTimestamp", "/eventTime", "/firstTimestamp", "/metadata/creationTimestamp"}) {
    if (!event.last) event.last = time_in(object, pointer);
  }
  return event;
}

}  // namespace deputy::tools::clusters
