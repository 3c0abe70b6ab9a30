// list_workloads, get_workload, get_pod_logs, list_cluster_events and get_rollout.
#include <fmt/format.h>

#include <algorithm>

#include "base/json_pointer.h"
#include "base/text.h"
#include "tools/clusters/cluster_tools.h"
#include "tools/clusters/report.h"
#include "tools/common_steps.h"
#include "tools/time_range.h"

namespace deputy::tools::clusters {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxListed = 2000;
constexpr std::chrono::seconds kToAnswer{5};  // left of a call's time when waiting ends

std::string note_of_more(std::string_view what) {
  return fmt::format("there are more than {} {}; the others were not looked at", kMaxListed, what);
}

/// The one handler of a tool that reads. `read` makes the step of the backend, the parameters and the context.
template <class Params, class Read>
Result<toolkit::Pipeline> reading(const Clusters& clusters, const Params& params, Read read) {
  toolkit::Pipeline pipeline;
  pipeline.then({.name = "look", .repeatable = true, .call = [clusters, params, read](toolkit::CallContext& context) {
                   return as_step(read(clusters, params, context));
                 }});
  return pipeline;
}

template <class Fields, class Params>
void namespace_field(Fields& f, std::string Params::* field) {
  f.required(field, "namespace", "The namespace").characters(1, 63);
}

}  // namespace

// list_workloads = [ look ]

namespace {

enum class WantedKind { all, deployment, statefulset, daemonset, pod };

constexpr auto choices_of(WantedKind) {
  using W = WantedKind;
  return std::to_array<std::pair<W, std::string_view>>({{W::all, "all"},
                                                        {W::deployment, "deployment"},
                                                        {W::statefulset, "statefulset"},
                                                        {W::daemonset, "daemonset"},
                                                        {W::pod, "pod"}});
}

struct ListParams {
  std::string environment;
  std::string name_space;
  WantedKind kind = WantedKind::all;
  std::string name;
  std::string selector;

  template <class Fields>
  static void fields(Fields& f) {
    using P = ListParams;
    environment_field(f, &P::environment);
    f.optional(&P::name_space, "namespace", "Only this namespace; all by default").characters(0, 63);
    f.optional(&P::kind, "kind", "Which objects; `all` shows workloads, and the pods that are not well");
    f.optional(&P::name, "name", "Only workloads of this name, and the pods that they made")
        .characters(0, 253)
        .kind(toolkit::Kind::service);
    f.optional(&P::selector, "selector", "A label selector, such as app=checkout,tier in (web,api)").characters(0, 500);
  }
};

/// The object itself, or what it made: the names of these begin with its own.
bool is_named(const json::value& object, std::string_view name) {
  const std::string own = text_in(object, "/metadata/name");
  return name.empty() || own == name || own.starts_with(fmt::format("{}-", name));
}

constexpr std::size_t kMappedOnLoop = 50;

/// What `map` makes of each item, in their order.
template <class T, class Map>
Task<Result<std::vector<T>>> mapped(json::array items, Map map) {
  const std::size_t bytes = items.size() > kMappedOnLoop ? kMaxOnLoop + 1 : 0;
  auto make = [items = std::move(items), map]() -> Result<std::vector<T>> {
    std::vector<T> made;
    for (const json::value& item : items) {
      if (std::optional<T> one = map(item)) made.push_back(*std::move(one));
    }
    return made;
  };
  co_return co_await off_loop_if_large<std::vector<T>>(bytes, std::move(make));
}

Task<Result<toolkit::Step>> list_them(Clusters clusters, ListParams params, const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<ClusterBackend> cluster, choose_cluster(clusters, params.environment));
  FoundWorkloads found{.place = {params.environment, params.name_space}, .name = params.name};
  const bool all = params.kind == WantedKind::all;
  for (const auto& [wanted, kind] : {std::pair(WantedKind::deployment, ObjectKind::deployment),
                                     std::pair(WantedKind::statefulset, ObjectKind::statefulset),
                                     std::pair(WantedKind::daemonset, ObjectKind::daemonset)}) {
    if (!all && params.kind != wanted) continue;
    const ListQuery query{.kind = kind, .labels = params.selector, .most = kMaxListed};
    CO_TRY(Listed listed, co_await cluster->list(found.place, query, context.time_left()));
    const auto map = [kind, name = params.name](const json::value& item) {
      return is_named(item, name) ? std::optional(workload_of(item, kind)) : std::nullopt;
    };
    CO_TRY(std::vector<Workload> made, co_await mapped<Workload>(std::move(listed.items), map));
    std::ranges::move(made, std::back_inserter(found.workloads));
    if (listed.has_more) found.notes.push_back(note_of_more(fmt::format("{}s", word_of(kind))));
    if (!all) found.kind = word_of(kind);
  }
  if (all || params.kind == WantedKind::pod) {
    const ListQuery query{.kind = ObjectKind::pod, .labels = params.selector, .most = kMaxListed};
    CO_TRY(Listed listed, co_await cluster->list(found.place, query, context.time_left()));
    const auto map = [all, name = params.name](const json::value& item) -> std::optional<Pod> {
      if (!is_named(item, name)) return std::nullopt;
      Pod pod = pod_of(item);
      return all && pod.healthy ? std::nullopt : std::optional(std::move(pod));
    };
    CO_TRY(found.pods, co_await mapped<Pod>(std::move(listed.items), map));
    if (listed.has_more) found.notes.push_back(note_of_more("pods"));
    if (!all) found.kind = "pod";
  }
  if (!params.name.empty() && found.workloads.empty() && found.pods.empty())
    found.notes.push_back(
        fmt::format("nothing is named `{}` or begins so; a service may run under another name: leave "
                    "`name` out to see what there is",
                    cut_with_mark(params.name, 60)));
  co_return report(found, cluster->clock().now(), context.redact_picked);
}

}  // namespace

Tool list_workloads(const Clusters& clusters) {
  toolkit::ToolSpec spec = cluster_spec(
      clusters, "list_workloads",
      "Lists deployments, statefulsets and daemonsets of a Kubernetes cluster with ready replicas and images, and pods "
      "that are not well with restarts and reason, such as CrashLoopBackOff or OOMKilled. With kind pod all pods and "
      "how often each has restarted.",
      toolkit::Effect::read);
  spec.topics = {
      .words = {"workloads", "pods", "pods crash", "deployments", "kubernetes", "crashloopbackoff", "oomkilled"},
      .examples = {"which pods crash in {environment}?", "pods of {service} in {environment}",
                   "list the workloads in {environment}"},
      .working = "Looking at the workloads of {environment}"};
  spec.primary_param = "namespace";
  return with_environment(
      toolkit::make_tool<ListParams>(
          std::move(spec), [clusters](const ListParams& params) { return reading(clusters, params, list_them); }),
      clusters);
}

// get_workload = [ look ]

namespace {

enum class OneKind { deployment, statefulset, daemonset, pod };

constexpr auto choices_of(OneKind) {
  using K = OneKind;
  return std::to_array<std::pair<K, std::string_view>>(
      {{K::deployment, "deployment"}, {K::statefulset, "statefulset"}, {K::daemonset, "daemonset"}, {K::pod, "pod"}});
}
static_assert(static_cast<int>(OneKind::pod) == static_cast<int>(ObjectKind::pod));

struct GetParams {
  std::string environment;
  OneKind kind = OneKind::deployment;
  std::string name;
  std::string name_space;

  template <class Fields>
  static void fields(Fields& f) {
    using P = GetParams;
    environment_field(f, &P::environment);
    f.required(&P::kind, "kind", "What it is");
    f.required(&P::name, "name", "Its name").characters(1, 253);
    namespace_field(f, &P::name_space);
  }
};

/// Of the object itself, or of what it made: the names of these begin with its own.
bool is_about(const ClusterEvent& event, std::string_view name) {
  return event.name == name || event.name.starts_with(fmt::format("{}-", name));
}

Task<Result<toolkit::Step>> get_one(Clusters clusters, GetParams params, const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<ClusterBackend> cluster, choose_cluster(clusters, params.environment));
  WorkloadDetails details{.place = {params.environment, params.name_space}};
  const auto kind = static_cast<ObjectKind>(params.kind);
  CO_TRY(const json::value object, co_await cluster->get(details.place, kind, params.name, context.time_left()));
  if (kind == ObjectKind::pod) {
    details.pods.push_back(pod_of(object));
  } else {
    details.workload = workload_of(object, kind);
    if (details.workload->selector.empty()) {
      details.notes.emplace_back("its pods are not listed, because it does not select them by labels alone");
    } else {
      const ListQuery query{.labels = details.workload->selector, .most = kMaxListed};
      CO_TRY(Listed pods, co_await cluster->list(details.place, query, context.time_left()));
      CO_TRY(details.pods, co_await mapped<Pod>(std::move(pods.items), pod_of));
      if (pods.has_more) details.notes.push_back(note_of_more("pods"));
    }
  }
  const Result<Listed> events =
      co_await cluster->list(details.place, {.kind = ObjectKind::event, .most = kMaxListed}, context.time_left());
  if (!events) {
    details.notes.push_back(fmt::format("events could not be read: {}", events.error().message));
    co_return report(details, context.redact_picked);
  }
  for (const json::value& item : events->items) {
    ClusterEvent event = event_of(item);
    if (is_about(event, params.name)) details.events.push_back(std::move(event));
  }
  if (events->has_more) details.notes.push_back(note_of_more("events"));
  co_return report(details, context.redact_picked);
}

}  // namespace

Tool get_workload(const Clusters& clusters) {
  toolkit::ToolSpec spec = cluster_spec(
      clusters, "get_workload",
      "Shows one deployment, statefulset, daemonset or pod of a Kubernetes cluster: replicas, images, conditions, its "
      "pods with restarts and the reason of the last end, and its events. Values of variables are never shown.",
      toolkit::Effect::read);
  spec.topics = {.words = {"workload details"}, .working = "Looking at a workload in {environment}"};
  spec.probe = {{"kind", "deployment"}, {"name", "deputy-doctor"}, {"namespace", "default"}};
  spec.primary_param = "name";
  return with_environment(
      toolkit::make_tool<GetParams>(std::move(spec),
                                    [clusters](const GetParams& params) { return reading(clusters, params, get_one); }),
      clusters);
}

// get_pod_logs = [ look ]

namespace {

struct LogsParams {
  std::string environment;
  std::string pod;
  std::string name_space;
  std::string container;
  bool previous = false;
  std::optional<int> hours_back;
  std::optional<Timestamp> from;
  std::optional<Timestamp> to;
  int limit = 100;

  template <class Fields>
  static void fields(Fields& f) {
    using P = LogsParams;
    environment_field(f, &P::environment);
    f.required(&P::pod, "pod", "The name of the pod").characters(1, 253);
    namespace_field(f, &P::name_space);
    f.optional(&P::container, "container", "Which container; needed where the pod has several").characters(0, 63);
    f.optional(&P::previous, "previous", "The run before the last restart: why a container crashed");
    f.optional(&P::hours_back, "hours_back", "How many hours back from now to look")
        .in_range(1, kMaxHours)
        .kind(toolkit::Kind::hours);
    f.optional(&P::from, "from", "Start of the time range, such as 2026-11-15T04:00:00Z; replaces hours_back")
        .kind(toolkit::Kind::from);
    f.optional(&P::to, "to", "End of the time range; now by default").kind(toolkit::Kind::to);
    f.optional(&P::limit, "limit", "How many of the newest lines").in_range(1, 1000).kind(toolkit::Kind::count);
  }
};

/// Without a time range the newest lines count, however old they are.
Result<PodLogQuery> query_of(const LogsParams& params, Timestamp now) {
  PodLogQuery query{params.pod, params.container, params.previous, {}, {}, params.limit};
  if (!params.from && !params.to && !params.hours_back) return query;
  TRY(const TimeSpan span, span_of({params.hours_back.value_or(kUsualHours), params.from, params.to}, now));
  query.from = span.from;
  if (params.to) query.to = span.to;
  return query;
}

Task<Result<toolkit::Step>> read_logs_of_pod(Clusters clusters, LogsParams params,
                                             const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<ClusterBackend> cluster, choose_cluster(clusters, params.environment));
  const Place place{params.environment, params.name_space};
  CO_TRY(const PodLogQuery query, query_of(params, cluster->clock().now()));
  CO_TRY(std::string text, co_await cluster->logs(place, query, context.time_left()));
  const std::size_t bytes = text.size();
  auto write = [place, query, text = std::move(text), redact = context.redact_picked]() -> Result<toolkit::Output> {
    return report_logs(place, query, toolkit::redact_or_withhold(text, redact));
  };
  CO_TRY(toolkit::Output output, co_await off_loop_if_large<toolkit::Output>(bytes, std::move(write)));
  co_return output;
}

}  // namespace

Tool get_pod_logs(const Clusters& clusters) {
  toolkit::ToolSpec spec =
      cluster_spec(clusters, "get_pod_logs",
                   "Reads the newest log lines of a pod of a Kubernetes cluster. With `previous` those of the run "
                   "before the last restart, which say why a container crashed. list_workloads finds the pod's name.",
                   toolkit::Effect::read);
  spec.topics = {.words = {"pod logs"}, .working = "Reading logs of a pod in {environment}"};
  spec.probe = {{"pod", "deputy-doctor"}, {"namespace", "default"}};
  spec.primary_param = "pod";
  return with_environment(toolkit::make_tool<LogsParams>(std::move(spec),
                                                         [clusters](const LogsParams& params) {
                                                           return reading(clusters, params, read_logs_of_pod);
                                                         }),
                          clusters);
}

// list_cluster_events = [ look ]

namespace {

struct EventsParams {
  std::string environment;
  std::string name_space;
  std::string name;

  template <class Fields>
  static void fields(Fields& f) {
    using P = EventsParams;
    environment_field(f, &P::environment);
    f.optional(&P::name_space, "namespace", "Only this namespace; all by default").characters(0, 63);
    f.optional(&P::name, "name", "Only events of the object of this name and of what it made").characters(0, 253);
  }
};

Task<Result<toolkit::Step>> list_events(Clusters clusters, EventsParams params, const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<ClusterBackend> cluster, choose_cluster(clusters, params.environment));
  FoundEvents found{.place = {params.environment, params.name_space}, .name = params.name};
  const ListQuery query{.kind = ObjectKind::event, .most = kMaxListed};
  CO_TRY(const Listed listed, co_await cluster->list(found.place, query, context.time_left()));
  for (const json::value& item : listed.items) {
    ClusterEvent event = event_of(item);
    if (params.name.empty() || is_about(event, params.name)) found.events.push_back(std::move(event));
  }
  if (listed.has_more) found.notes.push_back(note_of_more("events"));
  co_return report(found, context.redact_picked);
}

}  // namespace

Tool list_cluster_events(const Clusters& clusters) {
  toolkit::ToolSpec spec = cluster_spec(
      clusters, "list_cluster_events",
      "Lists recent events of a Kubernetes cluster, warnings first: failed scheduling, probes, image pulls, kills. A "
      "cluster keeps them for about an hour. `name` narrows them to one workload and its pods.",
      toolkit::Effect::read);
  spec.topics = {.words = {"cluster events", "kubernetes events"},
                 .examples = {"cluster events in {environment}"},
                 .working = "Reading events of {environment}"};
  spec.primary_param = "namespace";
  return with_environment(
      toolkit::make_tool<EventsParams>(
          std::move(spec), [clusters](const EventsParams& params) { return reading(clusters, params, list_events); }),
      clusters);
}

// get_rollout = [ look ]

namespace {

struct RolloutParams {
  std::string environment;
  std::string deployment;
  std::string name_space;
  bool wait = false;

  template <class Fields>
  static void fields(Fields& f) {
    using P = RolloutParams;
    environment_field(f, &P::environment);
    f.required(&P::deployment, "deployment", "The name of the deployment").characters(1, 253);
    namespace_field(f, &P::name_space);
    f.optional(&P::wait, "wait", "Wait until the rollout has ended, or the time of the call is over");
  }
};

/// The newest revision before the deployment's own, from the replicasets that it made.
Task<Result<>> read_revision_before(ClusterBackend& cluster, RolloutReport& told, milliseconds limit) {
  if (told.deployment.selector.empty()) co_return Result<>{};
  const ListQuery query{.kind = ObjectKind::replicaset, .labels = told.deployment.selector, .most = kMaxListed};
  CO_TRY(const Listed sets, co_await cluster.list(told.place, query, limit));
  const auto number = [](const json::value& object) {
    return whole_in(object, "/metadata/annotations/deployment.kubernetes.io~1revision")
        .value_or(std::atoll(text_in(object, "/metadata/annotations/deployment.kubernetes.io~1revision").c_str()));
  };
  const json::value* newest = nullptr;
  const std::int64_t own = std::atoll(told.deployment.revision.c_str());
  for (const json::value& set : sets.items) {
    const bool is_ours = std::ranges::any_of(items_in(set, "/metadata/ownerReferences"), [&](const json::value& owner) {
      return text_in(owner, "/uid") == told.deployment.uid;
    });
    if (is_ours && number(set) < own && (newest == nullptr || number(set) > number(*newest))) newest = &set;
  }
  if (newest == nullptr) co_return Result<>{};
  told.previous_revision = std::to_string(number(*newest));
  told.before = workload_of(*newest, ObjectKind::replicaset).images;
  co_return Result<>{};
}

Task<Result<toolkit::Step>> look_at_rollout(Clusters clusters, RolloutParams params,
                                            const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<ClusterBackend> cluster, choose_cluster(clusters, params.environment));
  RolloutReport told{.place = {params.environment, params.name_space}};
  std::string last_said;
  for (;;) {
    Result<Workload> read = co_await read_deployment(*cluster, told.place, params.deployment, context.time_left());
    const bool may_wait = params.wait && context.time_left() >= cluster->poll() + kToAnswer;
    // A read that fails for a moment does not end the wait.
    if (!read && !(may_wait && read.error().retryable)) co_return std::unexpected(read.error());
    const std::string said = read ? read->rollout.why : read.error().message;
    if (read) told.deployment = *std::move(read);
    if (!may_wait || (read && told.deployment.rollout.state != RolloutState::progressing)) break;
    if (said != last_said) context.emit(fmt::format("{}: {}\n", params.deployment, said));
    last_said = said;
    co_await sleep_for(cluster->poll());
  }
  CO_TRY(co_await read_revision_before(*cluster, told, context.time_left()));
  if (told.deployment.rollout.state != RolloutState::done && !told.deployment.selector.empty()) {
    const ListQuery query{.labels = told.deployment.selector, .most = kMaxListed};
    CO_TRY(const Listed pods, co_await cluster->list(told.place, query, context.time_left()));
    for (const json::value& item : pods.items) {
      Pod pod = pod_of(item);
      if (!pod.healthy) told.pods.push_back(std::move(pod));
    }
  }
  co_return report(told, context.redact_picked);
}

}  // namespace

Tool get_rollout(const Clusters& clusters) {
  toolkit::ToolSpec spec = cluster_spec(
      clusters, "get_rollout",
      "Shows how far the rollout of a deployment of a Kubernetes cluster is: done, progressing, failed or paused, with "
      "replicas, the images now and before, and pods that are not well. With `wait` it answers when it has ended.",
      toolkit::Effect::read);
  spec.topics = {.words = {"rollout"}, .working = "Looking at a rollout in {environment}"};
  spec.probe = {{"deployment", "deputy-doctor"}, {"namespace", "default"}};
  spec.primary_param = "deployment";
  spec.timeout = toolkit::kMaxTimeout;
  return with_environment(toolkit::make_tool<RolloutParams>(std::move(spec),
                                                            [clusters](const RolloutParams& params) {
                                                              return reading(clusters, params, look_at_rollout);
                                                            }),
                          clusters);
}

}  // namespace deputy::tools::clusters
