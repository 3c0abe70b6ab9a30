// A workspace in a temporary folder, and a way to run a tool's chain by hand: what a run would do when somebody says
// yes.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>

#include "support/loop.h"
#include "support/results.h"
#include "support/temporary_folder.h"
#include "toolkit/settle.h"
#include "tools/workspace/workspace.h"

namespace deputy::tools {

class WorkspaceTest : public testing::Test {
 protected:
  using Tool = std::shared_ptr<const toolkit::Tool>;

  WorkspaceTest() { setup = make_workspace_setup(folder / "work", {}, workers); }

  /// The result of the last handler. `at_the_gate` is called between preview and act.
  Result<toolkit::Output> call(const Tool& tool, const json::object& arguments,
                               const std::function<void()>& at_the_gate = {}) {
    TRY(json::object complete, tool->complete_arguments(arguments));
    TRY(toolkit::settle(tool->spec(), complete));
    toolkit::CallContext context{.call_id = "c1", .arguments = complete};
    for (const auto& [parameter, kind] : tool->spec().kinds) {
      if (kind != toolkit::Kind::path || !complete.contains(parameter) || !tool->spec().leads_to) continue;
      const auto led = test::run_on(loop, tool->spec().leads_to(as_text(complete.at(parameter))));
      if (led) context.led_to[parameter] = led->path;
    }
    context.may_read = may_read;
    context.allows = allows;
    context.deadline = std::chrono::steady_clock::now() + timeout;
    context.on_delta = [this](std::string_view delta) { streamed += delta; };
    TRY(const toolkit::Pipeline chain, tool->compose(complete));
    Result<toolkit::Output> last = toolkit::Output{};
    bool before_gate = chain.has_gate();
    for (const toolkit::LinkInfo& info : chain.links()) {
      if (before_gate && info.stage != toolkit::Stage::before_gate) {
        before_gate = false;
        if (at_the_gate) at_the_gate();
      }
      TRY(toolkit::Pipeline again, tool->compose(complete));
      TRY(toolkit::Link link, std::move(again).take(info.name));
      toolkit::Step step = test::run_on(loop, link.handler.call(context));
      if (auto* error = std::get_if<Error>(&step)) return std::unexpected(std::move(*error));
      if (auto* output = std::get_if<toolkit::Output>(&step)) {
        last = *output;
        outputs[info.name] = *output;
        context.outputs[info.name] = *output;
      }
    }
    return last;
  }

  /// What `look` of the handler that writes says, after the preview of an earlier call.
  Result<toolkit::Looked> look(const Tool& tool, const json::object& arguments) {
    TRY(const json::object complete, tool->complete_arguments(arguments));
    toolkit::CallContext context{.call_id = "c1", .arguments = complete, .outputs = outputs};
    context.deadline = std::chrono::steady_clock::now() + timeout;
    TRY(toolkit::Pipeline chain, tool->compose(complete));
    TRY(toolkit::Link link, std::move(chain).take("write"));
    return test::run_on(loop, link.handler.look(context));
  }

  std::string text_of(const Tool& tool, const json::object& arguments) {
    const Result<toolkit::Output> output = call(tool, arguments);
    return output ? output->text : std::string(name(output.error().kind)) + ": " + describe(output.error());
  }

  test::TemporaryFolder folder;
  std::filesystem::path work = folder.write("work/README.md", "# Work\n").parent_path();
  Workers workers{"files", {}};
  asio::io_context loop;
  std::chrono::milliseconds timeout{60'000};
  WorkspaceSetup setup;
  std::string streamed;
  std::function<bool(std::string_view path, bool several_names)> may_read;
  std::function<bool(std::string_view parameter, std::string_view value)> allows;
  std::map<std::string, toolkit::Output, std::less<>> outputs;
};

}  // namespace deputy::tools
