// The words that people write in place of a request, after a mention and as commands; settings that change meanwhile.
#include "base/text.h"
#include "e2e/slack/workspace.h"

namespace deputy::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

class SlackWords : public SlackService {
 protected:
  /// A request whose model never answers, once it is being worked on.
  std::string working(const std::string& text) {
    const std::string ts = mention(kAna, text);
    EXPECT_TRUE(until([&] { return messages(ts).size() > 1; }));
    return ts;
  }
  std::string answered(const std::string& text, const std::string& answer) {
    const std::string ts = mention(kAna, text);
    until_shown(ts, answer);
    return ts;
  }
};

TEST_F(SlackWords, StopAfterAMentionStopsTheRunOfItsThread) {
  script(ModelScript().hangs());
  serve();
  const std::string ts = working("how is checkout?");
  say(kAna, "stop", ts, kOps, true);
  until_shown(ts, "Stopped by");
}

TEST_F(SlackWords, StopOfSomebodyElseIsRefused) {
  script(ModelScript().hangs());
  control("person", {{"id", "U0DAN000001"}, {"name", "dan"}});
  control("invite", {{"user", "U0DAN000001"}, {"channel", kOps}});
  serve();
  const std::string ts = working("how is checkout?");
  say("U0DAN000001", "stop", ts, kOps, true);
  until_whispered("U0DAN000001", "may stop");
  EXPECT_THAT(thread(ts), Not(HasSubstr("Stopped by")));
  say(kBo, "stop", ts, kOps, true);
  until_shown(ts, "Stopped by");
}

TEST_F(SlackWords, TheStopCommandStopsTheOnlyRunOfItsWriterInTheChannel) {
  script(ModelScript().hangs());
  serve();
  const std::string ts = working("how is checkout?");
  command(kAna, "stop", kGeneral);
  until_whispered(kAna, "There is nothing to stop here.");
  command(kAna, "stop");
  until_shown(ts, "Stopped by");
}

TEST_F(SlackWords, StopOutsideAThreadWithSeveralRunsListsThem) {
  script(ModelScript().hangs().hangs());
  serve();
  const std::string first = working("how is checkout?");
  const std::string second = working("how is payments?");
  command(kAna, "stop");
  EXPECT_THAT(until_whispered(kAna, "You have 2 runs here, so I stopped none"),
              AllOf(HasSubstr("how is checkout?"), HasSubstr("how is payments?")));
  until_shown(mention(kAna, "stop"), "You have 2 runs here, so I stopped none");
  EXPECT_THAT(thread(first) + thread(second), Not(HasSubstr("Stopped by")));
}

TEST_F(SlackWords, AMutedThreadTakesNothingUntilUnmute) {
  script(ModelScript().says("It is fine.").says("Still fine."));
  serve();
  const std::string ts = answered("how is checkout?", "It is fine.");
  say(kBo, "mute 2h", ts, kOps, true);
  until_shown(ts, "Muted in this thread until");
  say(kAna, "and now?", ts);
  say(kAna, "and now?", ts, kOps, true);
  until_shown(ts, "I am muted here until");
  say(kAna, "unmute", ts, kOps, true);
  until_shown(ts, "I am listening again.");
  say(kAna, "and now?", ts, kOps, true);
  until_shown(ts, "Still fine.");
  stop();
  EXPECT_EQ(model_->requests().size(), 2U);
}

TEST_F(SlackWords, TheMuteCommandMutesTheWholeChannel) {
  script(ModelScript().says("It is fine."));
  serve();
  command(kAna, "mute 1h");
  until_whispered(kAna, "Muted in this channel until");
  until_shown(mention(kBo, "how is checkout?"), "I am muted here until");
  command(kAna, "unmute");
  until_whispered(kAna, "I am listening again.");
  until_shown(mention(kBo, "how is checkout?"), "It is fine.");
  stop();
  EXPECT_EQ(model_->requests().size(), 1U);
}

TEST_F(SlackWords, AnApproverPausesAndResumes) {
  script(ModelScript().says("It is fine."));
  serve();
  mention(kAna, "pause");
  until_whispered(kAna, "nly an approver or an admin");
  until_shown(mention(kBo, "pause"), "I am paused everywhere.");
  until_shown(mention(kAna, "how is checkout?"), "so I did not start this");
  until_shown(mention(kBo, "resume"), "I am working again.");
  until_shown(mention(kAna, "how is checkout?"), "It is fine.");
  stop();
  EXPECT_EQ(model_->requests().size(), 1U);
  EXPECT_THAT(audited("pause_refused"), SizeIs(1));
  EXPECT_THAT(audited("paused"), SizeIs(1));
  EXPECT_THAT(audited("resumed"), SizeIs(1));
}

TEST_F(SlackWords, WhatRanBeforeThePauseCommandGoesOnAfterResume) {
  script(ModelScript().hangs().says("It is slow."));
  serve();
  const std::string ts = working("how is checkout?");
  command(kAna, "pause");
  until_whispered(kAna, "nly an approver or an admin");
  command(kBo, "pause");
  until_whispered(kBo, "I am paused everywhere.");
  EXPECT_EQ(find("I am paused everywhere", ""), "") << "others did not see the command";
  until_shown(mention(kAna, "how is payments?"), "so I did not start this");
  command(kBo, "resume");
  until_whispered(kBo, "I am working again.");
  until_shown(ts, "It is slow.");
}

TEST_F(SlackWords, PausedWritesAreNotEvenAsked) {
  script(ModelScript()
             .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
             .then_says("That is all."));
  serve();
  command(kBo, "pause writes");
  until_whispered(kBo, "Changes are paused everywhere.");
  const std::string ts = mention(kAna, "restart checkout");
  until_shown(ts, "That is all.");
  EXPECT_EQ(find("approve_once", ts), "");
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 0);
}

TEST_F(SlackWords, DeleteAfterAMentionRemovesTheAnswerForItsRequesterOnly) {
  script(ModelScript().says("It is fine."));
  control("person", {{"id", "U0DAN000001"}, {"name", "dan"}});
  control("invite", {{"user", "U0DAN000001"}, {"channel", kOps}});
  serve();
  const std::string ts = answered("how is checkout?", "It is fine.");
  say("U0DAN000001", "delete", ts, kOps, true);
  until_whispered("U0DAN000001", "nly the person who asked, or an approver");
  EXPECT_THAT(thread(ts), HasSubstr("It is fine."));
  say(kAna, "delete", ts, kOps, true);
  EXPECT_TRUE(until([&] { return !thread(ts).contains("It is fine."); }));
}

TEST_F(SlackWords, TheDeleteCommandRemovesTheNewestAnswerToItsWriterInTheChannel) {
  script(ModelScript().says("It is fine.").says("It is slow."));
  serve();
  const std::string first = answered("how is checkout?", "It is fine.");
  const std::string second = answered("how is payments?", "It is slow.");
  command(kBo, "delete");
  until_whispered(kBo, "There is no answer of mine to delete here.");
  // While the answer is still being recorded there is none to delete: then it is asked again, as a person would.
  std::size_t asked = 0;
  EXPECT_TRUE(until([&] {
    if (!thread(second).contains("It is slow.")) return true;
    if (split(whispered_to(kAna), "There is no answer of mine").size() == asked + 1) {
      command(kAna, "delete");
      ++asked;
    }
    return false;
  }));
  EXPECT_THAT(thread(first), HasSubstr("It is fine."));
}

// ---- Settings that change while it runs.

TEST_F(SlackWords, ANewApproverCountsAtTheNextClick) {
  script(ModelScript()
             .calls("restart_service", {{"service", "checkout"}, {"environment", "prod"}})
             .then_says("That is all."));
  serve();
  const std::string ts = mention(kAna, "restart checkout");
  const std::string card = until_found("approve_once", ts);
  click(kAna, card, "approve_once");
  until_whispered(kAna, "not an approver");
  write_settings(
      "timezone: UTC\nserve: {health: '127.0.0.1:0', listen: '127.0.0.1:0'}\n"
      "policy: {approvers: {service_tools: [T0SIM000001/U0ANA000001]}}\n");
  EXPECT_TRUE(until([&] {
    if (!find("approve_once", ts).empty()) click(kAna, card, "approve_once");
    return thread(ts).contains("That is all.");
  }));
  stop();
  EXPECT_EQ(world_->restarts["checkout"], 1);
}

}  // namespace
}  // namespace deputy::test
