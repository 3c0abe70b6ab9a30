// What a channel reads back after it was away, through the whole engine.
#include <gmock/gmock.h>

#include "e2e/engine.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using namespace std::chrono_literals;

class Missed : public Engine {
 protected:
  /// A message that came while nobody listened, so long ago.
  channel::InboundMessage missed(std::string account, std::string text, std::chrono::minutes ago,
                                 std::string key = {}) {
    channel::InboundMessage one;
    one.key = std::move(key);
    one.sender = {"scripted", std::move(account)};
    one.conversation = kThread;
    one.text = std::move(text);
    one.at = clock_.now() - ago;
    one.missed = channel::Absence{clock_.now() - 90min, clock_.now() - 1min};
    return one;
  }
  bool was_told(std::string_view words) {
    return std::ranges::any_of(channel_->shown_in(kThread), [&](const auto& one) { return one.text.contains(words); });
  }
  void until_told(std::string_view words) {
    until([&] { return was_told(words); });
  }
};

TEST_F(Missed, ARecentRequestRunsAndTheThreadIsToldOfTheAbsence) {
  script(ModelScript().says("All is well."));
  must(channel_->says(missed("U1", "how is checkout?", 10min)));
  until_finished();
  // 2023-11-14 22:13:20 UTC, minus 90 minutes and minus 1.
  EXPECT_EQ(channel_->shown_in(kThread).front().text, "I was away 20:43–22:12 UTC.");
  EXPECT_EQ(answer(), "All is well.");
}

TEST_F(Missed, TimesAreInTheZoneOfTheRequester) {
  auto rules = std::make_shared<run::Rules>(*rules_);
  rules->zone_named = [](std::string_view name) -> std::optional<interaction::Zone> {
    if (name != "Asia/Kolkata") return std::nullopt;
    return interaction::Zone{"Asia/Kolkata", [](Timestamp) { return std::chrono::seconds(5h + 30min); }};
  };
  rules_ = rules;
  channel_->knows("scripted:U1", {.standing = policy::AccountKind::member, .time_zone = "Asia/Kolkata"});
  const auto model = script(ModelScript().says("All is well."));
  must(channel_->says(missed("U1", "how is checkout?", 10min)));
  until_finished();
  EXPECT_EQ(channel_->shown_in(kThread).front().text, "I was away 02:13–03:42.");
}

TEST_F(Missed, AnOlderRequestWaitsUntilSomebodyWantsItRun) {
  must(channel_->says(missed("U1", "restart checkout", 45min)));
  until_told("write *run it now*");
  EXPECT_TRUE(runs().empty());
  restart();
  script(ModelScript().says("Done."));
  says("U2", "run it now");
  until_finished();
  EXPECT_EQ(state().request().text, "restart checkout");
  EXPECT_EQ(state().request().requester, "bo") << "it is the request of the person who wants it";
  says("U2", "run it now");
  until_told("There is no missed request here.");
  EXPECT_EQ(runs().size(), 1U);
}

TEST_F(Missed, TheButtonRunsTheRequestItStandsUnder) {
  must(channel_->says(missed("U1", "first", 50min)));
  must(channel_->says(missed("U1", "second", 45min)));
  until([&] { return channel_->shown_in(kThread).size() == 2; });
  const auto controls = channel_->shown_in(kThread)[0].controls;
  ASSERT_THAT(controls, SizeIs(1));
  EXPECT_EQ(controls[0].label, "Run it now");
  const auto refused = must(channel_->sends_token("U9", kThread, controls[0].token));
  EXPECT_TRUE(std::holds_alternative<channel::Refused>(refused)) << "a stranger has no access";
  script(ModelScript().says("1."));
  const auto taken = must(channel_->sends_token("U1", kThread, controls[0].token));
  EXPECT_TRUE(std::holds_alternative<channel::AnswerTaken>(taken));
  until_finished();
  EXPECT_EQ(state().request().text, "first");
  const auto again = must(channel_->sends_token("U1", kThread, controls[0].token));
  EXPECT_TRUE(std::holds_alternative<channel::Refused>(again)) << "it was run";
  EXPECT_EQ(runs().size(), 1U);
}

TEST_F(Missed, WithoutButtonsTheLineSaysWhatToWrite) {
  channel_->can.buttons = false;
  must(channel_->says(missed("U1", "first", 50min)));
  until_told("write *run it now*");
  EXPECT_THAT(channel_->shown_in(kThread)[0].controls, SizeIs(0));
}

TEST_F(Missed, SeveralOlderRequestsAreRunOneByOne) {
  must(channel_->says(missed("U1", "first", 50min)));
  must(channel_->says(missed("U1", "second", 45min)));
  script(ModelScript().says("2.").says("1."));
  says("U1", "run it now");
  until_finished(1);
  until_told("1 more missed request here");
  EXPECT_EQ(state(0).request().text, "second");
  says("U1", "run it now");
  until_finished(2);
  EXPECT_EQ(state(1).request().text, "first");
}

TEST_F(Missed, ASecretInAMissedRequestIsNotStored) {
  must(channel_->says(missed("U1", "use password=hunter2hunter2 there", 45min)));
  const auto marks = must(store_->marks({.kind = "missed", .conversation = kThread}));
  ASSERT_THAT(marks, SizeIs(1));
  EXPECT_THAT(marks[0].body, Not(HasSubstr("hunter2")));
}

TEST_F(Missed, TheSameMessageByTwoWaysIsOne) {
  script(ModelScript().says("Once."));
  channel::InboundMessage live = missed("U1", "how is checkout?", 1min, "scripted:C1:17");
  live.missed.reset();
  must(channel_->says(live));
  must(channel_->says(missed("U1", "how is checkout?", 1min, "scripted:C1:17")));
  until_finished();
  EXPECT_EQ(runs().size(), 1U);
  EXPECT_FALSE(was_told("I was away"));
}

TEST_F(Missed, ACursorOutlivesTheProcess) {
  must(store_->brake());  // lets the channel begin
  EXPECT_EQ(must(channel_->receiver().cursor("scripted")), "");
  must(channel_->receiver().set_cursor("scripted", "1700000000.000100"));
  restart();
  must(store_->brake());
  EXPECT_EQ(must(channel_->receiver().cursor("scripted")), "1700000000.000100");
}

TEST_F(Missed, ThreadsWithOpenRunsAreReadBackFirst) {
  script(ModelScript().hangs().says("Fine."));
  says("U1", "how is checkout?", "scripted:C1:1");
  until([&] { return runs().size() == 1; });
  says("U2", "how is payments?", "scripted:C1:2");
  until_finished(1);
  EXPECT_EQ(must(channel_->receiver().conversations("scripted", clock_.now() - 24h, 10)),
            (std::vector<std::string>{"scripted:C1:1", "scripted:C1:2"}));
}

}  // namespace
}  // namespace deputy::test
