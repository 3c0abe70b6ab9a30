#include "gateway/outbound/channels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/scripted_channel.h"

namespace deputy::gateway {
namespace {

using test::Step;

class SurroundingsTest : public testing::Test {
 protected:
  SurroundingsTest() { channels_.add(channel_); }
  policy::Identity who(const policy::Account& account) { return test::run(surroundings_.who(account)); }
  static policy::Identity unknown(const policy::Account& account, policy::Lookup lookup) {
    return {.account = account, .lookup = lookup};
  }

  std::shared_ptr<test::ScriptedChannel> channel_ = std::make_shared<test::ScriptedChannel>();
  Channels channels_;
  test::ManualClock clock_;
  ChannelSurroundings surroundings_{channels_, clock_};
  const policy::Account ana_{"scripted", "U1"};
};

TEST_F(SurroundingsTest, ThePlatformSaysWhoItIs) {
  channel_->knows("scripted:U1", {.standing = policy::AccountKind::member, .groups = {"S1"}});
  EXPECT_EQ(who(ana_), (policy::Identity{.account = ana_, .standing = policy::AccountKind::member, .groups = {"S1"}}));
}

TEST_F(SurroundingsTest, NoAnswerIsAnIdentityThatMayDoNothing) {
  EXPECT_EQ(who(ana_), unknown(ana_, policy::Lookup::refused));
  const policy::Account elsewhere{"nowhere", "U1"};
  EXPECT_EQ(who(elsewhere), unknown(elsewhere, policy::Lookup::refused));
}

TEST_F(SurroundingsTest, NoAnswerJustNowIsTold) {
  channel_->knows("scripted:U1", {.standing = policy::AccountKind::member});
  channel_->fails(Step::who, {.kind = ErrorKind::rate_limit, .message = "too many", .retryable = true});
  EXPECT_EQ(who(ana_), unknown(ana_, policy::Lookup::failed));
  EXPECT_EQ(who(ana_).standing, policy::AccountKind::member);
}

TEST_F(SurroundingsTest, MembersAreKeptForAWhileAndForSomePlacesOnly) {
  const auto read = [&](int place) {
    (void)test::run(
        surroundings_.members({"scripted", "C" + std::to_string(place), policy::PlaceKind::private_channel}));
    return channel_->calls(Step::members);
  };
  EXPECT_EQ(read(0), 1);
  EXPECT_EQ(read(0), 1);
  clock_.advance(ChannelSurroundings::kMembersAge);
  EXPECT_EQ(read(0), 2) << "that was too old";
  for (int place = 1; place <= 200; ++place) read(place);
  EXPECT_EQ(read(0), 203) << "it made room for others";
}

TEST_F(SurroundingsTest, TheThreadComesAsAReaderSeesIt) {
  channel_->has_context("scripted:C1:1", {"ops", {{ana_, "Ana", "root"}, {ana_, "", "next", false, true}}, 3});
  const run::ThreadContext thread = test::run(surroundings_.thread("scripted:C1:1", "", 10));
  EXPECT_EQ(thread.channel_name, "ops");
  EXPECT_EQ(thread.left_out, 3U);
  ASSERT_EQ(thread.lines.size(), 2U);
  EXPECT_EQ(thread.lines[0].writer, "Ana");
  EXPECT_EQ(thread.lines[1].writer, "scripted:U1");
  EXPECT_TRUE(thread.lines[1].by_bot);
}

TEST_F(SurroundingsTest, AThreadThatCannotBeReadIsEmpty) {
  channel_->fails(Step::context, {ErrorKind::network, "cut off"});
  EXPECT_TRUE(test::run(surroundings_.thread("scripted:C1:1", "", 10)).lines.empty());
  EXPECT_TRUE(test::run(surroundings_.thread("nowhere:1", "", 10)).lines.empty());
}

}  // namespace
}  // namespace deputy::gateway
