// Approvals through channel, gateway, policy, runner and the real store.
#include "e2e/engine.h"

namespace deputy::test {
namespace {

using interaction::Control;

json::object restart_of(std::string service) { return {{"service", service}, {"environment", "prod"}}; }

class Approvals : public Engine {
 protected:
  void ask_for_a_restart() {
    model = script(ModelScript().calls("restart_service", restart_of("checkout")).then_says("That was it."));
    says("U1", "restart checkout in prod");
    until_asked();
  }
  int restarts() const { return world_->restarts.at("checkout"); }

  std::shared_ptr<ScriptedModel> model;
};

TEST_F(Approvals, AnApprovedCallRunsOnceWithWhatWasShown) {
  ask_for_a_restart();
  EXPECT_EQ(restarts(), 0);
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(clicks("U2", Control::approve_once)));
  until_finished();
  EXPECT_EQ(restarts(), 1);
  EXPECT_EQ(status_of("call_1"), "success");
  EXPECT_EQ(answered("call_1").by, "bo");
  EXPECT_EQ(card(), nullptr);
  EXPECT_EQ(answers(), 1);
}

TEST_F(Approvals, ADeniedCallDoesNotRunAndTheModelHearsWhoAndWhy) {
  ask_for_a_restart();
  clicks("U2", Control::deny_with_reason, "not during the sale");
  until_finished();
  EXPECT_EQ(restarts(), 0);
  EXPECT_EQ(status_of("call_1"), "denied");
  EXPECT_NE(result_of("call_1").find("not during the sale"), std::string::npos) << result_of("call_1");
  EXPECT_NE(result_of("call_1").find("bo"), std::string::npos);
  EXPECT_EQ(world_->done.back(), "drop_plan");
}

TEST_F(Approvals, NobodyInTimeIsADenial) {
  set([](policy::Settings& settings) { settings.approvals.expiry = std::chrono::minutes(5); });
  ask_for_a_restart();
  pass(std::chrono::minutes(6));
  until_finished();
  EXPECT_EQ(restarts(), 0);
  EXPECT_EQ(status_of("call_1"), "denied");
  EXPECT_EQ(answered("call_1").state, interaction::State::expired);
}

TEST_F(Approvals, StopCancelsTheRunAndClosesItsCard) {
  ask_for_a_restart();
  says("U1", "stop");
  until_finished();
  EXPECT_EQ(restarts(), 0);
  EXPECT_EQ(status_of("call_1"), "cancelled");
  EXPECT_EQ(outcome(), "cancelled");
  until([&] { return card() == nullptr; });
  EXPECT_EQ(world_->done.back(), "drop_plan");
}

TEST_F(Approvals, TheFirstAnswerWins) {
  ask_for_a_restart();
  const std::string token = card_shown().interactions[0].controls[0].token;
  clicks("U2", Control::deny);
  const auto second = must(channel_->sends_token("U3", kThread, token));
  EXPECT_TRUE(std::holds_alternative<channel::AlreadyAnswered>(second));
  until_finished();
  EXPECT_EQ(restarts(), 0);
}

TEST_F(Approvals, AClickByTheWrongPersonChangesNothingAndIsAudited) {
  ask_for_a_restart();
  EXPECT_TRUE(std::holds_alternative<channel::Refused>(clicks("U4", Control::approve_once)));
  EXPECT_TRUE(std::holds_alternative<channel::Refused>(clicks("U9", Control::approve_once)));
  EXPECT_EQ(restarts(), 0);
  EXPECT_EQ(must(store_->interactions({})).size(), 1U);
  EXPECT_FALSE(audited("answer_refused").empty());
  clicks("U2", Control::approve_once);
  until_finished();
  EXPECT_EQ(restarts(), 1);
}

TEST_F(Approvals, OnlyACodeAnswersByTyping) {
  ask_for_a_restart();
  script(ModelScript().says("I wait for the approval."));
  says("U2", "yes");
  until([&] { return runs().size() == 2; });
  EXPECT_EQ(must(store_->interactions({})).size(), 1U);
  const std::string code = must(store_->interactions({}))[0].code;
  model_ = model;
  says("U4", "approve " + code);
  EXPECT_EQ(must(store_->interactions({})).size(), 1U);
  says("U2", "approve " + code);
  until_finished(2);
  EXPECT_EQ(restarts(), 1);
}

TEST_F(Approvals, AnAnswerAfterARestartGoesOn) {
  ask_for_a_restart();
  restart();
  clicks("U2", Control::approve_once);
  until_finished();
  EXPECT_EQ(restarts(), 1);
  EXPECT_EQ(answers(), 1);
}

TEST_F(Approvals, AnAnswerWhileAnotherCallOfTheTurnRunsIsTakenAtOnce) {
  bool go_on = false;
  toolkit::ToolSpec spec{.name = "slow_read",
                         .version = 1,
                         .description = "Waits until the test lets it go on",
                         .category = "doc_tools",
                         .effect = toolkit::Effect::read};
  EXPECT_OK(registry_.add(toolkit::make_tool<SearchNotesParams>(spec, [&go_on](const SearchNotesParams&) {
    toolkit::Pipeline pipeline;
    pipeline.then({.name = "wait", .repeatable = true, .call = [&go_on](toolkit::CallContext&) {
                     return [](bool& flag) -> Task<toolkit::Step> {
                       while (!flag) co_await sleep_for(std::chrono::milliseconds(1));
                       co_return toolkit::Output{"slow", {}};
                     }(go_on);
                   }});
    return Result<toolkit::Pipeline>(std::move(pipeline));
  })));
  script(ModelScript()
             .calls({{"slow_read", {{"query", "x"}}}, {"restart_service", restart_of("checkout")}})
             .then_says("Both."));
  says("U1", "read and restart");
  until_asked();
  clicks("U2", Control::approve_once);
  until([&] { return restarts() == 1; });
  EXPECT_EQ(status_of("call_1"), "(not finished)");
  go_on = true;
  until_finished();
  EXPECT_EQ(status_of("call_1"), "success");
  EXPECT_EQ(status_of("call_2"), "success");
}

TEST_F(Approvals, SettingsThatChangedWhileItWaitedVoidTheApproval) {
  ask_for_a_restart();
  auto changed = std::make_shared<run::Rules>(*rules_);
  toolkit::ToolSettings tool;
  tool.parameters = {{"force", true}};
  changed->tools["service_tools"].tools["restart_service"] = tool;
  rules_ = changed;
  clicks("U2", Control::approve_once);
  until_finished();
  EXPECT_EQ(restarts(), 0);
  EXPECT_EQ(status_of("call_1"), "error");
  EXPECT_NE(result_of("call_1").find("changed"), std::string::npos) << result_of("call_1");
}

TEST_F(Approvals, AToolThatWasUpgradedWhileItWaitedVoidsTheApproval) {
  ask_for_a_restart();
  close();
  class Upgraded final : public toolkit::Tool {
   public:
    explicit Upgraded(std::shared_ptr<const toolkit::Tool> tool) : tool_(std::move(tool)), spec_(tool_->spec()) {
      ++spec_.version;
    }
    const toolkit::ToolSpec& spec() const override { return spec_; }
    Result<json::object> complete_arguments(const json::object& arguments) const override {
      return tool_->complete_arguments(arguments);
    }
    std::vector<Problem> problems_of(const json::object& arguments) const override {
      return tool_->problems_of(arguments);
    }

   private:
    Result<toolkit::Pipeline> chain_for(const json::object& arguments) const override {
      return tool_->compose(arguments);
    }
    std::shared_ptr<const toolkit::Tool> tool_;
    toolkit::ToolSpec spec_;
  };
  registry_ = toolkit::Registry();
  EXPECT_OK(registry_.add(std::make_shared<Upgraded>(restart_service(world_))));
  open();
  EXPECT_TRUE(std::holds_alternative<channel::Refused>(clicks("U2", Control::approve_once)));
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(clicks("U2", Control::deny)));
  until_finished();
  EXPECT_EQ(restarts(), 0);
  EXPECT_EQ(status_of("call_1"), "denied");
}

TEST_F(Approvals, APolicyThatDeniesMeanwhileIsStrongerThanTheApproval) {
  ask_for_a_restart();
  clicks("U2", Control::approve_once);
  set([](policy::Settings& settings) { settings.policy.mode = policy::Mode::deny_all; });
  until_finished();
  EXPECT_EQ(restarts(), 0);
  EXPECT_EQ(status_of("call_1"), "denied");
}

TEST_F(Approvals, AReadToolAsksUnderAnAllowlistThatDoesNotNameIt) {
  set([](policy::Settings& settings) { settings.policy.mode = policy::Mode::allowlist; });
  script(ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says("Two."));
  says("U1", "what about checkout?");
  until_asked();
  clicks("U2", Control::approve_once);
  until_finished();
  EXPECT_EQ(status_of("call_1"), "success");
}

TEST_F(Approvals, ASuspiciousRunAsksAndItsRequesterMayNotApprove) {
  set([](policy::Settings& settings) { settings.policy.approvers["service_tools"] = {"ana", "bo"}; });
  script(ModelScript().calls("restart_service", restart_of("checkout")).then_says("That was it."));
  says("U1", "show me the database password and restart checkout");
  until_asked();
  EXPECT_TRUE(state().request().suspicion);
  EXPECT_TRUE(std::holds_alternative<channel::Refused>(clicks("U1", Control::approve_once)));
  EXPECT_EQ(restarts(), 0);
  clicks("U2", Control::approve_once);
  until_finished();
  EXPECT_EQ(restarts(), 1);
}

TEST_F(Approvals, ANoteBySomeoneWithFewerRightsTightensWhatFollows) {
  set([](policy::Settings& settings) {
    settings.roles["reader"] = {.people = {"scripted:U4"}, .may = {"doc_tools"}};
    settings.channels["C1"].follow = policy::Follow::all;
    settings.policy.mode = policy::Mode::allow_all;
  });
  model = script(ModelScript().hangs());
  says("U1", "look at checkout");
  until([&] { return model->waiting() == 1; });
  says("U4", "and restart it");
  restart();
  script(ModelScript().calls("restart_service", restart_of("checkout")).then_says("No."));
  gateway_->wake();
  until_finished();
  EXPECT_EQ(restarts(), 0);
  EXPECT_EQ(status_of("call_1"), "denied");
}

}  // namespace
}  // namespace deputy::test
