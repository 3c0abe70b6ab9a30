// What only Bedrock has: signatures and clocks, frames, ids of models that are addresses.
#include "conformance/model/bedrock_keys.h"

namespace deputy::model {
namespace {

using test::Scenario;

constexpr std::string_view kForms[] = {"bedrock_invoke", "bedrock_converse"};

bedrock::Options options_for(Talk& talk) {
  return {.manner = {.model = "us.anthropic.claude-sonnet-5-5"}, .region = "us-east-1", .endpoint = talk.peer().url()};
}

TEST(BedrockApi, AFrameWithAWrongChecksumEndsTheReply) {
  for (const std::string_view form : kForms) {
    for (const std::string part : {"message", "prelude"}) {
      SCOPED_TRACE(std::string(form) + ", " + part);
      Talk talk(vendor(form), Scenario().text("so far").corrupt(part).text("never"));
      const Heard heard = talk.hear();
      ASSERT_FALSE(heard.reply);
      EXPECT_TRUE(heard.reply.error().retryable) << describe(heard.reply.error());
      EXPECT_TRUE(std::string_view("so far").starts_with(heard.streamed)) << heard.streamed;
    }
  }
}

TEST(BedrockApi, AModelThatFailedOrIsNotReadyMayBeAskedAgain) {
  for (const std::string error : {"model_error", "not_ready"}) {
    SCOPED_TRACE(error);
    Talk talk(vendor("bedrock_invoke"), Scenario().refuses(error));
    const Heard heard = talk.hear();
    ASSERT_FALSE(heard.reply);
    EXPECT_TRUE(heard.reply.error().retryable) << describe(heard.reply.error());
  }
}

TEST(BedrockApi, AnErrorDoesNotTellTheBearerToken) {
  Talk talk(vendor("bedrock_invoke"), Scenario()
                                          .refuses("permission")
                                          .saying("the key bedrock-api-key-test is not allowed")
                                          .with("bearer", "bedrock-api-key-test"));
  bedrock::Options options = options_for(talk);
  options.bearer_token = Secret("bedrock-api-key-test");
  KeyedBedrock provider(talk.http(), talk.clock(), options);
  const Heard heard = talk.hear_by(provider);
  ASSERT_FALSE(heard.reply);
  EXPECT_EQ(describe(heard.reply.error()).find("bedrock-api-key-test"), std::string::npos);
}

TEST(BedrockApi, SignsForItsRegionWithATemporaryKey) {
  Talk talk(vendor("bedrock_invoke"),
            Scenario().text("Fine.").with("region", "eu-central-1").with("session_token", "TOKEN//+=="));
  bedrock::Options options = options_for(talk);
  options.region = "eu-central-1";
  KeyedBedrock provider(talk.http(), talk.clock(), options, "TOKEN//+==");
  EXPECT_OK(talk.hear_by(provider).reply);
}

TEST(BedrockApi, AModelMayBeAnAddress) {
  Talk talk(vendor("bedrock_invoke"), Scenario().text("Fine.").repeat());
  for (const std::string model : {
           "arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc123",
           "arn:aws:bedrock:us-east-1:123456789012:inference-profile/us.anthropic.claude-sonnet-4-20250514-v1:0",
           "arn:aws:bedrock:us-east-1::foundation-model/anthropic.claude-3-haiku-20240307-v1:0",
       }) {
    SCOPED_TRACE(model);
    bedrock::Options options = options_for(talk);
    options.manner.model = model;
    KeyedBedrock provider(talk.http(), talk.clock(), options);
    EXPECT_OK(talk.hear_by(provider).reply);
  }
}

TEST(BedrockApi, ABearerTokenNeedsNoSignature) {
  for (const std::string model : {"us.anthropic.claude-sonnet-4-20250514-v1:0", "amazon.nova-pro-v1:0"}) {
    Talk talk(vendor("bedrock_invoke"), Scenario().text("Fine.").with("bearer", "bedrock-api-key-test"));
    bedrock::Options options = options_for(talk);
    options.manner.model = model;
    options.bearer_token = Secret("bedrock-api-key-test");
    KeyedBedrock provider(talk.http(), talk.clock(), options);
    EXPECT_OK(talk.hear_by(provider).reply);
  }
}

TEST(BedrockApi, AClockThatIsOffIsSetByTheirs) {
  for (const int seconds : {3600, -3600}) {
    Talk talk(vendor("bedrock_invoke"), Scenario().text("Fine.").repeat().with("clock_ahead", seconds));
    EXPECT_OK(talk.hear().reply);
    EXPECT_EQ(talk.peer().count(), 2);
    EXPECT_OK(talk.hear().reply);
    EXPECT_EQ(talk.peer().count(), 3) << "the clock stays set";
  }
}

}  // namespace
}  // namespace deputy::model
