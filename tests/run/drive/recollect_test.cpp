// A conversation that remembers, over a real store: what the model of a later run is shown.
#include <gmock/gmock.h>

#include "run/drive/runner_fixture.h"

namespace deputy::run {
namespace {

using test::held;
using test::ModelScript;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string text_of(const model::Request& request) {
  std::string text;
  for (const model::Turn& turn : request.turns) {
    for (const model::Block& block : turn.blocks) {
      if (const auto* said = std::get_if<model::Text>(&block)) text += said->text + "\n";
      if (const auto* result = std::get_if<model::CallResult>(&block)) text += result->text + "\n";
    }
  }
  return text;
}

class RunMemory : public RunnerTest {
 protected:
  /// Asks, and waits for the end. What the model was asked first.
  model::Request exchange(const std::string& text, const ModelScript& script) {
    clock_.advance(std::chrono::seconds(1));
    const auto model = ModelScript(script).make();
    model_ = model;
    run_ = asks(text);
    until_finished(run_);
    return model->requests().at(0);
  }
  static ModelScript looks(const std::string& answer) {
    return ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says(answer);
  }
  RunId run_;
};

TEST_F(RunMemory, ALaterRunIsShownTheEarlierOnes) {
  exchange("what is wrong?", looks("It is slow."));
  const RunId first = run_;
  const model::Request second = exchange("since when?", ModelScript().says("Since noon."));
  EXPECT_THAT(text_of(second), HasSubstr("what is wrong?"));
  EXPECT_THAT(text_of(second), HasSubstr("checkout is slow"));
  EXPECT_THAT(text_of(second), HasSubstr("It is slow."));
  const MemoryShown shown = held(held(state_of(run_).enriched).memory);
  EXPECT_THAT(shown.runs, ElementsAre(first.text()));
  EXPECT_EQ(shown.calls, 1U);
  const model::Request third = exchange("and now?", looks("It is fine."));
  EXPECT_THAT(text_of(third), HasSubstr("Since noon."));
  EXPECT_NE(state_of(run_).find_call("call_2"), nullptr) << "ids go on behind those of the conversation";
}

TEST_F(RunMemory, MemoryTokensSayHowMuchIsShown) {
  exchange("what is wrong?", looks("It is slow."));
  change_rules([](Rules& rules) { rules.limits.memory_tokens = 20; });
  const std::string text = text_of(exchange("since when?", ModelScript().says("Since noon.")));
  EXPECT_THAT(text, Not(HasSubstr("checkout is slow")));
  EXPECT_THAT(text, HasSubstr("You answered: It is slow."));
}

TEST_F(RunMemory, ARunThatEndsLateIsRememberedToo) {
  clock_.advance(std::chrono::seconds(1));
  const auto late = ModelScript()
                        .calls("restart_service", {{"service", "checkout"}, {"environment", "staging"}})
                        .then_says("Not restarted.")
                        .make();
  model_ = late;
  const RunId waiting = asks("restart it");
  until_parked(waiting);
  exchange("what is wrong?", ModelScript().says("It is slow."));
  exchange("since when?", ModelScript().says("Since noon."));
  model_ = late;
  answers(pending().at(0), interaction::State::denied);
  until_finished(waiting);
  const std::string text = text_of(exchange("and now?", ModelScript().says("Fine.")));
  EXPECT_THAT(text, HasSubstr("Since noon."));
  EXPECT_THAT(text, HasSubstr("Not restarted."));
}

TEST_F(RunMemory, WhoTakesARunUpShowsTheSame) {
  exchange("what is wrong?", looks("It is slow."));
  clock_.advance(std::chrono::seconds(1));
  const auto hanging = ModelScript().hangs().make();
  model_ = hanging;
  const RunId run = asks("since when?");
  until([&] { return hanging->waiting() == 1; });
  const model::Request asked = hanging->requests().at(0);
  close();
  const auto again = ModelScript().says("Since noon.").make();
  model_ = again;
  open();
  until_finished(run);
  EXPECT_EQ(again->requests().at(0), asked);
}

}  // namespace
}  // namespace deputy::run
