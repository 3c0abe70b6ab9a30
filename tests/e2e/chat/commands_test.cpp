// Slash commands, short ids and @files: the real program on a terminal.
#include "base/json.h"
#include "e2e/chat/chat_fixture.h"
#include "support/model_peer.h"

namespace deputy {
namespace {

using test::ModelPeer;
using test::Scenario;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kFooter = " s · ";

class Commands : public Chat {
 protected:
  std::unique_ptr<Pty> chat_with(const ModelPeer& peer) {
    variables_ = {"ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL=" + peer.url()};
    return chat();
  }
  static void ask(Pty& pty, const std::string& text) {
    pty.type(text + "\r");
    pty.expect(kFooter);
  }
};

TEST_F(Commands, ResumeOffersEarlierConversations) {
  {
    const auto pty = chat();
    ask(*pty, "hello from the first");
    ask(*pty, "hello once more");
    leave(*pty);
  }
  {
    const auto pty = chat();
    ask(*pty, "hello from the second");
    leave(*pty);
  }
  const auto pty = chat();
  pty->type("/resume\r");
  pty->expect("? Which conversation?");
  pty->expect("❯ 1. hello from the second · now");
  pty->expect("2. hello from the first · now");
  pty->expect("Esc skips");
  pty->type("\x1b[B\r");
  pty->expect("Continuing terminal:");
  pty->expect("> hello once more");
  pty->expect("\n> ");
  ask(*pty, "hello again");
  leave(*pty);
}

TEST_F(Commands, DiffShowsWhatWasChanged) {
  const auto pty = chat();
  pty->type("/diff\r");
  pty->expect("No file was changed in this conversation.");
  ask_to_edit(*pty);
  pty->type("y");
  pty->expect("✓ edit_file");
  pty->expect(kFooter);
  pty->type("/diff\r");
  pty->expect("+++ notes.txt");
  pty->expect("-alpha\n+beta\n");
  leave(*pty);
}

TEST_F(Commands, ToolsAreARowEachPageByPage) {
  test::PtySpec spec{{DEPUTY_PROGRAM, "chat"}, environment(), workspace().string()};
  spec.rows = 24;
  spec.columns = 60;
  Pty pty(spec);
  pty.expect("/help lists the commands.");
  pty.type("/tools\r");
  pty.expect("  add_slack_reaction       not set up   set channels");
  EXPECT_THAT(pty.expect("check_alarms"), testing::Not(testing::HasSubstr("\n    ")));
  pty.type("q");
  pty.type("/help\r");
  pty.expect("all tools, and what is not set up");
  leave(pty);
}

TEST_F(Commands, CostIsThatOfTheConversationAndOfToday) {
  ModelPeer peer("anthropic.js", Scenario().text("Hello.").uses({.input_tokens = 1000, .output_tokens = 1000}));
  const auto pty = chat_with(peer);
  ask(*pty, "hello");
  pty->type("/cost\r");
  pty->expect("This conversation: $0.0");
  pty->expect(" for 2000 tokens in 1 run. Today: $0.0");
  pty->expect(" of $10.00.");
  leave(*pty);
}

TEST_F(Commands, AnotherModelAnswersFromNowOn) {
  ModelPeer peer("anthropic.js", Scenario().text("Hello.").repeat());
  const auto pty = chat_with(peer);
  ask(*pty, "hello");
  pty->type("/model claude-haiku-5-5\r");
  pty->expect("anthropic/claude-haiku-5-5");
  ask(*pty, "hello again");
  leave(*pty);
  ASSERT_EQ(peer.count(), 2);
  EXPECT_THAT(json::serialize(peer.requests().at(0)), HasSubstr("claude-sonnet-5-5"));
  EXPECT_THAT(json::serialize(peer.requests().at(1)), HasSubstr("claude-haiku-5-5"));
}

TEST_F(Commands, CompactGoesOnWithASummary) {
  ModelPeer peer("anthropic.js",
                 Scenario().text("It is checkout.").then().text("Checkout fails.").then().text("Since noon."));
  const auto pty = chat_with(peer);
  ask(*pty, "which service fails, of all the many?");
  pty->type("/compact\r");
  pty->expect("Your next message takes the summary along.");
  pty->type("since when?\r");
  pty->expect("Since noon.");
  leave(*pty);
  ASSERT_EQ(peer.count(), 3);
  const std::string last = json::serialize(peer.requests().at(2));
  EXPECT_THAT(last, HasSubstr("Summary of the conversation so far:"));
  EXPECT_THAT(last, HasSubstr("Checkout fails."));
  EXPECT_THAT(last, Not(HasSubstr("of all the many?")));
}

TEST_F(Commands, AFileThatIsNamedGoesWithTheMessage) {
  folder_.write("workspace/notes.txt", "the pump is broken\n");
  folder_.write("workspace/picture", std::string("\x89PNG\0", 5));
  ModelPeer peer("anthropic.js", Scenario().text("Mend it."));
  const auto pty = chat_with(peer);
  pty->type("see @picture\r");
  pty->expect("picture is not text");
  pty->type("what does @ana think of @notes.txt?\r");
  pty->expect("with notes.txt (1 line)");
  pty->expect("Mend it.");
  pty->expect(kFooter);
  leave(*pty);
  ASSERT_EQ(peer.count(), 1);
  EXPECT_THAT(json::serialize(peer.requests().at(0)), HasSubstr("the pump is broken"));
}

TEST_F(Commands, AFileThatAPasteNamesStaysHere) {
  folder_.write("workspace/notes.txt", "the pump is broken\n");
  ModelPeer peer("anthropic.js", Scenario().text("Mend it."));
  const auto pty = chat_with(peer);
  pty->type("what is this? \x1b[200~see @notes.txt\x1b[201~\r");
  pty->expect("Mend it.");
  pty->expect(kFooter);
  leave(*pty);
  EXPECT_THAT(json::serialize(peer.requests().at(0)), Not(HasSubstr("the pump is broken")));
}

TEST_F(Commands, ThePickerHearsASignal) {
  {
    const auto pty = chat();
    ask(*pty, "hello there");
    leave(*pty);
  }
  const auto pty = chat();
  pty->type("/resume\r");
  pty->expect("? Which conversation?");
  pty->signal(SIGTERM);
  EXPECT_EQ(pty->end(), 0);
}

TEST_F(Commands, AConversationThatIsOpenElsewhereIsNotEntered) {
  const auto other = chat();
  ask(*other, "hello from the other");
  const auto pty = chat();
  ask(*pty, "hello from here");
  pty->type("/resume\r");
  pty->expect("❯ 1. hello from the other");
  pty->type("\r");
  pty->expect("this conversation is open in another terminal");
  ask(*pty, "hello again");
  leave(*pty);
  leave(*other);
}

TEST_F(Commands, AnotherModelBringsNoLimitsOfAPerson) {
  ModelPeer peer("anthropic.js", Scenario().text("One.").then().text("Two."));
  variables_.emplace_back("DEPUTY_LIMITS__REQUESTS_A_PERSON=1");
  const auto pty = chat_with(peer);
  pty->type("/model claude-haiku-5-5\r");
  pty->expect("anthropic/claude-haiku-5-5");
  pty->type("first\r");
  pty->expect("One.");
  pty->expect(kFooter);
  pty->type("second\r");
  pty->expect("Two.");
  pty->expect(kFooter);
  leave(*pty);
}

TEST_F(Commands, APageGoesAwayAndLeavesWhatWasThere) {
  folder_.write("workspace/long.txt", [] {
    std::string text;
    for (int i = 0; i < 100; ++i)
      text += fmt::format(
          "{} a line of words that is wider than the window is, so that it is wrapped where a word ends and nowhere "
          "else\n",
          i);
    return text;
  }());
  const auto pty = chat();
  pty->type("/call read_file {\"path\": \"long.txt\"}\r");
  pty->expect("more lines · /result 1");
  pty->expect(kFooter);
  const std::string before = test::on_screen(pty->raw());
  pty->type("/result 1\r");
  pty->expect("q closes");
  EXPECT_THAT(test::on_screen(pty->raw()), Not(HasSubstr("/help lists the commands.")));
  pty->type("q");
  pty->type("/model\r");
  pty->expect("planner");
  EXPECT_THAT(test::on_screen(pty->raw()), testing::StartsWith(before.substr(0, before.rfind("\n> "))));
  leave(*pty);
}

TEST_F(Commands, ARunIsNamedByTheBeginningOfItsId) {
  const auto pty = chat();
  ask(*pty, "hello there");
  leave(*pty);
  const std::string list = command({"runs", "list"});
  const std::string id = list.substr(0, list.find(' '));
  EXPECT_EQ(id.size(), 10U);
  EXPECT_THAT(command({"runs", "show", id}), HasSubstr("hello there"));
  EXPECT_THAT(command({"audit", "--run", id}), HasSubstr(id));
  EXPECT_THAT(end_of({"runs", "show", "01ZZZZZZZZ"}).errors, HasSubstr("no run `01ZZZZZZZZ`"));
  EXPECT_THAT(end_of({"runs", "show", "01ZZZZZZZZZZZZZZZZZZZZZZZZ"}).errors, HasSubstr("there is no run 01ZZZZZZZZ ("));
  EXPECT_EQ(command({"runs", "list", "--state", "parked"}), "no such runs\n");
  EXPECT_EQ(command({"runs", "list", "--state", "finished"}), list);
  EXPECT_EQ(command({"runs", "list", "--state", "answered"}), list);
  EXPECT_EQ(command({"runs", "list", "--state", "failed"}), "no such runs\n");
  EXPECT_EQ(end_of({"runs", "list", "--state", "gone"}).exit_code, 2);
  const json::object run = json::parse(command({"runs", "list", "--json"})).as_array().front().as_object();
  for (const auto& [option, value] :
       {std::pair{"--person", run.at("requester")}, {"--conversation", run.at("conversation")}}) {
    EXPECT_EQ(command({"runs", "list", option, std::string(value.as_string())}), list);
    EXPECT_EQ(command({"runs", "list", option, "nobody"}), "no such runs\n");
  }
}

TEST_F(Commands, DoctorMentionsAPauseAndAuditThatNobodyIsThere) {
  command({"pause"});
  EXPECT_THAT(command({"doctor"}), HasSubstr("nothing runs since "));
  command({"resume"});
  EXPECT_THAT(command({"doctor"}), Not(HasSubstr("pause ")));
  EXPECT_THAT(end_of({"audit", "--person", "nobody-at-all"}).errors, HasSubstr("no entries of `nobody-at-all`"));
  EXPECT_THAT(command({"--version"}), HasSubstr("deputy "));
}

}  // namespace
}  // namespace deputy
