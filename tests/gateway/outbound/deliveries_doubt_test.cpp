// What nobody knows the fate of: an answer in parts over a crash, and messages that were cut off on their way.
#include <gmock/gmock.h>

#include "base/sqlite.h"
#include "gateway/delivery_bench.h"

namespace deputy::gateway {
namespace {

using namespace std::chrono_literals;
using test::Posted;
using test::Step;

const Error kCutOff{ErrorKind::network, "cut off"};

class PartsTest : public DeliveryBench {
 protected:
  PartsTest() {
    channel_->can.max_message = 320;
    for (const char letter : {'a', 'b', 'c'}) text_ += std::string(250, letter) + "\n\n";
  }
  std::string first_letters() const {
    std::string letters;
    for (const auto& shown : channel_->shown_in(kHere)) letters += shown.text.substr(0, 1);
    return letters;
  }
  /// So many parts; the next is refused for now, and its time has come again.
  void deliver_only(int parts) {
    if (parts == 0) return;
    channel_->before = [this, parts](Step step) mutable {
      if (step == Step::post && --parts < 0) channel_->fails(Step::post, kBusy);
    };
    deliver();
    channel_->before = nullptr;
    clock_.advance(2min);
  }
  /// The process dies while it sends the part, before or after the platform has it.
  void crash_while_sending(Posted posted) {
    const std::vector<store::DeliveryRow> taken = must(store_->take_deliveries(10));
    ASSERT_EQ(taken.size(), 1U);
    const std::size_t part = refs_of(taken[0].ref).size();
    const std::string key = taken[0].id.text() + (part == 0 ? "" : "/" + std::to_string(part + 1));
    const std::string letter(1, "abc"[part]);
    if (posted == Posted::yes) must(channel_->post(kHere, {letter, std::nullopt, "", key}));
    restart();
  }
  std::string text_;
};

TEST_F(PartsTest, PartsGoOutInOrder) {
  const RunId run = run_that_owes({answer(text_)});
  deliver();
  EXPECT_EQ(first_letters(), "abc");
  EXPECT_EQ(channel_->shown()[0].mention, "U1");
  EXPECT_EQ(channel_->shown()[1].mention, "");
  EXPECT_EQ(channel_->shown()[2].footer, "1 tool");
  EXPECT_EQ(refs_of(must(store_->deliveries({.run = run})).at(0).ref), (std::vector<std::string>{"1", "2", "3"}));
}

TEST_F(PartsTest, TheFactsOfADeliveryAreReadOnce) {
  const RunId run = run_that_owes({acknowledgement()});
  deliver();
  clock_.advance(30s);
  later(run, {answer(text_)});
  const int before = failing_->calls("journal");
  channel_->fails(Step::post, kBusy);
  deliver();
  deliver_after(2s);
  EXPECT_EQ(first_letters(), "abc");
  EXPECT_EQ(failing_->calls("journal") - before, 2) << "for its hosts and for its acknowledgement, not for each part";
}

TEST_F(PartsTest, ACrashBetweenPartsRepeatsNone) {
  for (const Posted posted : {Posted::no, Posted::yes}) {
    for (int before = 0; before < 3; ++before) {
      SCOPED_TRACE(fmt::format("crash at part {}, posted: {}", before, posted == Posted::yes));
      const std::size_t seen_before = channel_->shown().size();
      run_that_owes({answer(text_), notice("d, the next")});
      deliver_only(before);
      crash_while_sending(posted);
      deliver();
      const std::string so_far = std::string("abc").substr(0, before + (posted == Posted::yes ? 1 : 0));
      EXPECT_EQ(first_letters().substr(seen_before), so_far) << "nothing goes out while it is in doubt";
      deliver_after(15s);
      deliver_after(5s);
      EXPECT_EQ(first_letters().substr(seen_before), "abcd");
      clock_.advance(5min);
    }
  }
}

// ---- Messages.

class DoubtTest : public DeliveryBench {};

TEST_F(DoubtTest, WhatArrivedInDoubtIsFoundAndNotRepeated) {
  channel_->fails(Step::post, kCutOff, Posted::yes);
  run_that_owes({answer("Once."), notice("Then.")});
  deliver();
  deliver_after(14s);
  EXPECT_EQ(channel_->shown().size(), 1U);
  EXPECT_EQ(channel_->calls(Step::find), 0) << "too early to look";
  deliver_after(1s);
  EXPECT_EQ(seen(), "[1] deputy: @U1 Once. (1 tool)\n[2] deputy: Then.\n");
}

TEST_F(DoubtTest, WhatDidNotArriveIsLookedForTwiceAndSentAgain) {
  channel_->fails(Step::post, kCutOff, Posted::no);
  run_that_owes({answer("Once.")});
  deliver();
  deliver_after(15s);
  EXPECT_EQ(seen(), "");
  EXPECT_EQ(channel_->calls(Step::find), 1);
  deliver_after(5s);
  EXPECT_EQ(channel_->calls(Step::find), 2);
  EXPECT_EQ(seen(), "[1] deputy: @U1 Once. (1 tool)\n");
}

// A process that dies while it sends again leaves a new doubt: whoever comes next must wait and look from the start.
TEST_F(DoubtTest, WhatIsSentAgainIsStoredAsOwedFirst) {
  channel_->fails(Step::post, kCutOff, Posted::no);
  const RunId run = run_that_owes({answer("Once.")});
  deliver();
  deliver_after(15s);
  std::vector<std::string> at_the_post;
  channel_->before = [&](Step step) {
    if (step != Step::post) return;
    auto database = sqlite::Connection::open(options().folder / "deputy.db", sqlite::Connection::Mode::read_only);
    ASSERT_OK(database);
    sqlite::Statement row = database->prepare("SELECT state || ' ' || ref FROM deliveries");
    if (row.step().value_or(false)) at_the_post.emplace_back(row.text(0));
  };
  deliver_after(5s);
  ASSERT_EQ(at_the_post.size(), 1U);
  EXPECT_TRUE(at_the_post[0].starts_with("sending ")) << at_the_post[0];
  EXPECT_EQ(read_progress(at_the_post[0].substr(8)).looks, 0);
  EXPECT_EQ(states(run), std::vector{store::DeliveryState::sent});
}

TEST_F(DoubtTest, WithAnIdempotentKeyItIsSentAgain) {
  channel_->can.find = false;
  channel_->can.key_is_idempotent = true;
  channel_->fails(Step::post, kCutOff, Posted::yes);
  run_that_owes({answer("Once.")});
  deliver();
  deliver_after(1s);
  EXPECT_EQ(channel_->calls(Step::post), 2);
  EXPECT_EQ(seen(), "[1] deputy: @U1 Once. (1 tool)\n");
}

TEST_F(DoubtTest, OtherwiseAFirstLineMayStandTwiceButAnAnswerNever) {
  channel_->can.find = false;
  channel_->fails(Step::post, kCutOff, Posted::yes);
  run_that_owes({answer("The beginning.\n\nThe rest.")});
  deliver();
  channel_->fails(Step::edit, kCutOff, Posted::yes);
  deliver_after(1s);
  deliver_after(5s);
  EXPECT_EQ(seen(), "[1] deputy: @U1 The beginning. …\n[2] deputy: @U1 The beginning.\n\nThe rest. (1 tool)\n");
}

TEST_F(DoubtTest, WithoutEditingItIsSentAgain) {
  channel_->can = {};
  channel_->fails(Step::post, kCutOff, Posted::yes);
  run_that_owes({notice("Maybe twice.")});
  deliver();
  deliver_after(1s);
  EXPECT_EQ(seen(), "[1] deputy: Maybe twice.\n[2] deputy: Maybe twice.\n");
}

TEST_F(DoubtTest, AChannelThatThrowsLeavesDoubt) {
  channel_->before = [](Step step) {
    if (step == Step::post) throw std::runtime_error("a bug");
  };
  run_that_owes({notice("Once.")});
  deliver();
  channel_->before = nullptr;
  EXPECT_EQ(deliveries_->counts().in_doubt, 1);
  deliver_after(15s);
  deliver_after(5s);
  EXPECT_EQ(seen(), "[1] deputy: Once.\n");
}

}  // namespace
}  // namespace deputy::gateway
