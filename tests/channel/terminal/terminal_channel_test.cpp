// What only a terminal does; what every channel does is in tests/conformance/channel.
#include "channel/terminal/terminal_channel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/bind_cancellation_slot.hpp>

#include "base/task.h"
#include "support/keeping_receiver.h"
#include "support/loop.h"

namespace deputy::channel {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Timestamp kNow = from_millis(1'700'000'000'000);
constexpr const char* kHere = "terminal:ana:1";

class DrawnView final : public TerminalView {
 public:
  void message(const Message& message) override {
    drawn.push_back((message.kind == Message::Kind::answer ? "answer " : "notice ") + message.markdown);
  }
  void card(const Card& card) override { drawn.push_back("card " + card.key); }

  std::vector<std::string> drawn;
};

class TerminalChannelTest : public testing::Test, protected test::OnLoop {
 protected:
  void TearDown() override { stops(); }
  void runs() {
    asio::co_spawn(loop_, channel_.run(receiver_),
                   asio::bind_cancellation_slot(stop_.slot(), [](const std::exception_ptr&, const Result<>&) {}));
    loop_.poll();
  }
  void stops() {
    stop_.emit();
    loop_.restart();
    loop_.poll();
  }
  static Card card_with(const std::string& key, std::vector<std::string> tokens) {
    Card card;
    card.key = key;
    card.interactions.emplace_back();
    for (std::string& token : tokens) card.interactions[0].controls.push_back({{}, std::move(token)});
    return card;
  }
  /// The message that the answer with this token is said to come from.
  std::optional<MessageRef> view_of(std::string token) {
    must(channel_.presses(kHere, {std::move(token)}, kNow));
    return receiver_.answers.back().view;
  }

  DrawnView view_;
  test::KeepingReceiver receiver_;
  TerminalChannel channel_{"ana", view_};
  Cancel stop_{loop_.get_executor()};
};

TEST_F(TerminalChannelTest, TakesNothingWhileNobodyReceives) {
  EXPECT_FAILS(await(channel_.says(kHere, "hello", kNow)), not_configured);
  EXPECT_FAILS(await(channel_.presses(kHere, {"token"}, kNow)), not_configured);
  runs();
  EXPECT_OK(await(channel_.says(kHere, "hello", kNow)));
  stops();
  EXPECT_FAILS(await(channel_.says(kHere, "too late", kNow)), not_configured);
  EXPECT_EQ(receiver_.messages.size(), 1U);
}

TEST_F(TerminalChannelTest, AnAnswerIsToldFromANotice) {
  must(channel_.post(kHere, {.markdown = "two errors", .key = "k1", .kind = Message::Kind::answer}));
  must(channel_.post(kHere, {.markdown = "paused", .key = "k2"}));
  EXPECT_THAT(view_.drawn, ElementsAre("answer two errors", "notice paused"));
}

TEST_F(TerminalChannelTest, StreamsOnlyToAViewThatIsLive) {
  EXPECT_FALSE(channel_.capabilities().stream);
  EXPECT_FALSE(channel_.capabilities().progress);
  EXPECT_FAILS(await(channel_.begin_stream(kHere, {.key = "k1"})), not_configured);
}

TEST_F(TerminalChannelTest, NothingForSomebodyElseIsDrawn) {
  const Message message{.markdown = "only you", .mention = std::nullopt, .footer = "", .key = ""};
  EXPECT_FAILS(await(channel_.whisper(kHere, terminal_account("eve"), message)), not_found);
  EXPECT_THAT(view_.drawn, IsEmpty());
}

TEST_F(TerminalChannelTest, AnAnswerNamesTheViewWhoseControlItPressed) {
  runs();
  must(channel_.show(kHere, card_with("first", {"a", "b"})));
  must(channel_.show(kHere, card_with("second", {"c"})));
  EXPECT_THAT(view_.drawn, ElementsAre("card first", "card second"));
  EXPECT_EQ(view_of("b"), "first");
  EXPECT_EQ(view_of("c"), "second");
  must(channel_.redraw(kHere, "first", card_with("", {"a"})));
  EXPECT_EQ(view_of("a"), "first");
  EXPECT_EQ(view_of("b"), std::nullopt) << "of an earlier process, or settled since";
}

}  // namespace
}  // namespace deputy::channel
