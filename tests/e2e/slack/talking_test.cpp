// Requests, follow-ups, answers and words in Slack, from the message to the answer.
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST_F(SlackService, AMentionIsAnsweredInItsThread) {
  script(ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says("Two notes about checkout."));
  serve();
  const std::string ts = mention(kAna, "what about checkout?");
  const std::string seen = until_shown(ts, "Two notes about checkout.");
  EXPECT_THAT(seen, HasSubstr("search_notes"));  // the footer names the tools
  EXPECT_EQ(messages(ts).size(), 2U) << "the acknowledgement became the answer: " << seen;
}

TEST_F(SlackService, ItRemembersWhatWasSaidBefore) {
  script(ModelScript().says("It was slow.").then_says("Since noon."));
  serve();
  const std::string ts = mention(kAna, "how was checkout?");
  until_shown(ts, "It was slow.");
  say(kAna, "since when?", ts);
  until_shown(ts, "Since noon.");
  stop();
  ASSERT_EQ(model_->requests().size(), 2U);
  EXPECT_THAT(asked(1), HasSubstr("It was slow."));
}

}  // namespace
}  // namespace deputy::test
