// What Slack does not tell, or not at once: senders, groups, channels.
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kPartners = "C0SHARED001";  // shared with another team
constexpr const char* kBoard = "C0BOARD0001";     // private, without Deputy

class SlackLookups : public SlackService {
 protected:
  /// Slack refuses the next call of this method, and says that a second later it takes it.
  void limits_next(const std::string& method) {
    control("fault", {{"kind", "status"}, {"status", 429}, {"retry_after", 1}, {"name", method}});
    control("timing", {{"acknowledge_ms", 500}, {"retry_ms", {0, 1000, 1000}}});
  }
};

TEST_F(SlackLookups, ARequestWhoseSenderIsNotKnownAtOnceIsAnsweredLater) {
  script(ModelScript().says("It was slow."));
  serve();
  limits_next("users.info");
  const std::string ts = mention(kAna, "how was checkout?");
  until_shown(ts, "It was slow.");
  EXPECT_EQ(whispered_to(kAna), "");
}

TEST_F(SlackLookups, AMemberOfAGroupIsNotRefusedWhileTheGroupCannotBeRead) {
  write_settings(settings_ + "access: {groups: [S0ONCALL001]}\n");
  script(ModelScript().says("It was slow."));
  serve();
  limits_next("usergroups.users.list");
  const std::string ts = mention(kAna, "how was checkout?");
  until_shown(ts, "It was slow.");
  EXPECT_EQ(whispered_to(kAna), "");
}

TEST_F(SlackLookups, NothingIsSaidWhereNobodyKnowsWhoReadsIt) {
  serve();
  limits_next("conversations.info");
  control("command",
          {{"user", kAna}, {"channel", kPartners}, {"command", "/deputy"}, {"text", "what about checkout?"}});
  EXPECT_TRUE(find("what about checkout?", "", kPartners).empty());
  stop();
  EXPECT_EQ(calls_of("chat.postMessage"), 0U);
}

TEST_F(SlackLookups, AChannelThatDeputyCannotSeeIsNamedAsSuch) {
  serve();
  control("command", {{"user", kAna}, {"channel", kBoard}, {"command", "/deputy"}, {"text", "what about checkout?"}});
  EXPECT_TRUE(until([&] { return whispered_to(kAna).contains("I cannot see this channel"); })) << whispered_to(kAna);
}

}  // namespace
}  // namespace deputy::test
