// A stream as a delivery: acknowledgement and answer are one message, whatever happens in between.
#include <gmock/gmock.h>

#include <algorithm>

#include "gateway/delivery_bench.h"

namespace deputy::gateway {
namespace {

using namespace std::chrono_literals;
using store::DeliveryState;
using test::Posted;
using test::Step;
using testing::ElementsAre;

class StreamsTest : public DeliveryBench {
 protected:
  StreamsTest() { channel_->can.stream = true; }

  store::DeliveryRow begin() { return owe(run::AcknowledgementDelivery{"m1", "Checking…", "scripted:U1"}); }
  store::DeliveryRow restarted() { return owe(run::RestartDelivery{"scripted:U1"}); }
  RunId streaming_run() {
    const RunId run = run_that_owes({begin()});
    deliver();
    clock_.advance(1min);
    return run;
  }
  void answers(const RunId& run) { later(run, {answer("All is well.")}, "cancel_requested"); }
  void deliver_to_the_end() {
    for (int i = 0; i < 4; ++i) deliver_after(30s);
  }
  std::ptrdiff_t answers_seen() const {
    return std::ranges::count_if(channel_->shown(), [](const auto& one) { return one.text == "All is well."; });
  }
  std::ptrdiff_t open_streams() const {
    return std::ranges::count_if(channel_->shown(), [](const auto& one) { return one.streaming; });
  }
  static Error cut_off() { return {ErrorKind::network, "cut off"}; }
  static Error for_good() { return {ErrorKind::invalid_input, "streaming is off here"}; }
};

TEST_F(StreamsTest, AcknowledgementAndAnswerAreOneMessage) {
  const RunId run = streaming_run();
  EXPECT_EQ(seen(), "[1] deputy: @U1  …\n");
  EXPECT_FALSE(channel_->works_on("m1"));
  EXPECT_EQ(refs_of(must(store_->deliveries({.run = run})).at(0).ref), std::vector<std::string>{"1"});
  answers(run);
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: @U1 All is well. (1 tool)\n");
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent, DeliveryState::sent));
}

TEST_F(StreamsTest, WhatDoesNotFitFollowsTheStream) {
  channel_->can.max_message = 320;
  const RunId run = streaming_run();
  later(run, {answer(std::string(250, 'a') + "\n\n" + std::string(250, 'b'))});
  deliver();
  ASSERT_EQ(channel_->shown().size(), 2U);
  EXPECT_EQ(channel_->shown()[0].text, std::string(250, 'a'));
  EXPECT_EQ(channel_->shown()[1].text, std::string(250, 'b'));
  EXPECT_EQ(channel_->shown()[1].footer, "1 tool");
}

TEST_F(StreamsTest, AChannelThatRefusesAStreamGetsALine) {
  channel_->can.working = false;
  channel_->fails(Step::begin_stream, for_good());
  const RunId run = streaming_run();
  EXPECT_EQ(seen(), "[1] deputy: Checking…\n");
  answers(run);
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: *Answered below.*\n[2] deputy: @U1 All is well. (1 tool)\n");
}

TEST_F(StreamsTest, AStreamThatCanNoLongerBeEndedIsAnsweredBelow) {
  const RunId run = streaming_run();
  channel_->fails(Step::end_stream, for_good());
  answers(run);
  deliver();
  EXPECT_EQ(answers_seen(), 1);
  EXPECT_EQ(channel_->shown().back().ref, "2");
  EXPECT_EQ(channel_->shown().back().mention, "U1");
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent, DeliveryState::sent));
}

TEST_F(StreamsTest, AStreamThatThePlatformEndedIsEdited) {
  const RunId run = streaming_run();
  must(channel_->end_stream(kHere, "1", {.markdown = "the connection was lost"}));
  answers(run);
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: All is well. (1 tool)\n");
}

TEST_F(StreamsTest, AnEndInDoubtIsOneAnswer) {
  for (const bool edits : {true, false}) {
    for (const Posted posted : {Posted::no, Posted::yes}) {
      SCOPED_TRACE(fmt::format("edits: {}, posted: {}", edits, posted == Posted::yes));
      channel_->can.edit = edits;
      const std::ptrdiff_t before = answers_seen();
      const RunId run = streaming_run();
      channel_->fails(Step::end_stream, cut_off(), posted);
      answers(run);
      deliver();
      deliver_to_the_end();
      EXPECT_EQ(answers_seen() - before, 1);
      EXPECT_EQ(open_streams(), 0);
      EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent, DeliveryState::sent));
    }
  }
}

TEST_F(StreamsTest, ABeginningInDoubtIsOneStream) {
  for (const Posted posted : {Posted::no, Posted::yes}) {
    const std::size_t before = channel_->shown().size();
    channel_->fails(Step::begin_stream, cut_off(), posted);
    const RunId run = streaming_run();
    answers(run);
    deliver();
    deliver_to_the_end();
    EXPECT_EQ(channel_->shown().size() - before, 1U);
    EXPECT_EQ(open_streams(), 0);
  }
}

TEST_F(StreamsTest, ARestartEndsTheStreamWithAWordAndBeginsAnother) {
  const RunId run = streaming_run();
  later(run, {restarted()});
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: @U1 *I was restarted. I go on below.*\n[2] deputy: @U1  …\n");
  answers(run);
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: @U1 *I was restarted. I go on below.*\n[2] deputy: @U1 All is well. (1 tool)\n");
}

TEST_F(StreamsTest, TwoRestartsLeaveOneStreamOpen) {
  const RunId run = streaming_run();
  later(run, {restarted(), restarted()});
  deliver();
  EXPECT_EQ(open_streams(), 1);
  EXPECT_EQ(channel_->shown().back().ref, "3");
  EXPECT_TRUE(channel_->shown().back().streaming);
}

TEST_F(StreamsTest, ARestartBeforeTheStreamBeganChangesNothing) {
  const RunId run = run_that_owes({begin(), restarted()});
  clock_.advance(1s);
  deliver();
  answers(run);
  deliver();
  EXPECT_EQ(seen(), "[1] deputy: @U1 All is well. (1 tool)\n");
}

TEST_F(StreamsTest, WhereThereIsNoStreamARestartIsNothing) {
  channel_->can.stream = false;
  const RunId run = run_that_owes({begin(), restarted()});
  deliver();
  EXPECT_EQ(seen(), "");
  EXPECT_THAT(states(run), ElementsAre(DeliveryState::sent, DeliveryState::sent));
}

// The process dies while it sends, before or after the platform has it.
TEST_F(StreamsTest, ACrashAtEachStepShowsOneAnswer) {
  enum class At { begin, end, restart_end, restart_begin };
  for (const At at : {At::begin, At::end, At::restart_end, At::restart_begin}) {
    for (const Posted posted : {Posted::no, Posted::yes}) {
      SCOPED_TRACE(fmt::format("at {}, posted: {}", static_cast<int>(at), posted == Posted::yes));
      const std::ptrdiff_t before = answers_seen();
      const RunId run = run_that_owes({begin()});
      if (at != At::begin) deliver();
      clock_.advance(1min);
      if (at == At::end) answers(run);
      if (at == At::restart_end || at == At::restart_begin) later(run, {restarted()});
      if (at == At::restart_begin) {
        channel_->fails(Step::begin_stream, kBusy);
        deliver();
        clock_.advance(1min);
      }
      const auto taken = must(store_->take_deliveries(10));
      ASSERT_EQ(taken.size(), 1U);
      const std::string stream = channel_->shown().empty() ? "" : channel_->shown().back().ref;
      if (posted == Posted::yes) {
        const std::string key = taken[0].id.text() + (at == At::restart_begin ? "/2" : "");
        if (at == At::begin || at == At::restart_begin) must(channel_->begin_stream(kHere, {.key = key}));
        if (at == At::end) must(channel_->end_stream(kHere, stream, {.markdown = "All is well.", .footer = "1 tool"}));
        if (at == At::restart_end) must(channel_->end_stream(kHere, stream, {.markdown = "restarted"}));
      }
      restart();
      if (at != At::end) answers(run);
      deliver_to_the_end();
      EXPECT_EQ(answers_seen() - before, 1) << seen();
      EXPECT_EQ(open_streams(), 0) << seen();
    }
  }
}

}  // namespace
}  // namespace deputy::gateway
