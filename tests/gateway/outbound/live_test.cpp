// What runs do, as channels and followers are told of it.
#include "gateway/outbound/live.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/loop.h"
#include "support/manual_clock.h"
#include "support/scripted_channel.h"

namespace deputy::gateway {
namespace {

using channel::ProgressLine;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kHere = "scripted:C1:1";

std::string_view name_of(ProgressLine::State state) {
  using State = ProgressLine::State;
  switch (state) {
    case State::thinking:
      return "thinking";
    case State::running:
      return "running";
    case State::handed_over:
      return "handed over";
    case State::done:
      return "done";
    case State::failed:
      return "failed";
    case State::denied:
      return "denied";
    case State::gone:
      return "gone";
    case State::ended:
      return "ended";
  }
  return "";
}

class LiveTest : public testing::Test, protected test::OnLoop {
 protected:
  LiveTest() {
    channel_->can.progress = channel_->can.stream = true;
    channels_.add(channel_);
    following_ = live_.follow({.changed = [this] { ++changes_; },
                               .progress =
                                   [this](RunId root, RunId run, const ProgressLine& line) {
                                     EXPECT_EQ(root, run_);
                                     if (line.call.empty()) return;
                                     std::string text = std::string(name_of(line.state)) + " " + line.line;
                                     if (run != run_) text = "child " + text;
                                     if (line.in_background) text += " [bg]";
                                     if (!line.detail.empty()) text += ": " + line.detail;
                                     lines_.push_back(std::move(text));
                                   }});
  }

  void entry(const run::EntryBody& body) { live_.on_entry(run_, kHere, body); }
  void says(std::string_view part) { live_.on_text(run_, kHere, part); }
  void calls(const std::string& tool, const json::object& arguments) {
    entry(
        run::ModelReplied{.text = {}, .calls = {{"c1", tool, arguments}}, .stop = run::ReplyStop::calls, .error = {}});
  }
  std::vector<std::string> seen() {
    loop_.restart();
    loop_.poll();
    std::vector<std::string> texts;
    for (const auto& shown : channel_->shown_in(kHere)) {
      if (!shown.text.empty()) texts.push_back(shown.text);  // progress has none
    }
    return texts;
  }

  test::ManualClock clock_;
  toolkit::Registry registry_;
  std::shared_ptr<test::ScriptedChannel> channel_ = std::make_shared<test::ScriptedChannel>();
  Channels channels_;
  Live live_{channels_, registry_, loop_.get_executor()};
  RunId run_ = RunId::make(clock_.now());
  Following following_;
  std::vector<std::string> lines_;
  int changes_ = 0;
};

TEST(Headline, IsTheCountTheOnlyLineOrTheNumberOfLines) {
  EXPECT_EQ(headline("1,291 errors in checkout\n14:02 refused\n"), "1,291 errors in checkout");
  EXPECT_EQ(headline("Posted to ops\n"), "Posted to ops");
  EXPECT_EQ(headline("checkout is slow\ncheckout is down\n"), "2 lines");
  EXPECT_EQ(headline("{\"hits\": 3}"), "");
  EXPECT_EQ(headline(""), "");
}

TEST_F(LiveTest, ACallIsToldFromItsBeginningToItsEnd) {
  calls("shell", {{"command", "make"}});
  entry(run::StepStarted{"c1", "run"});
  live_.on_delta(run_, kHere, "c1", std::string(5000, 'x') + "\nlinking\n");
  entry(run::CallFinished{"c1", run::CallStatus::error, "it broke"});
  EXPECT_THAT(lines_, ElementsAre("running shell command=make", "running shell command=make: linking",
                                  "failed shell command=make: it broke"));
  EXPECT_EQ(changes_, 3);
}

TEST_F(LiveTest, WaitingForPeopleIsNoRunning) {
  calls("edit_file", {{"path", "a"}});
  entry(run::StepStarted{"c1", "preview"});
  entry(run::Asked{"c1", "i", run::AskKind::approval, "", "i"});
  EXPECT_THAT(lines_, ElementsAre("running edit_file path=a", "gone edit_file path=a"));
}

TEST_F(LiveTest, ABackgroundCallIsEndedByItsChild) {
  calls("shell", {{"command", "make"}});
  const RunId child = RunId::make(clock_.now());
  entry(run::Delegated{"c1", "run", run::DelegateTo::background, {}, child.text()});
  entry(run::CallFinished{"c1", run::CallStatus::success, "it works on as a task"});
  live_.on_entry(child, kHere, run::CallFinished{"c1", run::CallStatus::success, "made"});
  EXPECT_THAT(lines_, ElementsAre("handed over shell command=make [bg]: " + child.text(),
                                  "child running shell command=make [bg]", "child done shell command=make [bg]: made"));
  EXPECT_TRUE(live_.take_shown(child)) << "the notice of its end says nothing new";
}

TEST_F(LiveTest, AskingAndAnsweringHaveNoLine) {
  calls("ask_user", {{"questions", json::array()}});
  entry(run::StepStarted{"c1", "ask"});
  entry(run::CallFinished{"c1", run::CallStatus::success, "prod"});
  EXPECT_THAT(lines_, IsEmpty());
}

TEST_F(LiveTest, TextStreamsToAChannelThatCanAndItsAnswerIsKnownAsSeen) {
  says("Two ");
  says("errors.");
  EXPECT_THAT(seen(), ElementsAre("Two errors."));
  entry(run::ModelReplied{.text = "Two errors.", .calls = {}, .stop = run::ReplyStop::end_turn, .error = {}});
  entry(run::Replied{"Two errors."});
  EXPECT_THAT(seen(), ElementsAre("Two errors."));
  EXPECT_TRUE(live_.take_shown(run_));
  EXPECT_FALSE(live_.take_shown(run_)) << "once";
}

TEST_F(LiveTest, AnAnswerThatIsNotWhatWasStreamedIsNotSeen) {
  says("looking");
  entry(run::ModelReplied{.text = "looking", .calls = {}, .stop = run::ReplyStop::end_turn, .error = {}});
  entry(run::Replied{"Stopped by ana."});
  EXPECT_FALSE(live_.take_shown(run_));
}

TEST_F(LiveTest, WhatAChildSaysIsNotForPeople) {
  calls("start_sub_run", {{"task", "x"}});
  const RunId child = RunId::make(clock_.now());
  entry(run::Delegated{"c1", "start", run::DelegateTo::child_run, {}, child.text()});
  live_.on_text(child, kHere, "secret thoughts\n");
  EXPECT_THAT(seen(), IsEmpty());
}

TEST_F(LiveTest, AChannelThatShowsNoProgressGetsNone) {
  channel_->can.progress = false;
  calls("shell", {{"command", "make"}});
  entry(run::StepStarted{"c1", "run"});
  entry(run::CallFinished{"c1", run::CallStatus::success, "made"});
  EXPECT_THAT(seen(), IsEmpty());
  EXPECT_FALSE(live_.hears_thinking());
}

TEST_F(LiveTest, TheResultOfACallThatPeopleMadeIsSeenWhereProgressIs) {
  for (const bool shows : {true, false}) {
    channel_->can.progress = shows;
    live_.know_call(run_, {"call_1", "shell", {}});
    entry(run::CallFinished{"call_1", run::CallStatus::success, "made"});
    entry(run::Replied{"made\n"});
    EXPECT_EQ(live_.take_shown(run_), shows);
  }
}

TEST_F(LiveTest, WhoFollowsNoMoreIsNotCalled) {
  following_ = {};
  live_.tell();
  EXPECT_EQ(changes_, 0);
}

}  // namespace
}  // namespace deputy::gateway
