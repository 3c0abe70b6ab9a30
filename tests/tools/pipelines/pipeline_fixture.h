// A stand-in for a vendor, and the pipeline tools over it.
#pragma once

#include <gmock/gmock.h>

#include "net/client.h"
#include "support/child.h"
#include "support/loop.h"
#include "support/node.h"
#include "support/temporary_folder.h"
#include "tools/pipelines/pipeline_tools.h"

namespace deputy::tools::pipelines {

class PipelineToolsTest : public testing::Test, public test::OnLoop {
 protected:
  void start(const std::string& program, const json::object& options) {
    peer_ = std::make_unique<test::Child>(test::node_program(program, {json::serialize(options)}));
    const std::string line = peer_->read_line().value_or("");
    ASSERT_TRUE(line.starts_with("port ")) << line;
    url_ = "http://127.0.0.1:" + line.substr(5);
  }
  void TearDown() override {
    // What broke a rule was said before this.
    if (peer_) EXPECT_THAT(tell("count"), testing::StartsWith("count "));
  }
  /// Its next line.
  std::string tell(const std::string& line) {
    peer_->write_line(line);
    return peer_->read_line().value_or("");
  }

  Tool tool(std::string_view name) {
    PipelineToolParts parts{.backends = make_pipeline_backends(settings_, http_, clock_, workers_),
                            .registry = registry_,
                            .clock = &clock_,
                            .environments = {{"prod", {"production"}}, {"staging", {"stage"}}},
                            .poll = std::chrono::milliseconds(2)};
    for (const Tool& one : pipeline_tools(std::move(parts))) {
      if (one->spec().name == name) return one;
    }
    throw std::logic_error("no such tool");
  }
  /// One handler of the tool; its output is kept for the next.
  Result<toolkit::Step> handle(std::string_view name, const json::object& given, std::string_view handler) {
    const Tool one = tool(name);
    TRY(context_.arguments, one->complete_arguments(given));
    TRY(toolkit::Pipeline chain, one->compose(context_.arguments));
    TRY(toolkit::Link link, std::move(chain).take(handler));
    toolkit::Step step = await(link.handler.call(context_));
    if (Error* error = std::get_if<Error>(&step)) return std::unexpected(*error);
    if (const auto* output = std::get_if<toolkit::Output>(&step)) context_.outputs[std::string(handler)] = *output;
    return step;
  }
  Result<std::string> text_of(std::string_view name, const json::object& given, std::string_view handler = "read") {
    TRY(const toolkit::Step step, handle(name, given, handler));
    return std::get<toolkit::Output>(step).text;
  }
  Result<toolkit::Looked> look(std::string_view name, const json::object& given, std::string_view handler) {
    const Tool one = tool(name);
    TRY(const json::object arguments, one->complete_arguments(given));
    TRY(toolkit::Pipeline chain, one->compose(arguments));
    TRY(toolkit::Link link, std::move(chain).take(handler));
    return await(link.handler.look(context_));
  }
  void know(std::vector<Service> services) {
    registry_ = std::make_shared<ServicesRegistry>(
        [services = std::move(services)] { return Result<std::vector<Service>>(services); }, clock_);
  }

  std::unique_ptr<test::Child> peer_;
  std::string url_;
  test::TemporaryFolder folder_;
  Workers workers_{"test", {.threads = 1}};
  SystemClock clock_;
  net::Client http_{loop_.get_executor(), {}};
  PipelineToolsSettings settings_;
  std::shared_ptr<ServicesRegistry> registry_;
  toolkit::CallContext context_;
};

}  // namespace deputy::tools::pipelines
