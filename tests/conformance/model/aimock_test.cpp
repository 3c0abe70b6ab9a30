// The same main cases against a mock that others wrote (@copilotkit/aimock). It checks nothing of what is sent and
// counts no tokens; what it sends is how somebody else reads the vendors' APIs.
#include "conformance/model/provider_suite.h"
#include "conformance/model/suite.h"

namespace deputy::model {
namespace {

using test::Scenario;

class AimockTest : public testing::TestWithParam<Vendor> {};

const json::object kService{{"service", "checkout-api"}};

TEST_P(AimockTest, TellsAText) {
  Talk talk("aimock.js", GetParam(), Scenario().text("Hello you, 世界 🚀👩‍🚒.").chunk(100));
  const Heard heard = talk.hear(request_for(Part::answers_in_words));
  ASSERT_OK(heard.reply);
  EXPECT_EQ(text_of(*heard.reply), "Hello you, 世界 🚀👩‍🚒.");
  EXPECT_EQ(heard.reply->stop, Stop::end_turn);
  EXPECT_EQ(heard.streamed, "Hello you, 世界 🚀👩‍🚒.");
  EXPECT_EQ(talk.peer().count(), 1);
}

TEST_P(AimockTest, TellsATextInPieces) {
  for (const int characters : {1, 2, 3, 7}) {
    Talk talk("aimock.js", GetParam(), Scenario().text("Two errors of checkout-api.").chunk(characters));
    const Heard heard = talk.hear();
    ASSERT_OK(heard.reply);
    EXPECT_EQ(text_of(*heard.reply), "Two errors of checkout-api.");
    EXPECT_EQ(heard.streamed, "Two errors of checkout-api.");
  }
}

TEST_P(AimockTest, MakesOneCall) {
  Talk talk("aimock.js", GetParam(), Scenario().call("recent_errors", kService));
  const Heard heard = talk.hear();
  ASSERT_OK(heard.reply);
  const std::vector<Call> calls = calls_of(*heard.reply);
  ASSERT_EQ(calls.size(), 1U);
  EXPECT_EQ(calls[0].tool, "recent_errors");
  EXPECT_EQ(calls[0].arguments, kService);
  EXPECT_EQ(heard.reply->stop, Stop::calls);
}

TEST_P(AimockTest, MakesSeveralCallsAfterAText) {
  Talk talk("aimock.js", GetParam(),
            Scenario().text("Let me look.").call("recent_errors", {{"service", "注文"}}).call("list_alarms"));
  const Heard heard = talk.hear();
  ASSERT_OK(heard.reply);
  const std::vector<Call> calls = calls_of(*heard.reply);
  ASSERT_EQ(calls.size(), 2U);
  EXPECT_EQ(calls[0].arguments, (json::object{{"service", "注文"}}));
  EXPECT_EQ(calls[1].tool, "list_alarms");
  EXPECT_NE(calls[0].id, calls[1].id);
  EXPECT_EQ(heard.streamed, "Let me look.");
}

TEST_P(AimockTest, GoesOnAfterACall) {
  Talk talk("aimock.js", GetParam(), Scenario().call("recent_errors", kService).then().text("Two errors."));
  const Heard first = talk.hear();
  ASSERT_OK(first.reply);
  const std::vector<Call> calls = calls_of(*first.reply);
  ASSERT_EQ(calls.size(), 1U);
  const Heard second = talk.hear(
      asking({{Role::assistant, {calls[0]}}, {Role::user, {CallResult{calls[0].id, "error one\nerror two", false}}}}));
  ASSERT_OK(second.reply);
  EXPECT_EQ(text_of(*second.reply), "Two errors.");
  EXPECT_EQ(talk.peer().count(), 2);
}

TEST_P(AimockTest, ErrorsAreSortedByTheirStatus) {
  Talk talk("aimock.js", GetParam(),
            Scenario()
                .refuses("rate_limit")
                .retry_after("2")
                .then()
                .refuses("api")
                .then()
                .refuses("overloaded")
                .then()
                .text("at last"));
  const Heard limited = talk.hear();
  ASSERT_FAILS(limited.reply, rate_limit);
  EXPECT_TRUE(limited.reply.error().retryable);
  EXPECT_EQ(limited.reply.error().retry_after, std::chrono::seconds(2));
  for (int tries = 0; tries < 2; ++tries) {
    const Heard failed = talk.hear();
    ASSERT_FAILS(failed.reply, upstream);
    EXPECT_TRUE(failed.reply.error().retryable);
  }
  EXPECT_OK(talk.hear().reply);
}

TEST_P(AimockTest, ProseIsCutAtTheLimit) {
  Talk talk("aimock.js", GetParam(), Scenario().text("so far").stop("max_tokens"));
  const Heard heard = talk.hear();
  ASSERT_OK(heard.reply);
  EXPECT_EQ(heard.reply->stop, Stop::max_tokens);
}

// It dies of cache points, which only Anthropic's models get in Converse.
std::vector<Vendor> aimock_vendors() {
  std::vector<Vendor> all = vendors();
  std::erase_if(all, [](const Vendor& each) { return each.name.starts_with("bedrock_converse"); });
  return all;
}

INSTANTIATE_TEST_SUITE_P(Vendors, AimockTest, testing::ValuesIn(aimock_vendors()),
                         [](const auto& vendor) { return vendor.param.name; });

}  // namespace
}  // namespace deputy::model
