// Clusters of files, as kubectl prints them.
#include "tools/clusters/files/files.h"

#include <gmock/gmock.h>

#include "support/manual_clock.h"
#include "support/scripted_http.h"
#include "support/temporary_folder.h"
#include "tools/call_tool.h"
#include "tools/clusters/cluster_tools.h"

namespace deputy::tools::clusters {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kObjects = R"({"apiVersion": "v1", "kind": "List", "items": [
  {"kind": "Deployment", "metadata": {"name": "cart", "namespace": "shop", "uid": "u1", "generation": 1, "resourceVersion": "5",
     "labels": {"app": "cart", "tier": "web"}, "annotations": {"deployment.kubernetes.io/revision": "2"}},
   "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "cart"}},
     "template": {"spec": {"containers": [{"name": "main", "image": "cart:2"}]}}},
   "status": {"observedGeneration": 1, "replicas": 2, "updatedReplicas": 2, "readyReplicas": 1, "availableReplicas": 1}},
  {"kind": "ReplicaSet", "metadata": {"name": "cart-1", "namespace": "shop", "labels": {"app": "cart"},
     "ownerReferences": [{"uid": "u1"}], "annotations": {"deployment.kubernetes.io/revision": "1"}},
   "spec": {"template": {"spec": {"containers": [{"name": "main", "image": "cart:1"}]}}}},
  {"kind": "Pod", "metadata": {"name": "cart-2-a", "namespace": "shop", "labels": {"app": "cart"}},
   "status": {"phase": "Running", "containerStatuses": [{"name": "main", "ready": true, "restartCount": 0,
     "state": {"running": {}}}]}},
  {"kind": "Pod", "metadata": {"name": "cart-2-b", "namespace": "shop", "labels": {"app": "cart"}},
   "status": {"phase": "Running", "containerStatuses": [{"name": "main", "ready": false, "restartCount": 7,
     "state": {"waiting": {"reason": "CrashLoopBackOff"}},
     "lastState": {"terminated": {"reason": "OOMKilled", "exitCode": 137, "finishedAt": "2026-11-18T11:50:00Z"}}}]}},
  {"kind": "Pod", "metadata": {"name": "cartoon-1", "namespace": "film", "labels": {"app": "cartoon"}},
   "status": {"phase": "Running", "containerStatuses": [{"name": "main", "ready": true, "restartCount": 1,
     "state": {"running": {}}}]}},
  {"kind": "Event", "type": "Warning", "reason": "BackOff", "message": "back-off", "count": 4,
   "metadata": {"name": "e1", "namespace": "shop"}, "lastTimestamp": "2026-11-18T11:55:00Z",
   "involvedObject": {"kind": "Pod", "name": "cart-2-b"}},
  {"kind": "Secret", "metadata": {"name": "cart-key", "namespace": "shop"}, "data": {"k": "c2VjcmV0"}}, 7]})";

class ClusterInAFile : public testing::Test {
 protected:
  ClusterInAFile() { files_ = {{"prod", folder_.write("prod.json", kObjects)}}; }
  Result<std::string> call(const std::string& name, const json::object& arguments) {
    ClusterSetup setup;
    setup.workers = &workers_;
    for (const auto& tool : cluster_tools(make_clusters(std::move(setup), files_, http_, clock_))) {
      if (tool->spec().name != name) continue;
      TRY(const toolkit::Output output, test::call_tool(*tool, arguments));
      return output.text;
    }
    return fail(ErrorKind::internal, "no such tool");
  }

  test::TemporaryFolder folder_;
  test::ManualClock clock_{*parse_timestamp("2026-11-18T12:00:00Z")};
  test::ScriptedHttp http_;
  Workers workers_{"test", {.threads = 1}};
  ClusterFiles files_;
};

TEST_F(ClusterInAFile, SaysWhichPodsRestart) {
  EXPECT_EQ(
      *call("list_workloads", {{"kind", "pod"}, {"name", "cart"}}),
      "2 pods of cart in prod, all namespaces, 1 not well, 1 has restarted, most often shop/cart-2-b (7 restarts)\n"
      "As of 2026-11-18 12:00:00 UTC\n"
      "- pod shop/cart-2-b [CrashLoopBackOff]: 0/1 ready, 7 restarts, last end OOMKilled, exit code 137 at "
      "2026-11-18 11:50:00 UTC\n"
      "- pod shop/cart-2-a [Running]: 1/1 ready, 0 restarts\n");
  EXPECT_THAT(*call("list_workloads", {{"kind", "pod"}}),
              StartsWith("3 pods in prod, all namespaces, 1 not well, 2 have"));
  EXPECT_THAT(*call("list_workloads", {{"namespace", "film"}}),
              StartsWith("0 workloads in prod, namespace film, 0 not"));
  EXPECT_THAT(*call("list_workloads", {{"name", "cart"}}),
              AllOf(StartsWith("1 workload of cart in prod, all namespaces, 1 not well; 1 pod not well\n"),
                    HasSubstr("- deployment shop/cart: 1/2 ready")));
  EXPECT_THAT(*call("list_workloads", {{"kind", "pod"}, {"selector", "app!=cart"}}), HasSubstr("film/cartoon-1"));
  EXPECT_FAILS(call("list_workloads", {{"selector", "tier in (web,api)"}}), invalid_input);
}

TEST_F(ClusterInAFile, ShowsOneWorkloadItsRolloutAndEvents) {
  const json::object cart{{"kind", "deployment"}, {"name", "cart"}, {"namespace", "shop"}};
  EXPECT_THAT(*call("get_workload", cart),
              AllOf(StartsWith("deployment shop/cart in prod is not well: 1/2 ready"), HasSubstr("cart-2-b"),
                    Not(HasSubstr("cartoon")), HasSubstr("BackOff")));
  EXPECT_THAT(*call("get_rollout", {{"deployment", "cart"}, {"namespace", "shop"}}),
              AllOf(HasSubstr("is progressing"), HasSubstr("Before it, revision 1: main: cart:1")));
  EXPECT_THAT(*call("list_cluster_events", {{"name", "cart"}}), StartsWith("1 event, 1 of them a warning, in prod"));
  EXPECT_FAILS(call("get_workload", {{"kind", "pod"}, {"name", "none"}, {"namespace", "shop"}}), not_found);
}

TEST_F(ClusterInAFile, HasNoLogsAndIsNotChanged) {
  EXPECT_FAILS(call("get_pod_logs", {{"pod", "cart-2-a"}, {"namespace", "shop"}}), not_configured);
  const auto restart =
      call("restart_deployment", {{"environment", "prod"}, {"deployment", "cart"}, {"namespace", "shop"}});
  ASSERT_FAILS(restart, not_configured);
  EXPECT_THAT(restart.error().message, HasSubstr("files are only read"));
}

TEST_F(ClusterInAFile, MayBeMissingOrBroken) {
  for (const char* broken : {"{", "[]", R"({"items": 7})"}) {
    folder_.write("prod.json", broken);
    EXPECT_FAILS(call("list_workloads", {}), invalid_input) << broken;
  }
  std::filesystem::remove(folder_ / "prod.json");
  const auto missing = call("list_workloads", {});
  ASSERT_FAILS(missing, not_configured);
  EXPECT_THAT(missing.error().hint, HasSubstr("tools.cluster_tools.files"));
  const auto elsewhere = call("list_workloads", {{"environment", "dev"}});
  ASSERT_FAILS(elsewhere, invalid_input);
  EXPECT_THAT(elsewhere.error().message, HasSubstr("known: prod"));
}

TEST(IsSelected, ReadsLabelsAsKubectlDoes) {
  const json::value object =
      json::object{{"metadata", json::object{{"labels", json::object{{"app", "a"}, {"x", "1"}}}}}};
  const json::value bare = json::object{{"metadata", 7}};
  for (const auto& [selector, expected, of_bare] :
       std::initializer_list<std::tuple<const char*, bool, bool>>{{"", true, true},
                                                                  {"app=a", true, false},
                                                                  {"app==a, x=1", true, false},
                                                                  {"app=b", false, false},
                                                                  {"app!=b", true, true},
                                                                  {"app!=a", false, true},
                                                                  {"x", true, false},
                                                                  {"!x", false, true},
                                                                  {"!y,app=a", true, false}}) {
    EXPECT_EQ(is_selected(object, selector), Result<bool>(expected)) << selector;
    EXPECT_EQ(is_selected(bare, selector), Result<bool>(of_bare)) << selector;
  }
}

}  // namespace
}  // namespace deputy::tools::clusters
