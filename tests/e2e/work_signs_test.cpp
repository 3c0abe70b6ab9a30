// What people see while a run works, over the whole engine: one message, the platform's sign, or an edited line.
#include <gmock/gmock.h>

#include "e2e/engine.h"

namespace deputy::test {
namespace {

using interaction::Control;

json::object restart_of(std::string service) { return {{"service", service}, {"environment", "prod"}}; }

class WorkSigns : public Engine {};

TEST_F(WorkSigns, AStreamIsTheOneMessageOfARun) {
  channel_->can.stream = true;
  script(ModelScript().calls("search_notes", {{"query", "checkout"}}).then_says("Two notes."));
  says("U1", "what is up with checkout?");
  until_finished();
  ASSERT_EQ(channel_->shown_in(kThread).size(), 1U) << transcript();
  const ScriptedChannel::Shown message = channel_->shown_in(kThread).front();
  EXPECT_EQ(message.text, "Two notes.");
  EXPECT_EQ(message.mention, "U1");
  EXPECT_FALSE(message.streaming);
  EXPECT_EQ(channel_->calls(Step::post), 0);
  EXPECT_EQ(channel_->calls(Step::working), 0);
}

TEST_F(WorkSigns, CallsAreTaskLinesOfTheStream) {
  channel_->can.stream = true;
  script(ModelScript().calls("search_notes", {{"query", "checkout"}}).hangs());
  says("U1", "what is up with checkout?");
  until([&] {
    const auto shown = channel_->shown_in(kThread);
    return !shown.empty() && !shown[0].tasks.empty() &&
           shown[0].tasks.begin()->second.state == channel::ProgressLine::State::done;
  });
  const auto tasks = channel_->shown_in(kThread)[0].tasks;
  EXPECT_EQ(tasks.begin()->second.line, "search_notes checkout");
  says("U1", "stop");
  until_finished();
  EXPECT_FALSE(channel_->shown_in(kThread)[0].streaming) << transcript();
}

TEST_F(WorkSigns, AStreamGoesOnAfterAnApproval) {
  channel_->can.stream = true;
  script(ModelScript().calls("restart_service", restart_of("checkout")).then_says("Restarted."));
  says("U1", "restart checkout in prod");
  until_asked();
  clicks("U2", Control::approve_once);
  until_finished();
  EXPECT_EQ(channel_->shown_in(kThread)[0].text, "Restarted.") << transcript();
  EXPECT_EQ(answers(), 1);
}

TEST_F(WorkSigns, AReleasedRunGoesOnInItsStream) {
  channel_->can.stream = true;
  script(ModelScript().calls("search_notes", {{"query", "checkout"}}).hangs());
  says("U1", "what is up with checkout?");
  until([&] { return !channel_->shown_in(kThread).empty() && !channel_->shown_in(kThread)[0].tasks.empty(); });
  close();
  script(ModelScript().says("Two notes."));
  open();
  until_finished();
  ASSERT_EQ(channel_->shown_in(kThread).size(), 1U) << transcript();
  EXPECT_EQ(channel_->shown_in(kThread)[0].text, "Two notes.");
}

TEST_F(WorkSigns, TheSignHasTheWordsOfTheToolAndGoesOutWithTheAnswer) {
  script(ModelScript().calls("search_notes", {{"query", "checkout"}}).hangs());
  says("U1", "what is up with checkout?");
  until([&] { return channel_->working_words("m1") == "search_notes checkout…"; });
  says("U1", "stop");
  until_finished();
  until([&] { return !channel_->works_on("m1"); });
}

TEST_F(WorkSigns, TheSignIsOutWhileARunWaitsForPeople) {
  script(ModelScript().calls("restart_service", restart_of("checkout")).then_says("Restarted."));
  says("U1", "restart checkout in prod");
  until_asked();
  until([&] { return !channel_->works_on("m1"); });
  clicks("U2", Control::approve_once);
  until_finished();
  until([&] { return !channel_->works_on("m1"); });
}

}  // namespace
}  // namespace deputy::test
