// The small parts of a chat: what is kept, said and offered.
#include "app/chat/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/chat/chat.h"
#include "app/chat/chat_commands.h"
#include "support/results.h"
#include "support/temporary_folder.h"

namespace deputy::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::string lines(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) text += std::to_string(i) + "\n";
  return text;
}

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

TEST(HistoryFile, KeepsLineBreaksWithinAnEntry) {
  const test::TemporaryFolder folder;
  const HistoryFile history(folder / "chat_history");
  history.add("one\n\ntwo \\\nthree");
  history.add("four");
  EXPECT_THAT(history.read(), ElementsAre("one\n\ntwo \\\nthree", "four"));
  EXPECT_OK(history.forget("four"));
  EXPECT_THAT(history.read(), ElementsAre("one\n\ntwo \\\nthree"));
  EXPECT_OK(history.forget(std::nullopt));
  EXPECT_THAT(history.read(), ElementsAre());
}

TEST(HistoryFile, IsBounded) {
  const test::TemporaryFolder folder;
  const auto file = folder.write("chat_history", lines(2 * kMaxHistory + 1));
  const HistoryFile history(file);
  EXPECT_EQ(history.read().size(), kMaxHistory);
  EXPECT_EQ(history.read().back(), std::to_string(2 * kMaxHistory + 1));
  EXPECT_LT(std::filesystem::file_size(file), 5 * kMaxHistory + 1);
}

TEST(Slash, ReadsNamesAndSuggestsTheNearest) {
  EXPECT_EQ(read_slash("/tasks")->command, Slash::tasks);
  EXPECT_EQ(read_slash(" /Call shell {}")->rest, "shell {}");
  EXPECT_THAT(describe(read_slash("/taks").error()), HasSubstr("did you mean /tasks?"));
  EXPECT_THAT(describe(read_slash("/zzzzzzzz").error()), HasSubstr("/help"));
  EXPECT_THAT(describe(read_slash("/yolo please").error()), HasSubstr("takes no arguments"));
  EXPECT_FALSE(is_slash("a /b"));
}

TEST(Slash, HelpNamesEveryCommand) {
  for (const SlashRow& row : kSlashCommands) EXPECT_THAT(slash_help(), HasSubstr("/" + std::string(row.name)));
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
