// How a line is typed in `deputy chat`: the real program on a terminal.
#include <unistd.h>

#include "base/json.h"
#include "e2e/chat/chat_fixture.h"

namespace deputy {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string pasted(std::string_view text) { return "\x1b[200~" + std::string(text) + "\x1b[201~"; }

std::string numbered(int lines) {
  std::string text;
  for (int i = 1; i <= lines; ++i) text += fmt::format("line {}\n", i);
  return text;
}

class Typing : public Chat {
 protected:
  // The text of the newest request.
  std::string request() const {
    const json::array runs = json::parse(command({"runs", "list", "--json"})).as_array();
    const std::string id(runs.front().at("run").as_string());
    return command({"runs", "show", id, "--json"});
  }
};

TEST_F(Typing, AMessageHasSeveralLines) {
  const auto pty = chat();
  pty->type("hello one\x1b\rhello two\\\rhello three\r");
  pty->expect("> hello one\n  hello two\n  hello three\n");
  pty->expect(" s · 01");
  leave(*pty);
  EXPECT_THAT(request(), HasSubstr(R"(hello one\nhello two\nhello three)"));
}

TEST_F(Typing, APasteKeepsItsLineBreaksAndOnlyEnterSendsIt) {
  const auto pty = chat();
  pty->type(pasted("hello first\rhello second\r"));
  pty->expect("> hello first\n  hello second");
  pty->type("\r");
  pty->expect(" s · 01");
  leave(*pty);
  EXPECT_THAT(request(), HasSubstr(R"(hello first\nhello second")"));
}

TEST_F(Typing, ALongPasteIsFoldedAndSentWhole) {
  const auto pty = chat();
  pty->type("hello " + pasted(numbered(500)) + "\r");
  pty->expect("> hello [pasted 500 lines]");
  pty->expect(" s · 01");
  EXPECT_THAT(test::without_sequences(pty->raw()), Not(HasSubstr("line 250")));
  leave(*pty);
  EXPECT_THAT(request(), HasSubstr(R"(line 499\nline 500)"));
}

TEST_F(Typing, WhatIsTooLongIsSaidToBeCut) {
  const auto pty = chat();
  pty->type("hello " + pasted(std::string(50'000, 'x')) + "\r");
  pty->expect("Only the first 40000 characters are sent.");
  pty->expect(" s · 01");
  leave(*pty);
}

TEST_F(Typing, NavigationKeysLeaveNoCharacters) {
  const auto pty = chat();
  pty->type("heXlp\x1b[5~\x1b[6~\x1b[2~\x1bOP\x1b[[B\x1b[1;2A\x1b[D\x1b[D\x7f\x1b[H/\x1b[F\r");
  pty->expect("/clear");
  leave(*pty);
}

TEST_F(Typing, WordKeysMoveAndCutByWords) {
  const auto pty = chat();
  pty->type("hello to the wolrd today");
  pty->type(
      "\x1b[1;5D\x1b"
      "b\x1b"
      "d"
      "world\x1b[1;3C\x1b\x7f"
      "now");
  pty->expect("> hello to the world now");
  pty->type("\x17later\x1b[H\x1b[1;5C\x1b[1;5C\x1b[3;5~");
  pty->expect("> hello to world later");
  pty->type("\r");
  pty->expect("> hello to world later\n");
  pty->expect(" s · 01");
  leave(*pty);
  EXPECT_THAT(request(), HasSubstr(R"(hello to world later")"));
}

TEST_F(Typing, TheHistoryOfEarlierSessionsIsSearched) {
  {
    const auto pty = chat();
    pty->type("hello needle one\x1b\rand two\r");
    pty->expect(" s · 01");
    pty->type("/model\r");
    pty->expect("planner");
    leave(*pty);
  }
  const auto pty = chat();
  pty->type("\x12needle");
  pty->expect("(search) needle: hello needle one\n  and two");
  pty->type("\r");
  pty->expect("> hello needle one\n  and two\n");
  pty->expect(" s · 01");
  leave(*pty);
}

TEST_F(Typing, TabCompletesCommandsToolsServicesAndFiles) {
  folder_.write("workspace/notes-of-today.txt", "");
  folder_.write("services.yaml", "checkout-api: {full_name: Checkout, type: api, description: Sells things}\n");
  const auto pty = chat({"--set", "services.file=" + (folder_ / "services.yaml").string()});
  pty->type("/hel\t\r");
  pty->expect("/clear");
  pty->type("/call list_serv\t\r");
  pty->expect("checkout-api");
  pty->expect(" s · 01");
  pty->type("restart check\t");
  pty->expect("restart checkout-api ");
  pty->type("\x15see @not\t");
  pty->expect("see @notes-of-today.txt ");
  pty->type("\x15/t\t");
  pty->expect("/tasks  /tools");
  pty->type("\x15");
  leave(*pty);
}

// As after `su -`: the device of the terminal cannot be opened by its name.
TEST_F(Typing, WorksWhereTheTerminalCannotBeOpenedByItsName) {
  Pty pty({{"/usr/bin/bwrap", "--bind", "/", "/", "--dev", "/dev", DEPUTY_PROGRAM, "chat"},
           environment(),
           workspace().string()});
  pty.expect("/help lists the commands.");
  pty.type("elp\x1b[H/h\x1b[F\r");
  pty.expect("/clear");
  leave(pty);
}

TEST_F(Typing, OneKeyAnswersAnApproval) {
  const auto pty = chat();
  const fs::path notes = ask_to_edit(*pty);
  pty->type("x");
  pty->expect("It is for run");
  pty->expect(kChoices);
  pty->type("y");
  pty->expect("✓ edit_file");
  EXPECT_EQ(text_of(notes), "beta\n");
  ask_to_edit(*pty);
  deny_edit(*pty);
  EXPECT_EQ(text_of(notes), "alpha\n");
  leave(*pty);
}

TEST_F(Typing, EscapeTakesANoBack) {
  const auto pty = chat();
  const fs::path notes = ask_to_edit(*pty);
  pty->type("n");
  pty->expect("reason, or Enter for none");
  pty->type("\x1b");
  expect_card_again(*pty);
  EXPECT_EQ(text_of(notes), "alpha\n");
  pty->type("y");
  pty->expect("✓ edit_file");
  EXPECT_EQ(text_of(notes), "beta\n");
  leave(*pty);
}

TEST_F(Typing, TheRestOfAYesIsNoMessage) {
  const auto pty = chat();
  ask_to_edit(*pty);
  pty->type("yes\r");
  pty->expect("✓ edit_file");
  pty->type("/model\r");
  pty->expect("planner");
  leave(*pty);
  EXPECT_THAT(command({"runs", "list"}), Not(HasSubstr("  es")));
}

// The signal of a new size interrupts a write to a terminal that takes nothing at the moment.
TEST_F(Typing, NothingIsLostWhenTheWindowChangesWhileItIsDrawn) {
  const auto pty = chat();
  pty->type(std::string(800, 'x'));
  for (int i = 0; i < 60; ++i) {
    pty->resize(24, static_cast<unsigned short>(70 + i % 2));
    usleep(2000);
  }
  pty->type("the end");
  pty->expect("the end");
  pty->type("\x15\x15/quit\r");
  EXPECT_EQ(pty->end(), 0);
}

TEST_F(Typing, ANarrowerWindowIsDrawnAgain) {
  const auto pty = chat();
  pty->type("hello " + std::string(80, 'x'));
  pty->expect("xxx");
  pty->resize(24, 40);
  pty->expect("> hello " + std::string(31, 'x') + "\n  " + std::string(37, 'x') + "\n  x");
  pty->type("\r");
  pty->expect("s · 01");
  leave(*pty);
}

}  // namespace
}  // namespace deputy
