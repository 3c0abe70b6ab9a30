// What only Anthropic's API has: versions, replies that pause.
#include "model/anthropic/anthropic.h"

#include "conformance/model/provider_suite.h"

namespace deputy::model {
namespace {

using test::Scenario;

anthropic::Options options_for(Talk& talk) {
  return {.manner = {.model = "claude-sonnet-5-5"},
          .api_key = Secret(std::string(kAnthropicKey)),
          .base_url = talk.peer().url()};
}

TEST(AnthropicApi, AReplyThatPausedGoesOn) {
  Talk talk(vendor("anthropic"), Scenario()
                                     .text("First, ")
                                     .stop("pause")
                                     .uses({10, 1, 0, 0})
                                     .then()
                                     .text("then, ")
                                     .stop("pause")
                                     .uses({11, 2, 0, 0})
                                     .then()
                                     .text("last.")
                                     .uses({12, 3, 0, 0}));
  const Heard heard = talk.hear();
  ASSERT_OK(heard.reply);
  EXPECT_EQ(text_of(*heard.reply), "First, then, last.");
  EXPECT_EQ(heard.streamed, "First, then, last.");
  EXPECT_EQ(heard.reply->stop, Stop::end_turn);
  EXPECT_EQ(heard.reply->usage, (Usage{33, 6, 0, 0})) << "every part of it was paid for";
  EXPECT_EQ(talk.peer().count(), 3);
}

TEST(AnthropicApi, AReplyThatPausesForEverEnds) {
  Talk talk(vendor("anthropic"), Scenario().text("more ").stop("pause").repeat());
  talk.hear();
  EXPECT_LT(talk.peer().count(), 50);
}

TEST(AnthropicApi, SpeaksBothVersions) {
  for (const std::string version : {"2023-06-01", "2026-10-21"}) {
    SCOPED_TRACE(version);
    Talk talk(vendor("anthropic"), Scenario().text("Fine."));
    anthropic::Options options = options_for(talk);
    options.version = version;
    options.betas = {"context-1m-2025-08-07", "interleaved-thinking-2025-05-14"};
    anthropic::AnthropicProvider provider(talk.http(), talk.clock(), options);
    EXPECT_OK(talk.hear_by(provider).reply);
    const json::object headers = talk.peer().requests().at(0).at("headers").as_object();
    EXPECT_EQ(text_at(headers, "anthropic-version"), version);
  }
}

// What each family is sent, whatever is set: the stand-in refuses all that the facts call a 400.
TEST(AnthropicApi, EachFamilyGetsOnlyWhatItTakes) {
  struct Row {
    std::string model;
    std::optional<Effort> effort;
    ThinkingAmount thinking;
    std::string sent;  // of `thinking` and `output_config`
    bool is_sampled = false;
  };
  const auto as_it_likes = ThinkingAmount::as_it_likes;
  const auto least = ThinkingAmount::least;
  const std::string adaptive = R"({"type":"adaptive","display":"omitted"})";
  const std::vector<Row> rows{
      {"claude-sonnet-5-5", {}, as_it_likes, adaptive + "null"},
      {"claude-sonnet-5-5", Effort::max, as_it_likes, adaptive + R"({"effort":"max"})"},
      {"claude-sonnet-5-5", Effort::low, least, R"({"type":"between_tools"}{"effort":"low"})"},
      {"claude-sonnet-5-5", Effort::xhigh, least, adaptive + R"({"effort":"xhigh"})"},
      {"claude-opus-5-5", Effort::low, least, adaptive + R"({"effort":"low"})"},
      {"claude-haiku-5-5", Effort::low, least, R"({"type":"disabled"}{"effort":"low"})"},
      {"claude-haiku-5-5", Effort::max, least, adaptive + R"({"effort":"max"})"},
      {"claude-sonnet-5", {}, least, R"({"type":"disabled"}null)"},
      {"claude-haiku-4-5", Effort::high, least, "nullnull", true},
      {"claude-haiku-4-5-20251001", Effort::high, as_it_likes, "nullnull", true},
      {"claude-someday-9", {}, least, "nullnull", true},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.model + " " + row.sent);
    Talk talk(vendor("anthropic"), Scenario().text("Fine."));
    anthropic::Options options = options_for(talk);
    options.manner = {.model = row.model, .temperature = 0.5, .effort = row.effort, .thinking = row.thinking};
    anthropic::AnthropicProvider provider(talk.http(), talk.clock(), options);
    EXPECT_OK(talk.hear_by(provider).reply);
    json::object body = json::parse(text_at(talk.peer().requests().at(0), "body")).as_object();
    EXPECT_EQ(json::serialize(body["thinking"]) + json::serialize(body["output_config"]), row.sent);
    EXPECT_EQ(body.contains("temperature"), row.is_sampled);
  }
}

TEST(AnthropicApi, TheAddressMayEndInASlashOrTheVersion) {
  Talk talk(vendor("anthropic"), Scenario().text("Fine.").repeat());
  for (const std::string ending : {"", "/", "/v1", "/v1/"}) {
    SCOPED_TRACE(ending);
    anthropic::Options options = options_for(talk);
    options.base_url += ending;
    anthropic::AnthropicProvider provider(talk.http(), talk.clock(), options);
    EXPECT_OK(talk.hear_by(provider).reply);
  }
}

TEST(AnthropicApi, MarksWhatStaysTheSameForTheCache) {
  Talk talk(vendor("anthropic"), Scenario().text("Fine."));
  talk.hear();
  const json::object body = json::parse(text_at(talk.peer().requests().at(0), "body")).as_object();
  EXPECT_TRUE(body.at("system").as_array().back().as_object().contains("cache_control"));
  EXPECT_TRUE(body.at("tools").as_array().back().as_object().contains("cache_control"));
}

TEST(AnthropicApi, ARequestOfTooManyBytesDoesNotFit) {
  Talk talk(vendor("anthropic"), Scenario().refuses("too_large"));
  const Heard heard = talk.hear();
  ASSERT_OK(heard.reply);
  EXPECT_EQ(heard.reply->stop, Stop::overflow);
}

TEST(AnthropicApi, TryingAgainDoesNotPayABill) {
  Talk talk(vendor("anthropic"), Scenario().refuses("quota"));
  const Heard heard = talk.hear();
  ASSERT_FALSE(heard.reply);
  EXPECT_FALSE(heard.reply.error().retryable);
}

}  // namespace
}  // namespace deputy::model
