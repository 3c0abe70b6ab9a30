#include "toolkit/pipeline.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace deputy::toolkit {
namespace {

Task<Step> go_on() { co_return Continue{}; }

Handler repeatable(std::string name) {
  return {.name = std::move(name), .repeatable = true, .call = [](CallContext&) { return go_on(); }};
}
Handler once(std::string name) {
  return {.name = std::move(name), .call = [](CallContext&) { return go_on(); }};
}

struct Row {
  std::string name;
  std::function<void(Pipeline&)> build;
  std::string problem;  // empty: it is a good chain
};

void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class PipelineRules : public testing::TestWithParam<Row> {};

TEST_P(PipelineRules, Hold) {
  Pipeline pipeline;
  GetParam().build(pipeline);
  const Result<> checked = pipeline.check();
  if (GetParam().problem.empty()) {
    EXPECT_OK(checked);
  } else {
    ASSERT_FAILS(checked, internal);
    EXPECT_EQ(checked.error().message, "the tool composes a broken chain: " + GetParam().problem);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Pipeline, PipelineRules,
    testing::Values(
        Row{"OneHandler", [](Pipeline& p) { p.then(once("act")); }, ""},
        Row{"PreviewGateActCleanUp",
            [](Pipeline& p) {
              p.then(repeatable("preview")).await_approval().then(once("act")).finally(repeatable("drop"));
            },
            ""},
        Row{"GateAtTheFront", [](Pipeline& p) { p.await_approval().then(once("act")); }, ""},
        Row{"NoHandler", [](Pipeline&) {}, "it has no handler"},
        Row{"OnlyFinally", [](Pipeline& p) { p.finally(repeatable("drop")); }, "it has no handler"},
        Row{"TwoGates", [](Pipeline& p) { p.then(repeatable("a")).await_approval().await_approval().then(once("b")); },
            "it has more than one gate"},
        Row{"GateAtTheEnd", [](Pipeline& p) { p.then(repeatable("a")).await_approval(); }, "nothing follows its gate"},
        Row{"ChangeBeforeTheGate", [](Pipeline& p) { p.then(once("act")).await_approval().then(once("again")); },
            "`act` is before the gate and not repeatable"},
        Row{"FinallyThatIsNotRepeatable", [](Pipeline& p) { p.then(once("act")).finally(once("drop")); },
            "`drop` is in finally and not repeatable"},
        Row{"NameTwice", [](Pipeline& p) { p.then(once("act")).then(once("act")); }, "two handlers are called `act`"},
        Row{"NameTwiceInFinally", [](Pipeline& p) { p.then(once("act")).finally(repeatable("act")); },
            "two handlers are called `act`"},
        Row{"NoName", [](Pipeline& p) { p.then(once("")); }, "`` is not a valid handler name"},
        Row{"BadName", [](Pipeline& p) { p.then(once("Act now")); }, "`Act now` is not a valid handler name"},
        Row{"NothingToCall", [](Pipeline& p) { p.then({.name = "act", .call = {}}); }, "`act` does nothing"},
        Row{"TooMany",
            [](Pipeline& p) {
              for (int i = 0; i < 33; ++i) p.then(once("act" + std::to_string(i)));
            },
            "it has more than 32 handlers"}),
    [](const auto& info) { return info.param.name; });

Pipeline whole_chain() {
  Pipeline pipeline;
  pipeline.then(repeatable("preview")).await_approval().then(once("act")).finally(repeatable("drop"));
  return pipeline;
}

TEST(Pipeline, GivesAHandlerByItsNameWithItsPlace) {
  const auto preview = whole_chain().take("preview");
  const auto act = whole_chain().take("act");
  const auto drop = whole_chain().take("drop");
  ASSERT_OK(preview);
  ASSERT_OK(act);
  ASSERT_OK(drop);
  EXPECT_EQ(preview->stage, Stage::before_gate);
  EXPECT_TRUE(preview->first);
  EXPECT_EQ(act->stage, Stage::after_gate);
  EXPECT_FALSE(act->first);
  EXPECT_EQ(drop->stage, Stage::finally);
  EXPECT_FALSE(drop->first);
}

TEST(Pipeline, AHandlerThatIsGoneIsAConflict) { EXPECT_FAILS(whole_chain().take("restart"), conflict); }

TEST(Pipeline, WithoutAGateEveryHandlerIsAfterIt) {
  Pipeline pipeline;
  pipeline.then(once("act"));
  const auto act = std::move(pipeline).take("act");
  ASSERT_OK(act);
  EXPECT_EQ(act->stage, Stage::after_gate);
  EXPECT_TRUE(act->first);
}

}  // namespace
}  // namespace deputy::toolkit
