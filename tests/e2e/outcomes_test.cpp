// How calls end, through the whole engine: `finally` in every ending, unknown outcomes, children and background calls.
#include <signal.h>

#include "base/process.h"
#include "base/text.h"
#include "e2e/engine.h"

namespace deputy::test {
namespace {

using interaction::Control;
using toolkit::CallContext;

struct NoParams {
  std::string what = "x";
  template <class Fields>
  static void fields(Fields& f) {
    f.optional(&NoParams::what, "what", "Anything");
  }
};

using Act = std::function<Task<toolkit::Step>(CallContext&)>;

class Outcomes : public Engine {
 protected:
  /// tool = [ act ] finally [ clean ]
  void add_tool(std::string name, const Act& act, toolkit::Effect effect = toolkit::Effect::read,
                bool repeatable = true, const std::function<void(toolkit::ToolSpec&)>& change = {}) {
    toolkit::ToolSpec spec{.name = std::move(name),
                           .version = 1,
                           .description = "Does what the test wants of it",
                           .category = "doc_tools",
                           .effect = effect,
                           .timeout = std::chrono::seconds(1)};
    if (change) change(spec);
    ASSERT_OK(registry_.add(toolkit::make_tool<NoParams>(spec, [this, act, repeatable](const NoParams&) {
      toolkit::Pipeline pipeline;
      pipeline.then(
          {.name = "act", .repeatable = repeatable, .call = [act](CallContext& context) { return act(context); }});
      pipeline.finally({.name = "clean", .repeatable = true, .call = [this](CallContext&) { return clean(world_); }});
      return Result<toolkit::Pipeline>(std::move(pipeline));
    })));
  }
  static Task<toolkit::Step> clean(World world) {
    co_await sleep_for(std::chrono::milliseconds(30));  // what cleans up has to wait for something, too
    world->done.emplace_back("clean");
    co_return toolkit::Continue{};
  }
  static Task<toolkit::Step> preview(World world) {
    co_return toolkit::Output{"from " + std::to_string(world->notes.size()), {}};
  }
  static Task<toolkit::Step> follow(CallContext& context) {
    if (!context.answer)
      co_return toolkit::Delegate{toolkit::DelegateKind::background,
                                  {{"tool", "get_deploy"}, {"arguments", {{"what", "7"}}}}};
    co_return toolkit::Output{"Started. Task " + std::string(as_view(context.answer->as_string())) + " follows it.",
                              {}};
  }
  static Task<toolkit::Step> keep_pipes_open(std::string pid_file) {
    ProcessSpec spec;
    spec.arguments = {"/bin/sh", "-c", "sleep 300 & echo $! > \"$0.new\"; mv \"$0.new\" \"$0\"; wait", pid_file};
    spec.environment = {"PATH=/usr/bin:/bin"};
    spec.timeout = std::chrono::minutes(10);
    const Result<ProcessEnd> ended = co_await run_process(std::move(spec));
    if (!ended) co_return ended.error();
    co_return toolkit::Output{ended->output, {}};
  }
  static Task<toolkit::Step> hang(World world) {
    world->done.emplace_back("act");
    co_await sleep_for(std::chrono::hours(1));
    co_return toolkit::Continue{};
  }
  void runs_call(std::string tool) {
    script(ModelScript().calls(std::move(tool)).then_says("That was it."));
    says("U1", "do it");
  }
  int cleaned() const { return static_cast<int>(std::ranges::count(world_->done, "clean")); }
};

TEST_F(Outcomes, FinallyRunsAfterSuccess) {
  add_tool("do_it", [](CallContext&) -> Task<toolkit::Step> { co_return toolkit::Output{"done", {}}; });
  runs_call("do_it");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "success");
  EXPECT_EQ(cleaned(), 1);
}

TEST_F(Outcomes, FinallyRunsAfterAnError) {
  add_tool("do_it", [](CallContext&) -> Task<toolkit::Step> { co_return Error{ErrorKind::upstream, "it broke"}; });
  runs_call("do_it");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "error");
  EXPECT_EQ(cleaned(), 1);
}

TEST_F(Outcomes, FinallyRunsAfterAnException) {
  add_tool("do_it", [](CallContext&) -> Task<toolkit::Step> {
    throw std::runtime_error("a bug");
    co_return toolkit::Continue{};
  });
  runs_call("do_it");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "error");
  EXPECT_EQ(cleaned(), 1);
}

TEST_F(Outcomes, FinallyRunsAfterATimeout) {
  add_tool("do_it", [this](CallContext&) { return hang(world_); });
  runs_call("do_it");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "timeout");
  EXPECT_EQ(cleaned(), 1);
}

TEST_F(Outcomes, FinallyRunsAfterACancel) {
  add_tool(
      "do_it", [this](CallContext&) { return hang(world_); }, toolkit::Effect::read, true,
      [](toolkit::ToolSpec& spec) { spec.timeout = std::chrono::seconds(300); });
  runs_call("do_it");
  until([&] { return !world_->done.empty(); });
  says("U1", "stop");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "cancelled");
  EXPECT_EQ(cleaned(), 1);
}

TEST_F(Outcomes, FinallyRunsAfterADelegateThatFails) {
  add_tool("do_it", [](CallContext&) -> Task<toolkit::Step> {
    co_return toolkit::Delegate{toolkit::DelegateKind::result, {{"call_id", "no such call"}}};
  });
  runs_call("do_it");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "error");
  EXPECT_EQ(cleaned(), 1);
}

TEST_F(Outcomes, FinallyRunsAfterTheProcessWasRestarted) {
  add_tool(
      "do_it", [this](CallContext&) { return hang(world_); }, toolkit::Effect::read, true,
      [](toolkit::ToolSpec& spec) { spec.timeout = std::chrono::seconds(300); });
  runs_call("do_it");
  until([&] { return !world_->done.empty(); });
  restart();
  says("U1", "stop");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "cancelled");
  EXPECT_EQ(cleaned(), 1);
}

TEST_F(Outcomes, AWriteThatRunsWhenAllIsPausedIsCancelledAndNeverRepeated) {
  set([](policy::Settings& settings) { settings.policy.mode = policy::Mode::allow_all; });
  const auto long_enough = [](toolkit::ToolSpec& spec) { spec.timeout = std::chrono::minutes(4); };
  add_tool("do_it", [this](CallContext&) { return hang(world_); }, toolkit::Effect::write, false, long_enough);
  runs_call("do_it");
  until([&] { return std::ranges::count(world_->done, "act") == 1; });
  must(store_->set_brake({store::Pause::all, "dee", clock_.now()}, {}));
  gateway_->wake();
  until([&] { return gateway_->health().live == 0; });
  must(store_->set_brake({store::Pause::off, "dee", clock_.now()}, {}));
  gateway_->wake();
  until_finished();
  EXPECT_EQ(status_of("call_1"), "unknown");
  EXPECT_EQ(std::ranges::count(world_->done, "act"), 1);
}

TEST_F(Outcomes, AWriteIsCancelledByAPauseAlsoWhileThisInstanceStops) {
  set([](policy::Settings& settings) { settings.policy.mode = policy::Mode::allow_all; });
  const auto long_enough = [](toolkit::ToolSpec& spec) { spec.timeout = std::chrono::minutes(4); };
  add_tool("do_it", [this](CallContext&) { return hang(world_); }, toolkit::Effect::write, false, long_enough);
  runs_call("do_it");
  until([&] { return std::ranges::count(world_->done, "act") == 1; });
  bool stopped = false;
  asio::co_spawn(loop_, gateway_->stop(std::chrono::minutes(2)), [&](const std::exception_ptr&) { stopped = true; });
  must(store_->set_brake({store::Pause::all, "dee", clock_.now()}, {}));
  until([&] { return stopped; });
}

TEST_F(Outcomes, AWriteThatTimesOutIsUnknownAndTheSameAsksAgain) {
  set([](policy::Settings& settings) { settings.policy.mode = policy::Mode::allow_all; });
  add_tool("do_it", [this](CallContext&) { return hang(world_); }, toolkit::Effect::write, false);
  runs_call("do_it");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "unknown");
  EXPECT_NE(result_of("call_1").find("It may have happened"), std::string::npos);
  EXPECT_NE(transcript().find("may have happened"), std::string::npos) << transcript();
  runs_call("do_it");
  until_asked();
  EXPECT_NE(transcript().find("the same call was made here before and may have happened"), std::string::npos)
      << transcript();
}

TEST_F(Outcomes, AHandlerThatIgnoresCancellationIsLeftBehind) {
  add_tool("do_it", [](CallContext&) -> Task<toolkit::Step> {
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    co_await sleep_for(std::chrono::seconds(8));
    co_return toolkit::Continue{};
  });
  runs_call("do_it");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "timeout");
  EXPECT_EQ(cleaned(), 1);
}

TEST_F(Outcomes, AChildProcessThatKeepsItsPipesOpenIsEndedByAStop) {
  const std::filesystem::path pid_file = folder_ / "pid";
  add_tool(
      "do_it", [&](CallContext&) { return keep_pipes_open(pid_file.string()); }, toolkit::Effect::read, true,
      [](toolkit::ToolSpec& spec) { spec.timeout = std::chrono::seconds(300); });
  runs_call("do_it");
  until([&] { return std::filesystem::exists(pid_file) && !read_file(pid_file).empty(); });
  says("U1", "stop");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "cancelled");
  EXPECT_EQ(cleaned(), 1);
  const int grandchild = std::stoi(read_file(pid_file));
  until([&] { return ::kill(grandchild, 0) != 0; });
}

TEST_F(Outcomes, AFloodIsCutAndTheWholeCanBeRead) {
  add_tool("do_it", [](CallContext&) -> Task<toolkit::Step> {
    std::string lines;
    while (lines.size() < 3'000'000) lines += "one more line of a long log\n";
    co_return toolkit::Output{std::move(lines), {}};
  });
  add_tool("read_more", [](CallContext& context) -> Task<toolkit::Step> {
    if (!context.answer)
      co_return toolkit::Delegate{toolkit::DelegateKind::result, {{"call_id", "call_1"}, {"offset", 28'000}}};
    co_return toolkit::Output{std::string(as_view(context.answer->as_string())), {}};
  });
  script(ModelScript().calls("do_it").calls("read_more").then_says("That was it."));
  says("U1", "do it");
  until_finished();
  EXPECT_LE(count_characters(result_of("call_1")), 8'000U);
  EXPECT_NE(result_of("call_1").find("read_result"), std::string::npos) << result_of("call_1");
  EXPECT_LE(must(store_->result(runs()[0].run, "call_1")).size(), 1'000'000U);
  EXPECT_TRUE(result_of("call_2").starts_with("one more line")) << result_of("call_2").substr(0, 100);
}

TEST_F(Outcomes, AChildRunAnswersTheHandlerThatStartedIt) {
  add_tool(
      "investigate",
      [](CallContext& context) -> Task<toolkit::Step> {
        if (!context.answer) co_return toolkit::Delegate{toolkit::DelegateKind::child_run, {{"task", "find out"}}};
        co_return toolkit::Output{"the child said: " + std::string(as_view(context.answer->as_string())), {}};
      },
      toolkit::Effect::read, true, [](toolkit::ToolSpec& spec) { spec.starts_child_run = true; });
  script(ModelScript().calls("investigate").says("the pool was too small").then_says("Because of the pool."));
  says("U1", "why?");
  until_finished(2);
  EXPECT_EQ(result_of("call_1"), "the child said: the pool was too small");
  EXPECT_EQ(answer(0), "Because of the pool.");
  EXPECT_EQ(answers(), 1);
}

TEST_F(Outcomes, StoppingAParentStopsItsChild) {
  add_tool(
      "investigate",
      [](CallContext& context) -> Task<toolkit::Step> {
        if (!context.answer) co_return toolkit::Delegate{toolkit::DelegateKind::child_run, {{"task", "find out"}}};
        co_return toolkit::Continue{};
      },
      toolkit::Effect::read, true, [](toolkit::ToolSpec& spec) { spec.starts_child_run = true; });
  const auto model = script(ModelScript().calls("investigate").hangs());
  says("U1", "why?");
  until([&] { return model->waiting() == 1; });
  says("U1", "stop");
  until_finished(2);
  EXPECT_EQ(outcome(0), "cancelled");
  EXPECT_EQ(outcome(1), "cancelled");
}

TEST_F(Outcomes, ABackgroundCallIsApprovedOnceAndToldWhenItEnds) {
  script(ModelScript()
             .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}, {"background", true}})
             .then_says("It works on it."));
  says("U1", "restart checkout in the background");
  until_asked();
  clicks("U2", Control::approve_once);
  until_finished(2);
  EXPECT_EQ(world_->restarts["checkout"], 1);
  until([&] { return transcript().find("ended (task") != std::string::npos; });
  EXPECT_EQ(answers(), 1);
}

TEST_F(Outcomes, ABackgroundCallHasItsOwnTime) {
  limit([](run::LimitSettings& limits) { limits.background_timeout = std::chrono::milliseconds(200); });
  add_tool(
      "do_it", [this](CallContext&) { return hang(world_); }, toolkit::Effect::read, true,
      [](toolkit::ToolSpec& spec) { spec.timeout = std::chrono::seconds(300); });
  script(ModelScript().calls("do_it", {{"background", true}}).then_says("It works on it."));
  says("U1", "do it in the background");
  until_finished(2);
  EXPECT_EQ(status_of("call_1", 1), "timeout");
  EXPECT_EQ(cleaned(), 1);
}

TEST_F(Outcomes, ABackgroundCallWhosePreviewChangedIsNotDone) {
  toolkit::ToolSpec spec{.name = "raise_limit",
                         .version = 1,
                         .description = "Raises the limit from what it is",
                         .category = "service_tools",
                         .effect = toolkit::Effect::write};
  ASSERT_OK(registry_.add(toolkit::make_tool<NoParams>(spec, [this](const NoParams&) {
    toolkit::Pipeline pipeline;
    pipeline
        .then({.name = "preview",
               .repeatable = true,
               .call = [world = world_](CallContext&) -> Task<toolkit::Step> { return preview(world); }})
        .await_approval()
        .then({.name = "act", .call = [world = world_](CallContext&) -> Task<toolkit::Step> { return clean(world); }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  })));
  script(ModelScript().calls("raise_limit", {{"background", true}}).then_says("It works on it."));
  says("U1", "raise the limit in the background");
  until_asked();
  world_->notes.emplace_back("one more");
  clicks("U2", Control::approve_once);
  until_finished(2);
  EXPECT_EQ(cleaned(), 0);
  EXPECT_EQ(status_of("call_1", 1), "error");
  EXPECT_NE(result_of("call_1", 1).find("not what was approved"), std::string::npos) << result_of("call_1", 1);
}

// deploy = [ preview, AWAIT APPROVAL, act, follow ]
TEST_F(Outcomes, AWriteIsFollowedInTheBackgroundAndTheThreadIsToldOfItsEnd) {
  add_tool("get_deploy", [](CallContext& context) -> Task<toolkit::Step> {
    co_return toolkit::Output{"deploy " + std::string(as_view(context.arguments.at("what").as_string())) + " succeeded",
                              {}};
  });
  toolkit::ToolSpec spec{.name = "deploy",
                         .version = 1,
                         .description = "Deploys and follows it",
                         .category = "service_tools",
                         .effect = toolkit::Effect::write};
  ASSERT_OK(registry_.add(toolkit::make_tool<NoParams>(spec, [this](const NoParams&) {
    toolkit::Pipeline pipeline;
    pipeline
        .then({.name = "preview",
               .repeatable = true,
               .call = [world = world_](CallContext&) -> Task<toolkit::Step> { return preview(world); }})
        .await_approval()
        .then({.name = "act", .call = [world = world_](CallContext&) -> Task<toolkit::Step> { return clean(world); }})
        .then({.name = "follow", .repeatable = true, .call = [](CallContext& context) { return follow(context); }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  })));
  script(ModelScript().calls("deploy").then_says("It is on its way."));
  says("U1", "deploy it");
  until_asked();
  clicks("U2", Control::approve_once);
  until_finished(2);
  EXPECT_EQ(result_of("call_1"), "Started. Task " + runs().at(1).run.text() + " follows it.");
  EXPECT_EQ(result_of("call_1", 1), "deploy 7 succeeded");
  until([&] { return transcript().find("deploy 7 succeeded") != std::string::npos; });
  EXPECT_EQ(answers(), 1);
}

TEST_F(Outcomes, WhatIsFollowedInTheBackgroundMayOnlyRead) {
  add_tool("get_deploy", [this](CallContext&) { return clean(world_); }, toolkit::Effect::write);
  add_tool("deploy", [](CallContext& context) { return follow(context); });
  script(ModelScript().calls("deploy").then_says("It is on its way."));
  says("U1", "deploy it");
  until_finished(2);
  EXPECT_NE(status_of("call_1", 1), "success");
}

TEST_F(Outcomes, ABackgroundCallFollowsNothing) {
  add_tool("deploy", [](CallContext& context) { return follow(context); });
  script(ModelScript().calls("deploy", {{"background", true}}).then_says("It is on its way."));
  says("U1", "deploy it");
  until_finished(2);
  EXPECT_EQ(result_of("call_1", 1), "Started. Task  follows it.");
  EXPECT_EQ(runs().size(), 2U);
}

}  // namespace
}  // namespace deputy::test
