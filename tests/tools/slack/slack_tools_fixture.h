// Runs the chain of a Slack tool by hand, against the simulator: what a run would do when somebody says yes and the
// platform shows the requester the channels in `visible`.
#pragma once

#include <functional>
#include <set>

#include "toolkit/settle.h"
#include "tools/slack/slack_fixture.h"

namespace deputy::tools::slack {

class SlackToolsTest : public testing::Test, public test::OnLoop {
 protected:
  /// The result of the last handler.
  Result<toolkit::Output> call(const Tool& tool, const json::object& arguments) {
    TRY(json::object complete, tool->complete_arguments(arguments));
    TRY(toolkit::settle(tool->spec(), complete));
    context = {.call_id = "c1", .arguments = complete};
    context.begun_at = clock_.now();
    context.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(4);  // no time to wait for a rate limit
    context.facts = {
        .requester = {.person = "ana", .account = "slack:ana"}, .channel = "slack", .conversation = "slack:here"};
    TRY(const toolkit::Pipeline chain, tool->compose(complete));
    Result<toolkit::Output> last = toolkit::Output{};
    for (const toolkit::LinkInfo& info : chain.links()) {
      if (info.stage != toolkit::Stage::before_gate && chain.has_gate() && !approved) return last;
      TRY(toolkit::Output output, run_handler(*tool, info.name));
      last = context.outputs[info.name] = std::move(output);
    }
    return last;
  }
  std::string text_of(const Tool& tool, const json::object& arguments) {
    const Result<toolkit::Output> output = call(tool, arguments);
    EXPECT_OK(output);
    return output ? output->text : "";
  }
  /// What `look` of a handler says after the last call.
  Result<toolkit::Looked> look(const Tool& tool, const std::string& handler) {
    TRY(toolkit::Pipeline chain, tool->compose(context.arguments));
    TRY(toolkit::Link link, std::move(chain).take(handler));
    return await(link.handler.look(context));
  }

  test::ManualClock clock_;
  test::SimulatedSlack slack{loop_, clock_};
  toolkit::CallContext context;
  std::set<std::string> visible{test::kOps, "C0GENERAL01", "C0RANDOM001", "C0ARCHIVE01", "workspace"};
  std::function<json::value(const toolkit::Delegate&)> answers;  // to what is not about visibility
  bool approved = true;

 private:
  Result<toolkit::Output> run_handler(const toolkit::Tool& tool, const std::string& name) {
    context.answer.reset();
    while (true) {
      TRY(toolkit::Pipeline chain, tool.compose(context.arguments));
      TRY(toolkit::Link link, std::move(chain).take(name));
      toolkit::Step step = await(link.handler.call(context));
      if (auto* error = std::get_if<Error>(&step)) return std::unexpected(std::move(*error));
      if (auto* output = std::get_if<toolkit::Output>(&step)) return std::move(*output);
      const auto& delegate = std::get<toolkit::Delegate>(step);
      context.answer =
          delegate.kind == toolkit::DelegateKind::visibility ? what_is_visible(delegate) : answers(delegate);
    }
  }
  json::value what_is_visible(const toolkit::Delegate& delegate) const {
    EXPECT_EQ(text_at(delegate.payload, "channel"), "slack");
    json::array shown;
    for (const json::value& place : delegate.payload.at("places").as_array()) {
      if (visible.contains(text_at(place.as_object(), "id"))) shown.push_back(place.at("id"));
    }
    return json::value(json::serialize(json::object{{"visible", shown}}));
  }
};

}  // namespace deputy::tools::slack
