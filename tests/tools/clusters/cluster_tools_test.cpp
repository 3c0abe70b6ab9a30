// The cluster tools over a stand-in for Kubernetes (tests/peers/kubernetes.js), and their errors.
#include "tools/clusters/cluster_tools.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <fstream>

#include "base/base64.h"
#include "base/json_pointer.h"
#include "net/client.h"
#include "support/certificates.h"
#include "support/child.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/node.h"
#include "support/scripted_http.h"
#include "support/temporary_folder.h"
#include "support/vendor_errors.h"
#include "tools/call_tool.h"
#include "tools/clusters/kubernetes.h"

namespace deputy::tools::clusters {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kToken = "cluster-token-0123456789";

Result<std::string> read_text(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) return fail(ErrorKind::not_found, "there is no such file");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

KubeFiles files() {
  return {read_text, [](const std::filesystem::path& path) -> Result<json::object> {
            TRY(const std::string text, read_text(path));
            return parse_json_object(text);
          }};
}

json::object kubeconfig(json::object cluster, json::object user) {
  return {
      {"clusters", {json::object{{"name", "c"}, {"cluster", std::move(cluster)}}}},
      {"users", {json::object{{"name", "u"}, {"user", std::move(user)}}}},
      {"contexts", {json::object{{"name", "eks-prod"}, {"context", json::object{{"cluster", "c"}, {"user", "u"}}}}}}};
}

class ClusterTools : public testing::Test, public test::OnLoop {
 protected:
  void start(const json::object& options) {
    peer_ = std::make_unique<test::Child>(test::node_program("kubernetes.js", {json::serialize(options)}));
    const auto line = peer_->read_line();
    ASSERT_TRUE(line && line->starts_with("port "));
    port_ = line->substr(5);
  }
  void start() {
    start({{"token", kToken}});
    write(kubeconfig({{"server", "http://127.0.0.1:" + port_}}, {{"token", kToken}}));
  }
  void write(const json::object& config) { folder_.write("kubeconfig", json::serialize(config)); }
  std::string tell(const std::string& line) {
    peer_->write_line(line);
    return peer_->read_line().value_or("");
  }
  void TearDown() override {
    // What broke a rule was said before this.
    if (peer_) EXPECT_THAT(tell("count"), StartsWith("count "));
  }

  Clusters clusters(std::map<std::string, std::string> contexts = {{"prod", "eks-prod"}}) {
    ClusterSetup setup{.files = files_, .variable = [this](const std::string& name) { return variables_[name]; }};
    setup.settings.kubeconfig = (folder_.path() / "kubeconfig").string();
    setup.settings.contexts = std::move(contexts);
    setup.settings.exec_programs = programs_;
    setup.workers = &workers_;
    setup.poll = std::chrono::milliseconds(5);
    return make_clusters(std::move(setup), {}, http_, *clock_);
  }
  static Tool tool(const Clusters& clusters, std::string_view name) {
    for (const Tool& one : cluster_tools(clusters)) {
      if (one->spec().name == name) return one;
    }
    throw std::logic_error("no such tool");
  }
  Result<std::string> call(const std::string& name, const json::object& given) {
    const Tool one = tool(clusters_, name);
    const Result<json::object> arguments = one->complete_arguments(given);
    if (!arguments) return std::unexpected(arguments.error());
    Result<toolkit::Pipeline> chain = one->compose(*arguments);
    if (!chain) return std::unexpected(chain.error());
    Result<toolkit::Link> link = std::move(*chain).take(chain->links().front().name);
    context_.arguments = *arguments;
    toolkit::Step step = await(link->handler.call(context_));
    if (Error* error = std::get_if<Error>(&step)) return std::unexpected(*error);
    return std::get<toolkit::Output>(step).text;
  }
  toolkit::Step handle(const std::string& name, const json::object& given, const std::string& handler) {
    const Tool one = tool(clusters_, name);
    context_.arguments = *one->complete_arguments(given);
    Result<toolkit::Pipeline> chain = one->compose(context_.arguments);
    Result<toolkit::Link> link = std::move(*chain).take(handler);
    toolkit::Step step = await(link->handler.call(context_));
    if (const toolkit::Output* output = std::get_if<toolkit::Output>(&step)) context_.outputs[handler] = *output;
    return step;
  }
  Result<toolkit::Looked> look(const std::string& name, const json::object& given) {
    const Tool one = tool(clusters_, name);
    Result<toolkit::Pipeline> chain = one->compose(*one->complete_arguments(given));
    Result<toolkit::Link> link = std::move(*chain).take("change");
    return await(link->handler.look(context_));
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<test::Child> peer_;
  std::string port_;
  std::vector<std::string> programs_;
  Workers workers_{"test", {.threads = 1}};
  KubeFiles files_ = files();
  std::map<std::string, std::string> variables_;
  test::ManualClock manual_{*parse_timestamp("2026-11-18T10:00:00Z")};
  SystemClock system_;
  const Clock* clock_ = &system_;
  net::Client http_{loop_.get_executor(), {}};
  toolkit::CallContext context_;
  Clusters clusters_ = clusters();
};

const json::object kCheckout{{"environment", "prod"}, {"deployment", "checkout"}, {"namespace", "shop"}};

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

TEST_F(ClusterTools, SignInWithACertificateOverTheClustersOwnAuthority) {
  const test::Certificates made;
  start({{"token", kToken},
         {"key", made.key_file()},
         {"certificate", made.certificate_file()},
         {"authority", made.authority_file()}});
  const std::string server = "https://127.0.0.1:" + port_;
  const std::string authority = to_base64(*read_text(made.authority_file()));
  write(kubeconfig({{"server", server}, {"certificate-authority-data", authority}},
                   {{"client-certificate", made.certificate_file()}, {"client-key", made.key_file()}}));
  EXPECT_OK(call("get_rollout", kCheckout));
  EXPECT_EQ(*await(clusters_.all().front()->diagnose(std::chrono::seconds(10))), "prod v1.34.1");
  write(kubeconfig({{"server", server}, {"certificate-authority-data", authority}}, {{"token", "wrong"}}));
  clusters_ = clusters();
  EXPECT_FAILS(call("get_rollout", kCheckout), authentication);
  write(kubeconfig({{"server", server}}, {{"token", kToken}}));
  clusters_ = clusters();
  EXPECT_FAILS(call("get_rollout", kCheckout), network);
}

TEST_F(ClusterTools, RunOnlyListedProgramsForCredentials) {
  start();
  folder_.write("sign-in",
                std::string("#!/bin/sh\necho '{\"kind\":\"ExecCredential\",\"status\":{\"token\":\"'$1'\"}}'\n"));
  const std::string program = (folder_.path() / "sign-in").string();
  chmod(program.c_str(), 0700);
  write(kubeconfig({{"server", "http://127.0.0.1:" + port_}},
                   {{"exec", json::object{{"apiVersion", "client.authentication.k8s.io/v1"},
                                          {"command", "sign-in"},
                                          {"args", json::array{kToken}}}}}));
  const Result<std::string> refused = call("get_rollout", kCheckout);
  ASSERT_FAILS(refused, not_configured);
  EXPECT_THAT(refused.error().hint, HasSubstr("exec_programs"));
  programs_ = {program};
  clusters_ = clusters();
  EXPECT_OK(call("get_rollout", kCheckout));
}

/// With TLS and an authority of its own, as every cluster has it.
class ClusterWithItsOwnAuthority : public ClusterTools {
 protected:
  void SetUp() override {
    start({{"token", kToken},
           {"key", made_.key_file()},
           {"certificate", made_.certificate_file()},
           {"authority", made_.authority_file()}});
    clock_ = &manual_;
  }
  void print(const json::object& status) {
    folder_.write("credential.json", json::serialize(json::object{{"kind", "ExecCredential"}, {"status", status}}));
  }
  /// By a program that prints a credential, and counts how often it ran.
  void sign_in_with(const json::object& status) {
    print(status);
    const std::string folder = folder_.path().string();
    const std::string program = folder_
                                    .write("sign-in", "#!/bin/sh\necho once >> '" + folder + "/runs'\n/bin/cat '" +
                                                          folder + "/credential.json'\n")
                                    .string();
    chmod(program.c_str(), 0700);
    programs_ = {program};
    write(kubeconfig(
        {{"server", "https://127.0.0.1:" + port_}, {"certificate-authority", made_.authority_file()}},
        {{"exec", json::object{{"apiVersion", "client.authentication.k8s.io/v1"}, {"command", "sign-in"}}}}));
    clusters_ = clusters();
  }
  std::size_t runs() const { return split(read_text(folder_.path() / "runs").value_or(""), "\n").size() - 1; }

  test::Certificates made_;
};

TEST_F(ClusterWithItsOwnAuthority, IsReachedFromInsideByTheAccountOfThePod) {
  std::string token = kToken;
  files_.text = [&](const std::filesystem::path& path) -> Result<std::string> {
    if (path == "/var/run/secrets/kubernetes.io/serviceaccount/token") return token + "\n";
    if (path == "/var/run/secrets/kubernetes.io/serviceaccount/ca.crt") return read_text(made_.authority_file());
    return fail(ErrorKind::not_found, "another file");
  };
  const std::map<std::string, std::string> contexts{{"prod", std::string(kInCluster)}};
  clusters_ = clusters(contexts);
  const Result<std::string> outside = call("get_rollout", kCheckout);
  ASSERT_FAILS(outside, not_configured);
  EXPECT_THAT(outside.error().message, HasSubstr("KUBERNETES_SERVICE_HOST is not set"));
  variables_ = {{"KUBERNETES_SERVICE_HOST", "127.0.0.1"}, {"KUBERNETES_SERVICE_PORT", port_}};
  EXPECT_OK(call("get_rollout", kCheckout));
  token = "another-token";
  EXPECT_OK(call("get_rollout", kCheckout)) << "the file is not read for each call";
  manual_.advance(std::chrono::seconds(61));
  EXPECT_FAILS(call("get_rollout", kCheckout), authentication);
  token = kToken;
  manual_.advance(std::chrono::seconds(61));
  EXPECT_OK(call("get_rollout", kCheckout)) << "the cluster renews the token while Deputy runs";
}

TEST_F(ClusterWithItsOwnAuthority, IsReachedWithTheCertificateThatAProgramPrintsUntilItExpires) {
  json::object signed_by_it{{"clientCertificateData", *read_text(made_.certificate_file())},
                            {"clientKeyData", *read_text(made_.key_file())},
                            {"expirationTimestamp", "2026-11-18T10:01:00Z"}};
  sign_in_with(signed_by_it);
  EXPECT_OK(call("get_rollout", kCheckout));
  EXPECT_OK(call("get_rollout", kCheckout));
  EXPECT_EQ(runs(), 1U);
  signed_by_it["expirationTimestamp"] = "2026-11-18T10:05:00Z";
  print(signed_by_it);
  manual_.advance(std::chrono::seconds(51));
  EXPECT_OK(call("get_rollout", kCheckout)) << "a little before it expires the program runs again";
  EXPECT_EQ(runs(), 2U);
  sign_in_with({{"token", kToken}});
  EXPECT_OK(call("get_rollout", kCheckout));
  manual_.advance(std::chrono::minutes(9));
  EXPECT_OK(call("get_rollout", kCheckout));
  EXPECT_EQ(runs(), 3U);
  manual_.advance(std::chrono::minutes(2));
  EXPECT_OK(call("get_rollout", kCheckout)) << "one without an end is kept for ten minutes";
  EXPECT_EQ(runs(), 4U);
}

TEST(InCluster, TakesAnAddressOfIpv6) {
  const KubeFiles same{[](const std::filesystem::path&) { return Result<std::string>("x"); }, {}};
  EXPECT_EQ(load_in_cluster(same, "fd00::1", "443")->server, "https://[fd00::1]:443");
  EXPECT_FAILS(load_in_cluster(same, "10.0.0.1", ""), not_configured);
}

TEST(ExecCredentials, HoldATokenOrACertificateWithItsKey) {
  const auto parse = [](const std::string& status) {
    return parse_exec_credential("{\"kind\": \"ExecCredential\", \"status\": " + status + "}");
  };
  EXPECT_EQ(parse(R"({"token": "t"})")->token.reveal(), "t");
  EXPECT_FALSE(parse(R"({"token": "t"})")->expires);
  EXPECT_EQ(parse(R"({"token": "t", "expirationTimestamp": "2026-11-18T11:00:00+01:00"})")->expires,
            *parse_timestamp("2026-11-18T10:00:00Z"));
  for (const char* status : {"{}", R"({"clientCertificateData": "c"})", R"({"clientKeyData": "k"})",
                             R"({"token": "t", "expirationTimestamp": "soon"})"}) {
    const auto refused = parse(status);
    ASSERT_FAILS(refused, authentication) << status;
    EXPECT_THAT(refused.error().hint, HasSubstr("run it by hand")) << status;
  }
  EXPECT_FAILS(parse_exec_credential("please log in"), authentication);
  EXPECT_FAILS(parse_exec_credential(R"({"kind": "Other", "status": {"token": "t"}})"), authentication);
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
