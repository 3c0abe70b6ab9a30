// A call that a model got wrong: the provider tells it with its fault, and the conversation goes on from there as from
// any call that failed.
#include "conformance/model/provider_suite.h"

namespace deputy::model {
namespace {

using test::Scenario;

const json::object kService{{"service", "checkout-api"}};

struct Wrong {
  std::string name;
  std::string tool;
  std::string arguments;
  std::string told;  // the tool that the call is told to be of
};

const std::vector<Wrong>& wrong_calls() {
  static const std::vector<Wrong> all{
      {"half an object", "recent_errors", R"({"service": "check)", "recent_errors"},
      {"a text", "recent_errors", R"("checkout-api")", "recent_errors"},
      {"a list", "recent_errors", R"(["checkout-api"])", "recent_errors"},
      {"a number", "recent_errors", "7", "recent_errors"},
      {"prose", "recent_errors", "of checkout, please", "recent_errors"},
      {"no name", "", R"({"service": "checkout-api"})", std::string(kUnnamedTool)},
  };
  return all;
}

TEST_P(ProviderTest, ABrokenCallGetsAnErrorAndIsCorrected) {
  Scenario scenario;
  for (const Wrong& wrong : wrong_calls()) {
    scenario.text("Let me look.").broken_call(wrong.tool, wrong.arguments).then();
    scenario.call("recent_errors", kService).then().text("Two errors.").then();
  }
  Talk talk(GetParam(), scenario);
  for (const Wrong& wrong : wrong_calls()) {
    SCOPED_TRACE(wrong.name);
    const Heard broken = talk.hear();
    ASSERT_OK(broken.reply);
    EXPECT_EQ(broken.reply->stop, Stop::calls);
    ASSERT_EQ(calls_of(*broken.reply).size(), 1U);
    const Call call = calls_of(*broken.reply)[0];
    const std::string fault = call.fault.value_or("");
    ASSERT_NE(fault, "");
    EXPECT_EQ(call, (Call{"call_1", wrong.told, {}, call.fault}));

    std::vector<Turn> turns{{Role::assistant, broken.reply->blocks},
                            {Role::user, {CallResult{call.id, fault, /*failed=*/true}}}};
    const Heard corrected = talk.hear(asking(turns));
    ASSERT_OK(corrected.reply);
    EXPECT_EQ(calls_of(*corrected.reply), (std::vector<Call>{{"call_1", "recent_errors", kService}}));

    turns.push_back({Role::assistant, corrected.reply->blocks});
    turns.push_back({Role::user, {CallResult{"call_1", "one\ntwo", false}}});
    const Heard answered = talk.hear(asking(turns));
    ASSERT_OK(answered.reply);
    EXPECT_EQ(text_of(*answered.reply), "Two errors.");
  }
}

TEST_P(ProviderTest, ACallWithNothingInPlaceOfArgumentsHasNone) {
  Talk talk(GetParam(), Scenario().broken_call("list_alarms", "null"));
  const Heard heard = talk.hear();
  ASSERT_OK(heard.reply);
  EXPECT_EQ(calls_of(*heard.reply), (std::vector<Call>{{"call_1", "list_alarms", {}}}));
}

}  // namespace
}  // namespace deputy::model
