// The scripted model itself: what a test writes down is what is answered.
#include "support/model_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "support/loop.h"
#include "support/results.h"

namespace deputy::test {
namespace {

using namespace model;

Request said(std::string text) { return {.system = {}, .turns = {{Role::user, {Text{std::move(text)}}}}, .tools = {}}; }

Result<Reply> answer_of(Model& model, Request request, std::vector<std::string>* parts = nullptr) {
  return run(model.ask(std::move(request), [parts](std::string_view part) {
    if (parts != nullptr) parts->emplace_back(part);
  }));
}

TEST(ModelScript, AnswersTurnByTurnAndKeepsWhatItWasAsked) {
  const auto model =
      ModelScript().calls("search_logs", {{"query", "x"}}).saying("Let me look.").then_says("Two errors.").make();
  const auto first = answer_of(*model, said("one"));
  ASSERT_OK(first);
  EXPECT_EQ(first->stop, Stop::calls);
  EXPECT_EQ(first->blocks,
            (std::vector<Block>{Text{"Let me look."}, Call{"scripted_1_2", "search_logs", {{"query", "x"}}}}));
  const auto second = answer_of(*model, said("two"));
  ASSERT_OK(second);
  EXPECT_EQ(text_of(*second), "Two errors.");
  EXPECT_FAILS(answer_of(*model, said("three")), internal);
  EXPECT_EQ(model->requests(), (std::vector<Request>{said("one"), said("two"), said("three")}));
}

TEST(ModelScript, SeveralCallsOfATurnHaveDifferentIds) {
  const auto model = ModelScript().calls({{"a", {}}, {"b", {{"x", 1}}}}).make();
  const auto reply = answer_of(*model, said("go"));
  ASSERT_OK(reply);
  ASSERT_EQ(reply->blocks.size(), 2U);
  EXPECT_NE(std::get<Call>(reply->blocks[0]).id, std::get<Call>(reply->blocks[1]).id);
}

TEST(ModelScript, StreamsEndsAndFailsAsWritten) {
  const Error gone{ErrorKind::network, "the line is dead"};
  const auto model = ModelScript()
                         .streams({"Two ", "errors."})
                         .stops_at_the_limit("Two err")
                         .is_cut_in_a_call()
                         .refuses()
                         .overflows()
                         .fails(gone)
                         .says("done")
                         .uses({.input_tokens = 7})
                         .costs(1234)
                         .make();
  std::vector<std::string> parts;
  EXPECT_EQ(text_of(answer_of(*model, said("a"), &parts).value()), "Two errors.");
  EXPECT_EQ(parts, (std::vector<std::string>{"Two ", "errors."}));
  for (const Stop stop : {Stop::max_tokens, Stop::cut_call, Stop::refusal, Stop::overflow}) {
    EXPECT_EQ(answer_of(*model, said("a")).value().stop, stop);
  }
  EXPECT_EQ(answer_of(*model, said("a")).error(), gone);
  EXPECT_EQ(answer_of(*model, said("a")).value().usage, (Usage{.input_tokens = 7}));
  EXPECT_EQ(model->cost_of(model::Usage{}), 1234);
  EXPECT_EQ(ModelScript().make()->cost_of(model::Usage{}), std::nullopt);
}

TEST(ModelScript, AReplyMayBeForOneRequestOnly) {
  const auto is_one = [](const Request& request) { return request == said("one"); };
  EXPECT_OK(answer_of(*ModelScript().says("yes").when(is_one).make(), said("one")));
  EXPECT_FAILS(answer_of(*ModelScript().says("yes").when(is_one).make(), said("two")), internal);
}

TEST(ModelScript, HangsUntilCancelled) {
  const auto model = ModelScript().hangs().make();
  asio::io_context loop;
  asio::cancellation_signal cancel;
  std::exception_ptr thrown;
  asio::co_spawn(loop, model->ask(said("go"), {}),
                 asio::bind_cancellation_slot(cancel.slot(), [&](std::exception_ptr error, const Result<Reply>&) {
                   thrown = std::move(error);
                 }));
  loop.poll();
  EXPECT_EQ(model->waiting(), 1);
  cancel.emit(asio::cancellation_type::terminal);
  loop.restart();
  loop.run();
  EXPECT_TRUE(is_cancellation(thrown));
  EXPECT_EQ(model->waiting(), 0);
}

TEST(ModelScript, ByTurnsTheRequestAloneSaysWhichReplyItGets) {
  const ModelScript script = ModelScript().calls("a").calls("b").then_says("done");
  Request request = said("earlier");
  request.turns.push_back({Role::assistant, {Text{"an answer of before"}}});
  request.turns.push_back({Role::user, {Text{"now this"}}});
  for (const char* expected : {"a", "b"}) {
    // Another process each time.
    const auto reply = answer_of(*script.make_by_turns(), request);
    ASSERT_OK(reply);
    const Call& call = std::get<Call>(reply->blocks.at(0));
    EXPECT_EQ(call.tool, expected);
    request.turns.push_back({Role::assistant, reply->blocks});
    request.turns.push_back({Role::user, {CallResult{call.id, "done", false}, Text{"a note"}}});
  }
  EXPECT_EQ(text_of(answer_of(*script.make_by_turns(), request).value()), "done");
  request.turns.push_back({Role::assistant, {Text{"done"}}});
  EXPECT_FAILS(answer_of(*script.make_by_turns(), request), internal);
}

}  // namespace
}  // namespace deputy::test
