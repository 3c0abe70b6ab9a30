#include "app/chat/chat_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "support/manual_clock.h"

namespace deputy::app {
namespace {

using channel::Colours;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

class ChatViewTest : public testing::Test {
 protected:
  void entry(const run::EntryBody& body) { view_.on_entry(run_, "terminal:ana:1", body); }
  void says(std::string_view part) { view_.on_text(run_, "terminal:ana:1", part); }
  void calls(const std::string& tool, const json::object& arguments) {
    entry(
        run::ModelReplied{.text = {}, .calls = {{"c1", tool, arguments}}, .stop = run::ReplyStop::calls, .error = {}});
  }
  std::string shown() const { return out_.str(); }
  channel::Message answer(const std::string& text) const {
    return {.markdown = text, .mention = std::nullopt, .footer = "1.0 s · " + run_.text(), .key = ""};
  }

  std::ostringstream out_;
  test::ManualClock clock_;
  toolkit::Registry registry_;
  Screen screen_{out_, nullptr};
  int changes_ = 0;
  ChatView view_{screen_, registry_, clock_, Colours::off, [this] { ++changes_; }};
  RunId run_ = RunId::make(clock_.now());
};

TEST_F(ChatViewTest, WholeLinesAreThereBeforeTheAnswerIs) {
  says("one **line**\nand");
  EXPECT_EQ(shown(), "one line\n");
  EXPECT_GT(changes_, 0);
}

TEST_F(ChatViewTest, AStreamedAnswerIsShownOnce) {
  says("one\ntwo");
  entry(run::ModelReplied{.text = "one\ntwo", .calls = {}, .stop = run::ReplyStop::end_turn, .error = {}});
  entry(run::Replied{"one\ntwo"});
  view_.answer(answer("one\ntwo"));
  EXPECT_EQ(shown(), "one\ntwo\n— 1.0 s · " + run_.text() + "\n");
}

TEST_F(ChatViewTest, AFooterIsObeyedByNobody) {
  channel::Message message = answer("one");
  message.footer = "a\x1b[2J\nb";
  view_.answer(message);
  EXPECT_EQ(shown(), "one\n— a\\u{1B}[2J b\n");
}

TEST_F(ChatViewTest, AnAnswerThatIsNotWhatWasStreamedIsShown) {
  says("looking");
  entry(run::ModelReplied{.text = "looking", .calls = {}, .stop = run::ReplyStop::end_turn, .error = {}});
  entry(run::Replied{"Stopped by ana."});
  view_.answer(answer("Stopped by ana."));
  EXPECT_THAT(shown(), HasSubstr("looking\nStopped by ana.\n"));
}

TEST_F(ChatViewTest, WhatAChildSaysIsNotForPeople) {
  calls("start_sub_run", {{"task", "x"}});
  const RunId child = RunId::make(clock_.now());
  entry(run::Delegated{"c1", "start", run::DelegateTo::child_run, {}, child.text()});
  view_.on_text(child, "terminal:ana:1", "secret thoughts\n");
  EXPECT_EQ(shown(), "");
}

struct MarkRow {
  std::string name;
  std::string status;
  std::string line;
};

class Marks : public ChatViewTest, public testing::WithParamInterface<MarkRow> {};

TEST_P(Marks, SayHowACallEnded) {
  calls("shell", {{"command", "ls"}});
  entry(run::StepStarted{"c1", "run"});
  clock_.advance(1500ms);
  EXPECT_EQ(view_.progress().status(clock_.now()), "⚙ shell command=ls · 1.5 s");
  entry(run::CallFinished{"c1", run::read_word<run::CallStatus>(GetParam().status), "out"});
  EXPECT_EQ(shown(), GetParam().line + "\n    out\n");
  EXPECT_EQ(view_.progress().status(clock_.now()), "");
}

INSTANTIATE_TEST_SUITE_P(Calls, Marks,
                         testing::Values(MarkRow{"Success", "success", "✓ shell command=ls  1.5 s"},
                                         MarkRow{"Error", "error", "✗ shell command=ls  1.5 s"},
                                         MarkRow{"Unknown", "unknown", "✗ shell command=ls  1.5 s"},
                                         MarkRow{"Denied", "denied", "⊘ shell command=ls  1.5 s"},
                                         MarkRow{"Cancelled", "cancelled", "⊘ shell command=ls  1.5 s"}),
                         [](const auto& row) { return row.param.name; });

TEST_F(ChatViewTest, ABackgroundCallIsATaskAndItsChildEndsIt) {
  calls("shell", {{"command", "make"}});
  const RunId child = RunId::make(clock_.now());
  entry(run::Delegated{"c1", "run", run::DelegateTo::background, {}, child.text()});
  EXPECT_EQ(shown(), "⚙ [bg] shell command=make  task " + child.text() + "\n");
  entry(run::CallFinished{"c1", run::CallStatus::success, "it works on as a task"});
  EXPECT_THAT(shown(), Not(HasSubstr("it works on")));
  clock_.advance(65s);
  EXPECT_EQ(view_.progress().status(clock_.now()), "⚙ [bg] shell command=make · 1 min 5 s");
  view_.on_entry(child, "terminal:ana:1", run::CallFinished{"c1", run::CallStatus::success, "made"});
  EXPECT_THAT(shown(), EndsWith("✓ [bg] shell command=make  1 min 5 s\n    made\n"));
}

TEST_F(ChatViewTest, TheStatusHasTheLastLineOfWhatACallSays) {
  calls("shell", {{"command", "make"}});
  entry(run::StepStarted{"c1", "run"});
  view_.on_delta(run_, "terminal:ana:1", "c1", std::string(5000, 'x') + "\nlinking\x1b[2J\n");
  EXPECT_EQ(view_.progress().status(clock_.now()), "⚙ shell command=make · 0.0 s  │ linking\\u{1B}[2J");
}

TEST_F(ChatViewTest, WaitingForPeopleIsNoRunning) {
  calls("edit_file", {{"path", "a"}});
  entry(run::StepStarted{"c1", "preview"});
  entry(run::Asked{"c1", "i", run::AskKind::approval, "", "i"});
  EXPECT_EQ(view_.progress().status(clock_.now()), "");
}

TEST_F(ChatViewTest, AnArgumentIsObeyedByNobody) {
  calls("shell", {{"command", "\x1b[2J\nx"}});
  entry(run::CallFinished{"c1", run::CallStatus::success, ""});
  EXPECT_EQ(shown(), "✓ shell command=\\u{1B}[2J x\n");
}

}  // namespace
}  // namespace deputy::app
