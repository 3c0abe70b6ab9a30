// `deputy pause`: what every instance obeys, through gateway, runner and the real store.
#include "e2e/engine.h"

namespace deputy::test {
namespace {

using interaction::Control;
using store::Pause;

json::object restart_of(std::string service) { return {{"service", service}, {"environment", "prod"}}; }

class Braked : public Engine {
 protected:
  void brake(Pause brake) {
    must(store_->set_brake({brake, "dee", clock_.now()}, {}));
    gateway_->wake();
  }
  void until_nothing_runs() {
    until([&] { return gateway_->health().live == 0; });
  }
};

TEST_F(Braked, ARequestGetsOneLineAndNothingIsBegun) {
  brake(Pause::all);
  script(ModelScript().says("Hello."));
  says("U1", "look at checkout");
  until([&] { return transcript().contains("I was paused by dee at"); });
  EXPECT_TRUE(runs().empty());
  brake(Pause::off);
  says("U1", "look at checkout");
  until_finished();
  EXPECT_EQ(answer(), "Hello.");
}

TEST_F(Braked, ARunIsLetGoOfAndGoesOnWhenThePauseEnds) {
  const auto model = script(ModelScript().hangs());
  says("U1", "look at checkout");
  until([&] { return model->waiting() == 1; });
  brake(Pause::all);
  until_nothing_runs();
  EXPECT_EQ(model->waiting(), 0);
  EXPECT_EQ(runs().at(0).state, store::RunStatus::open);
  pass(std::chrono::minutes(20));  // longer than a run may work
  script(ModelScript().says("It is slow."));
  brake(Pause::off);
  until_finished();
  EXPECT_EQ(answer(), "It is slow.");
  EXPECT_EQ(outcome(), "answered");
}

TEST_F(Braked, WhileChangesArePausedReadsGoOnAndWritesAreRefused) {
  brake(Pause::writes);
  script(ModelScript()
             .calls("search_notes", {{"query", "checkout"}})
             .calls("restart_service", restart_of("checkout"))
             .then_says("I only looked."));
  says("U1", "look at checkout and restart it");
  until_finished();
  EXPECT_EQ(status_of("call_1"), "success");
  EXPECT_NE(status_of("call_2"), "success");
  EXPECT_TRUE(result_of("call_2").contains("changes are paused by dee")) << result_of("call_2");
  EXPECT_EQ(world_->restarts.at("checkout"), 0);
}

TEST_F(Braked, AnApprovalThatComesWhileChangesArePausedChangesNothing) {
  script(ModelScript().calls("restart_service", restart_of("checkout")).then_says("It was not to be."));
  says("U1", "restart checkout in prod");
  until_asked();
  brake(Pause::writes);
  clicks("U2", Control::approve_once);
  until_finished();
  EXPECT_EQ(world_->restarts.at("checkout"), 0);
  EXPECT_TRUE(result_of("call_1").contains("changes are paused by dee")) << result_of("call_1");
}

}  // namespace
}  // namespace deputy::test
