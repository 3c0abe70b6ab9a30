// The small parts of a chat: what is folded, kept, said and offered.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/chat/answer_stream.h"
#include "app/chat/chat_view.h"
#include "app/chat/folded.h"
#include "app/chat/history_file.h"
#include "app/chat/session.h"
#include "app/chat/slash.h"
#include "app/chat/terminal_kind.h"
#include "app/chat/welcome.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::app {
namespace {

using channel::Colours;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string lines(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += std::to_string(i) + "\n";
  return text;
}

TEST(Folded, ShowsTenLinesAndSaysHowManyMore) {
  EXPECT_EQ(folded("a\nb\n", "  "), "  a\n  b\n");
  EXPECT_THAT(folded(lines(10), ""), Not(HasSubstr("more")));
  EXPECT_THAT(folded(lines(11), ""), HasSubstr("10\n… 1 more line\n"));
  EXPECT_THAT(folded(lines(30), ""), HasSubstr("10\n… 20 more lines\n"));
  EXPECT_EQ(folded("", ""), "");
}

TEST(Folded, ObeysNothing) { EXPECT_EQ(folded("\x1b]0;x\x07", ""), "\\u{1B}]0;x\\u{7}\n"); }

struct KindRow {
  std::string name;
  bool in;
  bool out;
  config::Environment environment;
  TerminalKind kind;
};

class Kinds : public testing::TestWithParam<KindRow> {};

TEST_P(Kinds, HonourWhatPeopleSet) {
  const KindRow& row = GetParam();
  EXPECT_EQ(terminal_kind(row.in, row.out, row.environment), row.kind);
}

INSTANTIATE_TEST_SUITE_P(
    Terminals, Kinds,
    testing::Values(
        KindRow{"Terminal", true, true, {{"TERM", "xterm"}}, {Drawing::keys, Colours::on}},
        KindRow{"NoColor", true, true, {{"TERM", "xterm"}, {"NO_COLOR", "1"}}, {Drawing::keys, Colours::off}},
        KindRow{"EmptyNoColor", true, true, {{"TERM", "xterm"}, {"NO_COLOR", ""}}, {Drawing::keys, Colours::on}},
        KindRow{"Dumb", true, true, {{"TERM", "dumb"}}, {}}, KindRow{"NoTerm", true, true, {}, {}},
        KindRow{"PipeOut", true, false, {{"TERM", "xterm"}}, {}},
        KindRow{"PipeIn", false, true, {{"TERM", "xterm"}}, {Drawing::lines, Colours::on}}),
    [](const auto& row) { return row.param.name; });

TEST(HistoryFile, KeepsLinesForItsOwnerAndNoSecret) {
  const test::TemporaryFolder folder;
  const HistoryFile history(folder / "chat_history");
  EXPECT_THAT(history.read(), ElementsAre());
  history.add("what is failing?");
  history.add("the token is ghp_" + std::string("16C7e42F292c6912E7710c838347Ae178B4a"));
  history.add("  ");
  history.add("again");
  EXPECT_THAT(history.read(), ElementsAre("what is failing?", "again"));
  EXPECT_EQ(std::filesystem::status(folder / "chat_history").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(HistoryFile, IsBounded) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("chat_history", lines(2 * kMostHistory + 1));
  const HistoryFile history(file);
  EXPECT_EQ(history.read().size(), kMostHistory);
  EXPECT_EQ(history.read().back(), std::to_string(2 * kMostHistory + 1));
  EXPECT_LT(std::filesystem::file_size(file), 5 * kMostHistory + 1);
}

TEST(Slash, ReadsNamesAndSuggestsTheNearest) {
  EXPECT_EQ(read_slash("/tasks")->command, Slash::tasks);
  EXPECT_EQ(read_slash(" /Call shell {}")->rest, "shell {}");
  EXPECT_THAT(describe(read_slash("/taks").error()), HasSubstr("did you mean /tasks?"));
  EXPECT_THAT(describe(read_slash("/zzzzzzzz").error()), HasSubstr("/help"));
  EXPECT_THAT(describe(read_slash("/yolo please").error()), HasSubstr("nothing behind it"));
  EXPECT_FALSE(is_slash("a /b"));
}

TEST(Slash, HelpNamesEveryCommand) {
  for (const SlashRow& row : kSlashCommands) EXPECT_THAT(slash_help(), HasSubstr("/" + std::string(row.name)));
}

TEST(AnswerStream, GivesWholeLinesAndKeepsTheRest) {
  AnswerStream stream(Colours::off);
  EXPECT_EQ(stream.feed("one **t"), "");
  EXPECT_EQ(stream.tail(), "one **t");
  EXPECT_EQ(stream.feed("wo**\nthree"), "one two\n");
  EXPECT_EQ(stream.end(), "three\n");
  EXPECT_EQ(stream.said(), "one **two**\nthree");
  stream.feed("next");
  EXPECT_EQ(stream.said(), "next");
}

TEST(LastRows, AreTheEndOfAText) {
  EXPECT_THAT(last_rows("abcdefg", 3, 9), ElementsAre("abc", "def", "g"));
  EXPECT_THAT(last_rows("abcdefg", 3, 2), ElementsAre("def", "g"));
  EXPECT_THAT(last_rows("", 3, 2), ElementsAre());
  EXPECT_THAT(last_rows("\tat a", 3, 9), ElementsAre("\tat ", "a"));  // what takes no room may stand first
  EXPECT_THAT(last_rows("\u0301", 0, 9), ElementsAre("\u0301"));
}

TEST(Session, IsTheBeginningOfAllItsConversations) {
  const Session session = session_of("terminal:a.b:01K");
  EXPECT_EQ(session.key, "terminal:a.b:01K");
  const Session second = cleared(session);
  EXPECT_EQ(second.conversation, "terminal:a.b:01K.2");
  EXPECT_EQ(cleared(second).conversation, "terminal:a.b:01K.3");
  EXPECT_EQ(session_of(second.conversation).key, session.key);
  const Session made = new_session("a.b", {});
  EXPECT_TRUE(made.key.starts_with("terminal:a.b:chat-"));
  EXPECT_EQ(session_of(cleared(made).conversation).key, made.key);
}

TEST(Welcome, SaysWhoAnswersAndOnlyTriesWhatThereIs) {
  toolkit::ToolListing shell;
  shell.name = "shell";
  toolkit::ToolListing logs;
  logs.name = "get_recent_errors";
  logs.configured = false;
  const std::string text = welcome("the offline planner (no model key is set)", {shell, logs});
  EXPECT_THAT(text, HasSubstr("answered by the offline planner (no model key is set)."));
  EXPECT_THAT(text, HasSubstr("run `ls -l`"));
  EXPECT_THAT(text, Not(HasSubstr("failing")));
  EXPECT_THAT(welcome("anthropic/x", {}), HasSubstr("answered by anthropic/x."));
}

}  // namespace
}  // namespace deputy::app
