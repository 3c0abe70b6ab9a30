// The cluster tools over a stand-in for Kubernetes, and their errors.
#include "base/json_pointer.h"
#include "support/scripted_http.h"
#include "support/vendor_errors.h"
#include "tools/call_tool.h"
#include "tools/clusters/cluster_fixture.h"

namespace deputy::tools::clusters {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST_F(ClusterTools, ListWhatRunsAndWhatCrashes) {
  start();
  const Result<std::string> text = call("list_workloads", {});
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("3 workloads in prod, all namespaces, 2 not well; 1 pod not well\n"));
  EXPECT_THAT(*text,
              HasSubstr("- deployment shop/checkout: 2/2 ready, 2 updated (app: registry.example/checkout:1.4)"));
  EXPECT_THAT(*text, HasSubstr("- pod shop/mail-c [CrashLoopBackOff]: 0/1 ready, 7 restarts, last end OOMKilled, exit "
                               "code 137 at 2026-11-18 10:00:00 UTC, node node-1: back-off"));
  EXPECT_THAT(*text, Not(HasSubstr("hunter2")));
  const Result<std::string> pods = call("list_workloads", {{"kind", "pod"}, {"selector", "app=checkout"}});
  ASSERT_OK(pods);
  EXPECT_THAT(*pods, StartsWith("2 pods in prod, all namespaces, 0 not well\n"));
}

TEST_F(ClusterTools, SayThatAServiceMayRunUnderAnotherName) {
  start();
  EXPECT_THAT(*call("list_workloads", {{"name", "basket"}}),
              HasSubstr("nothing is named `basket` or begins so; a service may run under another name"));
  EXPECT_THAT(*call("list_workloads", {{"name", "mail"}}), Not(HasSubstr("under another name")));
}

TEST_F(ClusterTools, ShowOneWorkloadWithItsPodsAndEvents) {
  start();
  const Result<std::string> text =
      call("get_workload", {{"kind", "deployment"}, {"name", "mail"}, {"namespace", "shop"}});
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("deployment shop/mail in prod is not well: 0/1 ready, 0 of 1 updated replicas"));
  EXPECT_THAT(*text,
              AllOf(HasSubstr("[CrashLoopBackOff]"), HasSubstr("- Warning BackOff Pod mail-c: Back-off restarting"
                                                               " failed container (×42), 2026-11-18 10:01:00 UTC")));
  EXPECT_THAT(*text, Not(HasSubstr("hunter2")));
  const Result<std::string> pod = call("get_workload", {{"kind", "pod"}, {"name", "mail-c"}, {"namespace", "shop"}});
  ASSERT_OK(pod);
  EXPECT_THAT(*pod,
              AllOf(StartsWith("pod shop/mail-c in prod is not well: CrashLoopBackOff\n"),
                    HasSubstr("Container app: CrashLoopBackOff, not ready, 7 restarts"), Not(HasSubstr("hunter2"))));
}

TEST_F(ClusterTools, ReadLogsOfARunThatCrashed) {
  start();
  const Result<std::string> text =
      call("get_pod_logs", {{"pod", "mail-c"}, {"namespace", "shop"}, {"previous", true}, {"limit", 2}});
  ASSERT_OK(text);
  EXPECT_THAT(*text, AllOf(StartsWith("2 lines of pod shop/mail-c in prod, from before its last restart\n"),
                           HasSubstr("heap is full"), Not(HasSubstr("starting"))));
  const Result<std::string> several = call("get_pod_logs", {{"pod", "frozen-d"}, {"namespace", "shop"}});
  ASSERT_FAILS(several, invalid_input);
  EXPECT_THAT(several.error().message, HasSubstr("choose one of: [app proxy]"));
}

TEST_F(ClusterTools, ReadLogsOfATimeRange) {
  start();
  const auto logs = [&](json::object range) {
    range["pod"] = "checkout-a";
    range["namespace"] = "shop";
    return call("get_pod_logs", range);
  };
  EXPECT_THAT(*logs({{"from", "2026-11-18T10:00:01Z"}}),
              AllOf(StartsWith("1 line of pod shop/checkout-a in prod\nsince 2026-11-18 10:00:01 UTC\n"),
                    HasSubstr("GET /health 200")));
  EXPECT_THAT(*logs({{"from", "2026-11-18T09:00:00Z"}, {"to", "2026-11-18T10:00:00Z"}, {"limit", 1}}),
              AllOf(HasSubstr("2026-11-18 09:00:00 to 2026-11-18 10:00:00 UTC\n"), HasSubstr("listening on 8080"),
                    Not(HasSubstr("GET /health"))));
  EXPECT_THAT(*logs({{"hours_back", 1}, {"to", "2026-11-18T10:30:00Z"}, {"limit", 1}}),
              AllOf(HasSubstr("GET /health 200"), Not(HasSubstr("listening"))));
  EXPECT_FAILS(logs({{"from", "2026-11-18T10:00:00Z"}, {"to", "2026-11-18T09:00:00Z"}}), invalid_input);
}

TEST_F(ClusterTools, ListEventsWithWarningsFirst) {
  start();
  const Result<std::string> text = call("list_cluster_events", {{"namespace", "shop"}});
  ASSERT_OK(text);
  EXPECT_THAT(*text, StartsWith("2 events, 1 of them a warning, in prod, namespace shop\n- Warning BackOff"));
  EXPECT_THAT(*call("list_cluster_events", {{"name", "checkout"}}), StartsWith("1 event, 0 of them warnings"));
}

TEST_F(ClusterTools, SayHowFarARolloutIs) {
  start();
  const Result<std::string> text = call("get_rollout", kCheckout);
  ASSERT_OK(text);
  EXPECT_THAT(*text,
              StartsWith("Rollout of shop/checkout in prod is done: 2 of 2 replicas are updated and available\n"));
  EXPECT_THAT(*text, HasSubstr("Before it, revision 6: app: registry.example/checkout:1.3"));
}

TEST_F(ClusterTools, RestartAfterADryRunAndFollowTheRolloutToItsEnd) {
  start();
  context_.facts.requester.person = "ana";
  context_.facts.approved_by = "bo";
  context_.facts.run = "run-1";
  context_.call_id = "c1";
  const toolkit::Step shown = handle("restart_deployment", kCheckout, "preview");
  ASSERT_TRUE(std::holds_alternative<toolkit::Output>(shown)) << describe(std::get<Error>(shown));
  EXPECT_THAT(std::get<toolkit::Output>(shown).text, StartsWith("Restart shop/checkout in prod: 2 replicas"));
  EXPECT_EQ(tell("patches"), "patches []");
  EXPECT_EQ(look("restart_deployment", kCheckout)->answer, toolkit::Looked::Answer::not_done);
  EXPECT_EQ(tell("touch checkout"), "touched");
  const toolkit::Step done = handle("restart_deployment", kCheckout, "change");
  ASSERT_TRUE(std::holds_alternative<toolkit::Output>(done)) << describe(std::get<Error>(done));
  EXPECT_THAT(tell("patches"), HasSubstr("asked by ana, approved by bo, run run-1, call c1"));
  EXPECT_EQ(look("restart_deployment", kCheckout)->answer, toolkit::Looked::Answer::done);
  const toolkit::Step asked = handle("restart_deployment", kCheckout, "follow");
  ASSERT_TRUE(std::holds_alternative<toolkit::Delegate>(asked));
  const json::object payload = std::get<toolkit::Delegate>(asked).payload;
  EXPECT_EQ(payload.at("tool"), "get_rollout");
  const Result<std::string> followed = call("get_rollout", payload.at("arguments").as_object());
  ASSERT_OK(followed);
  EXPECT_THAT(*followed, HasSubstr("is done"));
  context_.answer = "task-9";
  EXPECT_THAT(std::get<toolkit::Output>(handle("restart_deployment", kCheckout, "follow")).text,
              HasSubstr("task task-9"));
}

TEST_F(ClusterTools, ScaleToANumberThatWasShown) {
  start();
  json::object arguments = kCheckout;
  arguments["replicas"] = 5;
  const toolkit::Step shown = handle("scale_deployment", arguments, "preview");
  ASSERT_TRUE(std::holds_alternative<toolkit::Output>(shown)) << describe(std::get<Error>(shown));
  EXPECT_THAT(std::get<toolkit::Output>(shown).text, StartsWith("Scale shop/checkout in prod from 2 to 5 replicas\n"));
  ASSERT_TRUE(std::holds_alternative<toolkit::Output>(handle("scale_deployment", arguments, "change")));
  EXPECT_THAT(tell("patches"), HasSubstr("\"replicas\":5"));
  arguments["replicas"] = 2;
  EXPECT_EQ(look("scale_deployment", arguments)->answer, toolkit::Looked::Answer::cannot_tell);
}

TEST_F(ClusterTools, RefuseToChangeWhatMovedAfterThePreview) {
  start();
  ASSERT_TRUE(std::holds_alternative<toolkit::Output>(handle("restart_deployment", kCheckout, "preview")));
  EXPECT_EQ(tell("move checkout"), "moved");
  const toolkit::Step step = handle("restart_deployment", kCheckout, "change");
  ASSERT_TRUE(std::holds_alternative<Error>(step));
  EXPECT_EQ(std::get<Error>(step).kind, ErrorKind::conflict);
  EXPECT_EQ(tell("patches"), "patches []");
}

TEST_F(ClusterTools, RefuseAPausedDeployment) {
  start();
  json::object frozen = kCheckout;
  frozen["deployment"] = "frozen";
  const toolkit::Step step = handle("restart_deployment", frozen, "preview");
  ASSERT_TRUE(std::holds_alternative<Error>(step));
  EXPECT_THAT(std::get<Error>(step).message, HasSubstr("is paused"));
}

TEST_F(ClusterTools, AskWhichEnvironmentWhereSeveralHaveACluster) {
  clusters_ = clusters({{"prod", "eks-prod"}, {"staging", "eks-staging"}});
  const Result<std::string> text = call("list_workloads", {});
  ASSERT_FAILS(text, invalid_input);
  EXPECT_THAT(text.error().message, AllOf(StartsWith("ENVIRONMENT_REQUIRED"), HasSubstr("prod, staging")));
  EXPECT_FAILS(call("list_workloads", {{"environment", "dev"}}), invalid_input);
  EXPECT_THAT(tool(clusters({}), "list_workloads")->spec().missing, HasSubstr("KUBECONFIG"));
}

TEST(KubernetesWaits, GoOnAfterAReadThatFailedForAMoment) {
  test::ManualClock clock;
  test::ScriptedHttp http;
  Workers workers("test", {.threads = 1});
  const json::object config = kubeconfig({{"server", "https://cluster.example.com"}}, {{"token", kToken}});
  ClusterSetup setup{.files = {{}, [config](const std::filesystem::path&) { return Result<json::object>(config); }},
                     .variable = [](const std::string&) { return std::string(); }};
  setup.settings.contexts = {{"prod", "eks-prod"}};
  setup.workers = &workers;
  setup.poll = std::chrono::milliseconds(2);
  const Clusters clusters = make_clusters(std::move(setup), {}, http, clock);
  const auto deployment = [](int observed) {
    return json::serialize(json::object{{"kind", "Deployment"},
                                        {"metadata", {{"name", "checkout"}, {"generation", 2}}},
                                        {"spec", {{"replicas", 1}}},
                                        {"status",
                                         {{"observedGeneration", observed},
                                          {"replicas", 1},
                                          {"updatedReplicas", 1},
                                          {"readyReplicas", 1},
                                          {"availableReplicas", 1}}}});
  };
  http.answers({.pieces = {deployment(1)}}).answers({.status = 500}).answers({.pieces = {deployment(2)}});
  const auto tools = cluster_tools(clusters);
  const auto rollout = std::ranges::find(tools, "get_rollout", [](const Tool& tool) { return tool->spec().name; });
  json::object given = kCheckout;
  given["wait"] = true;
  const auto followed = test::call_tool(**rollout, given);
  ASSERT_OK(followed);
  EXPECT_EQ(text_at(followed->data, "state"), "done");
}

TEST(KubernetesErrors, EachHasACategoryAndAHint) {
  const auto status = [](int code, const std::string& reason, const std::string& message) {
    return test::ScriptedResponse{
        .status = code,
        .headers = {{"content-type", "application/json"}},
        .pieces = {json::serialize(json::object{
            {"kind", "Status"}, {"status", "Failure"}, {"message", message}, {"reason", reason}, {"code", code}})}};
  };
  test::ManualClock clock;
  Workers workers("test", {.threads = 1});
  std::vector<std::shared_ptr<Kubernetes>> made;
  const auto call = [&](net::HttpClient& http) -> Task<Result<>> {
    const json::object config =
        kubeconfig({{"server", "https://cluster.example.com"}}, {{"token", std::string(test::kVendorToken)}});
    ClusterSetup setup{.files = {{}, [config](const std::filesystem::path&) { return Result<json::object>(config); }},
                       .variable = [](const std::string&) { return std::string(); }};
    setup.settings.contexts = {{"prod", "eks-prod"}};
    setup.workers = &workers;
    made.push_back(std::make_shared<Kubernetes>(std::move(setup), http, clock));
    return [](std::shared_ptr<Kubernetes> kubernetes) -> Task<Result<>> {
      CO_TRY((co_await kubernetes->get({"prod", "shop"}, ObjectKind::deployment, "checkout", std::chrono::seconds(5))));
      co_return Result<>{};
    }(made.back());
  };
  using K = ErrorKind;
  test::expect_vendor_errors(
      call,
      {{"Http401", status(401, "Unauthorized", "Unauthorized"), K::authentication, "kubeconfig"},
       {"Http403", status(403, "Forbidden", "deployments.apps is forbidden"), K::permission,
        "docs/backends/kubernetes.md"},
       {"Http404", status(404, "NotFound", "deployments.apps \"checkout\" not found"), K::not_found, "list_workloads"},
       {"Http410", status(410, "Expired", "The provided continue parameter is too old"), K::conflict, "try again"},
       {"Conflict", status(409, "Conflict", "the object has been modified"), K::conflict, "ask anew"},
       {"Invalid", status(422, "Invalid", "spec.replicas: Invalid value"), K::invalid_input, "correct the arguments"},
       {"InternalError", status(500, "InternalError", "etcdserver: leader changed"), K::upstream, "try again"}});
}

}  // namespace
}  // namespace deputy::tools::clusters
