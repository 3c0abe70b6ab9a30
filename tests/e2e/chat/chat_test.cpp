// `deputy chat`, the real program on a terminal, over a home and a workspace of its own.
#include <csignal>
#include <thread>

#include "e2e/chat/chat_fixture.h"

namespace deputy {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kDown = "\x1b[B";

// Why commands cannot be run in a sandbox here; empty: they can.
std::string why_no_sandbox() {
  ProcessSpec spec;
  spec.arguments = {"/usr/bin/bwrap", "--unshare-all", "--ro-bind", "/usr", "/usr",      "--symlink", "usr/bin",
                    "/bin",           "--symlink",     "usr/lib",   "/lib", "--symlink", "usr/lib64", "/lib64",
                    "--proc",         "/proc",         "--dev",     "/dev", "true"};
  spec.environment = {"PATH=/usr/bin:/bin"};
  const Result<ProcessEnd> end = test::run(run_process(std::move(spec)));
  if (!end) return end.error().message;
  return end->exit_code == 0 ? std::string() : "bwrap cannot run here: " + end->errors;
}

class ChatWithShell : public Chat {
 protected:
  void SetUp() override { ASSERT_EQ(why_no_sandbox(), ""); }
  // A file of the workspace that commands may read, as whoever they run.
  void write_for_all(const std::string& name, const std::string& text) const {
    const fs::path file = folder_.write("workspace/" + name, text);
    fs::permissions(file, fs::perms(0644));
    fs::permissions(file.parent_path(), fs::perms(0755));
  }
  static void call_shell(Pty& pty, const std::string& command, const std::string& more = {}) {
    pty.type(fmt::format("/call shell {{\"command\": \"{}\"{}}}\r", command, more));
  }
};

TEST_F(Chat, StreamsAnAnswerAndShowsItOnce) {
  const auto pty = chat();
  pty->type("hello\r");
  pty->expect("Without a model I can only look things up");
  pty->expect(" s · 01");  // the footer
  leave(*pty);
  const std::string screen = test::on_screen(pty->raw());
  EXPECT_EQ(count(screen, "Without a model I can only look things up"), 1U) << screen;
  EXPECT_EQ(count(screen, "_This is"), 0U) << screen;  // the marks of Markdown
}

TEST_F(Chat, SaysWhoAnswersAndSuggestsTheNearestCommand) {
  const auto pty = chat();
  EXPECT_THAT(test::without_sequences(pty->raw()), HasSubstr("the offline planner"));
  pty->type("/taks\r");
  pty->expect("did you mean /tasks?");
  pty->type("/model\r");
  pty->expect("offline");
  leave(*pty);
}

TEST_F(Chat, LinesAreEditedAndRemembered) {
  {
    const auto pty = chat();
    pty->type("/hexp\x7f\x7flp\r");
    pty->expect("/clear");
    leave(*pty);
  }
  const auto pty = chat();
  pty->type("\x1b[A\r");
  pty->expect("/clear");
  leave(*pty);
  const fs::path history = folder_ / "home/.local/state/deputy/chat_history";
  EXPECT_EQ(text_of(history), "/help\n/help\n");
  EXPECT_EQ(fs::status(history).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(Chat, AFormTakesOneSeveralAndOwnWords) {
  const auto pty = chat();
  pty->type(R"(/call ask_user {"questions": [)"
            R"({"label": "env", "question": "Which environment?", "allow_custom": false,)"
            R"( "options": [{"label": "prod"}, {"label": "dev"}]},)"
            R"({"label": "parts", "question": "Which parts?", "multi_select": true,)"
            R"( "options": [{"label": "api"}, {"label": "web"}, {"label": "jobs"}]},)"
            R"({"label": "why", "question": "Why?"}]})"
            "\r");
  pty->expect("? Which environment? (1 of 3)");
  pty->expect("↑↓ move");
  pty->type("\r");  // nothing is chosen yet
  pty->expect("choose one with the arrows or its number");
  pty->type(fmt::format("{0}{0}\r", kDown));
  pty->expect("? Which parts? (2 of 3)");
  pty->expect("space selects");
  pty->type(fmt::format(" {0}{0} \r", kDown));
  pty->expect("? Why? (3 of 3)");
  pty->expect("Esc skips");
  pty->type("because\r");
  pty->expect("? Which environment? dev\n? Which parts? api, jobs\n? Why? because\n");
  pty->expect(R"(["api","jobs"])");
  leave(*pty);
}

TEST_F(Chat, AFormOffersWhatIsKnownAndChecksWhatIsTyped) {
  const auto pty = chat();
  pty->type(R"(/call ask_user {"questions": [)"
            R"({"label": "where", "question": "Where?", "parameter": "get_recent_errors.environment"},)"
            R"({"label": "hours", "question": "How far back?", "parameter": "get_recent_errors.hours_back"}]})"
            "\r");
  pty->expect("? Where? (1 of 2)");
  const std::string offered = pty->expect("Esc skips");
  EXPECT_THAT(offered, HasSubstr("prod"));
  EXPECT_THAT(offered, Not(HasSubstr("❯")));  // nothing is chosen
  pty->type("prodd\r");
  pty->expect("`prodd` is not known here; did you mean `prod`?");
  pty->type("\x7f\r");
  pty->expect("? How far back? (2 of 2)");
  pty->type("a day\r");
  pty->expect("`a day` is not a whole number");
  pty->type("\x7f\x7f\x7f\x7f\x7f");
  pty->type("5\r");
  pty->expect("? Where? prod\n? How far back? 5\n");
  leave(*pty);
}

TEST_F(Chat, EnterTakesAnOptionThatTheQuestionSuggests) {
  const auto pty = chat();
  pty->type(R"(/call ask_user {"questions": [{"label": "env", "question": "Which environment?",)"
            R"( "options": [{"label": "prod"}, {"label": "dev", "selected": true}]}]})"
            "\r");
  pty->expect("❯ 2. dev");
  pty->expect("Esc skips");
  pty->type("\r");
  pty->expect("? Which environment? dev\n");
  leave(*pty);
}

TEST_F(Chat, EscapeSkipsAForm) {
  const auto pty = chat();
  pty->type("investigate the issue\r");
  pty->expect("? Which service? (1 of 2)");
  pty->expect("Esc skips");
  pty->type("\x1b");
  pty->expect("? skipped");
  pty->expect("I stopped because");
  leave(*pty);
}

TEST_F(Chat, AnEditIsShownAsADiffAndMadeOnlyAfterAYes) {
  const fs::path notes = folder_.write("workspace/notes.txt", "alpha\nomega\n");
  const std::string edit =
      R"(/call edit_file {"path": "notes.txt", "edits": [{"old_string": "alpha", "new_string": "beta"}]})"
      "\r";
  const auto pty = chat();
  pty->type(edit);
  pty->expect("-alpha");
  pty->expect("+beta");
  pty->expect(kChoices);
  pty->type("n\r");
  pty->expect("reason, or Enter for none");
  pty->type("\r");
  pty->expect("⊘ edit_file");
  EXPECT_EQ(text_of(notes), "alpha\nomega\n");
  pty->type(edit);
  pty->expect("+beta");
  pty->expect(kChoices);
  pty->type("y\r");
  pty->expect("✓ edit_file");
  EXPECT_EQ(text_of(notes), "beta\nomega\n");
  leave(*pty);
}

TEST_F(Chat, AWordTypedAtTheOptionsOfAFormIsAnAnswer) {
  const auto pty = chat();
  pty->type(R"(/call ask_user {"questions": [{"label": "env", "question": "Which environment?", "allow_custom": true,)"
            R"( "options": [{"label": "prod"}, {"label": "dev"}]}]})"
            "\r");
  pty->expect("Esc skips");
  pty->type("staging\r");
  pty->expect("? Which environment? staging\n");
  leave(*pty);
}

// Seen: a command padded to the width of the terminal painted a card of its own.
TEST_F(ChatWithShell, ACommandPaintsNoCardOfItsOwn) {
  for (const unsigned short width : {40, 80}) {
    Pty pty({{DEPUTY_PROGRAM, "chat"}, environment(), workspace().string(), 50, width});
    pty.expect("lists the");
    const std::string padding(width - 3, 'x');
    call_shell(pty, "touch " + padding + "? shell" + std::string(width, ' ') + "│ $ ls");
    pty.expect("? shell\n");
    const std::string card = "? shell\n" + pty.expect("[y]");
    std::size_t rows = 0;
    for (std::string_view rest = card; rest.contains('\n'); rest.remove_prefix(rest.find('\n') + 1), ++rows) {
      if (rest.starts_with("shell touch")) break;  // the prompt
      const bool is_ours = rest.starts_with("? shell\n") || rest.starts_with("│ ") || rest.starts_with("┊ ");
      EXPECT_TRUE(is_ours) << width << ": " << rest.substr(0, rest.find('\n'));
    }
    EXPECT_GT(rows, 3U);
    EXPECT_THAT(card, HasSubstr(fmt::format("\\u{{20*{}}}", width)));
    EXPECT_THAT(card, HasSubstr("\nshell touch xxxx"));
    pty.type("n\r");
    pty.expect("reason");
    pty.type("\r");
    pty.expect("⊘ shell");
    leave(pty);
  }
}

TEST_F(ChatWithShell, NothingIsPrintedBetweenACardAndItsPrompt) {
  const auto pty = chat();
  call_shell(*pty, "until test -e go; do sleep 0.1; done; echo $((6*7)) is late", ", \"background\": true");
  pty->expect(kChoices);
  pty->type("y\r");
  pty->expect("[bg] shell");
  const fs::path notes = ask_to_edit(*pty);
  folder_.write("workspace/go", "");
  while (count(command({"runs", "list"}), "answered") < 2) std::this_thread::yield();
  EXPECT_THAT(test::without_sequences(pty->raw()), Not(HasSubstr("42 is late")));
  pty->type("y\r");
  pty->expect("42 is late");
  pty->expect("✓ edit_file");
  leave(*pty);
  EXPECT_EQ(text_of(notes), "beta\n");
}

TEST_F(Chat, AYesTypedBeforeThePromptApprovesNothing) {
  const fs::path notes = folder_.write("workspace/notes.txt", "alpha\n");
  Pty pty({{DEPUTY_PROGRAM, "tools", "call", "edit_file",
            R"({"path": "notes.txt", "edits": [{"old_string": "alpha", "new_string": "beta"}]})"},
           environment(),
           workspace().string()});
  pty.type("y\r");
  pty.expect("? [y]es");
  pty.type("n\r");
  EXPECT_EQ(pty.end(), 3);
  EXPECT_EQ(text_of(notes), "alpha\n");
}

TEST_F(Chat, ItsRunsAreLeftToItByOtherCommands) {
  const auto pty = chat();
  ask_to_edit(*pty);
  const std::string runs = command({"runs", "list"});
  const std::string run = runs.substr(runs.find("01"), 10);
  const ProcessEnd resumed = end_of({"runs", "resume", run});
  EXPECT_EQ(resumed.exit_code, 1) << resumed.output;
  EXPECT_THAT(resumed.errors, HasSubstr("this conversation is open in another terminal"));
  const ProcessEnd answered = end_of({"interactions", "answer", "--run", run, "yes"});
  EXPECT_EQ(answered.exit_code, 0) << answered.errors;
  EXPECT_THAT(answered.errors, HasSubstr("the run continues in the terminal that has it open"));
  pty->expect("✓ edit_file");
  leave(*pty);
}

TEST_F(Chat, AKeyPressedBeforeTheCardIsThereApprovesNothing) {
  const fs::path notes = folder_.write("workspace/notes.txt", "alpha\n");
  const auto pty = chat();
  pty->type(kEdit + "y");
  while (!command({"interactions", "list"}).contains("edit_file")) std::this_thread::yield();
  pty->expect("\n> y");
  EXPECT_EQ(text_of(notes), "alpha\n");
  pty->type("\x7f");
  pty->expect(kChoices);
  deny_edit(*pty);
  EXPECT_EQ(text_of(notes), "alpha\n");
  leave(*pty);
}

TEST_F(Chat, WordsThatBeginWithAnAnswersLetterAnswerNoApproval) {
  const fs::path notes = folder_.write("workspace/notes.txt", "alpha\n");
  const auto pty = chat();
  pty->type(kEdit);
  pty->expect(kChoices);
  pty->type("any news on that?");
  pty->expect("any news on that?");
  pty->type("\r");
  pty->expect("neither yes nor no");
  expect_card_again(*pty);
  pty->type("\x1b[A");  // nor does the line before
  deny_edit(*pty);
  EXPECT_EQ(text_of(notes), "alpha\n");
  EXPECT_EQ(command({"grants", "list"}), "no active grants\n");
  leave(*pty);
}

TEST_F(Chat, ALineBegunBeforeAFormIsNotItsAnswer) {
  const auto pty = chat();
  pty->type("investigate the issue\rhello");
  pty->expect("A question waits for you. Send or clear your line to see it.");
  pty->type("\r");
  pty->expect("Esc skips");
  pty->type("\x1b");
  pty->expect("? skipped");
  pty->expect("> hello");
  pty->expect("Noted: it is read before the next step.");
  leave(*pty);
}

TEST_F(Chat, ALineBegunBeforeACardIsSentAfterItsAnswer) {
  const fs::path notes = folder_.write("workspace/notes.txt", "alpha\n");
  const auto pty = chat();
  pty->type(kEdit + "hello");
  pty->expect("An approval waits for you. Send or clear your line to see it.");
  pty->type("\r");
  pty->expect(kChoices);
  EXPECT_EQ(text_of(notes), "alpha\n");
  pty->type("y");
  pty->expect("✓ edit_file");
  pty->expect("> hello");
  pty->expect("Without a model I can only look things up");
  EXPECT_EQ(text_of(notes), "beta\n");
  leave(*pty);
}

// A long paste comes in parts, and a card may come between them.
TEST_F(Chat, TheRestOfAPasteAnswersNoApproval) {
  const fs::path notes = folder_.write("workspace/notes.txt", "alpha\n");
  const auto pty = chat();
  pty->type(kEdit + "\x1b[200~a line\r");
  while (!command({"interactions", "list"}).contains("edit_file")) std::this_thread::yield();
  pty->type("y\ryes\r\x1b[201~");
  pty->expect("> a line\n  y\n  yes");
  EXPECT_EQ(text_of(notes), "alpha\n");
  pty->type("\x15\x7f\x15\x7f\x15");
  pty->expect(kChoices);
  pty->type("y");
  pty->expect("✓ edit_file");
  leave(*pty);
}

TEST_F(Chat, WordsOfASearchAnswerNoApproval) {
  const fs::path notes = folder_.write("workspace/notes.txt", "alpha\n");
  const auto pty = chat();
  pty->type(kEdit + "\x12");
  while (!command({"interactions", "list"}).contains("edit_file")) std::this_thread::yield();
  pty->type("yes");
  pty->expect("(search) yes");
  EXPECT_EQ(text_of(notes), "alpha\n");
  pty->type("\x1b");
  pty->expect(kChoices);
  pty->type("y");
  pty->expect("✓ edit_file");
  leave(*pty);
}

TEST_F(Chat, WhatIsPastedAnswersNoApproval) {
  const auto pty = chat();
  const fs::path notes = ask_to_edit(*pty);
  pty->type("\x1b[200~y\ry\r\x1b[201~");
  pty->expect("\n  y");
  pty->type("\r");
  pty->expect("Pasted text cannot answer an approval.");
  EXPECT_EQ(text_of(notes), "alpha\n");
  expect_card_again(*pty);
  pty->type("y\r");
  pty->expect("✓ edit_file");
  leave(*pty);
  EXPECT_THAT(pty->raw(), HasSubstr("\x1b[?2004h"));
  EXPECT_GT(pty->raw().rfind("\x1b[?2004l"), pty->raw().rfind("\x1b[?2004h"));
}

TEST_F(Chat, TheEndOfTheInputIsHeardWhereAReasonIsAsked) {
  const auto pty = chat();
  ask_to_edit(*pty);
  pty->type("n\r");
  pty->expect("reason, or Enter for none");
  leave(*pty);
}

TEST_F(Chat, WhatIsSettledElsewhereTakesNoLine) {
  std::vector<std::string> dumb = environment();
  dumb.emplace_back("TERM=dumb");
  std::erase(dumb, "TERM=xterm");
  Pty pty({{DEPUTY_PROGRAM, "chat"}, dumb, workspace().string()});
  pty.expect("/help lists the commands.");
  pty.type("investigate the issue\r");
  pty.expect("Question 1 of 2");
  const std::string runs = command({"runs", "list"});
  command({"runs", "cancel", runs.substr(runs.find("01"), 10)});
  pty.expect("Already settled");
  pty.type("/model\r");
  pty.expect("the offline planner (no model key is set)");
  pty.type("\x04");
  EXPECT_EQ(pty.end(), 0);
}

TEST_F(Chat, QuitFromTheKeyboardLeavesInOrder) {
  const auto pty = chat();
  pty->type("\x1c");
  EXPECT_EQ(pty->end(), 0);
  EXPECT_TRUE(pty->is_in_line_mode());
}

TEST_F(Chat, ControlSStopsNothing) {
  const auto pty = chat();
  pty->type("\x13/help\r");
  pty->expect("/clear");
  leave(*pty);
}

TEST_F(Chat, WhatWasTypedInBetweenMakesItTwoSingleInterrupts) {
  const auto pty = chat();
  pty->type("\x03");
  pty->expect("Ctrl-C again leaves.");
  pty->type("half");
  pty->expect("half");
  pty->type("\x03");
  pty->expect("Ctrl-C again leaves.");
  leave(*pty);
}

TEST_F(Chat, TermLeavesInOrder) {
  const auto pty = chat();
  pty->signal(SIGTERM);
  EXPECT_EQ(pty->end(), 0);
  EXPECT_TRUE(pty->is_in_line_mode());
}

TEST_F(Chat, InterruptTwiceLeaves) {
  const auto pty = chat();
  pty->type("half a sentence\x03");
  pty->expect("Ctrl-C again leaves.");
  pty->type("\x03");
  EXPECT_EQ(pty->end(), 0);
  EXPECT_TRUE(pty->is_in_line_mode());
  EXPECT_EQ(command({"runs", "list"}).find("half"), std::string::npos);
}

TEST_F(ChatWithShell, AnApprovedCommandRunsAndADeniedOneDoesNot) {
  const auto pty = chat();
  pty->type("run `echo said-$((40+2))`\r");
  pty->expect("$ echo said-$((40+2))");
  pty->expect(kChoices);
  pty->type("x\r");
  pty->expect("exactly these arguments");
  pty->type("y\r");
  pty->expect("✓ shell");
  pty->expect("said-42");
  pty->expect("[exit code 0]");
  call_shell(*pty, "date +never");
  pty->expect(kChoices);
  pty->type("n\r");
  pty->expect("reason");
  pty->type("not today\r");
  pty->expect("⊘ shell");
  EXPECT_THAT(pty->expect("not today"), Not(HasSubstr("terminal:")));
  leave(*pty);
}

TEST_F(ChatWithShell, AlwaysHoldsForTheCommandItsSubcommandAndItsOptionsUntilTheSessionEnds) {
  {
    const auto pty = chat();
    call_shell(*pty, "date +first");
    pty->expect("│ asks because `date` is not a command that is known to only read");
    pty->expect("│ always: shell with command `date …`, until this session ends");
    pty->expect(kChoices);
    pty->type("y");
    pty->expect("✓ shell");
    call_shell(*pty, "date +again");
    pty->expect("would have covered 1 earlier call: shell date +first");
    pty->expect(kChoices);
    pty->type("a");
    pty->expect("✓ shell");
    call_shell(*pty, "date +thrice");
    EXPECT_THAT(pty->expect("✓ shell"), Not(HasSubstr("e(x)plain")));
    pty->type("/approvals\r");
    pty->expect("shell with command: date … is granted until this session ends");
    call_shell(*pty, "date -u +other");
    pty->expect("│ always: shell with command `date -u …`");
    pty->expect(kChoices);
    pty->type("n\r");
    pty->expect("reason");
    pty->type("\r");
    pty->expect("⊘ shell");
    leave(*pty);
  }
  EXPECT_EQ(command({"grants", "list"}), "no active grants\n");
}

TEST_F(ChatWithShell, AlwaysIsForExactlyTheArgumentsWhereACommandRunsOthers) {
  const auto pty = chat();
  call_shell(*pty, "sh -c 'date +first'");
  const std::string card = pty->expect(kChoices);
  EXPECT_THAT(card, HasSubstr("│ always: exactly these arguments, until this session ends\n"));
  leave(*pty);
}

TEST_F(ChatWithShell, ACommandThatOnlyReadsRunsWithoutAsking) {
  write_for_all("notes.txt", "alpha\n");
  const auto pty = chat();
  call_shell(*pty, "cat notes.txt | wc -c");
  EXPECT_THAT(pty->expect("✓ shell"), Not(HasSubstr("e(x)plain")));
  pty->expect("    6\n");
  pty->expect("[exit code 0]");
  call_shell(*pty, "cat notes.txt > copy");
  pty->expect("asks because it redirects to or from a file");
  pty->expect(kChoices);
  leave(*pty);
}

TEST_F(ChatWithShell, SettingsAddCommandsThatOnlyRead) {
  const auto pty = chat({"--set", R"(tools.workspace_tools.read_commands={"date": ["-u"]})"});
  call_shell(*pty, "date -u");
  EXPECT_THAT(pty->expect("✓ shell"), Not(HasSubstr("e(x)plain")));
  pty->expect("UTC");
  call_shell(*pty, "date -R");
  pty->expect(kChoices);
  leave(*pty);
}

TEST_F(ChatWithShell, ACommandThatOnlyReadsSeesNothingThatReadFileMayNotRead) {
  write_for_all("notes.txt", "alpha\n");
  write_for_all("keys/staging.txt", "omega\n");
  const auto pty = chat({"--set", R"(policy.rules=[{"tool": "read_file", "deny": ["keys/.*"]}])"});
  call_shell(*pty, "cat notes.txt; ls keys; cat keys/staging.txt");
  EXPECT_THAT(pty->expect("✗ shell"), Not(HasSubstr("e(x)plain")));
  pty->expect(" s · 01");
  pty->type("/result 1\r");
  pty->expect("alpha");
  leave(*pty);
  EXPECT_THAT(test::without_sequences(pty->raw()), Not(HasSubstr("omega")));
}

TEST_F(ChatWithShell, ClearEndsWhatWasGranted) {
  const auto pty = chat();
  call_shell(*pty, "date +again");
  pty->expect(kChoices);
  pty->type("a\r");
  pty->expect("✓ shell");
  pty->expect(" s · 01");
  pty->type("/clear\r");
  pty->expect("What was granted with `a` has ended.");
  EXPECT_EQ(command({"grants", "list"}), "no active grants\n");
  call_shell(*pty, "date +again");
  pty->expect(kChoices);
  leave(*pty);
}

TEST_F(ChatWithShell, WhatAKilledSessionWasGrantedIsOver) {
  {
    const auto pty = chat();
    call_shell(*pty, "date +again");
    pty->expect(kChoices);
    pty->type("a\r");
    pty->expect("✓ shell");
    pty->signal(SIGKILL);
    pty->end();
  }
  const auto pty = chat({"--resume"});
  call_shell(*pty, "date +again");
  pty->expect(kChoices);
  leave(*pty);
}

TEST_F(ChatWithShell, YoloStopsAskingAndIsShownInThePrompt) {
  const auto pty = chat();
  pty->type("/yolo\r");
  pty->expect("yolo>");
  call_shell(*pty, "date +unasked");
  EXPECT_THAT(pty->expect("✓ shell"), Not(HasSubstr("e(x)plain")));
  pty->type("/yolo\r");
  pty->expect("It asks again");
  call_shell(*pty, "date +asked");
  pty->expect(kChoices);
  leave(*pty);
}

TEST_F(ChatWithShell, ABackgroundCommandIsATaskAndItsEndIsTold) {
  const auto pty = chat();
  call_shell(*pty, "until [ -e go ]; do sleep 0.05; done", ", \"background\": true");
  pty->expect(kChoices);
  pty->type("y\r");
  pty->expect("⚙ [bg] shell");
  pty->expect("task 01");
  pty->type("/tasks\r");
  pty->expect("open");
  pty->expect("[bg] shell until");
  pty->type("/clear\r");
  pty->expect("something is not finished here");
  folder_.write("workspace/go", "");
  pty->expect("✓ [bg] shell");
  leave(*pty);
}

TEST_F(ChatWithShell, InterruptEndsTheWholeGroupOfARunningCommand) {
  const auto pty = chat();
  call_shell(*pty, "sleep 86371 & sleep 86372");
  pty->expect(kChoices);
  pty->type("y\r");
  pty->expect("⚙ shell");
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  // Arguments end with a zero byte: the sandbox around it has the same words in one of its own.
  const std::string itself = std::string("sleep") + '\0' + "86372";
  while (processes_with(itself) == 0 && std::chrono::steady_clock::now() < until) sched_yield();
  ASSERT_GT(processes_with(itself), 0U);
  pty->type("\x03");
  pty->expect("Stopping.");
  pty->expect("Stopped by");
  EXPECT_EQ(processes_with("86371"), 0U);
  EXPECT_EQ(processes_with("86372"), 0U);
  leave(*pty);
}

TEST_F(ChatWithShell, AnApprovalOutlivesAKillAndIsAskedAgain) {
  {
    const auto pty = chat();
    call_shell(*pty, "date +after-the-kill");
    pty->expect(kChoices);
    pty->signal(SIGKILL);
    EXPECT_EQ(pty->end(), 128 + SIGKILL);
  }
  const auto pty = chat({"--resume"});
  pty->expect("Continuing");
  pty->expect("$ date +after-the-kill");
  pty->expect(kChoices);
  pty->type("y\r");
  pty->expect("✓ shell");
  pty->expect("after-the-kill");
  leave(*pty);
}

TEST_F(ChatWithShell, NothingThatACommandSaysIsObeyed) {
  const auto pty = chat();
  pty->type("/yolo\r");
  call_shell(*pty, R"(printf '\\033]0;owned\\007\\033[2J')");
  pty->expect("[exit code 0]");
  leave(*pty);
  EXPECT_THAT(pty->raw(), Not(HasSubstr("\x1b]0;")));
  EXPECT_THAT(pty->raw(), Not(HasSubstr("\x1b[2J")));
}

TEST_F(ChatWithShell, ALongResultIsFolded) {
  const auto pty = chat();
  pty->type("/yolo\r");
  call_shell(*pty, "seq 1 40");
  pty->expect("✓ shell");
  pty->expect("… 38 more lines · /result 1");  // 40 and the exit code, less three
  leave(*pty);
}

}  // namespace
}  // namespace deputy
