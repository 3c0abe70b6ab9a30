// How answers and results are shown in `deputy chat`: the real program on a terminal.
#include "e2e/chat/chat_fixture.h"
#include "support/model_peer.h"
#include "support/monitoring.h"

namespace deputy {
namespace {

using test::ModelPeer;
using test::Scenario;
using testing::HasSubstr;
using testing::Not;

enum class Colours { off, on };

class Reading : public Chat {
 protected:
  std::unique_ptr<Pty> chat_with(const ModelPeer& peer, unsigned short columns = 80, Colours colours = Colours::off) {
    variables_ = {"ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL=" + peer.url()};
    std::vector<std::string> around = environment();
    if (colours == Colours::on) std::erase(around, "NO_COLOR=1");
    auto pty =
        std::make_unique<Pty>(test::PtySpec{{DEPUTY_PROGRAM, "chat"}, around, workspace().string(), 24, columns});
    pty->expect("> ");
    return pty;
  }
  static void call_shell(Pty& pty, const std::string& command) {
    pty.type(fmt::format("/call shell {{\"command\": \"{}\"}}\r", command));
  }
};

constexpr std::string_view kAnswer =
    "## Findings\n\nThe **checkout** service fails since noon because its gateway does not answer in time.\n\n"
    "| service | errors |\n|---|---:|\n| checkout | 12 |\n| cart | 3 |\n\n"
    "1. restart `checkout`, and then look at the error rate again\n\n```sh\nkubectl get pods # all\n```\n";

TEST_F(Reading, AnAnswerIsRenderedOnceAndWrappedAtWords) {
  ModelPeer peer("anthropic.js", Scenario().text(kAnswer).repeat());
  {
    const auto pty = chat_with(peer);
    pty->type("what fails?\r");
    pty->expect("Findings\n\nThe checkout service fails since noon because its gateway does not answer in\ntime.\n\n");
    pty->expect("service   errors\n────────  ──────\ncheckout      12\ncart           3\n\n");
    pty->expect("1. restart checkout, and then look at the error rate again\n\n  kubectl get pods # all\n");
    pty->expect(" s · ");
    leave(*pty);
    EXPECT_EQ(count(test::without_sequences(pty->raw()), "checkout      12"), 1U);
  }
  const auto pty = chat_with(peer, 40);
  pty->type("what fails?\r");
  pty->expect("The checkout service fails since noon\nbecause its gateway does not answer in\ntime.\n");
  pty->expect("1. restart checkout, and then look at\n   the error rate again\n");
  pty->expect(" s · ");
  leave(*pty);
}

TEST_F(Reading, TheAnswerToAskIsRenderedToo) {
  Scenario scenario;
  scenario.call("list_files").then().text(kAnswer);
  ModelPeer peer("anthropic.js", scenario);
  variables_ = {"ANTHROPIC_API_KEY=sk-ant-test-0123456789", "ANTHROPIC_BASE_URL=" + peer.url()};
  Pty pty({{DEPUTY_PROGRAM, "ask", "what fails?"}, environment(), workspace().string(), 24, 40});
  pty.expect("✓ list_files");
  pty.expect("The checkout service fails since noon\nbecause its gateway does not answer in\ntime.\n");
  pty.expect("checkout      12\n");
  EXPECT_EQ(pty.end(), 0);
}

TEST_F(Reading, AResultIsOpenedPageByPage) {
  const auto pty = chat();
  pty->type("/yolo\r");
  call_shell(*pty, "seq 1 200");
  pty->expect("… 198 more lines · /result 1");
  pty->type("/result 1\r");
  pty->expect("48\n1–48 of 201");
  pty->type(" ");
  pty->expect("49–96 of 201");
  pty->type("G");
  pty->expect("[exit code 0]");
  pty->expect("154–201 of 201");
  pty->type("q");
  pty->type("/result 7\r");
  pty->expect("no result of that number");
  leave(*pty);
}

TEST_F(Reading, ACommandThatFailedIsMarkedAndSaysItsExitCode) {
  const auto pty = chat();
  pty->type("/yolo\r");
  call_shell(*pty, "seq 1 200; exit 4");
  pty->expect("✗ shell seq 1 200; exit 4  exit code 4");
  pty->expect(" more lines · /result 1\n");
  pty->expect("[exit code 4]");
  leave(*pty);
}

TEST_F(Reading, ColourCodesOfAResultAreNeverText) {
  const auto pty = chat();
  pty->type("/yolo\r");
  call_shell(*pty, R"(printf '\\033[31mred\\033[0m and plain\\n')");
  pty->expect("    red and plain\n");
  pty->type("/result\r");
  pty->expect("red and plain\n[exit code 0]\n");
  leave(*pty);
  EXPECT_THAT(test::without_sequences(pty->raw()), Not(HasSubstr("u{1B}")));
}

TEST_F(Reading, AWaitForTheModelIsShown) {
  Scenario scenario;
  scenario.refuses("rate_limit").then().text("Here I am.");
  ModelPeer peer("anthropic.js", scenario);
  const auto pty = chat_with(peer);
  pty->type("hello\r");
  pty->expect("retry in ");
  pty->expect("Here I am.");
  pty->expect(" s · ");
  leave(*pty);
}

TEST_F(Reading, AnAnswerWhoseStreamBrokeIsShownOnce) {
  Scenario scenario;
  scenario.text("It began with this line.\n\nAnd then it").hold().breaks_off().then().text("It is the pool.");
  ModelPeer peer("anthropic.js", scenario);
  const auto pty = chat_with(peer);
  pty->type("hello\r");
  pty->expect("It began with this line.");
  peer.go_on();
  pty->expect("It is the pool.");
  pty->expect(" s · ");
  leave(*pty);
  EXPECT_EQ(count(test::on_screen(pty->raw()), "It is the pool."), 1U) << test::on_screen(pty->raw());
}

TEST_F(Reading, AnErrorIsOpenedAsAnyResult) {
  const auto pty = chat();
  pty->type("/call read_file {\"path\": \"a-name-that-is-so-long-that-the-error-about-it-does-not-fit.txt\"}\r");
  pty->expect("/result 1");
  pty->expect(" s · ");
  pty->type("/result 1\r");
  pty->expect("does-not-fit.txt`");
  leave(*pty);
  const std::string list = command({"runs", "list"});
  EXPECT_THAT(command({"runs", "show", list.substr(0, list.find(' '))}), HasSubstr("\n    there is no `a-name"));
}

TEST_F(Reading, AWaitForABackendIsShown) {
  const test::MonitoringPeer peer("sesame", 1);
  const auto pty = chat({"--set", "tools.alarm_tools.alertmanager.url=" + peer.url(), "--set",
                         "tools.alarm_tools.alertmanager.token=sesame"});
  pty->type("/call check_alarms {}\r");
  pty->expect("⚙ check_alarms");
  pty->expect("│ retry in 1s: Alertmanager answered 503");
  pty->expect("✓ check_alarms");
  leave(*pty);
}

TEST_F(Reading, CodeHasColoursWhereItsLanguageIsNamed) {
  ModelPeer peer("anthropic.js", Scenario().text("```py\nreturn \"one\"  # all\n```\n\n```\nreturn \"two\"\n```\n"));
  const auto pty = chat_with(peer, 80, Colours::on);
  pty->type("how?\r");
  pty->expect("  return \"one\"  # all\n");
  pty->expect("  return \"two\"\n");
  pty->expect(" s · ");
  leave(*pty);
  EXPECT_THAT(pty->raw(), HasSubstr("  \x1b[1mreturn\x1b[22m \x1b[32m\"one\"\x1b[39m  \x1b[2m# all\x1b[22m\r\n"));
  EXPECT_THAT(pty->raw(), HasSubstr("  return \"two\"\r\n"));
}

TEST_F(Reading, AnInterruptedCommandKeepsItsOutputAndWhatIsUnknownIsSaidOnce) {
  const auto pty = chat();
  pty->type("/yolo\r");
  call_shell(*pty, "echo so-far-$((40+2)); sleep 86373");
  pty->expect("│ so-far-42");  // the status
  pty->type("\x03");
  pty->expect("✗ shell");
  pty->expect("    so-far-42\n");
  pty->expect("may have happened");
  pty->expect(" s · ");
  leave(*pty);
  EXPECT_EQ(count(test::without_sequences(pty->raw()), "may have happened"), 1U);
}

TEST_F(Reading, ANoteIsAcknowledged) {
  ModelPeer peer("anthropic.js",
                 Scenario().text("The first words\n").hold().text("and the last.").then().text("Noon."));
  const auto pty = chat_with(peer);
  pty->type("what fails?\r");
  pty->expect("The first words");
  pty->type("only in prod\r");
  pty->expect("Noted: it is read before the next step.");
  peer.go_on();
  pty->expect("Noon.");
  leave(*pty);
}

TEST_F(Reading, TheOfflinePlannerNamesItselfOnce) {
  const auto pty = chat();
  for (int i = 0; i < 3; ++i) {
    pty->type("hello there\r");
    pty->expect(" s · 01");
  }
  leave(*pty);
  const std::string screen = test::on_screen(pty->raw());
  EXPECT_EQ(count(screen, "This is the offline planner"), 1U) << screen;
  EXPECT_EQ(count(screen, "I can only look things up"), 3U) << screen;
}

}  // namespace
}  // namespace deputy
