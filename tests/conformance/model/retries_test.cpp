// What a model made of a provider does about what goes wrong, over a socket. How long it waits when is tested in
// tests/model; here nobody waits.
#include "conformance/model/provider_suite.h"
#include "model/reliable.h"

namespace deputy::model {
namespace {

using test::Scenario;
using namespace std::chrono_literals;

Task<> do_not_wait(std::vector<std::chrono::milliseconds>& waits, std::chrono::milliseconds time) {
  waits.push_back(time);
  co_return;
}

struct Asked {
  Result<Reply> reply;
  std::string streamed;
  std::vector<std::chrono::milliseconds> waits;
};

Asked ask_a_model(Talk& talk, const Vendor& vendor) {
  Asked asked;
  ReliableModel model({{.provider = vendor.make(talk.http(), talk.clock(), talk.peer().url())}}, talk.clock(), {}, {},
                      {.sleep = [&asked](std::chrono::milliseconds time) { return do_not_wait(asked.waits, time); },
                       .chance = [] { return 0.5; }});
  auto ask = model.ask(asking(), [&asked](std::string_view part) { asked.streamed += part; });
  asked.reply = test::run_on(talk.loop(), with_timeout(30s, std::move(ask)));
  return asked;
}

TEST_P(ProviderTest, AModelAsksAgainAfterALimitAndAnOverload) {
  Talk talk(GetParam(),
            Scenario().refuses("rate_limit").retry_after("3").then().refuses("overloaded").then().text("at last"));
  const Asked asked = ask_a_model(talk, GetParam());
  ASSERT_OK(asked.reply);
  EXPECT_EQ(text_of(*asked.reply), "at last");
  EXPECT_EQ(talk.peer().count(), 3);
  ASSERT_EQ(asked.waits.size(), 2U);
  EXPECT_GE(asked.waits[0], 3s);
}

TEST_P(ProviderTest, AModelAsksAgainAfterAStreamThatBrokeOff) {
  Talk talk(GetParam(), Scenario().text("so far").breaks_off().then().text("so far and on"));
  const Asked asked = ask_a_model(talk, GetParam());
  ASSERT_OK(asked.reply);
  EXPECT_EQ(text_of(*asked.reply), "so far and on");
  EXPECT_TRUE(asked.streamed.ends_with("so far and on")) << asked.streamed;
  EXPECT_EQ(talk.peer().count(), 2);
}

TEST_P(ProviderTest, AModelDoesNotAskAgainInVain) {
  for (const std::string error : {"authentication", "permission", "not_found", "invalid_request"}) {
    SCOPED_TRACE(error);
    Talk talk(GetParam(), Scenario().refuses(error));
    EXPECT_FALSE(ask_a_model(talk, GetParam()).reply);
    EXPECT_EQ(talk.peer().count(), 1);
  }
}

}  // namespace
}  // namespace deputy::model
