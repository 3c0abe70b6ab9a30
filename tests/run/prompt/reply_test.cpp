// What the journal keeps of a reply, whatever a model says.
#include "run/prompt/reply.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "redact/marker.h"
#include "run/journal/fold.h"
#include "support/held.h"
#include "support/journal.h"
#include "support/results.h"

namespace deputy::run {
namespace {

using model::Stop;
using testing::HasSubstr;
using testing::Not;

const redact::Redactor kRedactor("salt");
// Made of parts, so that no scanner takes this file for a leak.
const std::string kKey = std::string("AKIA") + "IOSFODNN7EXAMPLE";

model::Reply reply(Stop stop, std::vector<model::Block> blocks = {}) { return {std::move(blocks), stop, {10, 5}}; }
model::Call call(json::object arguments, std::string tool = "search_logs") {
  return {"toolu_1", std::move(tool), std::move(arguments)};
}
ModelReplied kept(const model::Reply& reply, std::size_t calls_before = 0) {
  return replied(reply, calls_before, kRedactor, 70);
}
json::object kept_arguments(json::object arguments) {
  return kept(reply(Stop::calls, {call(std::move(arguments))})).calls.at(0).arguments;
}

struct StopRow {
  std::string name;
  Stop stop;
  bool calls;
  std::string word;
  std::size_t kept_calls;
};

class StopOfAReply : public testing::TestWithParam<StopRow> {};

TEST_P(StopOfAReply, Becomes) {
  const StopRow& row = GetParam();
  std::vector<model::Block> blocks{model::Text{"Let me look."}};
  if (row.calls) blocks.emplace_back(call({{"query", "x"}}));
  const ModelReplied entry = kept(reply(row.stop, std::move(blocks)));
  EXPECT_EQ(name(entry.stop), row.word);
  EXPECT_EQ(entry.calls.size(), row.kept_calls);
  EXPECT_EQ(entry.text, "Let me look.");
  EXPECT_EQ(entry.cost, 70);
  EXPECT_EQ(entry.tokens, 15);
}

INSTANTIATE_TEST_SUITE_P(Words, StopOfAReply,
                         testing::ValuesIn(std::vector<StopRow>{
                             {"TheEndOfATurn", Stop::end_turn, false, "end_turn", 0},
                             {"Calls", Stop::calls, true, "calls", 1},
                             {"CallsThatAreNotThereAreTheEndOfATurn", Stop::calls, false, "end_turn", 0},
                             {"CallsCountWhateverTheModelSaysOfItsStop", Stop::end_turn, true, "calls", 1},
                             {"ACallBeforeACutInProseIsWhole", Stop::max_tokens, true, "calls", 1},
                             {"CutProse", Stop::max_tokens, false, "max_tokens", 0},
                             {"ACutCallTakesItsNeighboursAlong", Stop::cut_call, true, "cut_call", 0},
                             {"Refusal", Stop::refusal, false, "refusal", 0},
                             {"OverflowRunsNothing", Stop::overflow, true, "overflow", 0},
                         }),
                         [](const auto& row) { return row.param.name; });

TEST(Reply, CallsHaveIdsOfTheRunThatDoNotRepeatOverTurns) {
  const model::Reply twice = reply(Stop::calls, {call({}), call({})});
  Journal journal = begun();
  std::vector<std::string> ids;
  for (int turn = 0; turn < 3; ++turn) {
    const ModelReplied entry = kept(twice, journal.state().calls.size());
    journal.model_called().add(entry);
    for (const CallRequested& one : entry.calls) {
      ids.push_back(one.id);
      journal.finished_call(one.id);
    }
  }
  EXPECT_THAT(ids, testing::ElementsAre("call_1", "call_2", "call_3", "call_4", "call_5", "call_6"));
  EXPECT_EQ(journal.state().calls.size(), 6U);
}

TEST(Reply, TokensWithoutAPriceAreCountedApart) {
  const model::Reply said = reply(Stop::end_turn, {model::Text{"Hello."}});
  EXPECT_EQ(replied(said, 0, kRedactor, 0).unpriced_tokens, std::nullopt) << "what is free has a price";
  const ModelReplied entry = replied(said, 0, kRedactor, std::nullopt);
  EXPECT_EQ(entry.unpriced_tokens, 15);
  EXPECT_EQ(entry.tokens, 15);
  const Result<Entry> decoded = decode(encode(entry, from_millis(1)));
  ASSERT_OK(decoded);
  EXPECT_EQ(std::get<ModelReplied>(decoded->body).unpriced_tokens, 15);
}

TEST(Reply, AFaultIsKeptWithItsCallAndRedacted) {
  model::Call broken = call({});
  broken.fault = "no object but " + kKey;
  const ModelReplied entry = kept(reply(Stop::calls, {call({}), broken}));
  ASSERT_EQ(entry.calls.size(), 2U);
  EXPECT_EQ(entry.calls[0].fault, std::nullopt);
  const Result<Entry> decoded = decode(encode(entry, from_millis(1)));
  ASSERT_OK(decoded);
  const std::string fault = std::get<ModelReplied>(decoded->body).calls.at(1).fault.value_or("");
  EXPECT_THAT(fault, HasSubstr("no object but"));
  EXPECT_THAT(fault, Not(HasSubstr(kKey)));
}

TEST(Reply, TextIsRedacted) {
  const ModelReplied entry = kept(reply(Stop::end_turn, {model::Text{"The key is " + kKey + "."}}));
  EXPECT_THAT(entry.text, Not(HasSubstr(kKey)));
  EXPECT_TRUE(redact::holds_marker(entry.text));
}

TEST(Reply, OrdinaryArgumentsAreKeptAsTheyAre) {
  const json::object arguments{{"query", "error \"quoted\"\nline"},
                               {"limit", 5},
                               {"exact", true},
                               {"share", 0.1},
                               {"services", {"a", "b"}},
                               {"none", nullptr},
                               {"range", {{"from", 1}}}};
  EXPECT_EQ(kept_arguments(arguments), arguments);
}

struct SecretRow {
  std::string name;
  json::object arguments;
};

class SecretArgument : public testing::TestWithParam<SecretRow> {};

TEST_P(SecretArgument, BecomesAMark) {
  const json::object arguments = kept_arguments(GetParam().arguments);
  const std::string text = json::serialize(arguments);
  EXPECT_THAT(text, Not(HasSubstr("hunter2hunter2")));
  EXPECT_THAT(text, Not(HasSubstr("4711471147")));
  EXPECT_THAT(text, Not(HasSubstr(kKey)));
  EXPECT_TRUE(redact::holds_marker(text)) << text;
  EXPECT_EQ(redact_json(arguments, kRedactor), arguments) << "there is nothing left to redact";
}

INSTANTIATE_TEST_SUITE_P(Places, SecretArgument,
                         testing::ValuesIn(std::vector<SecretRow>{
                             {"ByItsShape", {{"query", "uses " + kKey}}},
                             {"ByItsNameAlone", {{"password", "hunter2hunter2"}}},
                             {"ByItsNameWithASignThatJsonEscapes", {{"password", "hunter2hunter2\"\\\n"}}},
                             {"ByItsNameFurtherDown", {{"database", {{"password", "hunter2hunter2"}}}}},
                             {"ByItsNameInAList", {{"password", {"hunter2hunter2"}}}},
                             {"ByItsNameAsANumber", {{"password", 4711471147}}},
                             {"InAKey", {{kKey, "x"}}},
                             {"InAListOfLists", {{"rows", {{"a", kKey}, {"b"}}}}},
                             {"WithBytesThatAreNotUtf8", {{"password", "hunter2hunter2\xff"}}},
                         }),
                         [](const auto& row) { return row.param.name; });

TEST(Reply, MoreThanFiftyCallsAreLeftOutAndSaid) {
  const ModelReplied entry = kept(reply(Stop::calls, std::vector<model::Block>(53, call({}))));
  EXPECT_EQ(entry.calls.size(), 50U);
  EXPECT_EQ(entry.text, "\n(3 further calls of this turn were left out: at most 50.)");
}

TEST(Reply, BytesThatAreNotUtf8AreReplacedEverywhere) {
  const ModelReplied entry = kept(reply(Stop::calls, {model::Text{"a\xff"}, call({{"q\xfe", "b\xff"}}, "tool\xff")}));
  EXPECT_EQ(entry.text, "a\uFFFD");
  EXPECT_EQ(entry.calls.at(0).tool, "tool\uFFFD");
  EXPECT_EQ(entry.calls.at(0).arguments, (json::object{{"q\uFFFD", "b\uFFFD"}}));
  EXPECT_OK(decode(encode(entry, from_millis(1))));
}

TEST(Reply, ArgumentsOfAnyDepthReadBackFromTheJournal) {
  for (const int depth : {5, 19, 20, 21, 30, 31}) {
    json::value nested = "x";
    for (int i = 1; i < depth; ++i) nested = json::array{std::move(nested)};
    const ModelReplied entry = kept(reply(Stop::calls, {call({{"query", nested}})}));
    EXPECT_OK(decode(encode(entry, from_millis(1)))) << depth;
    EXPECT_EQ(redact::holds_marker(json::serialize(entry.calls.at(0).arguments)), depth > 20) << depth;
  }
}

TEST(Reply, OfAModelThatFailedHoldsOneSentence) {
  const ModelReplied entry = failed("the provider is down");
  EXPECT_EQ(entry.stop, ReplyStop::failed);
  EXPECT_EQ(entry.error, "the provider is down");
  EXPECT_OK(decode(encode(entry, from_millis(1))));
}

TEST(Reply, WithoutAPriceOrWithASenselessOneCostsNothing) {
  EXPECT_EQ(replied(reply(Stop::end_turn), 0, kRedactor, std::nullopt).cost, 0);
  EXPECT_EQ(replied(reply(Stop::end_turn), 0, kRedactor, -5).cost, 0);
}

model::Thinking thought(std::string summary) {
  return {{{"type", "thinking"}, {"thinking", summary}, {"signature", "s"}}, summary, "a/m@1", "prefix"};
}

TEST(ReplyThinking, IsKeptAsItCameWithTheOrderOfTheReply) {
  const ModelReplied entry = kept(reply(Stop::calls, {thought("hm"), model::Text{"Let me look."},
                                                      call({{"query", "x"}}), thought("and"), call({})}),
                                  4);
  const ReplyThinking thinking = test::held(entry.thinking);
  EXPECT_EQ(thinking.origin, "a/m@1");
  EXPECT_EQ(thinking.prefix, "prefix");
  EXPECT_EQ(thinking.parts, (std::vector<ReplyPart>{{.thinking = thought("hm").part},
                                                    {.text = 12},
                                                    {.call = "call_5"},
                                                    {.thinking = thought("and").part},
                                                    {.call = "call_6"}}));
  EXPECT_EQ(entry.text, "Let me look.");
  EXPECT_EQ(entry.calls.at(0).provider_id, "toolu_1");
}

// It goes back unchanged with the rest of its turn, or not at all.
TEST(ReplyThinking, IsNotKeptWhereAnythingOfTheReplyIsAltered) {
  const std::string secret = "the key is " + kKey;
  EXPECT_FALSE(kept(reply(Stop::end_turn, {thought(secret), model::Text{"Done."}})).thinking);
  EXPECT_FALSE(kept(reply(Stop::end_turn, {thought("hm"), model::Text{secret}})).thinking);
  EXPECT_FALSE(kept(reply(Stop::calls, {thought("hm"), call({{"query", secret}})})).thinking);
  EXPECT_FALSE(kept(reply(Stop::end_turn, {model::Text{"Done."}})).thinking) << "there is none";
  const store::EntryRow row = encode(kept(reply(Stop::end_turn, {thought(secret), model::Text{"Done."}})), {});
  EXPECT_THAT(row.body, Not(HasSubstr(kKey)));
}

TEST(ReplyThinking, ThatWouldNotReadBackIsNotKept) {
  model::Thinking deep = thought("hm");
  json::value nested = 1;
  for (int i = 0; i < 28; ++i) nested = json::object{{"a", std::move(nested)}};
  deep.part["more"] = nested;
  const ModelReplied entry = kept(reply(Stop::end_turn, {deep, model::Text{"Done."}}));
  EXPECT_FALSE(entry.thinking);
  EXPECT_OK(decode(encode(entry, {})));
}

TEST(ReplyThinking, ThatWasRefusedIsSaid) {
  model::Reply refused = reply(Stop::end_turn, {model::Text{"Done."}});
  EXPECT_FALSE(kept(refused).thinking_refused);
  refused.thinking_was_refused = true;
  EXPECT_EQ(kept(refused).thinking_refused, true);
}

}  // namespace
}  // namespace deputy::run
