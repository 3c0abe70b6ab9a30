// A stand-in for Kubernetes (tests/peers/kubernetes.js), and the cluster tools over it.
#pragma once

#include <gmock/gmock.h>

#include <fstream>

#include "net/client.h"
#include "support/child.h"
#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/node.h"
#include "support/temporary_folder.h"
#include "tools/clusters/cluster_tools.h"
#include "tools/clusters/kubernetes.h"

namespace deputy::tools::clusters {

inline constexpr const char* kToken = "cluster-token-0123456789";

inline Result<std::string> read_text(const std::filesystem::path& path) {
  std::ifstream in(path);
  if (!in) return fail(ErrorKind::not_found, "there is no such file");
  return std::string(std::istreambuf_iterator<char>(in), {});
}

inline KubeFiles files() {
  return {read_text, [](const std::filesystem::path& path) -> Result<json::object> {
            TRY(const std::string text, read_text(path));
            return parse_json_object(text);
          }};
}

inline json::object kubeconfig(json::object cluster, json::object user) {
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
    if (peer_) EXPECT_THAT(tell("count"), testing::StartsWith("count "));
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

inline const json::object kCheckout{{"environment", "prod"}, {"deployment", "checkout"}, {"namespace", "shop"}};

}  // namespace deputy::tools::clusters
