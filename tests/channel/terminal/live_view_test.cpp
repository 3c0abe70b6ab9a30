#include "channel/terminal/live_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "support/manual_clock.h"

namespace deputy::channel {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using namespace std::chrono_literals;
using LineState = ProgressLine::State;

class LiveViewTest : public testing::Test {
 protected:
  void tells(RunId run, ProgressLine line) {
    view_.message({.kind = Message::Kind::progress, .run = run, .progress = std::move(line)});
  }
  void call(LineState state, std::string detail = {}) {
    tells(run_, {.call = "c1", .line = "shell make", .state = state, .detail = std::move(detail)});
  }
  std::string shown() const { return out_.str(); }
  Message answer(const std::string& text) const {
    return {.markdown = text, .footer = "1.0 s · " + run_.text(), .kind = Message::Kind::answer, .run = run_};
  }

  std::ostringstream out_;
  test::ManualClock clock_;
  Screen screen_{out_, nullptr};
  int changes_ = 0;
  int asks_ = 0;
  LiveView view_{screen_, clock_, Colours::off, [this] { ++changes_; }, [this] { ++asks_; }};
  RunId run_ = RunId::make(clock_.now());
};

TEST_F(LiveViewTest, WholeLinesAreThereBeforeTheAnswerIs) {
  view_.stream("s", "one **line**\nand");
  EXPECT_EQ(shown(), "one line\n");
  EXPECT_THAT(view_.rows(), ElementsAre("and"));
  EXPECT_GT(changes_, 0);
}

TEST_F(LiveViewTest, AStreamedAnswerIsShownOnce) {
  view_.stream("s", "one\ntwo");
  view_.end_stream("s", {.markdown = "one\ntwo"});
  Message message = answer("one\ntwo");
  message.was_shown = true;
  view_.message(message);
  EXPECT_EQ(shown(), "one\ntwo\n— 1.0 s · " + short_id(run_) + "\n\n");
}

TEST_F(LiveViewTest, AFooterIsObeyedByNobody) {
  Message message = answer("one");
  message.footer = "a\x1b[2J\nb";
  view_.message(message);
  EXPECT_EQ(shown(), "one\n— a\\u{1B}[2J b\n\n");
}

TEST_F(LiveViewTest, AnAnswerThatIsNotWhatWasStreamedIsShown) {
  view_.stream("s", "looking");
  view_.end_stream("s", {.markdown = "looking"});
  view_.message(answer("Stopped by ana."));
  EXPECT_THAT(shown(), HasSubstr("looking\nStopped by ana.\n"));
}

TEST_F(LiveViewTest, WhatAStreamEndsWithIsAddedToIt) {
  view_.stream("s", "one");
  view_.end_stream("s", {.markdown = "one and two"});
  view_.stream("t", "gone");
  view_.end_stream("t", {.markdown = "another"});
  EXPECT_EQ(shown(), "one and two\ngone\nanother\n");
}

TEST_F(LiveViewTest, ACardIsSomethingToAsk) {
  view_.card({});
  EXPECT_EQ(asks_, 1);
}

struct MarkRow {
  std::string name;
  LineState state;
  std::string line;
};

class Marks : public LiveViewTest, public testing::WithParamInterface<MarkRow> {};

TEST_P(Marks, SayHowACallEnded) {
  call(LineState::running);
  clock_.advance(1500ms);
  EXPECT_EQ(view_.status(), "⚙ shell make · 1.5 s");
  call(GetParam().state, "out");
  EXPECT_EQ(shown(), GetParam().line + "\n    out\n");
  EXPECT_EQ(view_.status(), "");
}

INSTANTIATE_TEST_SUITE_P(Calls, Marks,
                         testing::Values(MarkRow{"Done", LineState::done, "✓ shell make  1.5 s"},
                                         MarkRow{"Failed", LineState::failed, "✗ shell make  1.5 s"},
                                         MarkRow{"Denied", LineState::denied, "⊘ shell make  1.5 s"}),
                         [](const auto& row) { return row.param.name; });

TEST_F(LiveViewTest, ABackgroundCallIsATaskAndItsChildEndsIt) {
  const RunId child = RunId::make(clock_.now());
  call(LineState::running);
  call(LineState::handed_over, child.text());
  EXPECT_EQ(shown(), "⚙ [bg] shell make  task " + short_id(child) + "\n");
  tells(child, {.call = "c1", .line = "shell make", .in_background = true, .is_child = true});
  clock_.advance(65s);
  EXPECT_EQ(view_.status(), "⚙ [bg] shell make · 1 min 5 s");
  tells(child, {.call = "c1",
                .line = "shell make",
                .state = LineState::done,
                .detail = "made",
                .in_background = true,
                .is_child = true});
  const std::string end = "✓ [bg] shell make  1 min 5 s\n    made\n";
  EXPECT_THAT(shown(), EndsWith(end));
  view_.message({.markdown = "It ended: made", .kind = Message::Kind::notice, .run = child, .was_shown = true});
  view_.message({.markdown = "I cannot go on.", .kind = Message::Kind::notice, .run = child});
  EXPECT_THAT(shown(), EndsWith(end + "I cannot go on.\n"));
}

TEST_F(LiveViewTest, AnEmptyLineIsBetweenCallsAndWhatIsSaidOfThem) {
  view_.stream("s", "Let me look.");
  view_.end_stream("s", {.markdown = "Let me look."});
  call(LineState::done, "out");
  call(LineState::done, "out");
  view_.stream("t", "All is well.");
  view_.end_stream("t", {.markdown = "All is well."});
  EXPECT_EQ(shown(), "Let me look.\n✓ shell make\n    out\n✓ shell make\n    out\n\nAll is well.\n");
  call(LineState::done);
  view_.message(answer("It still is."));
  EXPECT_THAT(shown(), HasSubstr("✓ shell make\n\nIt still is.\n— "));
}

TEST_F(LiveViewTest, AResultThatTheAnswerQuotesIsNotShownTwice) {
  view_.expect_quotes();
  call(LineState::done, "by hand");
  tells(run_, {.state = LineState::thinking});
  call(LineState::done, "short");
  call(LineState::done);
  call(LineState::failed, "what it did until then");
  EXPECT_EQ(
      shown(),
      "✓ shell make\n    by hand\n✓ shell make · /result 2\n✓ shell make\n✗ shell make\n    what it did until then\n");
  EXPECT_EQ(view_.results().size(), 3U);
}

TEST_F(LiveViewTest, TheStatusHasTheLastLineOfWhatACallSays) {
  call(LineState::running);
  call(LineState::running, "linking\x1b[2J");
  EXPECT_EQ(view_.status(), "⚙ shell make · 0.0 s  │ linking");
}

TEST_F(LiveViewTest, TheTimeIsShownAlsoOfALongCommand) {
  LineEditor editor({}, {});
  Screen screen{out_, &editor};  // as wide as a window is
  LiveView view{screen, clock_, Colours::off, [] {}, [] {}};
  const ProgressLine line{.call = "c1", .line = "shell " + std::string(500, 'x'), .state = LineState::running};
  view.message({.kind = Message::Kind::progress, .run = run_, .progress = line});
  EXPECT_THAT(view.status(), EndsWith("x… · 0.0 s"));
}

TEST_F(LiveViewTest, WaitingForPeopleIsNoRunning) {
  call(LineState::running);
  call(LineState::gone);
  EXPECT_EQ(view_.status(), "");
}

TEST_F(LiveViewTest, WhatARunDidIsGoneWithIt) {
  call(LineState::running);
  tells(run_, {.state = LineState::thinking, .detail = "about it"});
  tells(run_, {.state = LineState::ended});
  EXPECT_EQ(view_.status(), "");
}

TEST_F(LiveViewTest, AModelThinks) {
  tells(run_, {.state = LineState::thinking});
  clock_.advance(2s);
  tells(run_, {.state = LineState::thinking, .detail = "about it"});
  EXPECT_EQ(view_.status(), "thinking · 2.0 s  │ about it");
  tells(run_, {.state = LineState::gone});
  EXPECT_EQ(view_.status(), "");
}

TEST_F(LiveViewTest, AnArgumentIsObeyedByNobody) {
  tells(run_, {.call = "c1", .line = "shell \x1b[2J\nx", .state = LineState::done});
  EXPECT_EQ(shown(), "✓ shell \\u{1B}[2J x\n");
}

TEST(AnswerStream, GivesWholeLinesAndKeepsTheRest) {
  AnswerStream stream(Colours::off, 80);
  EXPECT_EQ(stream.feed("one **t"), "");
  EXPECT_THAT(stream.unfinished(9), ElementsAre("one t"));
  EXPECT_EQ(stream.feed("wo**\nthree"), "one two\n");
  EXPECT_EQ(stream.end(), "three\n");
  EXPECT_EQ(stream.said(), "one **two**\nthree");
  EXPECT_THAT(stream.unfinished(9), ElementsAre());
}

TEST(AnswerStream, WhatIsUnfinishedIsWrappedAndRendered) {
  AnswerStream stream(Colours::off, 20);
  stream.feed("- **one** two three four five");
  EXPECT_THAT(stream.unfinished(9), ElementsAre("• one two three four", "  five"));
  EXPECT_THAT(stream.unfinished(1), ElementsAre("  five"));
  EXPECT_EQ(stream.feed("\n| a | b |\n|---|---|\n| 1 |"), "• one two three four\n  five\n");
  EXPECT_THAT(stream.unfinished(9), ElementsAre("a  b", "─  ─", "1"));
  EXPECT_EQ(stream.feed(" 2 |\n\nthree"), "a  b\n─  ─\n1  2\n\n");
  stream.feed(" " + std::string(9000, 'x'));
  EXPECT_THAT(stream.unfinished(2), ElementsAre(std::string(20, 'x'), std::string(20, 'x')));
}

TEST(LastRows, AreTheEndOfAText) {
  EXPECT_THAT(last_rows("abcdefg", 3, 9), ElementsAre("abc", "def", "g"));
  EXPECT_THAT(last_rows("abcdefg", 3, 2), ElementsAre("def", "g"));
  EXPECT_THAT(last_rows("", 3, 2), ElementsAre());
  EXPECT_THAT(last_rows("\tat a", 3, 9), ElementsAre("\tat ", "a"));  // what takes no room may stand first
  EXPECT_THAT(last_rows("\x1b[31mabcd\x1b[0m", 3, 9), ElementsAre("\x1b[31mabc", "d\x1b[0m"));
  EXPECT_THAT(last_rows("\u0301", 0, 9), ElementsAre("\u0301"));
}

}  // namespace
}  // namespace deputy::channel
