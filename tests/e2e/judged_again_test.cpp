// Policy rules again just before a call acts: what was allowed earlier, and then waited for its turn or for a restart,
// is held to the settings, grants and pause of that moment.
#include "e2e/engine.h"

namespace deputy::test {
namespace {

using interaction::Control;

struct NoParams {
  template <class Fields>
  static void fields(Fields&) {}
};

struct TouchParams {
  std::string service;

  template <class Fields>
  static void fields(Fields& f) {
    f.required(&TouchParams::service, "service", "Which service").characters(1, 60);
  }
};

class JudgedAgain : public Engine {
 protected:
  using Meanwhile = std::function<Task<>()>;

  JudgedAgain() {
    limit([](run::LimitSettings& limits) { limits.calls_at_once = 1; });
    toolkit::ToolSpec spec{.name = "meanwhile",
                           .version = 1,
                           .description = "Runs while the next call waits for its turn",
                           .category = "doc_tools",
                           .effect = toolkit::Effect::read};
    EXPECT_OK(registry_.add(toolkit::make_tool<NoParams>(std::move(spec), [this](const NoParams&) {
      toolkit::Pipeline pipeline;
      pipeline.then({.name = "happen", .repeatable = true, .call = [this](toolkit::CallContext&) { return happen(); }});
      return Result<toolkit::Pipeline>(std::move(pipeline));
    })));
    toolkit::ToolSpec touch{.name = "touch_service",
                            .version = 1,
                            .description = "Changes something without a gate of its own",
                            .category = "service_tools",
                            .effect = toolkit::Effect::write,
                            .primary_param = "service",
                            .pins = {"service"}};
    EXPECT_OK(registry_.add(toolkit::make_tool<TouchParams>(std::move(touch), [this](const TouchParams& params) {
      toolkit::Pipeline pipeline;
      pipeline.then({.name = "touch", .call = [this, params](toolkit::CallContext&) {
                       return note_command(world_, "touch " + params.service);
                     }});
      return Result<toolkit::Pipeline>(std::move(pipeline));
    })));
  }

  Task<toolkit::Step> happen() {
    if (meanwhile_) co_await meanwhile_();
    co_return toolkit::Output{"it happened", {}};
  }

  void allow_all() {
    set([](policy::Settings& settings) { settings.policy.mode = policy::Mode::allow_all; });
  }
  /// The second call is ruled with the first and waits until it has ended.
  void asks_for(std::string tool, json::object arguments) {
    script(ModelScript().calls({{"meanwhile", {}}, {std::move(tool), std::move(arguments)}}).then_says("That was it."));
    says("U1", "do it");
  }
  bool ran(std::string_view what) const { return std::ranges::find(world_->done, what) != world_->done.end(); }
  std::size_t rulings(std::string_view id) { return call(id)->rulings.size(); }

  /// The call `meanwhile` of this process does not end, so that what comes after it waits; another process is not held.
  void hold() {
    meanwhile_ = [this]() -> Task<> {
      is_held_ = true;
      co_await sleep_for(std::chrono::hours(1));
    };
  }
  void until_held() {
    until([this] { return is_held_; });
  }
  /// Another process takes over what this one leaves behind.
  void crash() {
    close();
    meanwhile_ = {};
    open();
  }

  Meanwhile meanwhile_;
  bool is_held_ = false;
};

TEST_F(JudgedAgain, AnAllowedCallIsRuledOnceAndRuns) {
  allow_all();
  asks_for("run_command", {{"command", "make"}});
  until_finished();
  EXPECT_TRUE(ran("make"));
  EXPECT_EQ(rulings("call_2"), 1U);
}

TEST_F(JudgedAgain, ANewDenyRuleStopsACallThatWaitsForItsTurn) {
  allow_all();
  meanwhile_ = [this]() -> Task<> {
    set([](policy::Settings& settings) { settings.policy.rules.push_back({"run_command", {"make"}, {}, {}}); });
    co_return;
  };
  asks_for("run_command", {{"command", "make"}});
  until_finished();
  EXPECT_FALSE(ran("make"));
  EXPECT_EQ(status_of("call_2"), "denied");
  EXPECT_EQ(call("call_2")->ruling()->rule, "policy.rules[0].deny[0]");
}

TEST_F(JudgedAgain, ANewDenyRuleStopsAReadThatWaitsForItsTurn) {
  meanwhile_ = [this]() -> Task<> {
    set([](policy::Settings& settings) { settings.policy.rules.push_back({"search_notes", {"down"}, {}, {}}); });
    co_return;
  };
  asks_for("search_notes", {{"query", "down"}});
  until_finished();
  EXPECT_EQ(status_of("call_2"), "denied");
}

TEST_F(JudgedAgain, PausingChangesStopsACallThatWaitsForItsTurn) {
  allow_all();
  meanwhile_ = [this]() -> Task<> {
    EXPECT_OK(co_await store_->set_brake({store::Pause::writes, "dee", clock_.now()}, {}));
  };
  asks_for("run_command", {{"command", "make"}});
  until_finished();
  EXPECT_FALSE(ran("make"));
  EXPECT_TRUE(result_of("call_2").contains("changes are paused by dee")) << result_of("call_2");
}

TEST_F(JudgedAgain, ACallWithoutAGateThatIsNoLongerAllowedAsksAndRunsAfterAYes) {
  allow_all();
  meanwhile_ = [this]() -> Task<> {
    set([](policy::Settings& settings) { settings.policy.mode = policy::Mode::ask; });
    co_return;
  };
  asks_for("run_command", {{"command", "make"}});
  until_asked();
  EXPECT_FALSE(ran("make"));
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(clicks("U2", Control::approve_once)));
  until_finished();
  EXPECT_TRUE(ran("make"));
  EXPECT_EQ(status_of("call_2"), "success");
}

TEST_F(JudgedAgain, ARevokedGrantStopsACallThatWaitsForItsTurn) {
  script(ModelScript().calls("touch_service", {{"service", "checkout"}}).then_says("Done."));
  says("U1", "touch checkout");
  until_asked();
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(clicks("U2", Control::approve_for_thread)));
  until_finished(1);
  const auto grants = must(store_->grants({.live_only = false}));
  ASSERT_EQ(grants.size(), 1U);
  meanwhile_ = [this, id = grants[0].id]() -> Task<> { EXPECT_OK(co_await store_->revoke_grant(id, "bo", {})); };
  asks_for("touch_service", {{"service", "checkout"}});
  until_asked();
  EXPECT_EQ(std::ranges::count(world_->done, "touch checkout"), 1);
}

TEST_F(JudgedAgain, AGrantThatStandsIsSpentOnce) {
  script(ModelScript().calls("touch_service", {{"service", "checkout"}}).then_says("Done."));
  says("U1", "touch checkout");
  until_asked();
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(clicks("U2", Control::approve_for_thread)));
  until_finished(1);
  asks_for("touch_service", {{"service", "checkout"}});
  until_finished(2);
  EXPECT_EQ(std::ranges::count(world_->done, "touch checkout"), 2);
  EXPECT_EQ(must(store_->grants({.live_only = false})).at(0).uses, 1);
}

TEST_F(JudgedAgain, ANewDenyRuleStopsACallThatWasAllowedBeforeARestart) {
  allow_all();
  hold();
  asks_for("run_command", {{"command", "make"}});
  until_held();
  ASSERT_EQ(call("call_2")->ruling()->verdict, run::Verdict::allow);
  set([](policy::Settings& settings) { settings.policy.rules.push_back({"run_command", {"make"}, {}, {}}); });
  crash();
  until_finished();
  EXPECT_FALSE(ran("make"));
  EXPECT_EQ(status_of("call_2"), "denied");
}

TEST_F(JudgedAgain, PausingChangesStopsACallThatWasAllowedBeforeARestart) {
  allow_all();
  hold();
  asks_for("run_command", {{"command", "make"}});
  until_held();
  must(store_->set_brake({store::Pause::writes, "dee", clock_.now()}, {}));
  crash();
  until_finished();
  EXPECT_FALSE(ran("make"));
  EXPECT_TRUE(result_of("call_2").contains("changes are paused by dee")) << result_of("call_2");
}

TEST_F(JudgedAgain, ARevokedGrantStopsACallThatWasAllowedBeforeARestart) {
  script(ModelScript().calls("touch_service", {{"service", "checkout"}}).then_says("Done."));
  says("U1", "touch checkout");
  until_asked();
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(clicks("U2", Control::approve_for_thread)));
  until_finished(1);
  hold();
  asks_for("touch_service", {{"service", "checkout"}});
  until_held();
  must(store_->revoke_grant(must(store_->grants({.live_only = false})).at(0).id, "bo", {}));
  crash();
  until_asked();
  EXPECT_EQ(std::ranges::count(world_->done, "touch checkout"), 1);
}

TEST_F(JudgedAgain, WhatWasApprovedAndJudgedAtItsGateIsHeldToTheRulesAfterARestart) {
  hold();
  script(ModelScript()
             .calls({{"restart_service", {{"service", "checkout"}, {"environment", "production"}}}, {"meanwhile", {}}})
             .then_says("That was it."));
  says("U1", "restart it");
  until_asked();
  until_held();
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(clicks("U2", Control::approve_once)));
  until([this] { return call("call_1")->ruling()->after_gate; });
  ASSERT_EQ(call("call_1")->ruling()->verdict, run::Verdict::allow);
  set([](policy::Settings& settings) { settings.policy.rules.push_back({"restart_service", {"checkout"}, {}, {}}); });
  crash();
  until_finished();
  EXPECT_EQ(status_of("call_1"), "denied");
  EXPECT_TRUE(std::ranges::none_of(world_->done, [](const auto& what) { return what.contains("restart"); }));
}

}  // namespace
}  // namespace deputy::test
