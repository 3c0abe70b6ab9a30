// What nobody knows the fate of, and what breaks inside: people are told what was found out, and work goes on.
#include <gmock/gmock.h>

#include "e2e/engine.h"

namespace deputy::test {
namespace {

using interaction::Control;
using testing::HasSubstr;

json::object restart_checkout() { return {{"service", "checkout"}, {"environment", "prod"}}; }

class Doubt : public Engine {
 protected:
  void approved_restart() {
    script(ModelScript().calls("restart_service", restart_checkout()).then_says("So it is."));
    says("U1", "restart checkout");
    until_asked();
    until([&] { return card() != nullptr; });
    clicks("U2", Control::approve_once);
    until_finished();
  }
};

TEST_F(Doubt, AWriteWhoseConnectionWasLostIsLookedAt) {
  world_->restart_ends_with = Error{ErrorKind::network, "connection reset"};
  approved_restart();
  EXPECT_EQ(status_of("call_1"), "success");
  EXPECT_EQ(result_of("call_1"), "restarted checkout");
  EXPECT_EQ(world_->restarts["checkout"], 1);
}

TEST_F(Doubt, ATimedOutWriteThatDidNotHappenSaysSoAndIsNotRepeated) {
  world_->restart_ends_with = Error{ErrorKind::timeout, "no answer within 30 s"};
  world_->restart_acts = false;
  approved_restart();
  EXPECT_EQ(status_of("call_1"), "timeout");
  EXPECT_THAT(result_of("call_1"), HasSubstr("did not happen"));
  EXPECT_EQ(world_->restarts["checkout"], 0);
  EXPECT_EQ(std::ranges::count(world_->done, "restart"), 1);
}

TEST_F(Doubt, AServerErrorOnAWriteIsInDoubtToo) {
  world_->restart_ends_with = Error{ErrorKind::upstream, "status 502", "", true};
  approved_restart();
  EXPECT_EQ(status_of("call_1"), "success");
  EXPECT_EQ(world_->restarts["checkout"], 1);
}

TEST_F(Doubt, AServerErrorBeforeTheWriteIsAnErrorOnceSomebodyLooked) {
  world_->restart_ends_with = Error{ErrorKind::upstream, "status 502", "", true};
  world_->restart_acts = false;
  approved_restart();
  EXPECT_EQ(status_of("call_1"), "error");
}

TEST_F(Doubt, ARemoteEffectIsNotLookedForTooEarly) {
  world_->restart_ends_with = Error{ErrorKind::network, "connection reset"};
  world_->look_after = std::chrono::milliseconds(700);
  const auto begun = std::chrono::steady_clock::now();
  approved_restart();
  EXPECT_EQ(status_of("call_1"), "success");
  EXPECT_GE(std::chrono::steady_clock::now() - begun, world_->look_after);
}

TEST_F(Doubt, AClickAdoptsACardThatNobodyKnewToHaveArrived) {
  channel_->fails(Step::show, {ErrorKind::network, "cut off"}, Posted::yes);
  script(ModelScript().calls("restart_service", restart_checkout()).then_says("Restarted."));
  says("U1", "restart checkout");
  until_asked();
  const auto is_in_doubt = [](const store::DeliveryRow& row) { return row.state == store::DeliveryState::unknown; };
  until([&] { return std::ranges::any_of(must(store_->deliveries({.run = runs()[0].run})), is_in_doubt); });
  clicks("U2", Control::approve_once);
  until_finished();
  until([&] { return answers() == 1; });
  EXPECT_EQ(channel_->calls(Step::find), 0) << "nobody had to look for it";
  EXPECT_EQ(channel_->calls(Step::show), 1);
  EXPECT_EQ(card(), nullptr) << "it is redrawn, without its buttons";
}

TEST_F(Doubt, LoopsThatThrowBeginAgainAndAreCounted) {
  std::map<std::string, int, std::less<>> throws{{"take_due", 2}, {"take_deliveries", 2}, {"claim", 2}};
  failing_->before = [&](std::string_view method) {
    const auto found = throws.find(method);
    if (found != throws.end() && found->second-- > 0) throw std::runtime_error("a bug");
  };
  script(ModelScript().then_says("Here I am."));
  says("U1", "hello?");
  until([&] { return answers() == 1; });
  EXPECT_THAT(transcript(), HasSubstr("Here I am."));
  const std::map<std::string, int> expected{{"dues", 2}, {"deliveries", 2}, {"runner", 2}};
  until([&] { return gateway_->loop_failures() == expected; });
  failing_->before = nullptr;
}

TEST_F(Doubt, AChannelThatThrowsBeginsAgainAfterLongerAndLongerPausesAndDisturbsNoOther) {
  using std::chrono::steady_clock;
  std::vector<steady_clock::time_point> begun;
  other_channel_ = std::make_shared<ScriptedChannel>("shaky");
  other_channel_->on_run = [&] {
    begun.push_back(steady_clock::now());
    if (begun.size() <= 3) throw std::runtime_error("a bug");
  };
  restart();
  script(ModelScript().says("Here I am."));
  says("U1", "hello?");
  until([&] { return answers() == 1; });
  until([&] { return begun.size() == 4; });
  EXPECT_EQ(gateway_->loop_failures(), (std::map<std::string, int>{{"shaky", 3}}));
  for (std::size_t i = 1; i < begun.size(); ++i)
    EXPECT_GE(begun[i] - begun[i - 1], std::chrono::milliseconds(100 << (i - 1))) << i;
  EXPECT_THAT(transcript(), HasSubstr("Here I am."));
  EXPECT_OK(run_on(loop_, other_channel_->says("U1", "shaky:C1:1", "and here?"))) << "it receives again";
}

}  // namespace
}  // namespace deputy::test
