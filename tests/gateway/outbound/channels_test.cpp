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
  static policy::Identity unknown(const policy::Account& account) { return {.account = account}; }

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
  EXPECT_EQ(who(ana_), unknown(ana_));
  const policy::Account elsewhere{"nowhere", "U1"};
  EXPECT_EQ(who(elsewhere), unknown(elsewhere));
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
