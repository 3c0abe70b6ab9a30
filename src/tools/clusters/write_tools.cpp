// restart_deployment and scale_deployment.
//
// What was approved is a deployment of one generation: the cluster counts it up with every change of what is wanted,
// not with every pod that starts. Just before the change the deployment is read again; if its generation moved, the
// call ends with a conflict. The patch holds the resourceVersion of that read, so nothing can change in between either.
#include <fmt/format.h>

#include "base/json_pointer.h"
#include "base/text.h"
#include "tools/clusters/cluster_tools.h"
#include "tools/clusters/report.h"
#include "tools/common_steps.h"
#include "tools/shown.h"

namespace deputy::tools::clusters {

namespace {

using Looked = toolkit::Looked;

constexpr int kMaxTries = 3;  // a pod that starts in between moves the resourceVersion, which is no reason to give up

struct ChangeParams {
  std::string environment;
  std::string deployment;
  std::string name_space;
  std::optional<int> replicas;  // none: restart

  Place place() const { return {environment, name_space}; }
  bool scales() const { return replicas.has_value(); }
};

struct RestartParams : ChangeParams {
  template <class Fields>
  static void fields(Fields& f) {
    place_fields<RestartParams>(f);
  }

  template <class P, class Fields>
  static void place_fields(Fields& f) {
    f.required(&P::environment, "environment", "Whose cluster, such as prod")
        .characters(1, 60)
        .kind(toolkit::Kind::environment);
    f.required(&P::deployment, "deployment", "The name of the deployment").characters(1, 253);
    f.required(&P::name_space, "namespace", "The namespace").characters(1, 63);
  }
};

struct ScaleParams : ChangeParams {
  int wanted = 1;

  template <class Fields>
  static void fields(Fields& f) {
    RestartParams::place_fields<ScaleParams>(f);
    f.required(&ScaleParams::wanted, "replicas", "How many replicas it shall have").in_range(0, 1000);
  }
};

std::string full_name(const ChangeParams& params) {
  return fmt::format("{}/{} in {}", params.name_space, params.deployment, params.environment);
}

/// What the cluster's history shows of the change. By it a change is found again whose answer was lost.
std::string cause_of(const toolkit::CallContext& context) {
  const auto or_nobody = [](const std::string& person) { return person.empty() ? "nobody" : person; };
  return cut_with_mark(fmt::format("Restarted by Deputy: asked by {}, approved by {}, run {}, call {}",
                                   or_nobody(context.facts.requester.person), or_nobody(context.facts.approved_by),
                                   context.facts.run, context.call_id),
                       500);
}

DeploymentPatch patch_for(const ChangeParams& params, const Workload& now, std::string cause, Timestamp at,
                          DeploymentPatch::Run run) {
  json::object metadata{{"resourceVersion", now.resource_version}};
  if (params.scales()) {
    return {params.deployment,
            DeploymentPatch::Target::scale,
            {{"metadata", std::move(metadata)}, {"spec", json::object{{"replicas", *params.replicas}}}},
            run};
  }
  metadata["annotations"] = json::object{{"kubernetes.io/change-cause", std::move(cause)}};
  const json::object restarted{{"kubectl.kubernetes.io/restartedAt", format_timestamp(at)}};
  const json::object in_template{{"metadata", json::object{{"annotations", restarted}}}};
  return {params.deployment,
          DeploymentPatch::Target::deployment,
          {{"metadata", std::move(metadata)}, {"spec", json::object{{"template", in_template}}}},
          run};
}

Result<> check_can_change(const ChangeParams& params, const Workload& now) {
  if (now.paused)
    return fail(ErrorKind::conflict,
                fmt::format("the deployment {} is paused: a change would not be rolled out", full_name(params)),
                "resume it first (kubectl rollout resume), or find out who paused it");
  if (now.resource_version.empty())
    return fail(ErrorKind::upstream, "the cluster answered without the deployment's version", "try again later");
  if (params.scales() && now.desired == *params.replicas)
    return fail(ErrorKind::invalid_input,
                fmt::format("the deployment {} has {} already", full_name(params), count_of(now.desired, "replica")),
                "ask for another number");
  return {};
}

Task<Result<toolkit::Step>> preview(Clusters clusters, ChangeParams params, const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<ClusterBackend> cluster, choose_cluster(clusters, params.environment));
  CO_TRY(const Workload now,
         co_await read_deployment(*cluster, params.place(), params.deployment, context.time_left()));
  CO_TRY(check_can_change(params, now));
  DeploymentPatch patch =
      patch_for(params, now, "Restarted by Deputy", cluster->clock().now(), DeploymentPatch::Run::dry);
  CO_TRY((co_await cluster->patch(params.place(), std::move(patch), context.time_left())));
  std::string text = params.scales() ? fmt::format("Scale {} from {} to {}\n", full_name(params), now.desired,
                                                   count_of(*params.replicas, "replica"))
                                     : fmt::format("Restart {}: {}, one after the other\n", full_name(params),
                                                   count_of(now.desired, "replica"));
  if (!params.scales() && now.strategy == "Recreate")
    text = fmt::format("Restart {}: {}, all at once, so it is down meanwhile\n", full_name(params),
                       count_of(now.desired, "replica"));
  text += fmt::format("Context {}; now {} of {} ready, {}\n", cluster->context_of(params.environment), now.ready,
                      now.desired, now.rollout.why);
  for (const std::string& image : now.images) text += fmt::format("{}\n", shown(image, 200, context.redact_picked));
  if (params.scales() && *params.replicas == 0) text += "No replica will be left: it will be down\n";
  if (params.scales()) text += "If it has an autoscaler, that may change the number again\n";
  text += "The cluster accepted this as a dry run\n";
  co_return toolkit::Output{std::move(text),
                            {{"uid", now.uid}, {"generation", now.generation}, {"replicas", now.desired}}};
}

/// The deployment now, if it is still what was approved.
Task<Result<Workload>> read_again(ClusterBackend& cluster, const ChangeParams& params,
                                  const toolkit::CallContext& context) {
  const toolkit::Output* seen = context.output_of("preview");
  if (seen == nullptr) co_return fail(ErrorKind::internal, "the preview of this call is missing");
  CO_TRY(const Workload now, co_await read_deployment(cluster, params.place(), params.deployment, context.time_left()));
  const bool is_same = now.uid == text_at(seen->data, "uid") && now.generation == whole_in(seen->data, "/generation");
  if (!is_same)
    co_return fail(
        ErrorKind::conflict,
        fmt::format("the deployment {} was changed after the preview, and nothing was done", full_name(params)),
        "look at it again and ask anew");
  CO_TRY(check_can_change(params, now));
  co_return now;
}

toolkit::Output changed(const ChangeParams& params) {
  std::string text = params.scales()
                         ? fmt::format("Scaled {} to {}\n", full_name(params), count_of(*params.replicas, "replica"))
                         : fmt::format("Restarted {}\n", full_name(params));
  return {std::move(text), {{"deployment", params.deployment}, {"namespace", params.name_space}}};
}

Task<Result<toolkit::Step>> change(Clusters clusters, ChangeParams params, const toolkit::CallContext& context) {
  CO_TRY(const std::shared_ptr<ClusterBackend> cluster, choose_cluster(clusters, params.environment));
  for (int tried = 1;; ++tried) {
    CO_TRY(const Workload now, co_await read_again(*cluster, params, context));
    DeploymentPatch patch =
        patch_for(params, now, cause_of(context), cluster->clock().now(), DeploymentPatch::Run::real);
    const Result<json::value> patched = co_await cluster->patch(params.place(), std::move(patch), context.time_left());
    if (patched) co_return changed(params);
    // A conflict means that nothing happened. If only the status moved, the next try finds the same generation.
    if (patched.error().kind != ErrorKind::conflict || tried == kMaxTries) co_return std::unexpected(patched.error());
  }
}

Task<Result<Looked>> look_for_change(Clusters clusters, ChangeParams params, const toolkit::CallContext& context) {
  using enum Looked::Answer;
  CO_TRY(const std::shared_ptr<ClusterBackend> cluster, choose_cluster(clusters, params.environment));
  const toolkit::Output* seen = context.output_of("preview");
  if (seen == nullptr) co_return Looked{cannot_tell};
  CO_TRY(const Workload now,
         co_await read_deployment(*cluster, params.place(), params.deployment, context.time_left()));
  if (now.uid != text_at(seen->data, "uid")) co_return Looked{cannot_tell};
  if (now.generation == whole_in(seen->data, "/generation")) co_return Looked{not_done};
  const bool is_ours = params.scales() ? now.desired == *params.replicas : now.change_cause == cause_of(context);
  if (is_ours) co_return Looked{done, changed(params)};
  co_return Looked{cannot_tell};
}

Task<toolkit::Step> follow(ChangeParams params, std::optional<json::value> answer) {
  if (!answer) {
    const json::object arguments{{"environment", params.environment},
                                 {"deployment", params.deployment},
                                 {"namespace", params.name_space},
                                 {"wait", true}};
    co_return toolkit::Delegate{toolkit::DelegateKind::background, {{"tool", "get_rollout"}, {"arguments", arguments}}};
  }
  toolkit::Output output = changed(params);
  const std::string task = as_text(*answer);
  output.text += fmt::format("Its rollout is followed in the background, task {}\n", task);
  output.data["task"] = task;
  co_return output;
}

toolkit::Pipeline chain(const Clusters& clusters, const ChangeParams& params) {
  toolkit::Pipeline pipeline;
  pipeline
      .then({.name = "preview",
             .repeatable = true,
             .call = [clusters,
                      params](toolkit::CallContext& context) { return as_step(preview(clusters, params, context)); }})
      .await_approval()
      .then({.name = "change",
             .call = [clusters,
                      params](toolkit::CallContext& context) { return as_step(change(clusters, params, context)); },
             .look = [clusters,
                      params](toolkit::CallContext& context) { return look_for_change(clusters, params, context); },
             .look_after = std::chrono::seconds(2)})
      .then({.name = "follow", .repeatable = true, .call = [params](toolkit::CallContext& context) {
               return follow(params, context.answer);
             }});
  return pipeline;
}

}  // namespace

// restart_deployment = [ preview, AWAIT APPROVAL, change, follow ]

Tool restart_deployment(const Clusters& clusters) {
  toolkit::ToolSpec spec =
      cluster_spec(clusters, "restart_deployment",
                   "Restarts the pods of a deployment of a Kubernetes cluster, one after the other, as kubectl rollout "
                   "restart does. "
                   "A person sees a preview and approves it first; the rollout is then followed in the background.",
                   toolkit::Effect::write);
  spec.primary_param = "deployment";
  spec.pins.emplace_back("deployment");
  spec.topics = {
      .words = {"deployment restart"}, .verbs = {"restart"}, .working = "Restarting a deployment in {environment}"};
  return with_environment(toolkit::make_tool<RestartParams>(std::move(spec),
                                                            [clusters](const RestartParams& params) {
                                                              return Result<toolkit::Pipeline>(chain(clusters, params));
                                                            }),
                          clusters);
}

// scale_deployment = [ preview, AWAIT APPROVAL, change, follow ]

Tool scale_deployment(const Clusters& clusters) {
  toolkit::ToolSpec spec = cluster_spec(
      clusters, "scale_deployment",
      "Sets the number of replicas of a deployment of a Kubernetes cluster. A person sees a preview and approves it "
      "first; the rollout is then followed in the background.",
      toolkit::Effect::write);
  spec.primary_param = "deployment";
  spec.pins.insert(spec.pins.end(), {"deployment", "replicas"});
  spec.topics = {.words = {"deployment scale", "replicas"},
                 .verbs = {"scale"},
                 .working = "Scaling a deployment in {environment}"};
  return with_environment(toolkit::make_tool<ScaleParams>(std::move(spec),
                                                          [clusters](const ScaleParams& params) {
                                                            ChangeParams change = params;
                                                            change.replicas = params.wanted;
                                                            return Result<toolkit::Pipeline>(chain(clusters, change));
                                                          }),
                          clusters);
}

}  // namespace deputy::tools::clusters
