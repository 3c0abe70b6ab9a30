#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <set>

#include "conformance/model/provider_suite.h"
#include "conformance/model/suite.h"
#include "support/loop.h"
#include "support/results.h"

namespace deputy::model {
namespace {

constexpr Part kAnswering[] = {Part::answers_in_words, Part::makes_one_call, Part::makes_two_calls,
                               Part::tells_what_it_found};

struct Said {
  Reply reply;
  std::string streamed;
};

Said hear(const Implementation& implementation, Part part, Calls calls = Calls::allowed) {
  asio::io_context loop;
  const std::shared_ptr<Model> model = implementation.make(loop, part);
  Said heard;
  Request request = request_for(part);
  request.calls = calls;
  auto reply =
      test::run_on(loop, model->ask(std::move(request), [&](std::string_view text) { heard.streamed += text; }));
  EXPECT_OK(reply);
  if (reply) heard.reply = *std::move(reply);
  return heard;
}

TEST_P(ModelTest, PlaysItsPart) {
  EXPECT_FALSE(text_of(hear(GetParam(), Part::answers_in_words).reply).empty());
  EXPECT_FALSE(text_of(hear(GetParam(), Part::tells_what_it_found).reply).empty());
  EXPECT_EQ(calls_of(hear(GetParam(), Part::makes_one_call).reply).size(), 1U);
  EXPECT_EQ(calls_of(hear(GetParam(), Part::makes_two_calls).reply).size(), 2U);
}

TEST_P(ModelTest, ARepliesBlocksAreTextsAndCalls) {
  for (const Part part : kAnswering) {
    for (const Block& block : hear(GetParam(), part).reply.blocks) {
      EXPECT_FALSE(std::holds_alternative<CallResult>(block));
    }
  }
}

TEST_P(ModelTest, ItStopsForCallsWhenThereAreSome) {
  for (const Part part : kAnswering) {
    const Reply reply = hear(GetParam(), part).reply;
    EXPECT_EQ(reply.stop == Stop::calls, !calls_of(reply).empty());
  }
}

TEST_P(ModelTest, CallsHaveIdsOfTheirOwnAndNameToolsThatWereOffered) {
  for (const Part part : kAnswering) {
    std::set<std::string> ids;
    std::set<std::string> offered;
    for (const ToolDescription& tool : request_for(part).tools) offered.insert(tool.name);
    for (const Call& call : calls_of(hear(GetParam(), part).reply)) {
      EXPECT_FALSE(call.id.empty());
      EXPECT_TRUE(ids.insert(call.id).second) << call.id;
      EXPECT_TRUE(offered.contains(call.tool)) << call.tool;
    }
  }
}

TEST_P(ModelTest, WhatIsStreamedIsTheTextOfTheReply) {
  for (const Part part : kAnswering) {
    const Said heard = hear(GetParam(), part);
    EXPECT_EQ(heard.streamed, text_of(heard.reply));
  }
}

TEST_P(ModelTest, NobodyNeedsToListen) {
  asio::io_context loop;
  const auto model = GetParam().make(loop, Part::answers_in_words);
  EXPECT_OK(test::run_on(loop, model->ask(request_for(Part::answers_in_words), {})));
}

TEST_P(ModelTest, WithoutToolsThereAreNoCalls) {
  EXPECT_TRUE(request_for(Part::answers_in_words).tools.empty());
  EXPECT_TRUE(calls_of(hear(GetParam(), Part::answers_in_words).reply).empty());
}

TEST_P(ModelTest, TurnsThatHoldCallsAreAnsweredWithoutMoreWhereNoneArePossible) {
  const Reply reply = hear(GetParam(), Part::tells_what_it_found, Calls::none).reply;
  EXPECT_TRUE(calls_of(reply).empty());
  EXPECT_EQ(reply.stop, Stop::end_turn);
  EXPECT_FALSE(text_of(reply).empty());
}

TEST_P(ModelTest, WhatWasUsedIsSaidAndHasItsPrice) {
  asio::io_context loop;
  const auto model = GetParam().make(loop, Part::answers_in_words);
  EXPECT_FALSE(model->name().empty());
  for (const Part part : kAnswering) {
    const Reply reply = hear(GetParam(), part).reply;
    EXPECT_GT(reply.usage.tokens(), 0);
    EXPECT_EQ(model->cost_of(reply.usage), GetParam().cost(reply.usage));
    EXPECT_EQ(model->cost_of(reply), GetParam().cost(reply.usage));
    EXPECT_GT(model->estimate(request_for(part)).tokens(), 0);
  }
}

TEST_P(ModelTest, ADeterministicOneSaysTheSameTwice) {
  if (!GetParam().deterministic) GTEST_SKIP() << GetParam().name << " is not deterministic";
  for (const Part part : kAnswering) {
    const Said first = hear(GetParam(), part);
    const Said second = hear(GetParam(), part);
    EXPECT_EQ(first.reply, second.reply);
    EXPECT_EQ(first.streamed, second.streamed);
  }
}

TEST_P(ModelTest, ItHearsCancellationWhileItWaits) {
  asio::io_context loop;
  const auto model = GetParam().make(loop, Part::waits);
  if (!model) GTEST_SKIP() << GetParam().name << " never waits";
  asio::cancellation_signal cancel;
  std::exception_ptr thrown;
  bool ended = false;
  asio::co_spawn(loop, model->ask(request_for(Part::waits), {}),
                 asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr error, const Result<Reply>&) {
                   thrown = std::move(error);
                   ended = true;
                 }));
  loop.poll();
  EXPECT_FALSE(ended);
  cancel.emit(asio::cancellation_type::terminal);
  test::run_until(loop, [&] { return ended; });
  EXPECT_TRUE(thrown && is_cancellation(thrown));
}

}  // namespace
}  // namespace deputy::model
