// The words that people write in place of a request, through the whole engine.
#include <gmock/gmock.h>

#include "e2e/engine.h"

namespace deputy::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;
using namespace std::chrono_literals;

class Words : public Engine {
 protected:
  static constexpr const char* kOther = "scripted:C1:2";

  std::string last(const std::string& conversation = kThread) {
    const auto shown = channel_->shown_in(conversation);
    return shown.empty() ? "(nothing)" : shown.back().text;
  }
  /// Says it and waits for one more message in the conversation; gives its text.
  std::string told(const std::string& account, const std::string& words, const std::string& conversation = kThread) {
    const std::size_t before = channel_->shown_in(conversation).size();
    says(account, words, conversation);
    until([&] { return channel_->shown_in(conversation).size() > before; });
    return last(conversation);
  }
  channel::InboundMessage message(const std::string& account, std::string text, std::string conversation = kThread) {
    channel::InboundMessage one;
    one.sender = {"scripted", account};
    one.conversation = std::move(conversation);
    one.text = std::move(text);
    return one;
  }
  void answered_run() {
    script(ModelScript().says("All is well."));
    says("U1", "how is checkout?");
    until_finished();
  }
  static json::object restart_of(std::string service) { return {{"service", service}, {"environment", "prod"}}; }
};

TEST_F(Words, StatusSaysWhatRunsHere) {
  EXPECT_EQ(told("U1", "status"), "Nothing is running here.");
  script(ModelScript().hangs());
  says("U1", "how is checkout?");
  until([&] { return runs().size() == 1; });
  const std::string words = told("U4", "status");
  EXPECT_THAT(words, HasSubstr("1 run here:"));
  EXPECT_THAT(words, HasSubstr("working: how is checkout? (asked by ana, run `" + runs()[0].run.text()));
  EXPECT_EQ(runs().size(), 1U) << "it is no request";
}

TEST_F(Words, StatusOutsideAThreadIsAboutYourOwnRunsAtThePlace) {
  script(ModelScript().hangs());
  says("U1", "how is checkout?");
  until([&] { return runs().size() == 1; });
  EXPECT_THAT(told("U1", "status", kOther), HasSubstr("how is checkout?"));
  EXPECT_EQ(told("U2", "status", "scripted:C1:3"), "Nothing is running here.");
  EXPECT_EQ(told("U1", "status", "scripted:C2:1"), "Nothing is running here.");
}

TEST_F(Words, StopOutsideAThreadStopsYourOnlyRunAtThePlace) {
  script(ModelScript().hangs());
  says("U1", "how is checkout?");
  until([&] { return runs().size() == 1; });
  EXPECT_EQ(told("U2", "stop", kOther), "There is nothing to stop here.");
  says("U1", "stop", kOther);
  until_finished();
  EXPECT_EQ(outcome(), "cancelled");
}

TEST_F(Words, StopOutsideAThreadStopsNoneOfSeveral) {
  script(ModelScript().hangs().hangs());
  says("U1", "how is checkout?", "scripted:C1:8");
  says("U1", "how is payments?", "scripted:C1:9");
  until([&] { return runs().size() == 2; });
  const std::string words = told("U1", "stop", kOther);
  EXPECT_THAT(words, HasSubstr("You have 2 runs here, so I stopped none"));
  EXPECT_THAT(words, HasSubstr("how is checkout?"));
  EXPECT_THAT(words, HasSubstr("how is payments?"));
  EXPECT_TRUE(audited("stopped").empty());
}

TEST_F(Words, ApprovalsListsWhatTheSenderMayApproveWithItsArguments) {
  script(ModelScript().calls("restart_service", restart_of("checkout")).then_says("Done."));
  says("U1", "restart checkout");
  until_asked();
  EXPECT_EQ(told("U4", "approvals", kOther), "No approval waits for you here.");
  const std::string words = told("U2", "approvals", kOther);
  EXPECT_THAT(words, HasSubstr(R"("service":"checkout")"));
  EXPECT_THAT(words, HasSubstr("in its own thread"));
  EXPECT_EQ(channel_->shown_in(kOther).back().only_for, "U2") << "nobody else sees it";
  EXPECT_THAT(told("U2", "approvals"), HasSubstr("`approve "));
}

TEST_F(Words, WithoutWhispersApprovalsOfOtherThreadsAreOnlyCounted) {
  channel_->can.whisper = false;
  script(ModelScript().calls("restart_service", restart_of("checkout")).then_says("Done."));
  says("U1", "restart checkout");
  until_asked();
  const std::string words = told("U2", "approvals", kOther);
  EXPECT_THAT(words, Not(HasSubstr("checkout")));
  EXPECT_THAT(words, HasSubstr("1 more approval not shown here"));
}

TEST_F(Words, DeleteRemovesTheAnswerJustGiven) {
  answered_run();
  ASSERT_EQ(answers(), 1);
  EXPECT_THAT(told("U4", "delete"), HasSubstr("Only the person who asked, or an approver"));
  EXPECT_EQ(answers(), 1);
  says("U1", "delete");
  until([&] { return answers() == 0; });
  EXPECT_THAT(audited("answer_deleted"), SizeIs(1));
  EXPECT_THAT(audited("delete_refused"), SizeIs(1));
}

TEST_F(Words, DeleteSaysWhereItCannot) {
  channel_->can.remove = false;
  answered_run();
  EXPECT_EQ(told("U1", "delete"), "I cannot delete messages here.");
}

TEST_F(Words, AMutedThreadTakesNoFollowUpAndSaysSoToAMention) {
  answered_run();
  EXPECT_THAT(told("U4", "mute 2h"), HasSubstr("Muted in this thread until"));
  Engine::restart();
  channel::InboundMessage more = message("U1", "and staging?");
  more.spoken = channel::AddressedTo::to_nobody;
  must(channel_->says(more));
  EXPECT_EQ(runs().size(), 1U);
  EXPECT_THAT(told("U1", "and staging?"), HasSubstr("I am muted here until"));
  EXPECT_EQ(runs().size(), 1U);
  EXPECT_EQ(told("U1", "unmute"), "I am listening again.");
  script(ModelScript().says("Fine too."));
  says("U1", "and staging?");
  until_finished(2);
}

TEST_F(Words, AMuteEndsByItself) {
  told("U1", "mute 30m");
  clock_.advance(31min);
  script(ModelScript().says("Fine."));
  says("U1", "how is checkout?");
  until_finished();
}

TEST_F(Words, AMuteOutsideAThreadHoldsForTheWholeChannel) {
  channel::InboundMessage mute = message("U1", "mute 1h", kOther);
  mute.begins_thread = true;
  must(channel_->says(mute));
  EXPECT_THAT(told("U2", "how is checkout?"), HasSubstr("I am muted here until"));
  script(ModelScript().says("Fine."));
  says("U2", "how is checkout?", "scripted:C2:1");
  until_finished();
}

TEST_F(Words, AnApproverPausesAndResumesAndItIsAudited) {
  EXPECT_THAT(told("U4", "pause"), HasSubstr("Only an approver or an admin"));
  EXPECT_EQ(must(store_->brake()).brake, store::Pause::off);
  EXPECT_THAT(told("U2", "pause"), HasSubstr("paused everywhere"));
  EXPECT_EQ(must(store_->brake()).brake, store::Pause::all);
  EXPECT_THAT(told("U1", "how is checkout?"), HasSubstr("so I did not start this"));
  EXPECT_THAT(told("U1", "status"), HasSubstr("paused by U2"));
  EXPECT_EQ(told("U2", "resume"), "I am working again.");
  EXPECT_EQ(must(store_->brake()).brake, store::Pause::off);
  EXPECT_THAT(audited("pause_refused"), SizeIs(1));
  EXPECT_THAT(audited("paused"), ElementsAre(HasSubstr("bo ")));
  EXPECT_THAT(audited("resumed"), SizeIs(1));
}

TEST_F(Words, APauseThatArrivesTwiceIsSetOnce) {
  channel::InboundMessage pause = message("U2", "pause writes");
  pause.key = "scripted:message:same";
  must(channel_->says(pause));
  must(channel_->says(pause));
  EXPECT_EQ(must(store_->brake()).brake, store::Pause::writes);
  EXPECT_THAT(audited("paused"), SizeIs(1));
}

TEST_F(Words, FeedbackIsKeptWithTheRunAndAWrongAnswerAlerts) {
  EXPECT_THAT(told("U1", "feedback helpful"), HasSubstr("no answer of mine"));
  answered_run();
  told("U4", "feedback helpful");
  told("U1", "feedback wrong: it was staging");
  until([&] { return !channel_->shown_in("scripted:alerts").empty(); });
  EXPECT_THAT(last("scripted:alerts"), HasSubstr("is wrong: it was staging"));
  const std::string run = runs()[0].run.text();
  const auto marks = must(store_->marks({"feedback", {run + " ana", run + " scripted:U4"}}));
  ASSERT_EQ(marks.size(), 2U);
  EXPECT_THAT(marks[0].body, HasSubstr(R"("mark":"wrong","why":"it was staging")"));
  EXPECT_THAT(marks[1].body, HasSubstr(R"("mark":"helpful")"));
  EXPECT_EQ(marks[0].run, runs()[0].run);
}

TEST_F(Words, HelpNamesTheWords) {
  const std::string words = told("U1", "help");
  for (const char* word : {"stop", "status", "approvals", "delete", "mute", "pause", "feedback"})
    EXPECT_THAT(words, HasSubstr(word));
  EXPECT_TRUE(runs().empty());
}

TEST_F(Words, ABareMentionAfterAMessageIsARequestAboutIt) {
  channel_->has_context(kThread, {.channel_name = "ops",
                                  .said = {{.writer = {"scripted", "B1"},
                                            .writer_name = "alerts",
                                            .text = "checkout is down",
                                            .by_bot = true,
                                            .ref = "r1"}}});
  const auto model = script(ModelScript().says("I looked."));
  says("U1", "");
  until_finished();
  EXPECT_THAT(state().request().text, HasSubstr("what stands right before it"));
  EXPECT_EQ(answer(), "I looked.");
}

TEST_F(Words, ABareMentionElsewhereIsHelp) {
  EXPECT_THAT(told("U1", ""), HasSubstr("ask before I change anything"));
  channel_->has_context(
      kThread,
      {.channel_name = "ops",
       .said = {
           {.writer = {"scripted", "D"}, .writer_name = "Deputy", .text = "Done.", .by_deputy = true, .ref = "r1"}}});
  EXPECT_THAT(told("U1", ""), HasSubstr("ask before I change anything"));
  EXPECT_TRUE(runs().empty());
}

}  // namespace
}  // namespace deputy::test
